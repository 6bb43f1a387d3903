"""Where descriptors or memory end."""

import os
import resource
import subprocess
import unittest

from harness import BINARY, PATIENCE, Server, environment


class ShortOfResources(unittest.TestCase):
    @staticmethod
    def limited(kind, amount):
        return {"preexec_fn": lambda: resource.setrlimit(kind, (amount, amount))}

    def test_says_in_one_line_that_it_lacks_descriptors(self):
        for descriptors in range(4, 12):
            process = subprocess.Popen([BINARY, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=environment(), **self.limited(resource.RLIMIT_NOFILE, descriptors))
            if process.stdout.readline():
                process.terminate()
            _, errors = process.communicate(timeout=PATIENCE)
            self.assertIn(process.returncode, (0, 1, 3), f"{descriptors} descriptors: {errors}")
            self.assertNotIn("terminate called", errors)

    @unittest.skipIf(os.environ.get("SANITIZED"), "a sanitizer needs more address space than any limit")
    def test_a_spawn_that_memory_ends_midway_changes_nothing(self):
        with Server("--max-entities", "100000000", **self.limited(resource.RLIMIT_AS, 300 << 20)) as server:
            replies = [server.ask("SPAWN COUNT 1000000 QUIET position health ai lifetime\n") for _ in range(20)]
            self.assertTrue(any(reply.startswith("-OOM ") for reply in replies), replies)
            made = sum(1_000_000 for reply in replies if reply == ":1000000\r\n")
            for condition in ("", " WITH position", " WITH ai", " WITH lifetime"):
                self.assertEqual(server.result(f"COUNT{condition}"), made, condition)


if __name__ == "__main__":
    unittest.main()

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
        with Server(**self.limited(resource.RLIMIT_AS, 72 << 20)) as server:
            server.result("TICK PAUSE")
            replies = []
            while not replies or replies[-1] == ":50000\r\n":
                replies.append(server.ask("SPAWN COUNT 50000 QUIET position health ai lifetime\n"))
            self.assertEqual(replies[-1], "-OOM out of memory\r\n")
            self.assertGreater(len(replies), 1, "some have room")
            made = 50_000 * (len(replies) - 1)
            for condition in ("", " WITH position", " WITH ai", " WITH lifetime"):
                self.assertEqual(server.result(f"COUNT{condition}"), made, condition)


if __name__ == "__main__":
    unittest.main()

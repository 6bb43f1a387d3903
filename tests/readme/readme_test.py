"""Every command of README.md that is printed after a `$ ` is run as printed, and answers what is printed.

The server of the first screen is started with the demo world on a free port; 7777 in the commands is replaced by it.
`...` in an answer stands for anything. Takes the evertick binary from BINARY_UNDER_TEST.
"""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATIENCE = 60  # seconds a command may take on a busy machine


def console_blocks(text):
    """Yields [(command, expected output), ...] for each ```console block, in order."""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        yield re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def pattern(expected):
    """A regular expression for the printed answer; `...` stands for anything."""
    return re.escape(expected.strip()).replace(r"\.\.\.", "(.|\n)*")


class ReadmeTest(unittest.TestCase):
    def test_every_command_works_as_printed(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EVERTICK_")}
        with subprocess.Popen([os.environ["BINARY_UNDER_TEST"], "--port", "0", "--scenario", "demo"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as server:
            self.addCleanup(server.kill)
            port = re.search(r":(\d+) http", server.stdout.readline())[1]
            commands = [pair for block in console_blocks((ROOT / "README.md").read_text()) for pair in block]
            self.assertGreater(len(commands), 8, "the README shows commands")
            for command, expected in commands:
                with self.subTest(command=command):
                    done = subprocess.run(command.replace("7777", port), shell=True, capture_output=True, text=True, cwd=ROOT,
                                          timeout=PATIENCE, env={**environment, "EVERTICK_PORT": port})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertRegex(done.stdout.replace("\r", "").strip(), f"^{pattern(expected)}$")
            server.kill()

    def test_every_link_leads_somewhere(self):
        for readme in [ROOT / "README.md", *ROOT.glob("*/README.md"), *ROOT.glob("server/*/README.md")]:
            for target in re.findall(r"\[[^\]]+\]\(([^)#:\s]+)\)", readme.read_text()):
                with self.subTest(readme=str(readme.relative_to(ROOT)), target=target):
                    self.assertTrue((readme.parent / target).exists())


if __name__ == "__main__":
    unittest.main()

"""What the tests of the scripts and of real clients share: paths, a server to talk to, a way to run programs."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "scripts")
RUN_TIMEOUT_SECONDS = 60  # a hang must fail; speed is no test's business

sys.path.insert(0, SCRIPTS)
from evertick.server_process import ServerProcess  # noqa: E402  (the path above is what makes it importable)


def binary():
    """The evertick under test: $BINARY_UNDER_TEST, as ctest sets it."""
    path = os.environ.get("BINARY_UNDER_TEST", os.path.join(ROOT, "build", "dev", "evertick"))
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"BINARY_UNDER_TEST names no executable: {path}")
    return path


def run(*command, text_in="", timeout_seconds=RUN_TIMEOUT_SECONDS, environment=None):
    """Runs a program to its end; returns what subprocess knows about it."""
    return subprocess.run([str(word) for word in command], input=text_in, text=True, capture_output=True, check=False,
                          timeout=timeout_seconds, env={**os.environ, **(environment or {})})


def script(name, *arguments, **options):
    """Runs one of scripts/ with the interpreter that runs the tests."""
    return run(sys.executable, os.path.join(SCRIPTS, name), *arguments, **options)


def until(holds, what):
    """Waits until holds() is true; what says what was waited for."""
    deadline = time.monotonic() + RUN_TIMEOUT_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {RUN_TIMEOUT_SECONDS} s: {what}")
        time.sleep(0.05)


class ServerTest(unittest.TestCase):
    """A test with a server of its own, on a free port and with an empty world."""

    server_arguments = ()

    def setUp(self):
        self.server = ServerProcess(binary(), self.server_arguments)
        self.addCleanup(self.server.stop)

    @property
    def port(self):
        return self.server.port

    def client(self, *arguments, **options):
        """scripts/client against this test's server."""
        return script("client", "--port", self.port, *arguments, **options)

    def client_says(self, *arguments, **options):
        """What it prints for commands that succeed."""
        result = self.client(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout.rstrip("\n")


class UnixSocketServerTest(ServerTest):
    """A test with a server that listens on a unix socket, too."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.socket = os.path.join(self.folder, "socket")
        self.server_arguments = ("--unix", self.socket, *self.more_arguments())
        super().setUp()

    def more_arguments(self):
        return ()


class GuardedServerTest(UnixSocketServerTest):
    """A server with a password for each user, on a unix socket too."""

    def more_arguments(self):
        self.passwords = {user: os.path.join(self.folder, user) for user in ("full", "look")}
        for user, path in self.passwords.items():
            with open(path, "w", encoding="ascii") as file:
                file.write(f"{user} secret\n")
        return ("--password-file", self.passwords["full"], "--readonly-password-file", self.passwords["look"])

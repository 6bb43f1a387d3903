"""What the tests of the server as a process share: one to start, to ask and to end.

Takes the evertick binary from BINARY_UNDER_TEST. Ports are chosen by the kernel, on loopback.
"""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time

BINARY = os.environ["BINARY_UNDER_TEST"]
PATIENCE = 30  # seconds that anything may take on a busy machine

# Here a tick is given up when it is a second late: that is a server held up in one piece, not a busy machine.
FORGIVING = ("--tick-rate", "10", "--max-catch-up-ticks", "10")


def environment(**extra):
    """The environment without any EVERTICK_ variable, and with those given."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("EVERTICK_")}
    return {**clean, **extra}


def run(*arguments, **extra):
    """Runs evertick to its end; returns (exit code, standard output, standard error)."""
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment(**extra))
    return done.returncode, done.stdout, done.stderr


def until(holds, what):
    """Waits until holds() is true; what says what was waited for."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {PATIENCE} s: {what}")
        time.sleep(0.01)


def exactly(connection, size):
    """The next so many bytes."""
    received = b""
    while len(received) < size:
        more = connection.recv(size - len(received))
        if not more:
            raise AssertionError(f"the connection ended after {received!r}")
        received += more
    return received


class Server:
    """A running server on a free port, ended by its id when the block ends."""

    def __init__(self, *arguments, preexec_fn=None, **extra):
        self._log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([BINARY, "--port", "0", *arguments], stdout=subprocess.PIPE, stderr=self._log,
                                        text=True, env=environment(**extra), preexec_fn=preexec_fn)
        self.ready = self.process.stdout.readline().strip()
        match = re.fullmatch(r"ready commands=(.+):(\d+) http=off", self.ready)
        if not match:
            raise AssertionError(f"ready line {self.ready!r}, exit code {self.process.wait(PATIENCE)}, log {self.log()!r}")
        self.address = (match[1].strip("[]"), int(match[2]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self._log.close()

    def connect(self):
        return socket.create_connection(self.address, timeout=PATIENCE)

    def ask(self, text):
        """Sends bytes, half-closes, and returns everything that comes back."""
        with self.connect() as connection:
            connection.sendall(text.encode())
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def result(self, command):
        reply = json.loads(self.ask(f"JSON {command}\n"))
        if not reply["ok"]:
            raise AssertionError(f"{command} answered {reply}")
        return reply["result"]

    def log(self):
        """All that it has written to standard error so far."""
        size = os.fstat(self._log.fileno()).st_size
        return os.pread(self._log.fileno(), size, 0).decode()

    def until_logged(self, text):
        until(lambda: text in self.log(), f"{text!r} in the log")

    def end(self, number=signal.SIGTERM):
        """Sends a signal; returns (exit code, standard error, seconds it took)."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return self.process.returncode, self.log(), time.monotonic() - began

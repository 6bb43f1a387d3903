"""An Evertick of one's own: built when missing, started on a free port, stopped by SIGTERM."""

import os
import re
import select
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
READY_TIMEOUT_SECONDS = 60
STOP_TIMEOUT_SECONDS = 30
_READY = re.compile(r"ready commands=(.+):(\d+) http=")
_LOG_TAIL_LINES = 5


class CannotStart(Exception):
    """The server did not come up; the text holds the end of its log."""


def release_binary():
    """The release build's path; builds it when it is not there."""
    binary = os.path.join(ROOT, "build", "release", "evertick")
    if not os.path.exists(binary):
        for command in (["scripts/install_packages", "build"], ["scripts/build", "release", "evertick"]):
            if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
                raise CannotStart(f"{' '.join(command)} failed")
    return binary


class ServerProcess:
    """A running server; a context that ends with it stopped.

    It has a session of its own: Ctrl-C in the terminal is for the script, which stops the server when done.
    And it has its settings from its arguments alone: EVERTICK_... variables are for the person's other server.
    """

    def __init__(self, binary, arguments=(), log_path=os.devnull):
        self.log_path = log_path
        environment = {name: value for name, value in os.environ.items() if not name.startswith("EVERTICK_")}
        with open(log_path, "wb") as log:
            self._process = subprocess.Popen([binary, "--bind", "127.0.0.1", "--port", "0", *map(str, arguments)],
                                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                             env=environment, start_new_session=True)
        try:
            self.host, self.port = self._wait_ready()
        except CannotStart:
            self.kill()
            raise

    @property
    def pid(self):
        return self._process.pid

    def exit_code(self):
        """None while it runs."""
        return self._process.poll()

    def send_signal(self, number):
        self._process.send_signal(number)

    def wait(self, timeout_seconds=STOP_TIMEOUT_SECONDS):
        """Its exit code once it has ended. Raises subprocess.TimeoutExpired."""
        return self._process.wait(timeout_seconds)

    def stop(self):
        """SIGTERM, and the exit code; killed when it does not end."""
        self._process.terminate()
        try:
            return self.wait()
        except subprocess.TimeoutExpired:
            self.kill()
            return self._process.returncode
        finally:
            self._process.stdout.close()

    def kill(self):
        self._process.kill()
        self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _wait_ready(self):
        """The address in the ready line."""
        deadline = time.monotonic() + READY_TIMEOUT_SECONDS
        while select.select([self._process.stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
            line = self._process.stdout.readline().decode("utf-8", "replace")
            if found := _READY.match(line):
                return found[1].strip("[]"), int(found[2])
            if not line:
                raise CannotStart(f"{self._process.args[0]} ended with exit code {self._process.wait()}{self._tail()}")
        raise CannotStart(f"{self._process.args[0]} was not ready after {READY_TIMEOUT_SECONDS} s{self._tail()}")

    def _tail(self):
        """The last lines of its log, which say why."""
        if self.log_path == os.devnull:
            return ""
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return ":\n  " + "  ".join(log.readlines()[-_LOG_TAIL_LINES:]).rstrip()

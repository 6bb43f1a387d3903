"""A program at a terminal of its own, driven like a person would: type, and wait for what must appear."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

APPEAR_TIMEOUT_SECONDS = 20
_ROWS, _COLUMNS = 50, 200
_CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """Runs a command under a pseudo terminal."""

    def __init__(self, command, environment):
        self._main, worker = pty.openpty()
        # Without a size redis-cli asks the terminal for it, and waits for an answer.
        fcntl.ioctl(worker, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        variables = {**os.environ, "TERM": "xterm", **environment}
        self._process = subprocess.Popen([str(word) for word in command], stdin=worker, stdout=worker, stderr=worker,
                                         env=variables, start_new_session=True)
        os.close(worker)
        self._seen = b""

    def type(self, text):
        """Presses these keys; forgets what appeared before."""
        self._seen = b""
        os.write(self._main, text.encode())

    def interrupt(self):
        """What Ctrl-C does; forgets what appeared before."""
        self._seen = b""
        self._process.send_signal(signal.SIGINT)

    def wait_for(self, *texts):
        """Reads until these texts are on the screen, one after the other; returns whether they appeared in time."""
        deadline = time.monotonic() + APPEAR_TIMEOUT_SECONDS
        while not self._shows(texts):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._main], [], [], left)[0]:
                return False
            try:
                self._seen += os.read(self._main, 65536)
            except OSError:  # Linux's end of file, once the program has closed its side
                return self._shows(texts)
        return True

    def _shows(self, texts):
        start = 0
        for text in texts:
            found = self.screen.find(text, start)
            if found < 0:
                return False
            start = found + len(text)
        return True

    @property
    def screen(self):
        """What appeared since the last keys, without colours and cursor movements."""
        return _CONTROL.sub(b"", self._seen).decode("utf-8", "replace")

    def finish(self):
        """Waits for the program to end by itself; returns its exit code."""
        while select.select([self._main], [], [], APPEAR_TIMEOUT_SECONDS)[0]:
            try:
                self._seen += os.read(self._main, 65536)
            except OSError:
                break
        return self.close()

    def kill(self):
        """Ends a program that still runs, without asking it."""
        if self._process.poll() is None:
            self._process.kill()
            self.close()

    def close(self):
        """Hangs up, and kills a program that stays; returns its exit code."""
        os.close(self._main)
        try:
            return self._process.wait(APPEAR_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

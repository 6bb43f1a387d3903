"""One line that shows how far a run is: redrawn on a terminal, a new line now and then in a log."""

import time

from evertick.figures import clock

_BAR_CELLS = 24
_REDRAW_SECONDS = 0.2
_LOG_SECONDS = 10


class ProgressLine:
    """Draws `[####----] 0:12 of 1:00  text`; decides itself when a redraw is due."""

    def __init__(self, total_seconds, stream, now=time.monotonic, log_seconds=_LOG_SECONDS):
        self._total = total_seconds
        self._stream = stream
        self._now = now
        self._terminal = stream.isatty()
        self._interval = _REDRAW_SECONDS if self._terminal else log_seconds
        self._due = now()

    def show(self, elapsed_seconds, describe):
        """Draws the line when it is due; describe() gives the text and is only called then."""
        if self._now() < self._due:
            return
        self._due = self._now() + self._interval
        line = bar_text(elapsed_seconds, self._total, describe())
        self._stream.write(f"\r{line}\x1b[K" if self._terminal else line + "\n")
        self._stream.flush()

    def finish(self):
        """Leaves the terminal's cursor on a line of its own."""
        if self._terminal:
            self._stream.write("\n")
            self._stream.flush()


def bar_text(elapsed_seconds, total_seconds, text):
    """The line itself."""
    share = min(elapsed_seconds / total_seconds, 1.0) if total_seconds > 0 else 1.0
    filled = int(share * _BAR_CELLS)
    bar = "#" * filled + "-" * (_BAR_CELLS - filled)
    return f"[{bar}] {clock(elapsed_seconds)} of {clock(total_seconds)}  {text}"

"""Numbers for people: durations, percentiles, bytes. Pure."""

import math


class Histogram:
    """Durations by size, at three per cent each: a run of any length in little memory."""

    _STEPS_PER_DOUBLING = 24

    def __init__(self):
        self._counts = {}
        self.count = 0
        self.max = 0.0

    def add(self, seconds):
        step = math.ceil(math.log2(max(seconds, 1e-9)) * self._STEPS_PER_DOUBLING)
        self._counts[step] = self._counts.get(step, 0) + 1
        self.count += 1
        self.max = max(self.max, seconds)

    def percentile(self, percent):
        """The nearest-rank percentile, rounded up to its step; 0 when empty."""
        wanted, seen = math.ceil(percent / 100 * self.count), 0
        for step in sorted(self._counts):
            seen += self._counts[step]
            if seen >= wanted:
                return min(2 ** (step / self._STEPS_PER_DOUBLING), self.max)
        return 0.0


def mebibytes(size_bytes):
    return f"{size_bytes / 2**20:.1f} MiB"


def clock(seconds):
    """m:ss, or h:mm:ss from an hour on."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def milliseconds(seconds):
    return f"{seconds * 1e3:.2f} ms"

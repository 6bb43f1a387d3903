"""Whether a soak passed: its first hour against its last, in words. Pure: samples in, verdict out.

Of memory the peaks are compared, which swings of the live size shift neither up nor down; of tick times the
medians, so that one late tick decides nothing.
"""

import statistics
from dataclasses import dataclass

from evertick.figures import clock, mebibytes

LONGEST_WINDOW_SECONDS = 3600
WINDOW_SHARE = 0.1
FEWEST_SAMPLES = 5  # in a window


@dataclass(frozen=True)
class Tolerance:
    """How much worse the last window may be: the percentage or the absolute amount, whichever is more."""

    rss_percent: float = 2
    rss_bytes: int = 2**20
    tick_percent: float = 25
    tick_ms: float = 0.25
    tick_p99_percent: float = 100
    tick_p99_ms: float = 2
    churn_percent: float = 1  # of the operations asked that may be missing


@dataclass(frozen=True)
class Check:
    """One line of the verdict."""

    name: str
    text: str
    ok: bool


@dataclass(frozen=True)
class Verdict:
    span: str           # what was compared
    checks: tuple
    slope: str

    @property
    def passed(self):
        return all(check.ok for check in self.checks)

    def lines(self):
        yield self.span
        for check in self.checks:
            yield f"  {check.name:<16}{check.text:<66}{'ok' if check.ok else 'FAILED'}"
        yield f"  {'slope':<16}{self.slope}"
        yield "PASS" if self.passed else "FAIL"


def after_warm_up(samples, warm_up_seconds):
    return [sample for sample in samples if sample.elapsed_seconds >= warm_up_seconds]


def window_seconds(measured_seconds):
    """A tenth of what was measured, at most an hour."""
    return min(LONGEST_WINDOW_SECONDS, measured_seconds * WINDOW_SHARE)


def windows(samples):
    """The first and the last window. requires: samples not empty"""
    start, end = samples[0].elapsed_seconds, samples[-1].elapsed_seconds
    length = window_seconds(end - start)
    return ([sample for sample in samples if sample.elapsed_seconds <= start + length],
            [sample for sample in samples if sample.elapsed_seconds >= end - length])


def slope_per_hour(samples, column):
    """How fast a column grows, by least squares over all samples."""
    times = [sample.elapsed_seconds / 3600 for sample in samples]
    if len(set(times)) < 2:
        return 0.0
    return statistics.linear_regression(times, [getattr(sample, column) for sample in samples]).slope


def _compare(name, column, typical, pair, show, percent, absolute):
    """Whether what is typical of a column grew by no more than the tolerance."""
    before, after = (typical([getattr(sample, column) for sample in window]) for window in pair)
    allowed = max(before * percent / 100, absolute)
    growth = (after - before) / before * 100 if before else 0.0
    text = f"{show(before)} -> {show(after)}, {growth:+.1f} % (may grow by {percent:g} % or {show(absolute)})"
    return Check(name, text, after - before <= allowed)


def _check_churn(samples, churn_per_second, tolerance):
    """Whether the load was there at all: a soak that did half the work proves nothing."""
    seconds = samples[-1].elapsed_seconds - samples[0].elapsed_seconds
    rate = (samples[-1].exchanged - samples[0].exchanged) / seconds if seconds else 0.0
    wanted = churn_per_second * (1 - tolerance.churn_percent / 100)
    text = f"{rate:,.0f} of {churn_per_second:,.0f} spawn+destroy per second"
    return Check("load", text, rate >= wanted)


def _milliseconds(value):
    return f"{value:.3f} ms"


def judge(samples, warm_up_seconds, churn_per_second, tolerance=Tolerance()):
    """The verdict over a run's samples."""
    measured = after_warm_up(samples, warm_up_seconds)
    pair = windows(measured) if measured else ([], [])
    if min(map(len, pair)) < FEWEST_SAMPLES:
        text = f"{len(measured)} samples after a warm-up of {clock(warm_up_seconds)} are too few to judge"
        return Verdict("verdict:", (Check("samples", text, False),), "unknown")
    start, end = measured[0].elapsed_seconds, measured[-1].elapsed_seconds
    length = clock(window_seconds(end - start))
    checks = (
        _compare("resident memory", "rss_bytes", max, pair, mebibytes, tolerance.rss_percent, tolerance.rss_bytes),
        _compare("tick mean", "tick_mean_ms", statistics.median, pair, _milliseconds, tolerance.tick_percent,
                 tolerance.tick_ms),
        _compare("tick p99", "tick_p99_ms", statistics.median, pair, _milliseconds, tolerance.tick_p99_percent,
                 tolerance.tick_p99_ms),
        _check_churn(measured, churn_per_second, tolerance),
    )
    slopes = ", ".join(f"{name} {slope_per_hour(measured, column) / 2**20:+.2f} MiB"
                       for name, column in (("resident", "rss_bytes"), ("reserved", "reserved_bytes"),
                                            ("live", "live_bytes")))
    return Verdict(f"verdict over {clock(end - start)} after {clock(start)} of warm-up: first {length} against last "
                   f"{length}", checks, f"{slopes} per hour")

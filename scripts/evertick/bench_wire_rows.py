"""The rows of scripts/bench wire: each figure of both servers, their ratio and what it may be. Pure: runs in, rows out.

A row is that of bench_rows; where both servers have a figure it has "evertick" and "redis-server" too, and its
own figure is their ratio.
"""

import operator
import statistics

from evertick.bench_rows import at_least, at_most, make_row, verdict
from evertick.bench_wire_cases import CASES, DEPTHS
from evertick.bench_wire_servers import EVERTICK, REDIS

FIGURES = {"rate": "requests/s", "p50_ms": "p50, ms", "p99_ms": "p99, ms", "cpu_us": "CPU, us/request"}
_EVEN = 0.95
TARGETS = {  # (case, depth, figure) -> what the ratio may be
    **{(case, 1, "rate"): at_least(_EVEN) for case in CASES if case != "near"},
    ("near", 1, "rate"): at_least(2.5),
    **{(case, 16, "rate"): at_least(limit) for case, limit in {
        "ping": _EVEN, "hset": 1.4, "hgetall": 1.3, "spawn": 1.4, "move": 2, "near": 6, "del": _EVEN}.items()},
    **{(case, 16, "cpu_us"): at_most(limit) for case, limit in {
        "ping": 0.9, "hset": 0.6, "hgetall": 0.65, "spawn": 0.6, "move": 0.4, "near": 0.15, "del": 1.0}.items()},
}
MEMORY_TARGET = at_most(0.6)
JITTER_TARGET = at_most(2)   # ms
SKIPPED_TARGET = at_most(0)


def pair_row(name, ours, theirs, figure=None, target=None):
    """A row of two figures; `figure` is their ratio unless it was found otherwise."""
    figure = ours / theirs if figure is None else figure
    return {**make_row(name, figure, "times", target), EVERTICK: ours, REDIS: theirs}


def run_rows(runs, case, judged=True):
    """The rows of a case, of whom each pair of runs gives a ratio and the median counts.

    runs: records of bench_wire_run.run() with "depth", "pair" and "server" added
    """
    rows = []
    for depth in DEPTHS:
        by_server = {server: {run["pair"]: run for run in runs if run["depth"] == depth and run["server"] == server}
                     for server in (EVERTICK, REDIS)}
        pairs = sorted(by_server[EVERTICK].keys() & by_server[REDIS].keys())
        for figure, title in FIGURES.items() if pairs else ():
            ours, theirs = ([by_server[server][pair][figure] for pair in pairs] for server in (EVERTICK, REDIS))
            rows.append(pair_row(f"{CASES[case].title}, depth {depth}: {title}", statistics.median(ours),
                                 statistics.median(theirs), statistics.median(map(operator.truediv, ours, theirs)),
                                 TARGETS.get((case, depth, figure)) if judged else None))
    return rows


def idle_rows(case, shares):
    """What each server uses while nobody asks it anything. shares: its name -> share of a core"""
    return [make_row(f"{CASES[case].title}: {name}, idle", 100 * share, "% of a core")
            for name, share in shares.items()]


def tick_rows(case, tick_info, judged=True):
    """How the ticks kept their schedule during a case. tick_info: TICK INFO's map at its end"""
    title = CASES[case].title
    return [make_row(f"{title}: start jitter p99 of ticks", tick_info["jitter_ms"]["p99"], "ms",
                     JITTER_TARGET if judged else None),
            make_row(f"{title}: skipped ticks", tick_info["skipped"], "ticks", SKIPPED_TARGET if judged else None)]


def _number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def table_lines(rows):
    """The rows as text, both servers' figures beside their ratio."""
    cells = [("", EVERTICK, REDIS, "ratio or figure", "target", "")]
    for row in rows:
        both = [_number(row[name]) if name in row else "" for name in (EVERTICK, REDIS)]
        figure = f"{row['figure']:.3f}" if EVERTICK in row else f"{_number(row['figure'])} {row['unit']}"
        cells.append((row["row"], *both, figure, row["target"] or "", verdict(row)))
    widths = [max(map(len, column)) for column in zip(*cells)]
    for name, *numbers, target, met in cells:
        columns = "  ".join(f"{text:>{width}}" for text, width in zip(numbers, widths[1:4]))
        yield f"{name:<{widths[0]}}  {columns}  {target:<{widths[4]}}  {met}".rstrip()

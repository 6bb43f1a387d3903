"""What scripts/soak measures: one row of figures at a time, read from the server by name."""

import csv
import os
from dataclasses import asdict, dataclass, fields

from evertick.connection import require

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class FigureMissing(Exception):
    """The server does not report a figure that the soak judges by."""


@dataclass(frozen=True)
class Sample:
    """One row of the CSV. Bytes and milliseconds are in the names; the tick's figures cover its last window."""

    elapsed_seconds: float
    live: int            # of the soak's own
    spawned: int
    destroyed: int
    exchanged: int       # destroyed and spawned anew at the rate asked, the swings not counted
    behind: int          # exchanges that were due and not done yet
    entities: int        # in the server, whosever
    rss_bytes: int
    live_bytes: int
    reserved_bytes: int
    tick: int
    tick_mean_ms: float
    tick_p99_ms: float
    tick_max_ms: float
    jitter_p50_ms: float
    jitter_p99_ms: float
    jitter_max_ms: float
    overruns: int
    skipped: int


COLUMNS = tuple(field.name for field in fields(Sample))


def parse_info(text):
    """INFO's `name:value` lines as a dictionary of texts."""
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line and not line.startswith("#"))
    return dict(pairs)


def _figure(figures, name, kind, source):
    try:
        return kind(figures[name])
    except (KeyError, TypeError, ValueError) as error:
        raise FigureMissing(f"{source} has no figure '{name}': this server is older or newer than the soak") from error


def server_figures(info, tick_info):
    """The server's part of a sample. Raises FigureMissing."""
    rows = [("entities", info, "entities", int, "INFO"), ("rss_bytes", info, "used_memory_rss", int, "INFO"),
            ("live_bytes", info, "live_bytes", int, "INFO"), ("reserved_bytes", info, "reserved_bytes", int, "INFO")]
    rows += [(name, tick_info, name, int, "TICK INFO") for name in ("tick", "overruns", "skipped")]
    for group, prefix, names in (("duration_ms", "tick", ("mean", "p99", "max")),
                                 ("jitter_ms", "jitter", ("p50", "p99", "max"))):
        times = tick_info.get(group)
        rows += [(f"{prefix}_{name}_ms", times, name, float, f"TICK INFO {group}") for name in names]
    return {column: _figure(figures, name, kind, source) for column, figures, name, kind, source in rows}


def resident_bytes(pid):
    """What the kernel has given a process, as the kernel sees it."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * _PAGE_BYTES


def take(connection, own_figures, pid=None):
    """One sample, now. With the pid of a server on this machine the resident size is the kernel's word."""
    figures = server_figures(parse_info(require(connection.call("INFO"))), require(connection.call("TICK", "INFO")))
    if pid is not None:
        figures["rss_bytes"] = resident_bytes(pid)
    return Sample(**own_figures, **figures)


class SampleFile:
    """A CSV that is whole after every row: a run that is killed keeps what it measured."""

    def __init__(self, path):
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        self._file = open(path, "w", newline="", encoding="ascii")
        self._writer = csv.DictWriter(self._file, COLUMNS)
        self._writer.writeheader()

    def add(self, sample):
        row = {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(sample).items()}
        self._writer.writerow(row)
        self._file.flush()

    def close(self):
        self._file.close()

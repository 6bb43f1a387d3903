"""What the programs of scripts/bench core and ecs print, read and reduced to medians. Pure."""

import json
import statistics
from dataclasses import dataclass

_NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
_ON_THE_WALL = "/real_time"  # what Google Benchmark adds to such a name


@dataclass(frozen=True)
class Sample:
    """One figure of one run: of whom, of what."""

    subject: str
    what: str
    value: float
    unit: str
    faults: float | None = None


def from_google_benchmark(text, subject, tag=""):
    """The samples of one run's JSON, in nanoseconds an object; `tag` is added to what was measured.

    A benchmark called "SUBJECT/WHAT" says itself whom it measured. Time is the thread's own, so that other
    programs disturb less, unless the benchmark asks for the clock on the wall: work of two threads does.
    """
    samples = []
    if not text.strip():  # so it says that no benchmark has the name asked for
        return samples
    for benchmark in json.loads(text)["benchmarks"]:
        name = benchmark["name"].removesuffix(_ON_THE_WALL)
        who, _, what = name.rpartition("/")
        clock = "cpu_time" if name == benchmark["name"] else "real_time"
        time = benchmark[clock] * _NANOSECONDS[benchmark["time_unit"]]
        samples.append(Sample(who or subject, what + tag, time / benchmark["objects"], "ns/object",
                              benchmark["faults"]))
    return samples


def from_lines(text, subject="", tag=""):
    """The samples of a program that prints one JSON object a line, and may say itself whom it measured."""
    rows = [json.loads(line) for line in text.splitlines()]
    return [Sample(row.get("subject", subject), row["what"] + tag, row["figure"], row["unit"]) for row in rows]


def medians(samples):
    """One sample for each subject and what, in the order in which they first came: (subject, what) -> sample."""
    groups = {}
    for sample in samples:
        groups.setdefault((sample.subject, sample.what), []).append(sample)
    return {key: _median(group) for key, group in groups.items()}


def _median(group):
    faults = [sample.faults for sample in group if sample.faults is not None]
    return Sample(group[0].subject, group[0].what, statistics.median(sample.value for sample in group),
                  group[0].unit, statistics.median(faults) if faults else None)

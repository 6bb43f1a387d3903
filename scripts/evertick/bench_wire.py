"""scripts/bench wire: the same redis-benchmark against evertick and redis-server in turns, while the world ticks."""

import argparse
import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass

from evertick import bench_wire_cases, bench_wire_plot, bench_wire_rows, bench_wire_run
from evertick.bench_core import CannotMeasure, require_packages
from evertick.bench_wire_cases import CASES, DEPTHS, RANDOM, Size, filled_in
from evertick.bench_wire_servers import evertick_server, redis_server
from evertick.samples import resident_bytes
from evertick.server_process import ROOT

PLOT = "build/bench/wire.svg"
RAW = "build/bench/wire"
MEMORY = "memory"
ROWS = (*CASES, MEMORY)
NEEDED = {"redis-server": "/usr/bin/redis-server", "redis-tools": "/usr/bin/redis-benchmark"}
DEFAULT_PAIRS = 5
table_lines = bench_wire_rows.table_lines


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    size: Size
    seconds: dict        # depth -> about how long a run is
    probes: dict         # depth -> requests of the run that tells how many take so long
    idle_seconds: float
    looks: int           # places at which results are counted
    judged: bool


FULL = Scale(Size(entities=100_000, extras=1_000_000, created={1: 200_000, 16: 1_000_000}, memory_entities=1_000_000),
             seconds={1: 1.5, 16: 2.5}, probes={1: 5_000, 16: 20_000}, idle_seconds=3.0, looks=200, judged=True)
QUICK = Scale(Size(entities=5_000, extras=10_000, created={1: 2_000, 16: 5_000}, memory_entities=20_000),
              seconds={1: 0.1, 16: 0.1}, probes={1: 200, 16: 200}, idle_seconds=0.2, looks=20, judged=False)


# --- one case -------------------------------------------------------------------------------------

@dataclass
class Side:
    """A server and its part of a case."""

    server: object
    asked: bench_wire_cases.Asked
    generation: int = 0
    counts: dict = None  # depth -> requests of a run

    def prepare(self, size):
        self.asked.prepare(self.server.call, size)

    def before_run(self, size):
        self.asked.before_run(self.server.call, size)
        self.generation += 1

    def words(self):
        """As redis-benchmark takes them, once it is sure that they are answered as they should be."""
        general, example = filled_in(self.asked.words, self.generation)
        reply = self.server.connection.call(*example)
        if not self.asked.is_right(reply):
            raise CannotMeasure(f"{self.server.name} answered {' '.join(example)} with {str(reply)[:300]}")
        return general

    def run(self, case, depth, scale, requests):
        return bench_wire_run.run(self.server, self.words(), requests, depth, case.keyspace(scale.size))

    def mean_results(self, keyspace, looks):
        """How many a question finds, at places that are the same for both servers."""
        places, total = random.Random(1), 0
        for _ in range(looks):
            words = [word.replace(RANDOM, f"{places.randrange(keyspace):012}") for word in self.asked.words]
            total += self.asked.count(self.server.call(*words))
        return total / looks


def requests_of(side, case, depth, scale):
    """How many requests a run is."""
    if case.counted:
        return scale.size.created[depth]
    probe = side.run(case, depth, scale, scale.probes[depth])
    return max(int(probe["rate"] * scale.seconds[depth]), scale.probes[depth])


def run_pairs(sides, case, scale, pairs):
    """All runs of a case: in turns, and the ticks rest while it is redis-server's. Yields records."""
    evertick, _ = sides
    for depth in DEPTHS:
        for side in sides:
            side.counts = {**(side.counts or {}), depth: requests_of(side, case, depth, scale)}
        for pair in range(pairs):
            for side in sides:
                evertick.server.call("TICK", "RESUME")
                side.before_run(scale.size)
                if side is not evertick:
                    evertick.server.call("TICK", "PAUSE")
                record = side.run(case, depth, scale, side.counts[depth])
                yield {"depth": depth, "pair": pair, "server": side.server.name, **record}
        evertick.server.call("TICK", "RESUME")


def measure_case(name, evertick, redis, scale, pairs):
    """Returns the rows of a case and its runs."""
    case = CASES[name]
    sides = (Side(evertick, case.evertick), Side(redis, case.redis))
    for side in sides:
        side.prepare(scale.size)
    evertick.idle_share, redis.idle_share = bench_wire_run.idle_shares([evertick.pid, redis.pid], scale.idle_seconds)
    rows = bench_wire_rows.idle_rows(name, {side.server.name: side.server.idle_share for side in sides})
    if case.evertick.count:
        found = [side.mean_results(case.keyspace(scale.size), scale.looks) for side in sides]
        rows.append(bench_wire_rows.pair_row(f"{case.title}: results", *found))
    runs = list(run_pairs(sides, case, scale, pairs))
    evertick.call("HELLO", "3")  # in which a map is one
    ticks = evertick.call("TICK", "INFO")
    return (rows + bench_wire_rows.run_rows(runs, name, scale.judged)
            + bench_wire_rows.tick_rows(name, ticks, scale.judged)), runs


def measure_memory(evertick, redis, scale, _):
    """Returns the row of memory, and what each process then held."""
    count = scale.size.memory_entities
    bench_wire_cases.hold_entities(evertick.call, count)
    bench_wire_cases.hold_hashes(redis.call, count)
    held = {server.name: resident_bytes(server.pid) for server in (evertick, redis)}
    row = bench_wire_rows.pair_row(f"{count:,} entities of 6 numbers, indexed : hashes of 6 fields: resident MiB",
                                   *(size / 2**20 for size in held.values()),
                                   target=bench_wire_rows.MEMORY_TARGET if scale.judged else None)
    return [row], [{"server": name, "resident_bytes": size, "entities": count} for name, size in held.items()]


# --- all of them ----------------------------------------------------------------------------------

def chosen_rows(text):
    """The names in a list with commas, for argparse; all when there is none."""
    names = text.split(",") if text else list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        raise argparse.ArgumentTypeError(f"there is no row {unknown[0]!r}; there is: {', '.join(ROWS)}")
    return names


def _binary(options):
    if options.evertick:
        return options.evertick
    subprocess.run([f"{ROOT}/scripts/build", "release", "evertick"], check=True)
    return f"{ROOT}/build/release/evertick"


def measure(options):
    """Returns the rows; writes the plot, and every run's figures."""
    require_packages(NEEDED)
    binary, scale = _binary(options), QUICK if options.quick else FULL
    pairs = options.pairs or (1 if options.quick else DEFAULT_PAIRS)
    os.makedirs(os.path.join(ROOT, RAW), exist_ok=True)
    rows = []
    for name in options.rows:
        print(f"measuring {name}", file=sys.stderr)
        measure_row = measure_memory if name == MEMORY else lambda *each, case=name: measure_case(case, *each)
        with evertick_server(binary) as evertick, redis_server() as redis:
            row_rows, runs = measure_row(evertick, redis, scale, pairs)
        rows += row_rows
        with open(os.path.join(ROOT, RAW, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(run) + "\n" for run in runs))
    title = f"The wire beside redis-server, {bench_wire_run.CONNECTIONS} connections, medians of {pairs} pairs"
    with open(os.path.join(ROOT, PLOT), "w", encoding="utf-8") as file:
        file.write(bench_wire_plot.picture(title, rows))
    return rows


def closing_lines():
    return [f"plot: {PLOT}   JSON of each run: {RAW}/"]

"""scripts/bench ecs: runs the programs of tests/bench/ecs at each size, several times over."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from evertick import bench_ecs_plot, bench_ecs_rows
from evertick.bench_samples import from_lines, medians
from evertick.server_process import ROOT

PLOT = "build/bench/ecs.svg"
RAW = "build/bench/ecs"


@dataclass(frozen=True)
class Run:
    """One process: a program at a size."""

    program: str
    entities: int
    rounds: int    # within the process, subjects in turns
    tag: str = ""  # added to what is measured


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    processes: int    # of each run: how a process lies in memory is luck, too
    rounds: int
    cold_rounds: int  # enough that no single operation is interrupted in all of them
    sizes: tuple


FULL = Scale(processes=5, rounds=7, cold_rounds=9, sizes=(1_000, 100_000, 1_000_000))
QUICK = Scale(processes=2, rounds=3, cold_rounds=5, sizes=(1_000, 100_000))


def timing_runs(scale):
    for size in scale.sizes:
        yield Run("iterate_o2", size, scale.rounds)
        yield Run("change", size, scale.rounds)
    yield Run("iterate_o3", bench_ecs_rows.JUDGED_SIZE, scale.rounds, bench_ecs_rows.O3)


def once_runs(scale):
    """Those that need no second process: each of their turns is one, or they do not vary."""
    for size in FULL.sizes:
        yield Run("cold", size, scale.cold_rounds)
        yield Run("memory", size, 1)


def execute(run, raw_path):
    """Runs one process, keeps what it says and returns its samples."""
    command = [f"{ROOT}/build/release/bench_ecs_{run.program}", "--entities", str(run.entities),
               "--rounds", str(run.rounds)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    with open(raw_path, "w", encoding="utf-8") as file:
        file.write(output)
    return from_lines(output, tag=f"{run.tag}, {run.entities:,}")


def run_all(scale):
    """Every process in turn, so that each meets the same machine. Returns all samples."""
    shutil.rmtree(f"{ROOT}/{RAW}", ignore_errors=True)
    os.makedirs(f"{ROOT}/{RAW}")
    samples = []
    for number in range(1, scale.processes + 1):
        print(f"round {number} of {scale.processes}", file=sys.stderr)
        once = once_runs(scale) if number == 1 else ()
        for run in (*timing_runs(scale), *once):
            samples += execute(run, f"{ROOT}/{RAW}/round{number}-{run.program}-{run.entities}.json")
    return samples


def measure(options):
    """Returns the rows; writes the plot, and what each process said."""
    subprocess.run([f"{ROOT}/scripts/build", "release", "bench_ecs"], check=True)
    scale = QUICK if options.quick else FULL
    figures = medians(run_all(scale))
    rows = bench_ecs_rows.rows(figures)
    title = f"Entities and components beside plain loops and a textbook, medians of {scale.processes} processes"
    with open(f"{ROOT}/{PLOT}", "w", encoding="utf-8") as file:
        file.write(bench_ecs_plot.picture(title, rows, figures))
    return rows


def closing_lines():
    return [f"plot: {PLOT}   samples of each run: {RAW}/"]

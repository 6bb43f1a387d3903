"""scripts/bench core: runs the programs of tests/bench/core in turns, each allocator in a process of its own."""

import glob
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

from evertick import bench_core_plot, bench_core_rows
from evertick.bench_core_rows import AS_IT_COMES, KEPT, SIZED
from evertick.bench_samples import from_google_benchmark, from_lines, medians
from evertick.server_process import ROOT

PLOT = "build/bench/core.svg"
RAW = "build/bench/core"
RUN_TIMEOUT_SECONDS = 900
SETTINGS = ("LD_PRELOAD", "GLIBC_TUNABLES", "MALLOC_CONF")  # a person's own are for other programs
NEEDED = {  # package -> a file of it
    "libbenchmark-dev": "/usr/include/benchmark/benchmark.h",
    "libboost-dev": "/usr/include/boost/container/vector.hpp",
    "libjemalloc2": "/usr/lib/*/libjemalloc.so.2",
    "libmimalloc2.0": "/usr/lib/*/libmimalloc.so.2.0",
    "libtcmalloc-minimal4": "/usr/lib/*/libtcmalloc_minimal.so.4",
}
PRELOADED = {"jemalloc": "libjemalloc2", "mimalloc": "libmimalloc2.0", "tcmalloc": "libtcmalloc-minimal4"}
# The churn is hours of a server in seconds, by whose clock we give memory back; its own is ten seconds on the wall.
QUICK_DECAY = {"MALLOC_CONF": "dirty_decay_ms:30,muzzy_decay_ms:30"}
KEEP = {"GLIBC_TUNABLES": "glibc.malloc.trim_threshold=4294967296:glibc.malloc.mmap_max=0"}


class CannotMeasure(Exception):
    """Something it needs is not there, or failed; the text says what."""


@dataclass(frozen=True)
class Run:
    """One process: who is measured by which program."""

    program: str
    subject: str = ""
    arguments: tuple = ()
    environment: dict = field(default_factory=dict)
    tag: str = ""  # added to what is measured

    @property
    def file_name(self):
        words = f"{self.program} {self.subject} {' '.join(self.arguments[1:2])} {self.tag}"
        return re.sub(r"[^\w.]+", "-", words).strip("-")


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    rounds: int
    memory_rounds: int   # the first so many also measure memory, which varies little and takes minutes
    min_seconds: float   # of each micro benchmark
    churn_operations: int
    hand_overs: int


FULL = Scale(rounds=5, memory_rounds=1, min_seconds=0.2, churn_operations=50_000_000, hand_overs=100_000_000)
QUICK = Scale(rounds=2, memory_rounds=1, min_seconds=0.03, churn_operations=3_000_000, hand_overs=1_000_000)


# --- what is needed -------------------------------------------------------------------------------

def missing_packages(needed):
    return [package for package, pattern in needed.items() if not glob.glob(pattern)]


def require_packages(needed):
    """Installs what is missing, or says what that is."""
    if missing_packages(needed):
        subprocess.run([f"{ROOT}/scripts/install_packages", "bench"], check=False)
    if missing := missing_packages(needed):
        raise CannotMeasure(f"these packages are missing: apt-get install {' '.join(missing)}")


def preload(allocator):
    return {"LD_PRELOAD": glob.glob(NEEDED[PRELOADED[allocator]])[0]}


# --- what is run ----------------------------------------------------------------------------------

def alloc_runs():
    malloc, new = ("--allocator", "malloc"), ("--allocator", "new")
    yield Run("alloc", "bump pointer", ("--allocator", "bump"))
    yield Run("alloc", "MemStack", ("--allocator", "mem_stack"))
    yield Run("alloc", "bins", ("--allocator", "bins"))
    yield Run("alloc", "bins", ("--allocator", "sized_bins"), tag=SIZED)
    for name in PRELOADED:
        yield Run("alloc", name, malloc, preload(name))
        yield Run("alloc", name, new, preload(name), tag=SIZED)
    yield Run("alloc", KEPT, malloc, KEEP)
    yield Run("alloc", "glibc", malloc)


def container_runs():
    yield Run("chunked", environment=KEEP)
    yield Run("chunked", arguments=("--benchmark_filter=/append$",), tag=AS_IT_COMES)
    yield Run("walk_o2", tag=", -O2")
    yield Run("walk_o3", tag=", -O3")
    for name in ("Array", "Array, heap", "std::vector", "boost::vector"):  # each alone: a heap remembers who was there before
        only = (f"--benchmark_filter=^{name}/",)
        yield Run("growth", name, only, KEEP)
        yield Run("growth", name, only, tag=AS_IT_COMES)


def memory_runs(scale):
    for workload, operations in (("churn", scale.churn_operations), ("free", 0), ("hand_over", scale.hand_overs)):
        arguments = ("--workload", workload, "--operations", str(operations))
        yield Run("memory", "bins", (*arguments, "--allocator", "bins"))
        for name in PRELOADED:
            yield Run("memory", name, arguments, preload(name))
        yield Run("memory", "glibc", arguments)
        if workload == "churn":
            yield Run("memory", "jemalloc, quick decay", arguments, {**preload("jemalloc"), **QUICK_DECAY})


# --- running --------------------------------------------------------------------------------------

def execute(run, scale, raw_path):
    """Runs one process, keeps what it says and returns its samples."""
    is_google = run.program != "memory"
    command = [f"{ROOT}/build/release/bench_core_{run.program}", *run.arguments]
    if is_google:
        command += ["--benchmark_format=json", f"--benchmark_min_time={scale.min_seconds}"]
    environment = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    result = subprocess.run(command, env={**environment, **run.environment}, capture_output=True, text=True,
                            check=False, timeout=RUN_TIMEOUT_SECONDS)
    if result.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.strip()[-500:]}")
    with open(raw_path, "w", encoding="utf-8") as file:
        file.write(result.stdout)
    if is_google:
        return from_google_benchmark(result.stdout, run.subject, run.tag)
    return from_lines(result.stdout, run.subject)


def run_rounds(scale):
    """Every process once a round, so that each meets the same machine. Returns all samples."""
    shutil.rmtree(f"{ROOT}/{RAW}", ignore_errors=True)
    os.makedirs(f"{ROOT}/{RAW}")
    samples = []
    for number in range(1, scale.rounds + 1):
        print(f"round {number} of {scale.rounds}", file=sys.stderr)
        memory = memory_runs(scale) if number <= scale.memory_rounds else ()
        for run in (*alloc_runs(), *container_runs(), *memory):
            samples += execute(run, scale, f"{ROOT}/{RAW}/round{number}-{run.file_name}.json")
    return samples


def measure(options):
    """Returns the rows; writes the plot, and what each process said."""
    require_packages(NEEDED)
    subprocess.run([f"{ROOT}/scripts/build", "release", "bench_core"], check=True)
    scale = QUICK if options.quick else FULL
    figures = medians(run_rounds(scale))
    rows = bench_core_rows.rows(figures, full_size=scale is FULL)
    title = f"The memory layer beside its peers, medians of {scale.rounds} rounds"
    with open(f"{ROOT}/{PLOT}", "w", encoding="utf-8") as file:
        file.write(bench_core_plot.picture(title, rows, figures))
    return rows


def closing_lines():
    return [f"plot: {PLOT}   JSON of each run: {RAW}/"]

"""One run of redis-benchmark against one server, and what the server's process took for it."""

import csv
import os
import subprocess
import time
from dataclasses import dataclass

from evertick.bench_core import CannotMeasure

CONNECTIONS = 50
RUN_TIMEOUT_SECONDS = 300
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
_SHORTEST_SECONDS = 1e-3  # redis-benchmark counts whole milliseconds, and divides by 0 when there is none
_UTIME, _STIME = 11, 12  # fields of /proc/PID/stat behind the name in brackets, which may hold anything


@dataclass(frozen=True)
class Answered:
    """What redis-benchmark says of a run."""

    rate: float
    p50_ms: float
    p99_ms: float


def from_csv(text, requests):
    """Reads what --csv prints of so many requests: a header, and a line for the one command. Raises CannotMeasure."""
    try:
        row, = csv.DictReader(text.splitlines())
        rate = min(float(row["rps"]), requests / _SHORTEST_SECONDS)
        return Answered(rate, float(row["p50_latency_ms"]), float(row["p99_latency_ms"]))
    except (KeyError, TypeError, ValueError) as error:
        raise CannotMeasure(f"redis-benchmark of another version? It printed {text[:300]!r}") from error


def cpu_seconds_in(stat):
    """User and system time in the text of /proc/PID/stat."""
    fields = stat.rpartition(")")[2].split()
    return (int(fields[_UTIME]) + int(fields[_STIME])) / _CLOCK_TICKS


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        return cpu_seconds_in(stat.read())


def cpu_us_per_request(used_seconds, idle_share, seconds, requests):
    """What a request cost the process: what it used, less what it uses idle in the same time.

    Less than a tick of the clock that counts it counts as one: more is not known.
    """
    return max(1 / _CLOCK_TICKS, used_seconds - idle_share * seconds) / requests * 1e6


def idle_shares(pids, seconds):
    """Which share of a core each uses while nobody asks it anything."""
    before = [cpu_seconds(pid) for pid in pids]
    start = time.monotonic()
    time.sleep(seconds)
    elapsed = time.monotonic() - start
    return [(cpu_seconds(pid) - used) / elapsed for pid, used in zip(pids, before)]


def benchmark(port, words, requests, depth, keyspace):
    """Runs redis-benchmark to its end. Raises CannotMeasure when it fails, as it does at the first error reply."""
    command = ["redis-benchmark", "-h", "127.0.0.1", "-p", str(port), "-c", str(CONNECTIONS), "-n", str(requests),
               "-P", str(depth), "-r", str(keyspace), "--csv", *words]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=RUN_TIMEOUT_SECONDS)
    if result.returncode != 0:
        raise CannotMeasure(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.strip()[-500:]}")
    return from_csv(result.stdout, requests)


def run(server, words, requests, depth, keyspace):
    """One run as a record of plain figures. server: .port, .pid, .idle_share"""
    before, start = cpu_seconds(server.pid), time.monotonic()
    answered = benchmark(server.port, words, requests, depth, keyspace)
    seconds, used = time.monotonic() - start, cpu_seconds(server.pid) - before
    return {"requests": requests, "seconds": round(seconds, 4), "rate": answered.rate, "p50_ms": answered.p50_ms,
            "p99_ms": answered.p99_ms, "cpu_seconds": round(used, 2), "idle_share": round(server.idle_share, 5),
            "cpu_us": round(cpu_us_per_request(used, server.idle_share, seconds, requests), 4)}

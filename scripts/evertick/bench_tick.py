"""scripts/bench tick: one executable, which prints the rows itself."""

import json
import subprocess

from evertick.server_process import ROOT


def measure(options):
    """Returns the rows."""
    subprocess.run([f"{ROOT}/scripts/build", "release", "bench_tick"], check=True)
    command = [f"{ROOT}/build/release/bench_tick", *(["--quick"] if options.quick else [])]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def closing_lines():
    return []

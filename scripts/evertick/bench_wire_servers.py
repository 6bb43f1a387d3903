"""The two servers that scripts/bench wire measures: each fresh, on a free port, and asked by its own connection."""

import contextlib
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass

from evertick.bench_core import CannotMeasure
from evertick.connection import CannotConnect, Connection, require
from evertick.server_process import ServerProcess

EVERTICK, REDIS = "evertick", "redis-server"
TICK_RATE_HZ = 30
_REPLY_TIMEOUT_SECONDS = 60
_START_TIMEOUT_SECONDS = 20
_STOP_TIMEOUT_SECONDS = 20


@dataclass
class Server:
    """A running server."""

    name: str
    pid: int
    port: int
    connection: Connection
    idle_share: float = 0.0  # of a core

    def call(self, *words):
        """A command that must succeed. Raises CommandFailed."""
        return require(self.connection.call(*words))


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _connect(process, port):
    """A connection to a server that may still be starting."""
    deadline = time.monotonic() + _START_TIMEOUT_SECONDS
    while True:
        try:
            return Connection("127.0.0.1", port, _REPLY_TIMEOUT_SECONDS)
        except CannotConnect as failure:
            if process.poll() is not None or time.monotonic() > deadline:
                raise CannotMeasure(f"redis-server did not start on port {port}: {failure}") from failure
            time.sleep(0.02)


@contextlib.contextmanager
def redis_server():
    """Without persistence, in a folder of its own; killed when it does not end."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(["redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "",
                                    "--appendonly", "no", "--dir", folder], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            with _connect(process, port) as connection:
                yield Server(REDIS, process.pid, port, connection)
        finally:
            process.terminate()
            try:
                process.wait(_STOP_TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def evertick_server(binary):
    """With an empty world that ticks."""
    arguments = ("--scenario", "none", "--tick-rate", TICK_RATE_HZ, "--log-level", "warning")
    with ServerProcess(binary, arguments) as process:
        with Connection(process.host, process.port, _REPLY_TIMEOUT_SECONDS) as connection:
            yield Server(EVERTICK, process.pid, process.port, connection)

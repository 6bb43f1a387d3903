"""The server among clients that mean harm: short of descriptors, flooded with connections, never read from."""

import os
import resource
import select
import socket
import tempfile
import time
import unittest

from harness import PATIENCE, Server, exactly

MANY = 5000


def rss_bytes(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def cpu_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Hostile(unittest.TestCase):
    def setUp(self):
        self.connections = []
        self.addCleanup(lambda: [connection.close() for connection in self.connections])

    def connect(self, server):
        self.connections.append(server.connect())
        return self.connections[-1]

    def connect_to(self, path):
        connection = socket.socket(socket.AF_UNIX)
        self.connections.append(connection)
        connection.connect(path)
        return connection

    def test_answers_everybody_when_descriptors_run_out_and_recovers(self):
        few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))}
        with Server(**few) as server:
            for _ in range(100):
                self.connect(server).sendall(b"PING\n")
            replies = [connection.recv(100) for connection in self.connections]
            served = replies.count(b"+PONG\r\n")
            refused = replies.count(b"-ERR the server is out of file descriptors\r\n")
            self.assertGreater(served, 30, replies)
            self.assertEqual(served + refused, 100, replies)
            before = cpu_seconds(server)
            time.sleep(1)
            self.assertLess(cpu_seconds(server) - before, 0.5, "it does not spin")
            for connection in self.connections:
                connection.close()
            end = time.monotonic() + PATIENCE
            while server.ask("PING\n") != "+PONG\r\n":
                self.assertLess(time.monotonic(), end)

    @unittest.skipIf(resource.getrlimit(resource.RLIMIT_NOFILE)[1] < MANY + 100, "too few descriptors for it")
    def test_takes_thousands_of_connections_at_once_for_little_memory(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        with Server() as server:
            before = rss_bytes(server)
            for _ in range(MANY):
                self.connect(server)
            for connection in self.connections:
                connection.sendall(b"PING\n")
            for connection in self.connections:
                self.assertEqual(exactly(connection, 7), b"+PONG\r\n")
            if not os.environ.get("SANITIZED"):
                self.assertLess((rss_bytes(server) - before) / MANY, 8192, "bytes for each idle connection")
            self.assertEqual(server.ask("PING\n"), "+PONG\r\n")

    def test_bounds_forgotten_streams_and_tells_what_was_lost(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "socket")  # the kernel keeps less for it than for TCP: it fills soon
        with Server("--push-queue-bytes", "65536", "--unix", path) as server:
            listener, monitor = self.connect_to(path), self.connect_to(path)
            listener.sendall(b"OUTPUT json\nEVENTS ON spawn\n")
            monitor.sendall(b"MONITOR\n")
            self.assertEqual(exactly(monitor, 5), b"+OK\r\n")
            server.ask("SPAWN COUNT 60000 QUIET\nCLEAR YES\n")
            before = rss_bytes(server)
            for _ in range(5):
                server.ask("SPAWN COUNT 60000 QUIET\nCLEAR YES\n" + "ECHO 0123456789012345678901234567890\n" * 2000)
            if not os.environ.get("SANITIZED"):
                self.assertLess(rss_bytes(server) - before, 40 << 20)
            for connection, sign in ((listener, b'"lost":'), (monitor, b" lost)")):
                connection.settimeout(PATIENCE)
                received = b""
                while sign not in received:
                    if connection is monitor and not select.select([connection], [], [], 0.2)[0]:
                        server.ask("PING\n")  # the next line tells
                        continue
                    received = received[-100:] + connection.recv(65536)

    def test_sends_every_byte_after_a_large_request_and_a_fin(self):
        with Server() as server:
            server.ask("SPAWN COUNT 500 QUIET position=1,2,3 health\n")
            row = server.ask("QUERY LIMIT 500 RETURN position\n")
            large = "*2\r\n$4\r\nECHO\r\n$61440\r\n" + "x" * 61440 + "\r\n"
            received = server.ask(large + "QUERY LIMIT 500 RETURN position\n" * 200)
            self.assertEqual(received, "$61440\r\n" + "x" * 61440 + "\r\n" + row * 200)

    def test_ticks_on_time_beside_a_reader_of_single_bytes(self):
        with Server() as server:
            server.ask("SPAWN COUNT 100000 QUIET position velocity=1,0,0\n")
            slow = self.connect(server)
            slow.sendall(b"QUERY LIMIT 10000\n" * 200)
            first = server.result("TICK INFO")["tick"]
            for _ in range(5):
                self.assertEqual(len(slow.recv(1)), 1)
                time.sleep(0.1)
            self.assertGreater(server.result("TICK INFO")["tick"], first)
            self.assertEqual(server.ask("PING\n"), "+PONG\r\n")


if __name__ == "__main__":
    unittest.main()

"""The server among clients that mean harm: short of descriptors, flooded with connections, never read from."""

import os
import pathlib
import resource
import select
import socket
import tempfile
import time
import unittest

from harness import PATIENCE, Server, exactly, until

MANY = 9990  # nearly max-clients: one more is needed to ask


def rss_bytes(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def cpu_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def to_the_end(connection):
    """Everything until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


class Hostile(unittest.TestCase):
    def setUp(self):
        self.connections = []
        self.addCleanup(lambda: [connection.close() for connection in self.connections])

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

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
            until(lambda: server.ask("PING\n") == "+PONG\r\n", "a descriptor is free again")

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
        path = os.path.join(self.folder(), "socket")  # the kernel keeps less for it than for TCP: it fills soon
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

    def test_reserves_nothing_for_what_is_only_announced(self):
        with Server() as server:
            server.ask("PING\n")
            before = rss_bytes(server)
            for _ in range(10):
                self.connect(server).sendall(b"*2\r\n$4\r\nECHO\r\n$536870912\r\n")
            for connection in self.connections:
                self.assertIn(b"max-bulk-bytes", to_the_end(connection))
            for _ in range(100):
                self.connect(server).sendall(b"PING\n*262144\r\n$1048576\r\nabc")
            for connection in self.connections[10:]:
                self.assertEqual(exactly(connection, 7), b"+PONG\r\n")
            if not os.environ.get("SANITIZED"):
                self.assertLess(rss_bytes(server) - before, 2 << 20)

    def test_takes_few_words_and_keeps_little_before_the_login(self):
        password = pathlib.Path(self.folder(), "password")
        password.write_text("secret\n")
        with Server("--password-file", str(password)) as server:
            server.ask("PING\n")
            before = rss_bytes(server)
            for _ in range(100):
                self.connect(server).sendall(b"*1000000\r\n")
            for connection in self.connections:
                self.assertIn(b"at most 10 words", to_the_end(connection))
            if not os.environ.get("SANITIZED"):
                self.assertLess(rss_bytes(server) - before, 2 << 20)

    def test_closes_what_is_no_client_at_once(self):
        with Server() as server:
            for said, answer in ((b"PING\0\n", b"-ERR Protocol error: NUL byte"),
                                 (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"-ERR Protocol error: this is a TLS handshake"),
                                 (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b""),
                                 (b"POST /x\r\nHost: x\r\n\r\nPING\r\n", None),
                                 (b"PING\r\nQUIT\r\nPING\r\n", b"+PONG\r\n+OK\r\n")):
                connection = self.connect(server)
                connection.sendall(said)
                received = to_the_end(connection)
                self.assertNotIn(b"+PONG\r\n+PONG", received)
                if answer is not None:
                    self.assertEqual(received[:len(answer)], answer)
                    self.assertEqual(received.count(b"-ERR"), answer.count(b"-ERR"), received)

    def test_keeps_escape_sequences_out_of_the_log(self):
        log = pathlib.Path(self.folder(), "log")
        with Server("--log-file", str(log), "--log-level", "trace") as server:
            server.ask('CLIENT SETNAME "\\x1b[2J"\n"\\x1b[31mNOPE"\nCONFIG SET "\\x1b[31m" 1\n')
            server.ask('CONFIG SET password-file "/\\x1b[31m"\nCONFIG SET log-level debug\n')
            server.ask("GET /\x1b[31m HTTP/1.1\r\n\r\n")
            server.end()
        written = log.read_bytes()
        self.assertIn(b"speaks HTTP", written)
        self.assertNotIn(b"\x1b", written)


if __name__ == "__main__":
    unittest.main()

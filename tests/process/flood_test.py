"""5,000 clients that connect as fast as they can, where there is room for 4,000."""

import json
import resource
import selectors
import socket
import time
import unittest

from harness import FORGIVING, PATIENCE, Server, exactly, until

CLIENTS, PLACES, BATCH = 5000, 4000, 500
REFUSAL = b"-ERR max number of clients reached\r\n"


def begin_to_connect(address):
    """A socket that is writable once it is connected."""
    connection = socket.socket(socket.AF_INET)
    connection.setblocking(False)
    connection.connect_ex(address)
    return connection


def when_ready(connections, event):
    """Each of the connections, once it is ready."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection, event)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            if not ready:
                raise AssertionError(f"{len(selector.get_map())} connections are not ready in {PATIENCE} s")
            for key, _ in ready:
                selector.unregister(key.fileobj)
                yield key.fileobj


def first_readable(connections, count):
    """So many of the connections that have something to read."""
    readable = when_ready(connections, selectors.EVENT_READ)
    return [next(readable) for _ in range(count)]


@unittest.skipIf(resource.getrlimit(resource.RLIMIT_NOFILE)[1] < CLIENTS + 100, "too few descriptors for it")
class Flood(unittest.TestCase):
    def setUp(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.connections = []
        self.addCleanup(lambda: [connection.close() for connection in self.connections])

    def connect_all(self, address):
        """In batches, each as fast as the kernel takes it; prints how long it took."""
        began = time.monotonic()
        while len(self.connections) < CLIENTS:
            batch = [begin_to_connect(address) for _ in range(BATCH)]
            self.connections += batch
            for connection in when_ready(batch, selectors.EVENT_WRITE):
                self.assertEqual(connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), 0)
        print(f"{CLIENTS} clients connected in {time.monotonic() - began:.2f} s")

    def expect_pongs(self, connections):
        for connection in connections:
            connection.settimeout(PATIENCE)
            connection.sendall(b"PING\n")
        for connection in connections:
            self.assertEqual(exactly(connection, 7), b"+PONG\r\n")

    def test_every_client_is_taken_or_told_and_the_ticks_go_on(self):
        with (Server("--max-clients", str(PLACES + 1), *FORGIVING) as server, server.connect() as operator,
              operator.makefile("rb") as replies):

            def ticks():
                operator.sendall(b"JSON TICK INFO\n")
                return json.loads(replies.readline())["result"]

            before = ticks()
            self.connect_all(server.address)
            refused = first_readable(self.connections, CLIENTS - PLACES)
            for connection in refused:
                self.assertEqual(connection.recv(100), REFUSAL)
            self.expect_pongs(list(set(self.connections) - set(refused)))
            until(lambda: ticks()["tick"] > before["tick"], "the ticks go on")
            self.assertEqual(ticks()["skipped"], before["skipped"])


if __name__ == "__main__":
    unittest.main()

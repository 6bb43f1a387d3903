"""The load's parts that need no server: what is due when, and whose entities are destroyed."""

import math
import random
import socket
import threading
import unittest

import harness  # noqa: F401  (makes scripts/evertick importable)

from evertick import lanes, wire
from evertick.connection import CommandFailed


class ScheduleTest(unittest.TestCase):
    def test_gives_what_is_due_once(self):
        schedule = lanes.Schedule(100)
        self.assertEqual([schedule.take(seconds, 50) for seconds in (0.1, 0.1, 0.2, 2.0, 2.0)], [10, 0, 10, 50, 50])

    def test_gives_as_much_as_fits_at_an_infinite_rate(self):
        self.assertEqual(lanes.Schedule(math.inf).take(0.0, 16), 16)

    def test_gives_nothing_at_rate_zero(self):
        self.assertEqual(lanes.Schedule(0).take(10.0, 16), 0)


class FakeServer:
    """Answers a lane's commands over a socket pair, refusing spawns beyond its room."""

    def __init__(self, room=10**9):
        self.alive, self.queries = set(), 0
        self._room, self._born = room, 0
        self.near, self._far = socket.socketpair()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        requests = wire.ReplyReader(self._far.makefile("rb"))
        try:
            while True:
                self._far.sendall(self._answer(requests.read()))
        except (wire.ConnectionLost, OSError):
            self._far.close()

    def _answer(self, command):
        if command[0] == "QUERY":
            self.queries += 1
            return b"*2\r\n$1\r\n0\r\n*0\r\n"
        if command[0] == "DESTROY":
            known = command[1] in self.alive
            self.alive.discard(command[1])
            return b":%d\r\n" % known
        if len(self.alive) >= self._room:
            return b"-OOM no room\r\n"
        self._born += 1
        self.alive.add(f"{self._born}:0")
        return b"+%d:0\r\n" % self._born


class LaneConnection:
    """What a lane needs of evertick.connection.Connection, over a socket that is open already."""

    def __init__(self, near):
        self._socket = near
        self._reader = wire.ReplyReader(near.makefile("rb"))
        self.send, self.receive, self.fileno = near.sendall, self._reader.read, near.fileno


class LaneTest(unittest.TestCase):
    def make_lanes(self, count=1, **server_options):
        """Lanes to servers of their own."""
        servers = [FakeServer(**server_options) for _ in range(count)]
        for server in servers:
            self.addCleanup(server.near.close)
        return servers, [lanes.Lane(LaneConnection(server.near), random.Random(1)) for server in servers]

    def test_fills_evenly_and_takes_everything_back(self):
        servers, all_lanes = self.make_lanes(3)
        lanes.fill(all_lanes, 100, 16, stop=False)
        self.assertEqual([len(server.alive) for server in servers], [34, 33, 33])
        lanes.destroy_all(all_lanes, 16)
        self.assertEqual([server.alive for server in servers], [set(), set(), set()])

    def test_churn_keeps_the_number_and_counts_latencies(self):
        servers, all_lanes = self.make_lanes()
        lanes.fill(all_lanes, 50, 16, stop=False)
        pairs, queries = lanes.Schedule(1000), lanes.Schedule(10)
        tally = all_lanes[0].tally = lanes.Tally()
        for step in range(1, 101):
            lanes.churn(all_lanes, pairs, queries, step / 100, 16)
        self.assertEqual(len(servers[0].alive), 50)
        self.assertEqual({kind: times.count for kind, times in tally.latencies.items()},
                         {"SPAWN": 1000, "QUERY": 10, "DESTROY": 1000})

    def test_counts_entities_that_somebody_else_destroyed(self):
        servers, all_lanes = self.make_lanes()
        lanes.fill(all_lanes, 10, 16, stop=False)
        servers[0].alive.pop()
        lanes.destroy_all(all_lanes, 16)
        self.assertEqual(all_lanes[0].tally.gone, 1)

    def test_filling_says_why_it_was_refused(self):
        _, all_lanes = self.make_lanes(room=5)
        with self.assertRaisesRegex(CommandFailed, "OOM no room"):
            lanes.fill(all_lanes, 10, 4, stop=False)
        self.assertEqual(len(all_lanes[0].live), 5)


if __name__ == "__main__":
    unittest.main()

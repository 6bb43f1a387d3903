"""Large work and slow readers: neither the tick nor the others wait for them."""

import json
import os
import select
import time
import unittest

from harness import FORGIVING, PATIENCE, Server

MANY = 100_000 if os.environ.get("SANITIZED") else 1_000_000


def skipped(server):
    return server.result("TICK INFO")["skipped"]


class Fairness(unittest.TestCase):
    def counts_until_answered(self, server, worker):
        """What COUNT answers another client, over and over, until the worker has its answer; and that."""
        counts = []
        with server.connect() as other, other.makefile("rb") as replies:
            while not select.select([worker], [], [], 0)[0]:
                other.sendall(b"COUNT\n")
                counts.append(int(replies.readline()[1:]))
        return counts, worker.recv(100)

    def test_spawns_and_destroys_a_million_in_pieces(self):
        with Server(*FORGIVING) as server, server.connect() as worker:
            worker.settimeout(PATIENCE)
            for command, ordered in ((f"SPAWN COUNT {MANY} QUIET position", list),
                                     ("DESTROY WHERE position.x<1", reversed)):
                worker.sendall(command.encode() + b"\n")
                counts, reply = self.counts_until_answered(server, worker)
                self.assertEqual(reply, f":{MANY}\r\n".encode())
                self.assertTrue(any(0 < count < MANY for count in counts), f"{command}: the others see it at work: {counts[:9]}")
                self.assertEqual(sorted(counts), list(ordered(counts)), command)
            self.assertEqual(skipped(server), 0)

    def page_through(self, reader, replies):
        """How often each index came in a walk along all pages."""
        seen, cursor = bytearray(MANY), "start"
        while cursor != "0":
            reader.sendall(f"JSON QUERY LIMIT 10000 CURSOR {cursor.replace('start', '0')}\n".encode())
            cursor, ids = json.loads(replies.readline())["result"]
            for entity in ids:
                seen[int(entity[:-2])] += 1
        return seen

    def test_pages_through_a_million_and_shows_each_once(self):
        with Server(*FORGIVING) as server, server.connect() as reader, reader.makefile("rb") as replies:
            server.result(f"SPAWN COUNT {MANY} QUIET position")
            before, first, end = skipped(server), server.result("TICK INFO")["tick"], time.monotonic() + PATIENCE
            ticks = 0  # a walk may be shorter than a tick: as many as it takes to be beside one
            while ticks == 0 and time.monotonic() < end:
                self.assertEqual(self.page_through(reader, replies).count(1), MANY)
                ticks = server.result("TICK INFO")["tick"] - first
            self.assertGreater(ticks, 0, "it ticks meanwhile")
            self.assertEqual(skipped(server), before)

    def test_ticks_on_time_beside_a_reader_of_single_bytes(self):
        with Server(*FORGIVING) as server, server.connect() as slow:
            server.ask("SPAWN COUNT 100000 QUIET position velocity=1,0,0\n")
            before, first = skipped(server), server.result("TICK INFO")["tick"]
            slow.sendall(b"QUERY LIMIT 10000\n" * 200)
            for _ in range(20):
                self.assertEqual(len(slow.recv(1)), 1)
                time.sleep(0.1)
            self.assertEqual(server.ask("PING\n"), "+PONG\r\n")
            self.assertEqual(skipped(server), before)
            self.assertGreater(server.result("TICK INFO")["tick"], first)


if __name__ == "__main__":
    unittest.main()

"""The work of scripts/load: many connections that spawn, query and destroy in pipelined batches.

One thread: every lane's batch is sent, then replies are read from whichever lane has some. What a lane
spawned it remembers by id, and ids are never used twice, so nothing else can be destroyed.
"""

import math
import select
import time
from collections import deque
from dataclasses import dataclass, field

from evertick import wire
from evertick.connection import CommandFailed
from evertick.figures import Histogram

# Entities of scripts/load carry this material, so that a killed run's leftovers can be found.
MARK = "renderable.material=7777001"
KINDS = ("SPAWN", "QUERY", "DESTROY")
_AREA_METRES = 1000


@dataclass
class Tally:
    """What became of the commands of a run."""

    latencies: dict = field(default_factory=lambda: {kind: Histogram() for kind in KINDS})
    errors: dict = field(default_factory=dict)  # text of an error reply -> how often
    gone: int = 0                               # own entities that somebody else had destroyed

    @property
    def error_count(self):
        return sum(self.errors.values())

    def add_error(self, text):
        self.errors[text] = self.errors.get(text, 0) + 1


def spawn_request(random):
    """One entity somewhere, on its way somewhere."""
    x, z = (random.uniform(-_AREA_METRES, _AREA_METRES) for _ in range(2))
    speed, health = random.uniform(-5, 5), random.randint(1, 100)
    return wire.encode(("SPAWN", f"position={x:.2f},0,{z:.2f}", f"velocity={speed:.2f},0,1", f"health={health},100",
                        MARK))


def query_request(random):
    """Who is near some place: a read that touches many entities."""
    x, z = (random.randint(-_AREA_METRES, _AREA_METRES) for _ in range(2))
    return wire.encode(("QUERY", "NEAR", x, 0, z, 50, "RETURN", "position", "LIMIT", 10))


class Lane:
    """One connection, the entities that are its own, and the commands whose replies are not there yet."""

    def __init__(self, connection, random):
        self.connection = connection
        self.live = []
        self.tally = Tally()
        self._random = random
        self._waiting = deque()
        self._sent_at = 0.0

    @property
    def waiting(self):
        return len(self._waiting)

    def send(self, spawns=0, queries=0, destroys=0):
        """Sends one batch. requires: nothing is waiting, for the clock of a batch starts here."""
        destroys = min(destroys, len(self.live))
        requests = [wire.encode(("DESTROY", self._take_any())) for _ in range(destroys)]
        requests += [query_request(self._random) for _ in range(queries)]
        requests += [spawn_request(self._random) for _ in range(spawns)]
        self._waiting.extend(["DESTROY"] * destroys + ["QUERY"] * queries + ["SPAWN"] * spawns)
        self._sent_at = time.perf_counter()
        self.connection.send(b"".join(requests))

    def receive(self):
        """Reads the replies of the whole batch."""
        while self._waiting:
            reply = self.connection.receive()
            kind = self._waiting.popleft()
            self.tally.latencies[kind].add(time.perf_counter() - self._sent_at)
            if wire.is_error(reply):
                self.tally.add_error(reply.text)
            elif kind == "SPAWN":
                self.live.append(reply)
            elif kind == "DESTROY" and reply == 0:
                self.tally.gone += 1

    def _take_any(self):
        """A random own entity, no longer remembered: holes all over the world are the harder case."""
        at = self._random.randrange(len(self.live))
        self.live[at], self.live[-1] = self.live[-1], self.live[at]
        return self.live.pop()


def exchange(lanes):
    """Reads what was sent on all lanes, the quickest first."""
    waiting = [lane for lane in lanes if lane.waiting]
    while waiting:
        ready, _, _ = select.select([lane.connection for lane in waiting], [], [])
        for lane in waiting:
            if lane.connection in ready:
                lane.receive()
        waiting = [lane for lane in waiting if lane.waiting]


class Schedule:
    """How many operations are due so far, at a rate that may be infinite."""

    def __init__(self, per_second):
        self._per_second = per_second
        self._done = 0

    def take(self, elapsed_seconds, most):
        """What is due and not taken yet, at most `most`."""
        due = most if math.isinf(self._per_second) else int(elapsed_seconds * self._per_second) - self._done
        taken = max(0, min(due, most))
        self._done += taken
        return taken


def fill(lanes, entities, batch, stop):
    """Spawns until that many are live, shared evenly, or until asked to stop. Raises CommandFailed."""
    missing = [entities // len(lanes) + (index < entities % len(lanes)) for index in range(len(lanes))]
    tally = Tally()
    for lane in lanes:
        lane.tally = tally
    while any(missing) and not tally.errors and not stop:
        for lane, count in zip(lanes, missing):
            lane.send(spawns=min(count, batch))
        exchange(lanes)
        missing = [max(0, count - batch) for count in missing]
    if tally.errors:
        raise CommandFailed(next(iter(tally.errors)))


def churn(lanes, schedule, queries, elapsed_seconds, batch):
    """One round of all lanes: what is due of spawn+destroy pairs and of queries. Returns whether there was any."""
    any_due = False
    for lane in lanes:
        pairs = schedule.take(elapsed_seconds, batch)
        reads = queries.take(elapsed_seconds, batch)
        if pairs or reads:
            any_due = True
            lane.send(spawns=pairs, queries=reads, destroys=pairs)
    exchange(lanes)
    return any_due


def destroy_all(lanes, batch):
    """Takes back everything the lanes spawned."""
    while any(lane.live for lane in lanes):
        for lane in lanes:
            lane.send(destroys=batch)
        exchange(lanes)

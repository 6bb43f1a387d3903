"""The living of scripts/soak: a crowd that breathes while it is exchanged, on a fixed schedule.

What is due is a function of time alone, so a run that was held up catches up instead of doing less.
"""

import math
from dataclasses import dataclass

from evertick import wire
from evertick.connection import require

_AREA = ("AREA", -1000, -10, -1000, 1000, 10, 1000)
# Component sets of different sizes, so that every pool has holes in places of its own.
_KINDS = (
    ("velocity=1,0,0.5", "health=50,100"),
    ("velocity=-0.5,0,1", "health=90,100", "renderable=1,7", "flags=visible"),
    ("rotation=0,90,0", "renderable=2,7"),
    ("velocity=0,0,1", "health=100,100", "ai", "flags=hostile,visible"),
)
_MOST_PER_COMMAND = 10_000


@dataclass(frozen=True)
class Plan:
    """How many live when, and how many of them are exchanged for new ones meanwhile."""

    entities: int
    churn_per_second: float
    amplitude: float = 0.0        # share of `entities` by which the number swings up and down
    period_seconds: float = 60.0  # of one swing

    def live(self, seconds):
        """How many should be alive that long after the start; `entities` at the start."""
        return round(self.entities * (1 + self.amplitude * math.sin(2 * math.pi * seconds / self.period_seconds)))

    def exchanged(self, seconds):
        """How many should have been destroyed and spawned anew by then, the swings not counted."""
        return int(self.churn_per_second * seconds)


class Population:
    """The entities that this run spawned and has not destroyed, by id."""

    def __init__(self, connection, random):
        self.spawned = 0
        self.destroyed = 0
        self.vanished = 0  # destroyed by somebody else before we did
        self._connection = connection
        self._random = random
        self._live = []

    def __len__(self):
        return len(self._live)

    def exchange(self, spawns, destroys):
        """Destroys and spawns that many, as few commands in one go; the victims are drawn at random.

        Raises CommandFailed when one was refused, with every reply read and the others' effects counted.
        """
        victims = [self._take_any() for _ in range(min(destroys, len(self._live)))]
        step = _MOST_PER_COMMAND
        orders = [("DESTROY", *victims[at : at + step]) for at in range(0, len(victims), step)]
        births = [self._birth(kind, count) for at in range(0, spawns, step)
                  for kind, count in zip(_KINDS, shares(min(step, spawns - at), len(_KINDS))) if count]
        self._connection.send(b"".join(map(wire.encode, orders + births)))
        replies = [self._connection.receive() for _ in orders + births]
        self.destroyed += len(victims)
        self.vanished += len(victims) - sum(reply for reply in replies if isinstance(reply, int))
        for ids in (reply for reply in replies if isinstance(reply, list)):
            self._live += ids
            self.spawned += len(ids)
        for reply in replies:
            require(reply)

    def clear(self):
        """Destroys everything that is left of it."""
        while self._live:
            self.exchange(0, _MOST_PER_COMMAND)

    @staticmethod
    def _birth(kind, count):
        return ("SPAWN", "COUNT", count, *_AREA, *kind)

    def _take_any(self):
        at = self._random.randrange(len(self._live))
        self._live[at], self._live[-1] = self._live[-1], self._live[at]
        return self._live.pop()


def shares(total, parts):
    """A total in nearly equal whole parts. Every kind is always equally frequent: were kinds drawn by chance, their
    numbers would wander, and peak memory with them, for reasons that are not the server's."""
    return [(total + part) // parts for part in range(parts)]


class Exchanger:
    """Keeps a population on its plan. What is due and more than a round's worth waits for the next round."""

    def __init__(self, plan, population, most_per_round=_MOST_PER_COMMAND):
        self.exchanged = 0
        self._plan = plan
        self._population = population
        self._most = most_per_round

    def catch_up(self, seconds):
        """Does what is due by then; returns how many exchanges are left for the next round."""
        pairs = min(self._plan.exchanged(seconds) - self.exchanged, self._most)
        swing = self._plan.live(seconds) - len(self._population)
        swing = max(-self._most, min(swing, self._most))
        spawns, destroys = pairs + max(swing, 0), pairs + max(-swing, 0)
        if spawns or destroys:
            self._population.exchange(spawns, destroys)
        self.exchanged += pairs
        return self._plan.exchanged(seconds) - self.exchanged

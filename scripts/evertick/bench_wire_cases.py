"""What scripts/bench wire asks of both servers: a case each, with what they hold and what they must answer.

`__rand_int__` is redis-benchmark's: twelve random digits below the case's keyspace. As an entity's id they are its
raw integer, so they name an index whose first entity still lives. "eN" behind them makes a coordinate.
"""

from collections.abc import Callable
from dataclasses import dataclass

DEPTHS = (1, 16)  # requests that a connection has under way
RANDOM, DIGITS = "__rand_int__", 12
GENERATION = "__generation__"  # how often the entities of a refilled case have been made anew
_HASH_FIELDS = ("position.x", "position.y", "position.z", "velocity.x", "velocity.y", "velocity.z")
_VALUES = ("512.25", "10.5", "250.75", "0.02", "0", "-0.01")
_SET_SIX = ("HSET", RANDOM, *(word for pair in zip(_HASH_FIELDS, _VALUES) for word in pair))
_EXTRA = ("position=512.25,10.5,250.75", "flags=visible", "renderable=1,7")  # what no system touches
_FILL_HASHES = """
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) - 1 do
  local words = {}
  for f = 3, #ARGV do
    words[#words + 1] = ARGV[f]
    words[#words + 1] = string.format('%.4f', math.random() * 1000)
  end
  redis.call('HSET', string.format('%012d', i), unpack(words))
end"""
_FILL_PLACES = """
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) - 1 do
  redis.call('GEOADD', 'g', math.random(), math.random(), string.format('m%012d', i))
end"""
_FILL_STEP = 50_000  # keys by one script, which is well below the time redis-server allows it


@dataclass(frozen=True)
class Size:
    """How much both hold."""

    entities: int           # that move; as many keys or members in redis-server
    extras: int             # that are created or deleted
    created: dict           # depth -> requests of a case that creates or deletes
    memory_entities: int


def nothing(*_):
    """What most cases do before a run."""


def is_whole(wanted):
    return lambda reply: reply == wanted and not isinstance(reply, bool)


def is_list(size=None):
    return lambda reply: isinstance(reply, list) and (size is None or len(reply) == size)


# --- what the servers hold ------------------------------------------------------------------------

def spawn_movers(call, size):
    """Spread over a plane of 1,000 by 1,000, so slow that they stay spread."""
    for step in range(10):
        call("SPAWN", "COUNT", size.entities // 10, "QUIET", "AREA", 0, 0, 0, 1000, 0, 1000,
             f"velocity={(step - 4.5) / 100},0,{(4.5 - step) / 50}")


def spawn_extras(call, size):
    call("SPAWN", "COUNT", size.extras, "QUIET", *_EXTRA)


def clear_extras(call, _):
    call("DESTROY", "WHERE", "renderable.material=7")


def fill(call, script, count, *arguments):
    for first in range(0, count, _FILL_STEP):
        call("EVAL", script, 0, first, min(first + _FILL_STEP, count), *arguments)


def fill_hashes(call, size):
    fill(call, _FILL_HASHES, size.entities, *_HASH_FIELDS)


def fill_places(call, size):
    fill(call, _FILL_PLACES, size.entities)


def empty(call, _):
    call("FLUSHALL")


def refill_hashes(call, size):
    call("FLUSHALL")
    fill(call, _FILL_HASHES, size.extras, *_HASH_FIELDS)


def spawn_extras_first(call, size):
    """So that their indices begin at 0."""
    spawn_extras(call, size)
    spawn_movers(call, size)


def respawn_extras(call, size):
    """Every one of them in its old place, a generation later."""
    clear_extras(call, size)
    spawn_extras(call, size)


# --- what is asked --------------------------------------------------------------------------------

@dataclass(frozen=True)
class Asked:
    """One server's part of a case."""

    words: tuple
    is_right: Callable             # whether that is how it answers
    prepare: Callable = nothing    # once, with (call, size)
    before_run: Callable = nothing
    count: Callable | None = None  # the results in a reply, where that is of interest


@dataclass(frozen=True)
class Case:
    title: str
    evertick: Asked
    redis: Asked
    keyspace: Callable = lambda size: size.entities
    counted: bool = False  # makes or takes away as many as Size.created says, instead of running for a time


def _near(scale):
    return ("QUERY", "NEAR", f"{RANDOM}{scale}", "0", f"{RANDOM}{scale}", "17.84", "LIMIT", "1000")


CASES = {
    "ping": Case("PING", Asked(("PING",), lambda reply: reply == "PONG", spawn_movers),
                 Asked(("PING",), lambda reply: reply == "PONG")),
    "hset": Case("HSET of 6 fields", Asked(_SET_SIX, is_whole(0), spawn_movers),
                 Asked(_SET_SIX, is_whole(0), fill_hashes)),
    "hgetall": Case("HGETALL of 6 fields", Asked(("HGETALL", RANDOM), is_list(12), spawn_movers),
                    Asked(("HGETALL", RANDOM), is_list(12), fill_hashes)),
    "spawn": Case("SPAWN 3 components : HSET creating",
                  Asked(("SPAWN", *_EXTRA), lambda reply: isinstance(reply, str), spawn_movers, clear_extras),
                  Asked(_SET_SIX, is_whole(6), nothing, empty),
                  keyspace=lambda size: 2_000_000_000, counted=True),
    "move": Case("HSET of 2 coordinates : GEOADD",
                 Asked(("HSET", RANDOM, "position.x", RANDOM + "e-2", "position.y", RANDOM + "e-2"), is_whole(0),
                       spawn_movers),
                 Asked(("GEOADD", "g", RANDOM + "e-5", RANDOM + "e-5", "m" + RANDOM), is_whole(0), fill_places)),
    "near": Case("QUERY NEAR : GEOSEARCH",
                 Asked(_near("e-3"), is_list(2), spawn_movers, count=lambda reply: len(reply[1])),
                 Asked(("GEOSEARCH", "g", "FROMLONLAT", RANDOM + "e-6", RANDOM + "e-6", "BYRADIUS", "1984", "m"),
                       is_list(), fill_places, count=len),
                 keyspace=lambda size: 1_000_000),
    "del": Case("DEL", Asked(("DEL", f"{RANDOM}:{GENERATION}"), is_whole(1), spawn_extras_first, respawn_extras),
                Asked(("DEL", RANDOM), is_whole(1), nothing, refill_hashes),
                keyspace=lambda size: size.extras, counted=True),
}


def filled_in(words, generation=0, number=0):
    """The words with the generation, as redis-benchmark takes them; and with a number for its random digits."""
    return tuple(word.replace(GENERATION, str(generation)) for word in words), tuple(
        word.replace(GENERATION, str(generation)).replace(RANDOM, f"{number:0{DIGITS}}") for word in words)


# --- memory ---------------------------------------------------------------------------------------

def hold_entities(call, count):
    """Entities with position and velocity, and the index over them, which the question makes."""
    call("SPAWN", "COUNT", count, "QUIET", "AREA", 0, 0, 0, 1000, 0, 1000, "velocity=0.02,0,-0.01")
    call("QUERY", "NEAR", 500, 0, 500, 1)


def hold_hashes(call, count):
    """Hashes of 6 numbers by names as short as one would give them."""
    fill(call, _FILL_HASHES, count, "x", "y", "z", "vx", "vy", "vz")

"""The soak's parts that need no server: the plan of births and deaths, the figures, the verdict."""

import csv
import io
import os
import random
import tempfile
import unittest
from dataclasses import replace

import harness  # noqa: F401  (makes scripts/evertick importable)

from evertick import samples as sampling
from evertick import verdict, wire
from evertick.connection import CommandFailed
from evertick.population import Exchanger, Plan, Population, shares

MIB = 2**20
SAMPLE = sampling.Sample(
    elapsed_seconds=0, live=100, spawned=100, destroyed=0, exchanged=0, behind=0, entities=100, rss_bytes=50 * MIB,
    live_bytes=40 * MIB, reserved_bytes=45 * MIB, tick=0, tick_mean_ms=1.0, tick_p99_ms=2.0, tick_max_ms=3.0,
    jitter_p50_ms=0.1, jitter_p99_ms=0.2, jitter_max_ms=0.3, overruns=0, skipped=0)


def steady_run(seconds=3600, churn=5000, **changes):
    """A sample a second of a server that never changes, but for `changes`: column -> function of the second."""
    return [replace(SAMPLE, elapsed_seconds=second, exchanged=second * churn,
                    **{column: value(second) for column, value in changes.items()}) for second in range(seconds + 1)]


def failed_checks(samples, churn=5000, warm_up=360):
    return [check.name for check in verdict.judge(samples, warm_up, churn).checks if not check.ok]


class VerdictTest(unittest.TestCase):
    def test_passes_a_server_that_stays_as_it_was(self):
        result = verdict.judge(steady_run(), 360, 5000)
        self.assertTrue(result.passed, "\n".join(result.lines()))
        self.assertEqual(list(result.lines())[-1], "PASS")

    def test_fails_memory_that_grows(self):
        self.assertEqual(failed_checks(steady_run(rss_bytes=lambda second: 50 * MIB + second * 1024)),
                         ["resident memory"])

    def test_allows_growth_below_the_tolerance(self):
        self.assertEqual(failed_checks(steady_run(rss_bytes=lambda second: 50 * MIB + second * 256)), [])

    def test_ignores_what_happens_during_warm_up(self):
        warming = steady_run(rss_bytes=lambda second: (10 if second < 360 else 50) * MIB)
        self.assertEqual(failed_checks(warming), [])

    def test_ignores_swings_of_the_live_size(self):
        swinging = steady_run(rss_bytes=lambda second: (50 + (second // 15 % 2) * 20) * MIB)
        self.assertEqual(failed_checks(swinging), [])

    def test_fails_ticks_that_get_slower(self):
        slower = steady_run(tick_mean_ms=lambda second: 1 + second / 3600, tick_p99_ms=lambda second: 2 + second / 600)
        self.assertEqual(failed_checks(slower), ["tick mean", "tick p99"])

    def test_one_late_tick_decides_nothing(self):
        self.assertEqual(failed_checks(steady_run(tick_mean_ms=lambda second: 500 if second == 3590 else 1)), [])

    def test_fails_a_run_that_did_not_apply_its_load(self):
        self.assertEqual(failed_checks(steady_run(churn=4900)), ["load"])

    def test_fails_what_is_too_short_to_judge(self):
        for samples in ([], steady_run(20)):
            result = verdict.judge(samples, 2, 5000)
            self.assertFalse(result.passed)
            self.assertIn("too few", result.checks[0].text)

    def test_windows_are_a_tenth_and_at_most_an_hour(self):
        self.assertEqual(verdict.window_seconds(900), 90)
        self.assertEqual(verdict.window_seconds(100 * 3600), 3600)

    def test_slope_is_per_hour(self):
        growing = steady_run(rss_bytes=lambda second: 50 * MIB + second * 1024)
        self.assertAlmostEqual(verdict.slope_per_hour(growing, "rss_bytes"), 3600 * 1024, delta=1)
        self.assertIn("resident +3.52 MiB", verdict.judge(growing, 360, 5000).slope)


class PlanTest(unittest.TestCase):
    def test_without_breath_the_number_stays(self):
        plan = Plan(100_000, 5000)
        self.assertEqual((plan.exchanged(7), plan.live(7)), (35_000, 100_000))

    def test_breath_swings_around_the_middle_and_comes_back(self):
        plan = Plan(1000, 100, amplitude=0.5, period_seconds=60)
        self.assertEqual([plan.live(second) for second in (0, 15, 30, 45, 60)], [1000, 1500, 1000, 500, 1000])


class FakeWorld:
    """Answers SPAWN COUNT and DESTROY as the server does; refuses spawns beyond its room."""

    def __init__(self, room=10**9):
        self.alive = set()
        self._born = 0
        self._room = room
        self._replies = []

    def send(self, data):
        stream = io.BytesIO(data)
        requests = wire.ReplyReader(stream)  # requests are arrays of bulk strings, as replies may be
        while stream.tell() < len(data):
            command = requests.read()
            reply = self._destroy(command[1:]) if command[0] == "DESTROY" else self._spawn(int(command[2]))
            self._replies.append(reply)

    def receive(self):
        return self._replies.pop(0)

    def _spawn(self, count):
        if len(self.alive) + count > self._room:
            return wire.ErrorReply("OOM no room")
        ids = [f"{self._born + number}:0" for number in range(count)]
        self._born += count
        self.alive.update(ids)
        return ids

    def _destroy(self, ids):
        found = self.alive.intersection(ids)
        self.alive -= found
        return len(found)


class PopulationTest(unittest.TestCase):
    def test_keeps_to_its_plan_and_takes_everything_back(self):
        world = FakeWorld()
        population = Population(world, random.Random(1))
        population.exchange(1000, 0)
        plan = Plan(1000, 500, amplitude=0.2, period_seconds=10)
        exchanger = Exchanger(plan, population)
        for step in range(1, 200):
            self.assertEqual(exchanger.catch_up(step * 0.05), 0)
            self.assertEqual(len(population), len(world.alive))
            self.assertAlmostEqual(len(population), plan.live(step * 0.05), delta=0)
        self.assertEqual(exchanger.exchanged, plan.exchanged(199 * 0.05))
        population.clear()
        self.assertEqual(world.alive, set())

    def test_catches_up_in_rounds_after_it_was_held_up(self):
        population = Population(FakeWorld(), random.Random(1))
        population.exchange(5000, 0)
        exchanger = Exchanger(Plan(5000, 1000), population, most_per_round=1500)
        self.assertEqual([exchanger.catch_up(4) for _ in range(3)], [2500, 1000, 0])

    def test_spawns_every_kind_equally_often(self):
        self.assertEqual(shares(11, 4), [2, 3, 3, 3])
        self.assertEqual(shares(2, 4), [0, 0, 1, 1])

    def test_counts_what_somebody_else_destroyed(self):
        world = FakeWorld()
        population = Population(world, random.Random(1))
        population.exchange(10, 0)
        world.alive.pop()
        population.clear()
        self.assertEqual((population.destroyed, population.vanished), (10, 1))

    def test_reads_every_reply_when_one_is_refused(self):
        world = FakeWorld(room=10)
        population = Population(world, random.Random(1))
        population.exchange(10, 0)
        with self.assertRaisesRegex(CommandFailed, "OOM"):
            population.exchange(8, 2)  # two of each kind: the first fits
        self.assertEqual(len(population), len(world.alive))
        population.clear()
        self.assertEqual((world.alive, population.vanished), (set(), 0))


INFO = "# Memory\r\nused_memory_rss:100\r\nlive_bytes:50\r\nreserved_bytes:80\r\n\r\n# World\r\nentities:7\r\n"
TICK_INFO = {"tick": 9, "overruns": 0, "skipped": 1, "duration_ms": {"mean": 0.5, "p50": 0.4, "p99": 1.5, "max": 2.0},
             "jitter_ms": {"mean": 0.1, "p50": 0.1, "p99": 0.2, "max": 0.3}}


class SampleTest(unittest.TestCase):
    def test_takes_the_servers_figures_by_name(self):
        figures = sampling.server_figures(sampling.parse_info(INFO), TICK_INFO)
        self.assertEqual((figures["rss_bytes"], figures["entities"], figures["tick_p99_ms"]), (100, 7, 1.5))

    def test_says_which_figure_a_server_does_not_report(self):
        with self.assertRaisesRegex(sampling.FigureMissing, "INFO has no figure 'live_bytes'"):
            sampling.server_figures(sampling.parse_info(INFO.replace("live_bytes", "other")), TICK_INFO)
        with self.assertRaisesRegex(sampling.FigureMissing, "TICK INFO jitter_ms has no figure 'p50'"):
            sampling.server_figures(sampling.parse_info(INFO), {**TICK_INFO, "jitter_ms": None})

    def test_reads_the_resident_size_of_a_process(self):
        self.assertGreater(sampling.resident_bytes(os.getpid()), MIB)

    def test_the_file_is_whole_after_every_row(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new", "soak.csv")
            file = sampling.SampleFile(path)
            file.add(SAMPLE)
            with open(path, encoding="ascii") as rows:
                row = next(csv.DictReader(rows))
            file.close()
        self.assertEqual((row["rss_bytes"], row["tick_mean_ms"]), (str(50 * MIB), "1.0"))


if __name__ == "__main__":
    unittest.main()

"""scripts/bench wire: its parts that measure nothing, and a small run of it against the server under test."""

import argparse
import json
import tempfile
import types
import unittest
import xml.etree.ElementTree
from unittest import mock

import harness

from evertick import bench_wire, bench_wire_cases, bench_wire_plot, bench_wire_rows, bench_wire_run
from evertick.bench_core import CannotMeasure
from evertick.bench_wire_cases import CASES, DEPTHS

HEADER = ('"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms",'
          '"max_latency_ms"\n')


def run_record(server, pair=0, depth=16, rate=100.0, cpu_us=1.0):
    return {"server": server, "pair": pair, "depth": depth, "rate": rate, "p50_ms": 1.0, "p99_ms": 2.0,
            "cpu_us": cpu_us}


def rows_by_name(case, runs, **options):
    return {row["row"]: row for row in bench_wire_rows.run_rows(runs, case, **options)}


class BenchWireReadTest(unittest.TestCase):
    def test_reads_the_rate_and_the_percentiles(self):
        text = HEADER + '"SPAWN a=1,2,3","168000.00","2.883","2.176","3.055","3.111","3.159","3.2"\n'
        self.assertEqual(bench_wire_run.from_csv(text, 1000), bench_wire_run.Answered(168000, 3.055, 3.159))

    def test_a_run_too_short_for_its_clock_has_a_rate_too(self):
        text = HEADER + '"PING","inf","0.5","0.4","0.5","0.6","0.7","0.8"\n'
        self.assertEqual(bench_wire_run.from_csv(text, 500).rate, 500_000)

    def test_what_is_no_such_table_is_shown(self):
        for text in ("", HEADER, "PING: 12 requests per second\n", HEADER.replace("p50", "p51") + "1,2,3\n"):
            with self.assertRaisesRegex(CannotMeasure, "another version"):
                bench_wire_run.from_csv(text, 1000)

    def test_an_error_reply_ends_the_measurement(self):
        failed = mock.Mock(returncode=1, stdout=HEADER, stderr="Error from server: ERR no such thing\n")
        with mock.patch("subprocess.run", return_value=failed), self.assertRaisesRegex(CannotMeasure, "no such thing"):
            bench_wire_run.benchmark(1, ("NONSENSE",), 10, 1, 1)


class BenchWireCpuTest(unittest.TestCase):
    def test_adds_user_and_system_time_whatever_the_name(self):
        tick = 1 / bench_wire_run._CLOCK_TICKS
        stat = "77 (a) b (c) S " + " ".join(str(number) for number in range(100, 140))
        self.assertAlmostEqual(bench_wire_run.cpu_seconds_in(stat), (110 + 111) * tick)

    def test_what_the_server_uses_idle_is_not_the_requests(self):
        self.assertAlmostEqual(bench_wire_run.cpu_us_per_request(2.0, 0.1, 5.0, 1_000_000), 1.5)

    def test_less_than_can_be_counted_is_a_tick_of_the_clock(self):
        smallest = 1e6 / bench_wire_run._CLOCK_TICKS / 1000
        for used, idle_share in ((0.0, 0.0), (0.01, 0.5)):
            self.assertAlmostEqual(bench_wire_run.cpu_us_per_request(used, idle_share, 1.0, 1000), smallest)


class BenchWireRowTest(unittest.TestCase):
    def test_the_median_of_the_pairs_ratios_is_judged(self):
        rates = ((100, 100), (150, 100), (400, 200))  # 1, 1.5 and 2 times; the medians' ratio is another
        runs = [run_record(server, pair, rate=rate) for pair, both in enumerate(rates)
                for server, rate in zip(("evertick", "redis-server"), both)]
        row = rows_by_name("hset", runs)["HSET of 6 fields, depth 16: requests/s"]
        self.assertEqual((row["evertick"], row["redis-server"], row["figure"], row["target"], row["met"]),
                         (150, 100, 1.5, ">= 1.4", True))

    def test_cpu_is_judged_with_pipelines_only(self):
        for depth, met in ((1, None), (16, False)):
            runs = [run_record("evertick", depth=depth, cpu_us=0.91), run_record("redis-server", depth=depth)]
            self.assertEqual(rows_by_name("ping", runs)[f"PING, depth {depth}: CPU, us/request"]["met"], met)

    def test_a_run_without_its_other_half_gives_no_ratio(self):
        self.assertEqual(rows_by_name("ping", [run_record("evertick")]), {})

    def test_a_quick_run_judges_nothing(self):
        runs = [run_record("evertick"), run_record("redis-server")]
        self.assertEqual({row["met"] for row in rows_by_name("ping", runs, judged=False).values()}, {None})

    def test_ticks_must_keep_their_schedule(self):
        for p99, skipped, met in ((1.9, 0, [True, True]), (2.1, 1, [False, False])):
            rows = bench_wire_rows.tick_rows("ping", {"jitter_ms": {"p99": p99}, "skipped": skipped})
            self.assertEqual([row["met"] for row in rows], met)

    def test_every_case_has_its_limits(self):
        for case in CASES:
            limited = {(depth, figure) for name, depth, figure in bench_wire_rows.TARGETS if name == case}
            self.assertEqual(limited, {(1, "rate"), (16, "rate"), (16, "cpu_us")}, case)

    def test_the_table_has_both_servers_beside_their_ratio(self):
        runs = [run_record("evertick", rate=50_000.0), run_record("redis-server", rate=100_000.0)]
        ticks = bench_wire_rows.tick_rows("ping", {"jitter_ms": {"p99": 0.5}, "skipped": 0})
        lines = list(bench_wire_rows.table_lines([*bench_wire_rows.run_rows(runs, "ping"), *ticks]))
        self.assertRegex(lines[1], r"requests/s +50,000 +100,000 +0\.500 +>= 0\.95 +MISSED$")
        self.assertRegex(lines[5], r"jitter p99 of ticks +0\.5 ms +<= 2 +met$")

    def test_pictures_what_was_measured(self):
        runs = [run_record("evertick"), run_record("redis-server")]
        text = bench_wire_plot.picture("t", bench_wire_rows.run_rows(runs, "del"))
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("DEL, depth 16, requests/s", text)


class BenchWireCaseTest(unittest.TestCase):
    def test_an_example_has_digits_where_a_run_has_random_ones(self):
        words = ("DEL", "__rand_int__:__generation__")
        self.assertEqual(bench_wire_cases.filled_in(words, generation=3, number=42),
                         (("DEL", "__rand_int__:3"), ("DEL", "000000000042:3")))

    def test_another_answer_than_expected_ends_the_measurement(self):
        server = types.SimpleNamespace(name="evertick", connection=mock.Mock())
        server.connection.call.return_value = 1
        with self.assertRaisesRegex(CannotMeasure, "evertick answered HSET 000000000000 position.x .* with 1$"):
            bench_wire.Side(server, CASES["hset"].evertick).words()

    def test_an_unknown_row_is_named_with_those_there_are(self):
        self.assertEqual(bench_wire.chosen_rows("near,memory"), ["near", "memory"])
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "no row 'nera'; there is: ping, .*, memory"):
            bench_wire.chosen_rows("ping,nera")


class BenchWireScriptTest(unittest.TestCase):
    def test_measures_both_servers(self):
        options = argparse.Namespace(quick=True, pairs=1, rows=list(bench_wire.ROWS), evertick=harness.binary())
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.multiple(bench_wire, RAW=f"{folder}/runs", PLOT=f"{folder}/wire.svg"):
                rows = bench_wire.measure(options)
            for case in CASES:
                with open(f"{folder}/runs/{case}.jsonl", encoding="utf-8") as file:
                    runs = [json.loads(line) for line in file]
                self.assertEqual(len(runs), 2 * len(DEPTHS), case)
            xml.etree.ElementTree.parse(f"{folder}/wire.svg")
        measured = [row["row"] for row in rows if row["row"].endswith("CPU, us/request")]
        self.assertEqual(len(measured), len(CASES) * len(DEPTHS), measured)

    def test_its_options_are_a_usage_error_elsewhere(self):
        result = harness.script("bench", "tick", "--pairs", "3")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "--pairs is an option of wire, not of tick")

"""scripts/bench's parts that measure nothing: reading, medians, ratios, the table, the plot, what is missing."""

import json
import unittest
import xml.etree.ElementTree
from unittest import mock

import harness

from evertick import bench_core, bench_core_plot, bench_core_rows, bench_panels, bench_rows, bench_wire
from evertick.bench_plot import Bar, Panel, svg
from evertick.bench_rows import at_least, at_most, make_row
from evertick.bench_samples import Sample, from_google_benchmark, from_lines, medians


def google_output(**changes):
    benchmark = {"name": "batch", "real_time": 4.0, "cpu_time": 3.0, "time_unit": "us", "faults": 2.5,
                 "objects": 10.0}
    return json.dumps({"context": {}, "benchmarks": [{**benchmark, **changes}]})


def figures(*samples):
    """As medians() returns them, of (subject, what, value)."""
    return {(subject, what): Sample(subject, what, value, "ns/object", 0) for subject, what, value in samples}


def rows_by_name(*samples, full_size=True):
    return {row["row"]: row for row in bench_core_rows.rows(figures(*samples), full_size)}


class BenchSampleTest(unittest.TestCase):
    def test_reads_a_time_as_nanoseconds_an_object_with_its_page_faults(self):
        self.assertEqual(from_google_benchmark(google_output(), "bins", ", tagged"),
                         [Sample("bins", "batch, tagged", 300.0, "ns/object", 2.5)])

    def test_a_benchmark_may_name_its_subject(self):
        sample, = from_google_benchmark(google_output(name="std::vector/walk_4"), "")
        self.assertEqual((sample.subject, sample.what), ("std::vector", "walk_4"))

    def test_work_of_two_threads_is_timed_by_the_clock_on_the_wall(self):
        sample, = from_google_benchmark(google_output(name="hand_over/real_time"), "bins")
        self.assertEqual((sample.what, sample.value), ("hand_over", 400.0))

    def test_a_program_without_such_a_benchmark_says_nothing(self):
        self.assertEqual(from_google_benchmark("\n", "Array"), [])

    def test_reads_figures_a_line_each(self):
        text = '{"what":"churn_end","figure":1.5,"unit":"RSS/live"}\n{"what":"churn_time","figure":90,"unit":"ns"}\n'
        self.assertEqual(from_lines(text, "bins"), [Sample("bins", "churn_end", 1.5, "RSS/live"),
                                                    Sample("bins", "churn_time", 90, "ns")])

    def test_a_line_may_name_its_subject(self):
        text = '{"subject":"textbook","what":"get","figure":17,"unit":"ns/entity"}\n'
        self.assertEqual(from_lines(text, tag=", 1,000"), [Sample("textbook", "get, 1,000", 17, "ns/entity")])

    def test_medians_are_of_each_subject_and_what(self):
        rounds = [Sample("a", "x", value, "ns", faults) for value, faults in ((9, 0), (1, 4), (2, 1))]
        result = medians([*rounds, Sample("b", "x", 7, "ns")])
        self.assertEqual(result, {("a", "x"): Sample("a", "x", 2, "ns", 1), ("b", "x"): Sample("b", "x", 7, "ns")})


class BenchRowTest(unittest.TestCase):
    def test_a_target_is_met_on_its_limit(self):
        for target, met, missed in ((at_most(1.5), 1.5, 1.51), (at_least(17), 17, 16.9), (at_most(0), 0, 0.1)):
            self.assertEqual((target.met_by(met), target.met_by(missed)), (True, False), str(target))

    def test_a_row_has_its_target_in_words(self):
        self.assertEqual(make_row("r", 3, "times", at_least(2)),
                         {"row": "r", "figure": 3, "unit": "times", "target": ">= 2", "met": True})

    def test_the_table_says_what_was_missed_and_shows_page_faults_where_there_are_any(self):
        plain = list(bench_rows.table_lines([make_row("slow", 3, "times", at_most(2))]))
        self.assertNotIn("faults", plain[0])
        self.assertRegex(plain[1], r"^slow +3 times +<= 2 +MISSED$")
        counted = list(bench_rows.table_lines([make_row("r", 3, "ns", faults=631)]))
        self.assertRegex(counted[0], "faults")
        self.assertRegex(counted[1], r"^r +3 ns +631$")

    def test_a_ratio_is_the_quotient_of_two_medians(self):
        rows = rows_by_name(("MemStack", "pair", 3.0), ("bump pointer", "pair", 2.0))
        ratio = rows["pair, 256 B: MemStack / bump pointer"]
        self.assertEqual((ratio["figure"], ratio["target"], ratio["met"]), (1.5, "<= 1.5", True))

    def test_of_several_peers_the_fastest_counts(self):
        rows = rows_by_name(("bins", "hand_over", 6.0), ("jemalloc", "hand_over", 20.0),
                            ("mimalloc", "hand_over", 10.0), ("tcmalloc", "hand_over", 30.0))
        ratio = rows["freed on another thread: bins / mimalloc, the best"]
        self.assertEqual((ratio["figure"], ratio["met"]), (0.6, False))

    def test_a_subject_that_was_not_measured_leaves_its_ratio_out(self):
        self.assertEqual(list(rows_by_name(("bins", "hand_over", 6.0))), ["freed on another thread: bins"])

    def test_page_faults_of_a_steady_round_are_judged(self):
        row = rows_by_name(("MemStack", "batch", 1.0))["batch, 10,000 x 256 B: MemStack, page faults"]
        self.assertEqual((row["figure"], row["met"]), (0, True))

    def test_targets_of_the_full_run_do_not_judge_a_quick_one(self):
        for full_size, target in ((True, "<= 1.2"), (False, None)):
            row = rows_by_name(("bins", "churn_end", 2.0), full_size=full_size)["churn, at the end: bins"]
            self.assertEqual(row["target"], target)

    def test_every_target_is_of_something_that_has_a_title(self):
        for each in (*bench_core_rows.RATIOS, *bench_core_rows.LIMITS, *bench_core_rows.FAULT_LIMITS):
            self.assertIn(each.what, bench_core_rows.TITLES)


class BenchPlotTest(unittest.TestCase):
    def test_is_well_formed_whatever_the_names(self):
        panel = Panel("a < b & c", (Bar('"x" <y>', 3, ">= 2", "missed"), Bar("z", 0, "0")), scale=2, mark=1)
        root = xml.etree.ElementTree.fromstring(svg("<title>", [panel]))
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(texts[:3], ["<title>", "a < b & c", '"x" <y>'])

    def test_a_bar_is_as_long_as_its_value_and_cut_at_the_scale(self):
        root = xml.etree.ElementTree.fromstring(
            svg("t", [Panel("p", tuple(Bar("b", value, "") for value in (1, 2, 9)), scale=2)]))
        _, *bars = root.iter("{http://www.w3.org/2000/svg}rect")
        half, full, cut = (float(bar.get("width")) for bar in bars)
        self.assertEqual((half * 2, full), (full, cut))

    def test_a_met_target_takes_at_most_its_share(self):
        for figure, target, share in ((1, "<= 2", 0.5), (4, ">= 2", 0.5), (1, ">= 2", 2), (0, "<= 0", 0),
                                      (1, "<= 0", 2)):
            self.assertEqual(bench_panels.share_of_target(figure, target), share, target)

    def test_pictures_what_was_measured(self):
        measured = figures(("bins", "pair", 3.0), ("tcmalloc", "pair", 2.0))
        text = bench_core_plot.picture("t", bench_core_rows.rows(measured), measured)
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("bins / tcmalloc", text)


class BenchScriptTest(unittest.TestCase):
    def test_missing_packages_are_named(self):
        needed = {"libnowhere1": "/nowhere/libnowhere.so.1", "libnothing2": "/nowhere/nothing.so", "here": __file__}
        with mock.patch("subprocess.run") as run, self.assertRaises(bench_core.CannotMeasure) as raised:
            bench_core.require_packages(needed)
        self.assertEqual(run.call_args.args[0][1:], ["bench"])
        self.assertRegex(str(raised.exception), "libnowhere1 libnothing2$")

    def test_nothing_is_installed_when_all_is_there(self):
        with mock.patch("subprocess.run") as run:
            bench_core.require_packages({"here": __file__})
        run.assert_not_called()

    def test_the_package_list_has_what_is_needed(self):
        with open(f"{harness.SCRIPTS}/packages", encoding="utf-8") as file:
            listed = [line.split()[1] for line in file if line.startswith("bench ")]
        self.assertEqual(sorted(listed), sorted([*bench_core.NEEDED, *bench_wire.NEEDED]))

    def test_each_process_of_a_round_keeps_its_output_apart(self):
        with mock.patch.object(bench_core, "preload", return_value={}):
            runs = [*bench_core.alloc_runs(), *bench_core.container_runs(), *bench_core.memory_runs(bench_core.QUICK)]
        names = [run.file_name for run in runs]
        self.assertEqual(len(names), len(set(names)), names)

    def test_a_program_that_fails_says_why(self):
        run = bench_core.Run("alloc", "bins", ("--allocator", "nobody"))
        failed = mock.Mock(returncode=2, stdout="", stderr="there is no allocator 'nobody'\n")
        with mock.patch("subprocess.run", return_value=failed), self.assertRaises(bench_core.CannotMeasure) as raised:
            bench_core.execute(run, bench_core.QUICK, "/dev/null")
        self.assertRegex(str(raised.exception), "ended with 2: there is no allocator 'nobody'")

    def test_what_there_is_not_is_a_usage_error(self):
        result = harness.script("bench", "disk")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "invalid choice: 'disk' .*'core', 'ecs', 'tick', 'wire'")

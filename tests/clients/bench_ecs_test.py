"""scripts/bench ecs's parts that measure nothing: its rows and targets, its runs, its plot."""

import unittest
import xml.etree.ElementTree

import harness  # noqa: F401  (finds the scripts)

from evertick import bench_ecs, bench_ecs_plot, bench_ecs_rows
from evertick.bench_samples import Sample


def figures(*samples, unit="ns/entity"):
    """As medians() returns them, of (subject, what, value)."""
    return {(subject, what): Sample(subject, what, value, unit) for subject, what, value in samples}


def rows_by_name(*samples):
    return {row["row"]: row for row in bench_ecs_rows.rows(figures(*samples))}


class BenchEcsRowTest(unittest.TestCase):
    def test_a_ratio_is_judged_with_a_hundred_thousand_entities(self):
        for size, target in (("100,000", "<= 2.5"), ("1,000,000", None)):
            rows = rows_by_name(("plain loop", f"iterate_2, {size}", 1.0), ("evertick", f"iterate_2, {size}", 3.0))
            ratio = rows[f"iterate 2, {size}: evertick / plain loop"]
            self.assertEqual((ratio["figure"], ratio["target"]), (3.0, target))

    def test_memory_and_the_worst_operation_are_judged_with_a_million(self):
        for size, met in (("1,000", None), ("1,000,000", False)):
            row = rows_by_name(("evertick", f"worst, {size}", 1.5))[
                f"worst single create + 2 while growing, {size}: evertick"]
            self.assertEqual(row["met"], met)

    def test_the_textbook_as_written_is_the_one_not_to_be_slower_than(self):
        rows = rows_by_name(("textbook", "shuffled, 100,000", 50.0), ("evertick", "shuffled, 100,000", 10.0),
                            ("textbook, pools found once", "shuffled, 100,000", 8.0))
        for textbook, figure, met in (("textbook", 0.2, True), ("textbook, pools found once", 1.25, None)):
            ratio = rows[f"iterate 2, pools in random orders, 100,000: evertick / {textbook}"]
            self.assertEqual((ratio["figure"], ratio["met"]), (figure, met))

    def test_destroying_is_flat_in_the_number_of_pools(self):
        rows = rows_by_name(("evertick", "destroy_4, 100,000", 10.0), ("evertick", "destroy_60, 100,000", 11.0))
        self.assertTrue(rows["destroy, 60 pools, 100,000: evertick / with 4 pools"]["met"])

    def test_every_target_is_of_something_that_has_a_title(self):
        for each in (*bench_ecs_rows.RATIOS, *bench_ecs_rows.LIMITS):
            self.assertIn(each.what, bench_ecs_rows.TITLES)


class BenchEcsRunTest(unittest.TestCase):
    def test_each_process_of_a_round_keeps_its_output_apart(self):
        for scale in (bench_ecs.QUICK, bench_ecs.FULL):
            runs = [(run.program, run.entities)
                    for run in (*bench_ecs.timing_runs(scale), *bench_ecs.once_runs(scale))]
            self.assertEqual(len(runs), len(set(runs)), runs)

    def test_a_quick_run_is_judged_like_a_full_one(self):
        runs = [*bench_ecs.timing_runs(bench_ecs.QUICK), *bench_ecs.once_runs(bench_ecs.QUICK)]
        sizes = {program: {run.entities for run in runs if run.program == program}
                 for program in ("iterate_o2", "iterate_o3", "change", "cold", "memory")}
        for program in ("iterate_o2", "iterate_o3", "change"):
            self.assertIn(bench_ecs_rows.JUDGED_SIZE, sizes[program])
        for program in ("cold", "memory"):
            self.assertIn(bench_ecs_rows.LIMITED_SIZE, sizes[program])

    def test_pictures_what_was_measured(self):
        measured = figures(("plain loop", "iterate_2, 100,000", 1.0), ("evertick", "iterate_2, 100,000", 2.0))
        text = bench_ecs_plot.picture("t", bench_ecs_rows.rows(measured), measured)
        xml.etree.ElementTree.fromstring(text)
        self.assertIn("evertick / plain loop", text)
        self.assertIn("iterate 2, 100,000 entities", text)

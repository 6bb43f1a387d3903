"""Rows of a benchmark: what they are, how they are judged and printed. Pure.

A row is {"row", "figure", "unit", "target", "met"}; target and met are None where a figure only informs. Where
page faults were counted beside a time there is "faults" too, per round.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A limit that a figure must keep."""

    limit: float
    at_least: bool = False

    def met_by(self, figure):
        return figure >= self.limit if self.at_least else figure <= self.limit

    def __str__(self):
        return f"{'>=' if self.at_least else '<='} {self.limit:g}"


def at_most(limit):
    return Target(limit)


def at_least(limit):
    return Target(limit, at_least=True)


@dataclass(frozen=True)
class Ratio:
    """A quotient of two figures of one run, and what it may be."""

    what: str
    over: tuple   # subjects, of whom the fastest counts
    under: tuple
    target: Target | None


@dataclass(frozen=True)
class Limit:
    """What one subject's figure may be."""

    what: str
    subject: str
    target: Target


def fastest(figures, what, subjects):
    """The sample of the smallest value among those there are, or None. figures: (subject, what) -> Sample"""
    present = [figures[subject, what] for subject in subjects if (subject, what) in figures]
    return min(present, key=lambda sample: sample.value, default=None)


def make_row(name, figure, unit, target=None, faults=None):
    row = {"row": name, "figure": figure, "unit": unit, "target": str(target) if target else None,
           "met": target.met_by(figure) if target else None}
    return row if faults is None else {**row, "faults": faults}


def verdict(row):
    return {True: "met", False: "MISSED", None: ""}[row["met"]]


def table_lines(rows):
    """The rows as text, in columns; one for page faults when any row has them."""
    with_faults = any("faults" in row for row in rows)
    header = ("row", "figure", "unit", "faults", "target", "")
    cells = [header] + [(row["row"], f"{row['figure']:.4g}", row["unit"],
                         f"{row['faults']:.4g}" if "faults" in row else "", row["target"] or "", verdict(row))
                        for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row, figure, unit, faults, target, met in cells:
        middle = f"  {faults:>{widths[3]}}" if with_faults else ""
        measured = f"{row:<{widths[0]}}  {figure:>{widths[1]}} {unit:<{widths[2]}}{middle}"
        yield f"{measured}  {target:<{widths[4]}}  {met}".rstrip()


"""What is pictured of a benchmark: its targets, and a figure of several subjects. Pure."""

from evertick.bench_plot import Bar, Panel

_SCALE_OF_TARGETS = 2   # times the target
_SCALE_OF_FIGURES = 6   # times our own figure: a slower peer's bar is cut


def share_of_target(figure, target):
    """How much of the target a figure takes: at most 1 when met. `target` is "<= 2" or ">= 2"."""
    sign, limit = target.split()
    limit = float(limit)
    if sign == ">=":
        return limit / figure if figure else float("inf")
    return figure / limit if limit else (2.0 if figure else 0.0)


def targets_panel(rows):
    bars = tuple(Bar(row["row"], share_of_target(row["figure"], row["target"]),
                     f"{row['figure']:.3g} {row['unit']} ({row['target']})", "ours" if row["met"] else "missed")
                 for row in rows if row["met"] is not None)
    return Panel("figures with a target, as a share of it: within the line is met", bars, _SCALE_OF_TARGETS, mark=1)


def figures_panel(title, samples, ours):
    """The samples as bars. ours: the subjects that are ours"""
    longest = max(sample.value for sample in samples)
    own = max((sample.value for sample in samples if sample.subject in ours), default=longest)
    scale = min(_SCALE_OF_FIGURES * own, longest) or 1
    bars = tuple(Bar(sample.subject, sample.value, f"{sample.value:.3g}",
                     "ours" if sample.subject in ours else "peer") for sample in samples)
    return Panel(f"{title}, {samples[0].unit}", bars, scale)

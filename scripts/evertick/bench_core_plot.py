"""The picture of scripts/bench core: targets first, then ours beside the peers. Pure."""

from evertick.bench_core_rows import OURS, TITLES
from evertick.bench_panels import figures_panel, targets_panel
from evertick.bench_plot import svg

_PICTURED = ("pair", "batch", "hand_over", "churn_end", "churn_peak", "freed_at_once", "freed_trimmed", "append",
             "grow_4096x32", "grow_65536x80")


def picture(title, rows, figures):
    """The SVG's text."""
    panels = [targets_panel(rows)]
    for what in _PICTURED:
        if samples := [sample for sample in figures.values() if sample.what == what]:
            panels.append(figures_panel(TITLES[what], samples, OURS))
    return svg(title, panels)

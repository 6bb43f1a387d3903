"""The picture of scripts/bench ecs: targets first, then the subjects at the judged size. Pure."""

from evertick.bench_ecs_rows import CHUNKS, JUDGED_SIZE, LIMITED_SIZE, LIMITS, OURS, TITLES, sized
from evertick.bench_panels import figures_panel, targets_panel
from evertick.bench_plot import svg


def picture(title, rows, figures):
    """The SVG's text."""
    limited = {limit.what for limit in LIMITS}
    panels = [targets_panel(rows)]
    for what in TITLES:
        size = LIMITED_SIZE if what in limited else JUDGED_SIZE
        if samples := [sample for sample in figures.values() if sample.what == sized(what, size)]:
            panels.append(figures_panel(f"{TITLES[what]}, {size:,} entities", samples, (OURS, CHUNKS)))
    return svg(title, panels)

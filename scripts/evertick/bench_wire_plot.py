"""The picture of scripts/bench wire: targets first, then both servers' rate and CPU with pipelines. Pure."""

from evertick.bench_panels import figures_panel, targets_panel
from evertick.bench_plot import svg
from evertick.bench_samples import Sample
from evertick.bench_wire_servers import EVERTICK, REDIS

_PICTURED = ("depth 16: requests/s", "depth 16: CPU, us/request", "resident MiB")


def picture(title, rows):
    """The SVG's text."""
    panels = [targets_panel(rows)]
    for row in rows:
        if EVERTICK in row and row["row"].endswith(_PICTURED):
            what, _, unit = row["row"].rpartition(": ")
            panels.append(figures_panel(what, [Sample(name, what, row[name], unit) for name in (EVERTICK, REDIS)],
                                        (EVERTICK,)))
    return svg(title, panels)

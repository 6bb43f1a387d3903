"""The rows of scripts/bench ecs: every figure, and the ratios that have a target. Pure: medians in, rows out."""

from evertick.bench_rows import Limit, Ratio, at_most, fastest, make_row

OURS, CHUNKS, PLAIN, TEXTBOOK = "evertick", "evertick, chunks", "plain loop", "textbook"
PROFILED = "textbook, pools found once"
SIZES = (1_000, 100_000, 1_000_000)
JUDGED_SIZE = 100_000    # whose ratios have targets
LIMITED_SIZE = 1_000_000  # whose figures have limits
O3 = ", -O3"

TITLES = {  # what -> how its rows begin, in the order of the table
    **{what + tag: title + tag for tag in ("", O3) for what, title in {
        "iterate_1": "iterate 1 component",
        "iterate_2": "iterate 2",
        "iterate_3": "iterate 3",
        "group": "owning group of 2",
        "half": "iterate 2, a random half has the second",
        "coins": "iterate 2, each in a random half",
        "shuffled": "iterate 2, pools in random orders",
        "get": "random get by handle",
    }.items()},
    "create": "create",
    "create_2": "create + 2 components",
    "create_2_cold": "create + 2 components, cold heap",
    "worst": "worst single create + 2 while growing",
    "destroy_4": "destroy, 4 pools",
    "destroy_34": "destroy, 34 pools",
    "destroy_60": "destroy, 60 pools",
    "bytes": "memory with 3 components of 32 B",
    "held": "held when all are destroyed",
    "trimmed": "held when all are destroyed, trimmed",
    "scarce": "memory of one that every 4,096th has",
}

_OVER_PLAIN = {"iterate_1": 1.5, "iterate_2": 2.5, "iterate_3": 4, "group": 1.2, "half": 3, "coins": 3, "shuffled": 8}
_NEVER_SLOWER_THAN_TEXTBOOK = ("half", "coins", "shuffled")
RATIOS = (
    *(Ratio(what + tag, (OURS,), (PLAIN,), at_most(times)) for tag in ("", O3) for what, times in _OVER_PLAIN.items()),
    *(Ratio("group" + tag, (CHUNKS,), (PLAIN,), at_most(_OVER_PLAIN["group"])) for tag in ("", O3)),
    *(Ratio(what + tag, (OURS,), (TEXTBOOK,), at_most(1)) for tag in ("", O3) for what in _NEVER_SLOWER_THAN_TEXTBOOK),
    *(Ratio(what + tag, (OURS,), (PROFILED,), None) for tag in ("", O3)
      for what in ("iterate_2", "iterate_3", *_NEVER_SLOWER_THAN_TEXTBOOK)),
    *(Ratio("get" + tag, (OURS,), (PLAIN,), None) for tag in ("", O3)),
    *(Ratio("get" + tag, (OURS,), (TEXTBOOK,), at_most(0.2)) for tag in ("", O3)),
    Ratio("create", (OURS,), (TEXTBOOK,), None),
    Ratio("create_2", (OURS,), (TEXTBOOK,), at_most(0.45)),
    Ratio("create_2_cold", (OURS,), (TEXTBOOK,), None),
    Ratio("destroy_4", (OURS,), (TEXTBOOK,), None),
    Ratio("destroy_34", (OURS,), (TEXTBOOK,), at_most(0.15)),
    Ratio("destroy_60", (OURS,), (TEXTBOOK,), None),
)
LIMITS = (
    Limit("worst", OURS, at_most(1)),
    Limit("bytes", OURS, at_most(68)),
    Limit("trimmed", OURS, at_most(8)),
    Limit("scarce", OURS, at_most(4500)),
)
# Destroying is flat in the number of pools.
_FEW, _MANY, _FLAT = "destroy_4", "destroy_60", at_most(1.2)


def sized(what, size):
    """What is measured with so many entities, as figures name it."""
    return f"{what}, {size:,}"


def rows(figures):
    """All rows, by what was measured and with how many entities: each subject's figure, then ratios.

    figures: (subject, what) -> Sample, as medians() returns
    """
    result = []
    for what in TITLES:
        for size in SIZES:
            result += _figure_rows(figures, what, size)
            result += _ratio_rows(figures, what, size)
    return result


def _figure_rows(figures, what, size):
    targets = {limit.subject: limit.target for limit in LIMITS if limit.what == what and size == LIMITED_SIZE}
    return [make_row(f"{_title(what, size)}: {sample.subject}", sample.value, sample.unit, targets.get(sample.subject))
            for sample in figures.values() if sample.what == sized(what, size)]


def _ratio_rows(figures, what, size):
    result = []
    for ratio in RATIOS:
        over, under = (fastest(figures, sized(what, size), subjects) for subjects in (ratio.over, ratio.under))
        if ratio.what == what and over and under:
            name = f"{_title(what, size)}: {over.subject} / {under.subject}"
            result.append(make_row(name, over.value / under.value, "times", _judging(ratio.target, size)))
    if what == _MANY and (OURS, sized(_FEW, size)) in figures:
        flat = figures[OURS, sized(_MANY, size)].value / figures[OURS, sized(_FEW, size)].value
        result.append(make_row(f"{_title(what, size)}: {OURS} / with 4 pools", flat, "times", _judging(_FLAT, size)))
    return result


def _title(what, size):
    return f"{TITLES[what]}, {size:,}"


def _judging(target, size):
    return target if size == JUDGED_SIZE else None

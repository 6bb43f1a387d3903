"""The rows of scripts/bench core: every figure, and the ratios that have a target. Pure: medians in, rows out.

A ratio is the quotient of two medians of one run. Where it names several subjects, the fastest of them counts.
"""

from evertick.bench_rows import Limit, Ratio, at_least, at_most, fastest, make_row

OURS = ("bins", "MemStack", "ChunkedArray", "Array", "Array, heap")
KEPT = "glibc, kept"  # told to give nothing back, so that it does not fault
_BEST = ("jemalloc", "mimalloc", "tcmalloc")
_VECTOR, _CHUNKED, _ARRAY, _BOOST = ("std::vector",), ("ChunkedArray",), ("Array",), ("boost::vector",)

AS_IT_COMES = ", malloc as it comes"
SIZED = ", size told"
GROWTHS = {"4096x8": 2, "4096x16": 2, "4096x32": 2, "65536x80": 3}  # -> times as fast as std::vector

TITLES = {  # what -> how its rows begin, in the order of the table
    "pair": "pair, 256 B",
    "pair" + SIZED: "pair, 256 B, size told",
    "batch": "batch, 10,000 x 256 B",
    "batch" + SIZED: "batch, 10,000 x 256 B, size told",
    "hand_over": "freed on another thread",
    "hand_over" + SIZED: "freed on another thread, size told",
    "hand_over_growth": "freed on another thread, RSS growth",
    "append": "append 1e6 x 64 B",
    "append" + AS_IT_COMES: "append 1e6 x 64 B, malloc as it comes",
    "reserved": "append 1e6 x 64 B, reserved",
    "walk": "walk 1e6 x 64 B",
    "random": "random access, 1e6 x 64 B",
    **{f"walk_{size}, -O{level}": f"walk 1e6 x {size} B, -O{level}" for size in (4, 8, 16) for level in (2, 3)},
    **{f"grow_{size}{tag}": f"grow {size} B{tag}" for tag in ("", AS_IT_COMES) for size in GROWTHS},
    "churn_early": "churn, at 40 % of operations",
    "churn_end": "churn, at the end",
    "churn_peak": "churn, peak",
    "churn_time": "churn, time",
    "churn_faults": "churn, page faults",
    "freed_at_once": "90 % freed, at once",
    "freed_trimmed": "90 % freed, trimmed",
}
FULL_SIZE_ONLY = ("churn_early", "churn_end", "churn_peak", "hand_over_growth")  # whose targets mean the full run


RATIOS = (
    Ratio("pair", ("MemStack",), ("bump pointer",), at_most(1.5)),
    Ratio("pair", ("bins",), ("tcmalloc",), at_most(1.15)),
    Ratio("pair" + SIZED, ("bins",), ("tcmalloc",), None),
    Ratio("batch", ("MemStack",), ("bump pointer",), at_most(1.5)),
    Ratio("batch", ("glibc",), ("MemStack",), at_least(17)),
    Ratio("batch", (KEPT,), ("MemStack",), None),
    Ratio("batch", ("mimalloc",), ("MemStack",), at_least(5)),
    Ratio("batch", ("bins",), ("mimalloc",), at_most(1.1)),
    Ratio("batch" + SIZED, ("bins",), ("mimalloc",), None),
    Ratio("hand_over", ("bins",), _BEST, at_most(0.5)),
    Ratio("hand_over" + SIZED, ("bins",), _BEST, None),
    Ratio("append", _VECTOR, _CHUNKED, at_least(2)),
    Ratio("append" + AS_IT_COMES, _VECTOR, _CHUNKED, at_least(2)),
    Ratio("reserved", _CHUNKED, _VECTOR, at_most(1.05)),
    Ratio("walk", _CHUNKED, _VECTOR, at_most(1.05)),
    Ratio("random", _CHUNKED, _VECTOR, at_most(1.3)),
    *(Ratio(f"walk_{size}, -O{level}", _CHUNKED, _VECTOR, at_most(1.1)) for size in (4, 8, 16) for level in (2, 3)),
    *(Ratio(f"grow_{size}{tag}", _VECTOR, _ARRAY, at_least(times)) for tag in ("", AS_IT_COMES)
      for size, times in GROWTHS.items()),
    *(Ratio(f"grow_{size}{tag}", _BOOST, _ARRAY, None) for tag in ("", AS_IT_COMES) for size in GROWTHS),
)
LIMITS = (  # of our own figures
    Limit("hand_over_growth", "bins", at_most(1)),
    Limit("churn_early", "bins", at_most(1.95)),
    Limit("churn_end", "bins", at_most(1.2)),
    Limit("churn_peak", "bins", at_most(1.15)),
    Limit("freed_at_once", "bins", at_most(12)),
    Limit("freed_trimmed", "bins", at_most(7)),
)
FAULT_LIMITS = (Limit("pair", "MemStack", at_most(0)), Limit("batch", "MemStack", at_most(0)))


def rows(figures, full_size=True):
    """All rows, by what was measured: each subject's figure, then page faults and ratios with a target.

    figures:   (subject, what) -> Sample, as medians() returns
    full_size: whether the sizes are those that the targets mean
    """
    result = []
    for what, title in TITLES.items():
        result += _figure_rows(figures, what, title, full_size)
        result += _fault_rows(figures, what, title)
        result += _ratio_rows(figures, what, title)
    return result


def _figure_rows(figures, what, title, full_size):
    targets = {limit.subject: limit.target for limit in LIMITS
               if limit.what == what and (full_size or what not in FULL_SIZE_ONLY)}
    return [make_row(f"{title}: {sample.subject}", sample.value, sample.unit, targets.get(sample.subject),
                     sample.faults)
            for sample in figures.values() if sample.what == what]


def _fault_rows(figures, what, title):
    return [make_row(f"{title}: {limit.subject}, page faults", figures[limit.subject, what].faults, "faults/round",
                     limit.target)
            for limit in FAULT_LIMITS if limit.what == what and (limit.subject, what) in figures]


def _ratio_rows(figures, what, title):
    result = []
    for ratio in RATIOS:
        over, under = (fastest(figures, what, subjects) for subjects in (ratio.over, ratio.under))
        if ratio.what == what and over and under:
            names = f"{over.subject} / {under.subject}" + (", the best" if len(ratio.under) > 1 else "")
            result.append(make_row(f"{title}: {names}", over.value / under.value, "times", ratio.target))
    return result

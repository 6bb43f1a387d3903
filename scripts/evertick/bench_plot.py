"""Bars, as an SVG file. Pure: panels in, text out."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _LABEL_WIDTH, _BAR_WIDTH = 860, 330, 330
_LINE, _TITLE_LINE, _MARGIN = 16, 30, 16
COLOURS = {"ours": "#2a7f62", "peer": "#8a98a8", "missed": "#c8442f"}


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    text: str
    kind: str = "peer"  # of COLOURS


@dataclass(frozen=True)
class Panel:
    title: str
    bars: tuple
    scale: float               # the value of a full bar; a longer one is cut
    mark: float | None = None  # a line there


def svg(title, panels):
    """The panels one below the other."""
    parts, top = [], _MARGIN + 20
    for panel in panels:
        parts += _panel(panel, top)
        top += _height(panel)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{top + _MARGIN}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_MARGIN}" y="{_MARGIN + 8}" font-size="15" font-weight="bold">{escape(title)}</text>',
        *parts, "</svg>", ""])


def _height(panel):
    return _TITLE_LINE + len(panel.bars) * _LINE


def _panel(panel, top):
    yield f'<text x="{_MARGIN}" y="{top + 20}" font-size="12" font-weight="bold">{escape(panel.title)}</text>'
    for number, bar in enumerate(panel.bars):
        yield from _bar(panel, bar, top + _TITLE_LINE + number * _LINE)
    if panel.mark is not None:
        x = _LABEL_WIDTH + panel.mark / panel.scale * _BAR_WIDTH
        yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + _TITLE_LINE - 3}" y2="{top + _height(panel)}" '
               'stroke="black" stroke-dasharray="3 2"/>')


def _bar(panel, bar, y):
    share = min(max(bar.value / panel.scale, 0), 1)
    cut = " \N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}" if bar.value > panel.scale else ""
    width = share * _BAR_WIDTH
    yield f'<text x="{_LABEL_WIDTH - 6}" y="{y + 9}" text-anchor="end">{escape(bar.label)}</text>'
    yield f'<rect x="{_LABEL_WIDTH}" y="{y}" width="{width:.1f}" height="11" fill="{COLOURS[bar.kind]}"/>'
    yield f'<text x="{_LABEL_WIDTH + width + 4:.1f}" y="{y + 9}">{escape(bar.text)}{cut}</text>'

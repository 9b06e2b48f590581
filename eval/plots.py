"""The report's plots as inline SVG. Colours come from the page's style, by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.eval.markup import escape
from claimdex.eval.results import Figure

WIDTH = 760
_LABELS = 190
_COUNTS = 96
_PLOT = WIDTH - _LABELS - _COUNTS
_AXIS = 26


@dataclass(frozen=True)
class Series:
    """Figures of one colour: ``style`` is the class ("precision", "recall")."""

    style: str
    name: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Row:
    """Name of a row and where a click on it leads (a fragment, or nothing)."""

    label: str
    target: str = ""


def strip(figure: Figure) -> str:
    """A small bar from 0 to 1 with the interval, for a table cell."""
    if figure.value is None or figure.low is None or figure.high is None:
        return ""
    value, low, high = (160 * x for x in (figure.value, figure.low, figure.high))
    return (
        '<svg class="strip" viewBox="0 0 160 14" width="160" height="14" aria-hidden="true">'
        '<rect class="track" x="0" y="4" width="160" height="6" rx="3"/>'
        f'<rect class="fill" x="0" y="4" width="{value:.1f}" height="6" rx="3"/>'
        f'<path class="whisker" d="M{low:.1f} 7H{high:.1f}M{low:.1f} 3V11M{high:.1f} 3V11"/></svg>'
    )


def bars(title: str, rows: Sequence[Row], series: Sequence[Series]) -> str:
    """Horizontal bars from 0 to 100 %, one a series and row, with intervals as whiskers."""
    step = 17 * len(series) + 12
    body = []
    for i, row in enumerate(rows):
        top = 8 + i * step
        body.append(_label(row, top + (step - 12) / 2))
        for j, one in enumerate(series):
            figure, y = one.figures[i], top + 17 * j
            if figure.value is None:
                body.append(_count(figure, y + 8))
                continue
            tip = f"{row.label}: {one.name} {_percent(figure)}"
            body.append(
                f'<g class="{one.style}"><title>{escape(tip)}</title>'
                f'<rect x="{_LABELS}" y="{y}" width="{figure.value * _PLOT:.1f}" height="14" rx="2"/>'
                f"{_whisker(figure, y + 7)}</g>{_count(figure, y + 8)}"
            )
    return _horizontal(title, body, 8 + step * len(rows))


def dots(title: str, rows: Sequence[Row], series: Sequence[Series]) -> str:
    """One row a paper: a dot a series from 0 to 100 %, with its interval as a line."""
    step = 12 * len(series) + 8
    body = []
    for i, row in enumerate(rows):
        top = 6 + i * step
        if i % 2:
            body.append(f'<rect class="band" x="0" y="{top - 3}" width="{WIDTH}" height="{step}"/>')
        body.append(_label(row, top + (step - 8) / 2))
        for j, one in enumerate(series):
            figure, y = one.figures[i], top + 12 * j + 6
            if figure.value is not None:
                tip = f"{row.label}: {one.name} {_percent(figure)}"
                body.append(
                    f'<g class="{one.style}"><title>{escape(tip)}</title>{_whisker(figure, y)}'
                    f'<circle cx="{_x(figure.value):.1f}" cy="{y}" r="4.5"/></g>'
                )
            body.append(_count(figure, y + 1))
    return _horizontal(title, body, 6 + step * len(rows))


def columns(title: str, labels: Sequence[str], figures: Sequence[Figure], level: float | None) -> str:
    """Upright bars from 0 to 100 % with whiskers, and a dashed line at ``level``."""
    height, foot, left = 210, 34, 46
    wide = (WIDTH - left) / max(1, len(figures))
    body = [
        f'<path class="grid" d="M{left} {y:.1f}H{WIDTH}"/>'
        f'<text class="tick" x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{t}%</text>'
        for t in (0, 25, 50, 75, 100)
        for y in (10 + height * (1 - t / 100),)
    ]
    for i, (label, figure) in enumerate(zip(labels, figures, strict=True)):
        middle = left + wide * (i + 0.5)
        body.append(f'<text x="{middle:.1f}" y="{height + 28}" text-anchor="middle">{escape(label)}</text>')
        if figure.value is None or figure.low is None or figure.high is None:
            continue
        top, low, high = (10 + height * (1 - x) for x in (figure.value, figure.low, figure.high))
        body.append(
            f'<g class="precision"><title>{escape(f"tenth {label}: {_percent(figure)}")}</title>'
            f'<rect x="{middle - wide * 0.32:.1f}" y="{top:.1f}" width="{wide * 0.64:.1f}"'
            f' height="{height + 10 - top:.1f}" rx="2"/>'
            f'<path class="whisker" d="M{middle:.1f} {low:.1f}V{high:.1f}'
            f'M{middle - 5:.1f} {low:.1f}h10M{middle - 5:.1f} {high:.1f}h10"/></g>'
        )
    if level is not None:
        body.append(f'<path class="level" d="M{left} {10 + height * (1 - level):.1f}H{WIDTH}"/>')
    return _svg(title, body, height + foot + 6)


def _horizontal(title: str, body: Sequence[str], height: float) -> str:
    axis = [
        f'<path class="grid" d="M{_x(t / 100):.1f} 0V{height:.0f}"/>'
        f'<text class="tick" x="{_x(t / 100):.1f}" y="{height + 16:.0f}" text-anchor="middle">{t}%</text>'
        for t in (0, 25, 50, 75, 100)
    ]
    return _svg(title, [*axis, *body], height + _AXIS)


def _svg(title: str, body: Sequence[str], height: float) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"{''.join(body)}</svg>"
    )


def _x(share: float) -> float:
    return _LABELS + share * _PLOT


def _label(row: Row, y: float) -> str:
    shown = row.label if len(row.label) <= 26 else row.label[:25] + "…"
    text = f'<text x="{_LABELS - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(shown)}</text>'
    return f'<a href="#{escape(row.target)}">{text}</a>' if row.target else text


def _count(figure: Figure, y: float) -> str:
    text = f"{figure.hits} of {figure.cases}" if figure.cases else "none"
    return f'<text class="count" x="{WIDTH}" y="{y + 3:.1f}" text-anchor="end">{text}</text>'


def _whisker(figure: Figure, y: float) -> str:
    if figure.low is None or figure.high is None:
        return ""
    low, high = _x(figure.low), _x(figure.high)
    return f'<path class="whisker" d="M{low:.1f} {y}H{high:.1f}M{low:.1f} {y - 3}v6M{high:.1f} {y - 3}v6"/>'


def _percent(figure: Figure) -> str:
    if figure.value is None or figure.low is None or figure.high is None:
        return "n/a"
    value, low, high = (f"{100 * x:.1f}%" for x in (figure.value, figure.low, figure.high))
    return f"{value} ({low} to {high}; {figure.hits} of {figure.cases})"

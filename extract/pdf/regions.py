"""Where tables and listings lie on a page: between rules of one width, or in columns without rules."""

from __future__ import annotations

from collections.abc import Sequence

from claimdex.extract.pdf.furniture import PageLines
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line
from claimdex.paper import Rect

_FLAT = 2.5


def flat_rules(item: PageLines) -> list[Rect]:
    """Horizontal rules of a page."""
    return [r for r in item.page.drawings.rules if r[3] - r[1] < _FLAT and r[2] - r[0] > 30]


def framed(item: PageLines, captions: Sequence[Line], layout: Layout) -> list[Rect]:
    """Extents between the first and last of rules that frame something: top, middle, bottom.

    Rules of one width follow one another down the page; a caption or a full line of running text
    between two of them divides them.
    """
    dividers = [*captions, *(line for line in item.lines if _is_prose(line, layout))]
    groups: list[list[Rect]] = []
    for rule in sorted(flat_rules(item), key=lambda r: (-r[1], r[0])):
        for group in groups:
            same = abs(rule[0] - group[0][0]) < 6 and abs(rule[2] - group[0][2]) < 6
            if same and group[-1][1] - rule[1] < 320 and not _divided(group[-1], rule, dividers):
                group.append(rule)
                break
        else:
            groups.append([rule])
    extents = [
        (min(r[0] for r in g), min(r[1] for r in g), max(r[2] for r in g), max(r[3] for r in g))
        for g in groups
    ]
    return [
        box for box, group in zip(extents, groups, strict=True) if len(group) >= 2 and box[3] - box[1] > 8
    ]


def _is_prose(line: Line, layout: Layout) -> bool:
    column = layout.column(line)
    body = abs(line.size - layout.body) < 0.3
    return body and line.x1 - line.x0 > 0.9 * column.width and len(line.text) > 55 and not _is_row(line)


def _is_row(line: Line) -> bool:
    words = line.text.split()
    return sum(any(c.isdigit() for c in w) for w in words) > 0.3 * len(words)


def _divided(above: Rect, below: Rect, dividers: Sequence[Line]) -> bool:
    return any(
        below[1] < line.baseline < above[1] and line.x0 < above[2] - 5 and line.x1 > above[0] + 5
        for line in dividers
    )


def listing(item: PageLines, left: float, right: float, bottom: float) -> Rect | None:
    """From the rule under an algorithm's caption to the next one of the same extent."""
    near = [r for r in flat_rules(item) if r[0] < right + 5 and r[2] > left - 5]
    below = sorted((r for r in near if r[1] < bottom + 2), key=lambda r: -r[1])
    if not below:
        return None
    same = [r for r in below if abs(r[0] - below[0][0]) < 6 and abs(r[2] - below[0][2]) < 6]
    close = bottom - below[0][1] < 14
    end = same[1] if close and len(same) > 1 else below[0]
    return (end[0], end[1], end[2], bottom)


def unruled(item: PageLines, caption: Sequence[Line], layout: Layout, taken: set[int]) -> Rect | None:
    """Extent of the rows next to a caption that are set in columns without rules."""
    last = next(i for i, line in enumerate(item.lines) if line is caption[-1])
    first = next(i for i, line in enumerate(item.lines) if line is caption[0])
    for lines in (item.lines[last + 1 :], item.lines[:first][::-1]):
        rows: list[Line] = []
        for line in lines:
            column = layout.column(line)
            prose = line.x1 - line.x0 > 0.85 * column.width and len(line.text) > 40
            far = bool(rows) and abs(rows[-1].baseline - line.baseline) > 2.6 * layout.leading
            if prose or far or id(line) in taken:
                break
            rows.append(line)
        baselines = {round(r.baseline) for r in rows}
        if len(baselines) >= 2 and len(rows) >= 1.6 * len(baselines):
            return (
                min(r.x0 for r in rows),
                min(r.bottom for r in rows),
                max(r.x1 for r in rows),
                max(r.top for r in rows),
            )
    return None

"""Captions, and the tables, figures and algorithms they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimdex.extract.furniture import PageLines
from claimdex.extract.layout import Layout
from claimdex.extract.lines import Line
from claimdex.paper import PassageKind, Rect

_CAPTION = re.compile(
    r"(?P<kind>table|figure|fig\.|algorithm|listing)\s*(?P<number>[A-Z]{0,2}\.?\d+(?:\.\d+)*|[IVX]+\b)"
    r"(?P<stop>\s*[.:|]|\s*$|\s+(?=[A-Z(]))",
    re.IGNORECASE,
)
_NAMES = {"table": "Table", "algorithm": "Algorithm", "listing": "Algorithm"}
_KINDS = {"Table": PassageKind.TABLE, "Figure": PassageKind.FIGURE, "Algorithm": PassageKind.ALGORITHM}


@dataclass(slots=True)
class Float:
    """A caption with its label ("Table 1") and the lines of the thing it captions."""

    label: str
    kind: PassageKind
    caption: list[Line]
    body: list[Line] = field(default_factory=list)
    rules: list[Rect] = field(default_factory=list)


def find_floats(item: PageLines, layout: Layout) -> list[Float]:
    """Floats of one page, in the order of their captions; every line belongs to one at most."""
    floats = []
    taken: set[int] = set()
    for i, line in enumerate(item.lines):
        if id(line) in taken:
            continue
        match = _CAPTION.match(line.text)
        if not match or _mid_paragraph(item.lines, i, match, layout):
            continue
        caption = _caption_lines(item, i, layout)
        taken.update(id(x) for x in caption)
        name = _NAMES.get(match["kind"].lower(), "Figure")
        floats.append(Float(f"{name} {match['number']}", _KINDS[name], caption))
    for entry in floats:
        _fill(entry, item, layout, taken)
    _keep_pictures_out(floats, item, layout, taken)
    return floats


def _mid_paragraph(lines: Sequence[Line], i: int, match: re.Match[str], layout: Layout) -> bool:
    """Whether "Table 2 ..." opens a line of running text rather than a caption."""
    line = lines[i]
    if match["stop"].strip() == "" and not line.styles[0].bold:
        alone = len(line.text) - match.end() < 3
        if not alone and line.text[match.end() : match.end() + 1].islower():
            return True
    if i == 0:
        return False
    previous = lines[i - 1]
    step = previous.baseline - line.baseline
    runs_on = (
        0 < step < 1.25 * layout.leading
        and abs(previous.size - line.size) < 0.3
        and abs(previous.x0 - line.x0) < 3 * layout.body
        and layout.column_index(previous) == layout.column_index(line)
    )
    if not runs_on or line.styles[0].bold != previous.bold:
        return False
    return not re.search(r"[.!?]\s*$", previous.text) or len(previous.text) > 30


def _caption_lines(item: PageLines, i: int, layout: Layout) -> list[Line]:
    """The caption's lines: what follows at the same size without a gap or a rule between."""
    lines = item.lines
    caption = [lines[i]]
    for line in lines[i + 1 :]:
        last = caption[-1]
        step = last.baseline - line.baseline
        if abs(step) < 1 and 0 < line.x0 - last.x1 < 3 * layout.body:
            caption.append(line)
            continue
        near = 0 < step < 1.42 * max(last.size, line.size)
        aligned = line.x0 < last.x1 and line.x1 > last.x0
        same = abs(line.size - caption[0].size) < 0.4
        if not (near and aligned and same) or _rule_between(item, last, line) or _CAPTION.match(line.text):
            break
        caption.append(line)
    return caption


def _rule_between(item: PageLines, above: Line, below: Line) -> bool:
    return any(
        below.baseline + 0.3 * below.size < r[1] < above.baseline
        and r[2] - r[0] > 30
        and r[0] < below.x1
        and r[2] > below.x0
        for r in item.page.drawings.rules
        if r[3] - r[1] < 2.5
    )


def _fill(entry: Float, item: PageLines, layout: Layout, taken: set[int]) -> None:
    """Give a float the lines of its body."""
    region = _ruled_region(entry, item, layout)
    if region is None and entry.kind is PassageKind.TABLE:
        region = _unruled_region(entry, item, layout, taken)
    if region is None:
        return
    entry.rules = [r for r in item.page.drawings.rules if _inside(r, region, 3) and r[3] - r[1] < 2.5]
    for line in item.lines:
        if id(line) not in taken and _inside(line.box, region, 4):
            entry.body.append(line)
            taken.add(id(line))


def _inside(box: Rect, region: Rect, slack: float) -> bool:
    middle = (box[1] + box[3]) / 2
    return (
        box[0] >= region[0] - slack
        and box[2] <= region[2] + slack
        and region[1] - slack <= middle <= region[3] + slack
    )


def _ruled_region(entry: Float, item: PageLines, layout: Layout) -> Rect | None:
    """Extent between the first and last of the rules that frame the float."""
    top, bottom = entry.caption[0].top, entry.caption[-1].bottom
    left = min(line.x0 for line in entry.caption)
    right = max(line.x1 for line in entry.caption)
    flat = [r for r in item.page.drawings.rules if r[3] - r[1] < 2.5 and r[2] - r[0] > 30]
    near = [r for r in flat if r[0] < right + 5 and r[2] > left - 5]
    if entry.kind is PassageKind.ALGORITHM:
        return _listing_region(near, bottom)
    options = []
    for group in _framed_groups(near):
        high, low = max(r[3] for r in group), min(r[1] for r in group)
        gap = min(abs(bottom - high), abs(low - top))
        outside = high <= bottom + 4 or low >= top - 4
        limit = 34 if entry.kind is PassageKind.TABLE else 30
        if outside and gap < limit and high - low > 8:
            x0, x1 = min(r[0] for r in group), max(r[2] for r in group)
            options.append((gap, (x0, low, x1, high)))
    return min(options)[1] if options else None


def _listing_region(rules: Sequence[Rect], bottom: float) -> Rect | None:
    """From the rule under an algorithm's caption to the next one of the same extent."""
    below = sorted((r for r in rules if r[1] < bottom + 2), key=lambda r: -r[1])
    if not below:
        return None
    same = [r for r in below if abs(r[0] - below[0][0]) < 6 and abs(r[2] - below[0][2]) < 6]
    close = bottom - below[0][1] < 14
    end = same[1] if close and len(same) > 1 else below[0]
    return (end[0], end[1], end[2], bottom)


def _framed_groups(rules: Sequence[Rect]) -> list[list[Rect]]:
    """Rules of equal extent that follow one another down the page: top, middle, bottom."""
    groups: list[list[Rect]] = []
    for rule in sorted(rules, key=lambda r: (-r[1], r[0])):
        for group in groups:
            same = abs(rule[0] - group[0][0]) < 6 and abs(rule[2] - group[0][2]) < 6
            if same and group[-1][1] - rule[1] < 320:
                group.append(rule)
                break
        else:
            groups.append([rule])
    return [g for g in groups if len(g) >= 2]


def _unruled_region(entry: Float, item: PageLines, layout: Layout, taken: set[int]) -> Rect | None:
    """Extent of the rows next to the caption that are set in columns."""
    start = next(i for i, line in enumerate(item.lines) if line is entry.caption[-1])
    first = next(i for i, line in enumerate(item.lines) if line is entry.caption[0])
    for lines in (item.lines[start + 1 :], item.lines[:first][::-1]):
        rows: list[Line] = []
        for line in lines:
            column = layout.column(line)
            prose = line.x1 - line.x0 > 0.85 * column.width and len(line.text) > 40
            far = bool(rows) and abs(rows[-1].baseline - line.baseline) > 2.6 * layout.leading
            if prose or far or id(line) in taken:
                break
            rows.append(line)
        if len({round(r.baseline) for r in rows}) >= 2 and len(rows) >= 1.6 * len(
            {round(r.baseline) for r in rows}
        ):
            return (
                min(r.x0 for r in rows),
                min(r.bottom for r in rows),
                max(r.x1 for r in rows),
                max(r.top for r in rows),
            )
    return None


def _keep_pictures_out(floats: list[Float], item: PageLines, layout: Layout, taken: set[int]) -> None:
    """Give the text inside pictures (axis labels, legends) to the nearest figure."""
    figures = [f for f in floats if f.kind is PassageKind.FIGURE]
    for picture in item.page.drawings.pictures:
        if (
            picture[2] - picture[0] > 0.97 * item.page.width
            and picture[3] - picture[1] > 0.9 * item.page.height
        ):
            continue
        inside = [
            line
            for line in item.lines
            if id(line) not in taken and _inside(line.box, picture, 2) and not _is_text(line, layout)
        ]
        prose = [line for line in inside if len(line.text) > 60]
        if not inside or len(prose) > 0.4 * len(inside):
            continue
        if figures:
            nearest = min(figures, key=lambda f: _distance(f, picture))
            nearest.body += inside
        else:
            floats.append(Float("", PassageKind.FIGURE, [], inside))
        taken.update(id(line) for line in inside)


def _distance(figure: Float, picture: Rect) -> float:
    """Distance of a figure's caption from a picture; captions beside it count as far."""
    caption = figure.caption[0]
    beside = max(caption.x0 - picture[2], picture[0] - caption.x1, 0.0)
    return 4 * beside + min(abs(caption.top - picture[1]), abs(caption.bottom - picture[3]))


def _is_text(line: Line, layout: Layout) -> bool:
    """Headings and full lines of body text are not part of a picture that seems to cover them."""
    heading = line.bold and line.size > 1.08 * layout.body
    return heading or (abs(line.size - layout.body) < 0.3 and len(line.text) > 60)

"""Captions, and the tables, figures and algorithms they belong to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from claimdex.extract.pdf.furniture import PageLines
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line
from claimdex.extract.pdf.regions import flat_rules, framed, listing, unruled
from claimdex.paper import PassageKind, Rect

_CAPTION = re.compile(
    r"(?P<kind>table|figure|fig\.|algorithm|listing)\s*(?P<number>[A-Z]{0,2}\.?\d+(?:\.\d+)*|[IVX]+\b)"
    r"(?P<stop>\s*[.:|]|\s*$|\s+(?=[A-Z(]))",
    re.IGNORECASE,
)
_MARGIN = 26
"""Points around a drawing in which small, short lines are its labels."""
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
    for entry, region in _placed(floats, item, layout, taken):
        entry.rules = [r for r in flat_rules(item) if _inside(r, region, 3)]
        entry.body = [x for x in item.lines if id(x) not in taken and _inside(x.box, region, 4)]
        taken.update(id(x) for x in entry.body)
    _keep_pictures_out(floats, item, layout, taken)
    return floats


def _placed(
    floats: Sequence[Float], item: PageLines, layout: Layout, taken: set[int]
) -> Iterator[tuple[Float, Rect]]:
    """Each float with the region of the page that is its body: the nearest pairs first."""
    captions = [line for entry in floats for line in entry.caption]
    pairs = []
    for n, entry in enumerate(floats):
        if entry.kind is PassageKind.ALGORITHM:
            left, right = min(x.x0 for x in entry.caption), max(x.x1 for x in entry.caption)
            region = listing(item, left, right, entry.caption[-1].bottom)
            if region is not None:
                yield entry, region
            continue
        for region in framed(item, captions, layout):
            gap = _gap(entry, region)
            if gap is not None:
                pairs.append((gap + (20 if entry.kind is PassageKind.FIGURE else 0), n, region))
    done: set[int] = set()
    used: set[Rect] = set()
    for _, n, region in sorted(pairs):
        if n not in done and region not in used:
            done.add(n)
            used.add(region)
            yield floats[n], region
    for n, entry in enumerate(floats):
        if entry.kind is PassageKind.TABLE and n not in done:
            region = unruled(item, entry.caption, layout, taken)
            if region is not None:
                yield entry, region


def _gap(entry: Float, region: Rect) -> float | None:
    """Distance of a caption from a region above or below it; None if it is not beside it."""
    top, bottom = entry.caption[0].top, entry.caption[-1].bottom
    left, right = min(x.x0 for x in entry.caption), max(x.x1 for x in entry.caption)
    if region[0] > right + 5 or region[2] < left - 5:
        return None
    if region[3] <= bottom + 4:
        gap = bottom - region[3]
    elif region[1] >= top - 4:
        gap = region[1] - top
    else:
        return None
    return gap if gap < (60 if entry.kind is PassageKind.TABLE else 30) else None


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
        below.baseline + 0.3 * below.size < r[1] < above.baseline and r[0] < below.x1 and r[2] > below.x0
        for r in flat_rules(item)
    )


def _inside(box: Rect, region: Rect, slack: float) -> bool:
    middle = (box[1] + box[3]) / 2
    return (
        box[0] >= region[0] - slack
        and box[2] <= region[2] + slack
        and region[1] - slack <= middle <= region[3] + slack
    )


def _keep_pictures_out(floats: list[Float], item: PageLines, layout: Layout, taken: set[int]) -> None:
    """Give the text inside pictures (axis labels, legends) to the nearest figure."""
    figures = [f for f in floats if f.kind is PassageKind.FIGURE]
    for picture in item.page.drawings.pictures:
        if (
            picture[2] - picture[0] > 0.97 * item.page.width
            and picture[3] - picture[1] > 0.9 * item.page.height
        ):
            continue
        around = (picture[0] - _MARGIN, picture[1] - _MARGIN, picture[2] + _MARGIN, picture[3] + _MARGIN)
        inside = [
            line
            for line in item.lines
            if id(line) not in taken
            and (
                (_inside(line.box, picture, 2) and not _is_text(line, layout))
                or (_inside(line.box, around, 0) and _is_tick(line, layout))
            )
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


def _is_tick(line: Line, layout: Layout) -> bool:
    """Labels of ticks and axes, which stand outside what is drawn."""
    return line.size < 0.93 * layout.body and len(line.text) <= 40


def _is_text(line: Line, layout: Layout) -> bool:
    """Headings and full lines of body text are not part of a picture that seems to cover them."""
    heading = line.bold and line.size > 1.08 * layout.body
    return heading or (abs(line.size - layout.body) < 0.3 and len(line.text) > 60)

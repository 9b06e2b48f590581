"""Footnotes: small lines at the foot of a column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.extract.pdf.floats import Float
from claimdex.extract.pdf.furniture import PageLines
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line

_MARK = re.compile(r"(?:[⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗]|\d{1,2}(?:\.|\s|(?=[A-Z]))|[a-z]\s)")
_NOTICE = re.compile(
    r"(?:©|copyright|proceedings of|\W*equal contribution|\W*correspond|preprint|license|"
    r"permission to|published|presented at|this work)",
    re.IGNORECASE,
)


def find_footnotes(item: PageLines, layout: Layout, floats: Sequence[Float]) -> list[list[Line]]:
    """Footnotes of a page, each as its lines, in stream order.

    Taken from the foot of each column upwards while the lines are smaller than the body, and kept
    only if the lowest run opens with a mark, is a notice, or stands under a footnote rule.
    """
    taken = {id(line) for entry in floats for line in (*entry.caption, *entry.body)}
    found: list[list[Line]] = []
    for index in range(max(len(layout.columns.get(item.page.number, ())), 1)):
        column = [x for x in item.lines if layout.column_index(x) in (index, -1) and id(x) not in taken]
        foot = _foot(sorted(column, key=lambda x: x.baseline), layout)
        if foot and (_opens(foot[0]) or _under_rule(foot[0], item)):
            found += _split(foot)
    return found


def _foot(upwards: Sequence[Line], layout: Layout) -> list[Line]:
    foot: list[Line] = []
    for line in upwards:
        if line.size > layout.body - 0.7 and len(line.text) > 3:
            break
        if foot and line.baseline - foot[-1].baseline > 2.5 * layout.leading:
            break
        foot.append(line)
    everything_small = len(foot) == len(upwards)
    return [] if everything_small else foot[::-1]


def _opens(line: Line) -> bool:
    return bool(_MARK.match(line.text) or _NOTICE.match(line.text))


def _under_rule(line: Line, item: PageLines) -> bool:
    return any(
        r[3] - r[1] < 2.5
        and 30 < r[2] - r[0] < 260
        and -2 < r[1] - line.top < 1.6 * line.size
        and abs(r[0] - line.x0) < 25
        for r in item.page.drawings.rules
    )


def _split(lines: Sequence[Line]) -> list[list[Line]]:
    notes: list[list[Line]] = []
    for line in lines:
        if not notes or _opens(line):
            notes.append([line])
        else:
            notes[-1].append(line)
    return notes

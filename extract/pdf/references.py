"""The bibliography, split into its entries."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line

_MARK = re.compile(r"\[(?P<label>[\w+.,&\s-]{1,20})\]\s|(?P<number>\d{1,3})\.\s(?=[^\W\d_])")
DOI = re.compile(r"10\.\d{4,9}/[^\s,;]*[^\s,;.)]")
ARXIV = re.compile(r"arxiv[:\s.]*(?:preprint\s*)?(?:arxiv:)?\s*(\d{4}\.\d{4,5}(?:v\d+)?)", re.IGNORECASE)


def split_entries(lines: Sequence[Line], layout: Layout) -> list[list[Line]]:
    """Lines of each entry. Entries open with a mark, or hang: their first line stands out left.

    Where neither holds, a wider gap between lines divides them.
    """
    if not lines:
        return []
    marked = sum(bool(_MARK.match(line.text)) for line in lines)
    entries: list[list[Line]] = []
    hanging = _hangs(lines, layout)
    for line in lines:
        if not entries:
            entries.append([line])
            continue
        if marked >= max(3, len(lines) // 12):
            opens = bool(_MARK.match(line.text))
        elif hanging:
            opens = _at_margin(line, lines, layout)
        else:
            previous = entries[-1][-1]
            step = previous.baseline - line.baseline
            opens = step > 1.25 * layout.leading or (step < 0 and previous.text.endswith("."))
        if opens:
            entries.append([line])
        else:
            entries[-1].append(line)
    return entries


def label_of(text: str) -> str:
    """The printed mark of an entry ("12"), or an empty string."""
    match = _MARK.match(text)
    return (match["label"] or match["number"] or "").strip() if match else ""


def _margin(line: Line, lines: Sequence[Line], layout: Layout) -> float:
    column = layout.column_index(line)
    return min(x.x0 for x in lines if x.page == line.page and layout.column_index(x) == column)


def _at_margin(line: Line, lines: Sequence[Line], layout: Layout) -> bool:
    return line.x0 - _margin(line, lines, layout) < 2.5


def _hangs(lines: Sequence[Line], layout: Layout) -> bool:
    inset = sum(not _at_margin(line, lines, layout) for line in lines)
    return 0.25 * len(lines) < inset < 0.9 * len(lines)

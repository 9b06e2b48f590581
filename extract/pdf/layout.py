"""The shape of the pages: body size, leading and columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.extract.pdf.furniture import PageLines
from claimdex.extract.pdf.lines import Line


@dataclass(frozen=True, slots=True)
class Column:
    """Left and right edge of a column of text, in points."""

    left: float
    right: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Layout:
    """Body size and leading of a document, and the columns of each page (by page number)."""

    body: float
    leading: float
    columns: dict[int, tuple[Column, ...]]

    def column_index(self, line: Line) -> int:
        """Which column a line stands in: 0, 1, or -1 for a line across both."""
        columns = self.columns.get(line.page, ())
        if len(columns) < 2:
            return 0
        left, right = columns[0], columns[1]
        gutter = (left.right + right.left) / 2
        if line.x0 < gutter - 12 and line.x1 > gutter + 12:
            return -1
        return 0 if (line.x0 + line.x1) / 2 < gutter else 1

    def column(self, line: Line) -> Column:
        """The column a line stands in; the whole measure for a line across both."""
        columns = self.columns.get(line.page) or (Column(line.x0, line.x1),)
        index = self.column_index(line)
        if index < 0:
            return Column(columns[0].left, columns[-1].right)
        return columns[min(index, len(columns) - 1)]


def measure(pages: Sequence[PageLines]) -> Layout:
    """Measure a document: the commonest letter size, the commonest line distance, the columns."""
    sizes: Counter[float] = Counter()
    for item in pages:
        for line in item.lines:
            sizes[round(line.size * 2) / 2] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 10.0
    steps: Counter[float] = Counter()
    for item in pages:
        for above, below in zip(item.lines, item.lines[1:], strict=False):
            step = above.baseline - below.baseline
            if body * 0.9 < step < body * 2.2 and abs(above.x0 - below.x0) < 3:
                steps[round(step * 2) / 2] += 1
    leading = steps.most_common(1)[0][0] if steps else 1.2 * body
    return Layout(body, leading, _columns(pages, body))


def _columns(pages: Sequence[PageLines], body: float) -> dict[int, tuple[Column, ...]]:
    found: dict[int, tuple[Column, ...] | None] = {}
    for item in pages:
        width = item.page.width
        wide = [
            line
            for line in item.lines
            if abs(line.size - body) <= 0.4 and line.x1 - line.x0 > 0.22 * width and len(line.text) > 20
        ]
        found[item.page.number] = _page_columns(wide, width)
    shapes = [c for c in found.values() if c]
    usual = Counter(len(c) for c in shapes).most_common(1)[0][0] if shapes else 1
    default = next((c for c in shapes if len(c) == usual), (Column(0.0, 612.0),))
    edges = (
        [Counter(c[i] for c in shapes if len(c) == usual).most_common(1)[0][0] for i in range(usual)]
        if shapes
        else []
    )
    result = {}
    for item in pages:
        columns = found[item.page.number]
        own = columns if columns and (len(columns) == usual or usual == 1) else default
        if len(own) == usual and edges:
            own = tuple(_settled(column, edge, item.lines) for column, edge in zip(own, edges, strict=True))
        result[item.page.number] = own
    return result


def _settled(column: Column, usual: Column, lines: Sequence[Line]) -> Column:
    """The column with the document's usual left edge, if lines of the page start there.

    An abstract or a list may be set in on most lines of a page.
    """
    starts = sum(abs(line.x0 - usual.left) < 2 for line in lines)
    if 3 < column.left - usual.left < 40 and starts >= 3:
        return Column(usual.left, max(column.right, usual.right))
    return column


def _page_columns(lines: list[Line], width: float) -> tuple[Column, ...] | None:
    if len(lines) < 4:
        return None
    middle = width / 2
    left = [line for line in lines if line.x1 < middle + 0.02 * width]
    right = [line for line in lines if line.x0 > middle - 0.02 * width]
    if len(left) >= 3 and len(right) >= 3 and len(left) + len(right) > 0.6 * len(lines):
        return _edges(left), _edges(right)
    return (_edges(lines),)


def _edges(lines: list[Line]) -> Column:
    left = Counter(round(line.x0) for line in lines).most_common(1)[0][0]
    right = Counter(round(line.x1) for line in lines).most_common(1)[0][0]
    return Column(float(left), float(right))

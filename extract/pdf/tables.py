"""Lines of a table to rows, columns and headers.

No library reads booktabs tables without a layout model; the caption, the horizontal rules and the
gaps between columns do. Columns are the runs of x that some row covers, told apart by the gaps that
(nearly) no row covers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.extract.pdf.lines import Line
from claimdex.paper import Rect

_VALUE = re.compile(r"[-+−]?[\d.,]+\s*(?:%|[kKMBx×])?(?:\s*[±(].*)?|[-–—✓✗]")


@dataclass(slots=True)
class Grid:
    """A table taken apart: rows of (column, pieces of line), header rows and column headers."""

    rows: list[list[tuple[int, list[Line]]]]
    header_rows: int
    headers: dict[int, str]


def read_grid(lines: Sequence[Line], rules: Sequence[Rect]) -> Grid | None:
    """Rows and columns of the lines of one table; None if they do not form at least two of each."""
    pieces = [piece for line in lines for piece in _words(line)]
    rows = _rows(pieces)
    if len(rows) < 2:
        return None
    edges = _column_edges(rows)
    if len(edges) < 2:
        return None
    grid = [_cells(row, edges) for row in rows]
    header_rows = _header_rows(rows, grid, rules)
    return Grid(grid, header_rows, _column_headers(grid[:header_rows], edges, rules))


def _words(line: Line) -> list[Line]:
    """Words of a line, those joined again that belong to one value ("0.51 ± 0.02", "31 · 10⁶")."""
    spans = [m.span() for m in re.finditer(r"\S+", line.text)]
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        word = line.text[start:end]
        before = line.text[merged[-1][0] : merged[-1][1]] if merged else ""
        glued = word[0] in "±·×(" or word == "%" or before.endswith(("±", "·", "×"))
        if merged and glued and line.edges[start] - line.edges[merged[-1][1]] < 0.9 * line.size:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return [line.cut(start, end) for start, end in merged]


def _rows(pieces: Sequence[Line]) -> list[list[Line]]:
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda p: (-p.baseline, p.x0)):
        if rows and abs(rows[-1][0].baseline - piece.baseline) < 0.45 * max(piece.size, rows[-1][0].size):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda p: p.x0) for row in rows]


def _column_edges(rows: Sequence[Sequence[Line]]) -> list[tuple[float, float]]:
    """Extent of each column: maximal runs of x not crossed by a gap common to the rows.

    Rows with few words (group heads, notes) may bridge a gap, so a gap may be covered by up to
    one row in eight.
    """
    left = min(p.x0 for row in rows for p in row)
    right = max(p.x1 for row in rows for p in row)
    size = Counter(round(p.size) for row in rows for p in row).most_common(1)[0][0]
    bins = max(int(right - left) + 1, 1)
    cover = [0] * bins
    for row in rows:
        covered: set[int] = set()
        for a, b in zip(row, [*row[1:], None], strict=True):
            end = a.x1
            if b is not None and b.x0 - a.x1 < 0.42 * size:
                end = b.x0
            covered.update(range(max(int(a.x0 - left), 0), min(int(end - left) + 1, bins)))
        for k in covered:
            cover[k] += 1
    allowed = len(rows) // 8
    narrow = (0.35 if len(rows) >= 5 else 0.7) * size
    edges: list[tuple[float, float]] = []
    start: int | None = None
    gap = 0
    for k, count in enumerate([*cover, *([0] * (int(narrow) + 2))]):
        if count > allowed:
            start = k if start is None else start
            gap = 0
        elif start is not None:
            gap += 1
            if gap > narrow:
                edges.append((left + start, left + k - gap + 1))
                start, gap = None, 0
    return edges


def _cells(row: Sequence[Line], edges: Sequence[tuple[float, float]]) -> list[tuple[int, list[Line]]]:
    cells: dict[int, list[Line]] = {}
    for piece in row:
        centre = (piece.x0 + piece.x1) / 2
        column = min(range(len(edges)), key=lambda c: _distance(centre, edges[c]))
        cells.setdefault(column, []).append(piece)
    return sorted(cells.items())


def _distance(x: float, edge: tuple[float, float]) -> float:
    return max(edge[0] - x, x - edge[1], 0.0)


def _header_rows(
    rows: Sequence[Sequence[Line]], grid: Sequence[Sequence[tuple[int, list[Line]]]], rules: Sequence[Rect]
) -> int:
    """Rows above the first full-width rule that has text on both sides; else rows without values."""
    left = min(p.x0 for row in rows for p in row)
    right = max(p.x1 for row in rows for p in row)
    full = sorted((r for r in rules if r[2] - r[0] > 0.8 * (right - left)), key=lambda r: -r[1])
    for rule in full:
        above = sum(row[0].baseline > rule[1] for row in rows)
        if 0 < above < len(rows):
            return above if above <= max(4, len(rows) // 2) else 1
    for r, row in enumerate(grid):
        values = sum(bool(_VALUE.fullmatch(" ".join(p.text for p in pieces))) for _, pieces in row)
        if values >= max(1, len(row) // 2):
            return max(r, 1)
    return 1


def _column_headers(
    head: Sequence[Sequence[tuple[int, list[Line]]]],
    edges: Sequence[tuple[float, float]],
    rules: Sequence[Rect],
) -> dict[int, str]:
    """Header of each column, group heads first, joined by " / ".

    A head spans the columns under the partial rule below it, where there is one; else the columns
    its own words stand over.
    """
    parts: dict[int, list[str]] = {c: [] for c in range(len(edges))}
    partial = [r for r in rules if r[2] - r[0] < 0.8 * (edges[-1][1] - edges[0][0])]
    for level, row in enumerate(head):
        groups = _head_groups([p for _, pieces in row for p in pieces])
        last = level == len(head) - 1
        for words in groups:
            text = " ".join(p.text for p in words)
            left, right = words[0].x0, words[-1].x1
            if not last:
                under = [
                    r
                    for r in partial
                    if -1 < words[0].bottom - r[1] < words[0].size and r[0] < (left + right) / 2 < r[2]
                ]
                if under:
                    left, right = under[0][0], under[0][2]
            for c, edge in enumerate(edges):
                centre = (edge[0] + edge[1]) / 2
                overlaps = min(right, edge[1]) - max(left, edge[0]) > 0.3 * min(
                    right - left, edge[1] - edge[0]
                )
                if left <= centre <= right or overlaps:
                    parts[c].append(text)
    return {c: " / ".join(dict.fromkeys(p)) for c, p in parts.items() if p}


def _head_groups(words: Sequence[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    for word in sorted(words, key=lambda w: w.x0):
        if groups and word.x0 - groups[-1][-1].x1 < 0.6 * word.size:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups

"""GROBID's figures: captions with their labels, and tables with cells and headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from claimdex.extract.grobid.tei_text import Run, TextReader, joined
from claimdex.paper import Cell, PassageKind, Span

_LABEL = re.compile(
    r"(?P<kind>table|figure|fig|algorithm|listing)\b\.?\s*"
    r"(?P<number>[A-Z]{0,2}\.?\d+(?:\.\d+)*|(?-i:[IVX]+)\b)",
    re.IGNORECASE,
)
_NAMES = {
    "table": "Table",
    "figure": "Figure",
    "fig": "Figure",
    "algorithm": "Algorithm",
    "listing": "Algorithm",
}
_STOP = re.compile(r"\s+(?=[.:])")
_VALUE = re.compile(r"[-+−]?[\d.,]+\s*(?:%|[kKMBx×])?(?:\s*[±(].*)?|[-–—✓✗]")
_MAX_COLUMNS = 500

Row = list[tuple[int, Run]]
"""Cells of one row that hold text: (column, text)."""


@dataclass(frozen=True, slots=True)
class TeiFloat:
    """A figure or table. ``rows`` is empty for a figure and for a table that was not read.

    ``prose`` is text that GROBID took for a caption although it is not one.
    """

    identity: str
    kind: PassageKind
    label: str | None
    caption: Run
    rows: tuple[Row, ...] = ()
    spans: tuple[Span, ...] = ()
    notes: tuple[Run, ...] = ()
    prose: bool = False

    @property
    def is_grid(self) -> bool:
        """Whether the rows make a table: at least two rows and two columns."""
        return len(self.rows) > 1 and len({c for row in self.rows for c, _ in row}) > 1


def read_float(figure: Element, reader: TextReader) -> TeiFloat:
    """A ``figure`` element, with ``type="table"`` or without."""
    head, text = reader.run(figure.find("head")), reader.run(figure.find("figDesc"))
    notes = [run for run in (reader.run(note) for note in figure.iterfind("note")) if run.text]
    if not text.text and notes and notes[0].text[:1] in ".:":
        text = notes.pop(0)
    is_table = figure.get("type") == "table"
    match = _LABEL.match(text.text) or _LABEL.search(head.text)
    label = f"{_NAMES[match['kind'].lower()]} {match['number']}" if match else None
    caption = text if _LABEL.match(text.text) else _headed(head, text)
    table = figure.find("table")
    rows = tuple(_rows(table, reader)) if table is not None else ()
    spans = _whole(reader, figure, table)
    if caption.text and not caption.spans:
        caption = Run(caption.text, _over(spans, len(caption.text)), caption.mentions)
    kind = PassageKind.TABLE if is_table else PassageKind.FIGURE
    if label and label.startswith("Algorithm"):
        kind = PassageKind.ALGORITHM
    prose = not rows and bool(re.match(r"[a-z]{2,} [a-z]", text.text)) and text is not caption
    return TeiFloat(figure.get("id", ""), kind, label, caption, rows, spans, tuple(notes), prose)


def _headed(head: Run, text: Run) -> Run:
    """Head and caption as printed: "Figure 3 :" and "Loss." give "Figure 3: Loss."."""
    tight = Run(_STOP.sub("", head.text), (), head.mentions)
    glue = "" if text.text[:1] in ".:," else " "
    return joined([tight, text], glue)


def _whole(reader: TextReader, figure: Element, table: Element | None) -> tuple[Span, ...]:
    """One span over all boxes of the element on its first page."""
    for element in (table, figure):
        boxes = reader.boxes(element.get("coords")) if element is not None else []
        own = [b.box for b in boxes if b.page == boxes[0].page]
        if own:
            x0, y0 = min(b[0] for b in own), min(b[1] for b in own)
            x1, y1 = max(b[2] for b in own), max(b[3] for b in own)
            return (Span(start=0, end=1, page=boxes[0].page, box=(x0, y0, x1, y1)),)
    return ()


def _over(spans: Sequence[Span], length: int) -> tuple[Span, ...]:
    """The span of a whole element, stretched over a text."""
    return tuple(s.model_copy(update={"end": length}) for s in spans)


def _rows(table: Element, reader: TextReader) -> Iterator[Row]:
    for row in table.iterfind("row"):
        column = 0
        cells: Row = []
        for cell in row.iterfind("cell"):
            run = reader.run(cell)
            if run.text and column < _MAX_COLUMNS:
                cells.append((column, run))
            width = cell.get("cols", "1")
            column += int(width) if re.fullmatch(r"[1-9]\d{0,2}", width) else 1
        if cells:
            yield cells


def table_text(table: TeiFloat) -> tuple[str, tuple[Span, ...], tuple[Cell, ...]]:
    """Text, spans and cells of a grid: rows apart by newlines, cells by " | ".

    GROBID marks no header rows: the rows above the first with mostly values count as such.
    """
    header_rows = _header_rows(table.rows)
    headers = _column_headers(table.rows[:header_rows])
    text = ""
    cells: list[Cell] = []
    carried = ""
    for r, row in enumerate(table.rows):
        text += "\n" if r else ""
        own = _row_header(row) if r >= header_rows else ""
        if r >= header_rows and row[0][0] == 0:
            carried = own
        for k, (column, run) in enumerate(row):
            text += " | " if k else ""
            head = r < header_rows
            cells.append(
                Cell(
                    row=r,
                    column=column,
                    text=run.text,
                    header=head,
                    row_header="" if head else _joined(carried, own, run.text),
                    column_header="" if head else headers.get(column, ""),
                    start=len(text),
                    end=len(text) + len(run.text),
                )
            )
            text += run.text
    return text, _over(table.spans, len(text)), tuple(cells)


def listing_text(table: TeiFloat) -> tuple[str, tuple[Span, ...]]:
    """Text and spans of rows that make no grid: one a line."""
    text = "\n".join(" ".join(run.text for _, run in row) for row in table.rows)
    return text, _over(table.spans, len(text))


def _header_rows(rows: Sequence[Row]) -> int:
    for r, row in enumerate(rows):
        values = sum(bool(_VALUE.fullmatch(run.text)) for _, run in row)
        if values >= max(1, len(row) // 2):
            return min(max(r, 1), max(4, len(rows) // 2))
    return 1


def _column_headers(head: Sequence[Row]) -> dict[int, str]:
    """Header of each column, group heads first, joined by " / ".

    A head in a row above the last one goes on over the columns that row leaves empty.
    """
    columns = sorted({column for row in head for column, _ in row})
    parts: dict[int, list[str]] = {column: [] for column in columns}
    for level, row in enumerate(head):
        starts = dict(row)
        current = ""
        for column in columns:
            if column in starts:
                current = starts[column].text
                parts[column].append(current)
            elif level < len(head) - 1 and current and column > 0:
                parts[column].append(current)
    return {column: " / ".join(dict.fromkeys(p)) for column, p in parts.items() if p}


def _row_header(row: Row) -> str:
    """The leading cells that hold words rather than values."""
    parts: list[str] = []
    for column, run in row:
        if column > 2 or (column > 0 and not re.search(r"[A-Za-z]{2,}", run.text)):
            break
        parts.append(run.text)
    return " / ".join(parts)


def _joined(carried: str, own: str, value: str) -> str:
    header = own if own == carried or not carried else f"{carried} / {own}" if own else carried
    return "" if header == value else header

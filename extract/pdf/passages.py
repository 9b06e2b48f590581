"""Lines to passage text: hyphens joined, and every character tied to its place on the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from claimdex.extract.pdf.lines import Line
from claimdex.paper import Cell, Span

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TAIL = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)-$")
_HEAD = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)")


class Vocabulary:
    """Words of one paper that do not stand at a line end, counted, to judge hyphens by."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._words: Counter[str] = Counter()
        for line in lines:
            words = _WORD.findall(line.text.casefold())
            if line.text.endswith("-"):
                words = words[:-1]
            self._words.update(words)

    def joins(self, head: str, tail: str) -> bool:
        """Whether ``head-`` at a line end and ``tail`` on the next line are one word.

        Judged by the paper's own words: the solid form, else the hyphenated form, else both parts
        as words of their own (then it is a compound); a capital or a further hyphen in the tail
        keeps the hyphen.
        """
        solid, hyphenated = (head + tail).casefold(), f"{head}-{tail}".casefold()
        if self._words[hyphenated] or self._words[solid]:
            return self._words[solid] >= self._words[hyphenated]
        if tail[:1].isupper() or "-" in head:
            return False
        if "-" in tail:
            return not self._words[head.casefold()] or len(head) < 3
        known = self._words[head.casefold()] and self._words[tail.casefold()]
        return not (known and len(head) > 3 and len(tail) > 3)


def join_lines(lines: Sequence[Line], vocabulary: Vocabulary) -> tuple[str, tuple[Span, ...]]:
    """Running text of consecutive lines, and one span a line.

    A line break becomes a space. A hyphen at a line end goes if the word is one without it;
    otherwise it stays and the word is closed up.
    """
    text = ""
    spans: list[Span] = []
    for line in lines:
        if not line.text:
            continue
        if text:
            text, spans, glue = _break(text, spans, line, vocabulary)
            text += glue
        start = len(text)
        text += line.text
        spans.append(_span(line, start, len(text)))
    return text, tuple(spans)


def _break(text: str, spans: list[Span], line: Line, vocabulary: Vocabulary) -> tuple[str, list[Span], str]:
    if text.endswith("/") and "://" in text[-80:]:
        return text, spans, ""
    if not text.endswith("-"):
        return text, spans, " "
    tail, head = _TAIL.search(text[-80:]), _HEAD.match(line.text)
    if not tail or not head:
        return text, spans, "" if line.text[:1].isdigit() else " "
    if not vocabulary.joins(tail[1], head[1]):
        return text, spans, ""
    last = spans[-1]
    shortened = last.model_copy(
        update={
            "end": last.end - 1,
            "edges": last.edges[:-1],
            "box": (*last.box[:2], last.edges[-2], last.box[3]),
        }
    )
    return text[:-1], [*spans[:-1], shortened], ""


def _span(line: Line, start: int, end: int) -> Span:
    return Span(start=start, end=end, page=line.page, box=line.box, edges=tuple(line.edges))


CellLines = tuple[int, list[Line]]
"""A cell before it is text: its column and the pieces of line in it."""


def join_rows(
    rows: Sequence[Sequence[CellLines]], header_rows: int, headers: dict[int, str]
) -> tuple[str, tuple[Span, ...], tuple[Cell, ...]]:
    """Text of a table: rows apart by newlines, cells by " | ", with spans and cells."""
    text = ""
    spans: list[Span] = []
    cells: list[Cell] = []
    carried = ""
    for r, row in enumerate(rows):
        if r:
            text += "\n"
        placed: list[tuple[int, int, int, list[Line]]] = []
        for c, pieces in row:
            if placed:
                text += " | "
            start = len(text)
            for k, piece in enumerate(pieces):
                text += " " if k else ""
                spans.append(_span(piece, len(text), len(text) + len(piece.text)))
                text += piece.text
            placed.append((c, start, len(text), pieces))
        row_header = _row_header(placed, text) if r >= header_rows else ""
        first_column = bool(placed) and placed[0][0] == 0
        if r >= header_rows and first_column:
            carried = row_header
        for c, start, end, pieces in placed:
            cells.append(
                Cell(
                    row=r,
                    column=c,
                    text=text[start:end],
                    header=r < header_rows,
                    row_header="" if r < header_rows else _joined(carried, row_header, text[start:end]),
                    column_header="" if r < header_rows else headers.get(c, ""),
                    bold=all(piece.bold for piece in pieces),
                    start=start,
                    end=end,
                )
            )
    return text, tuple(spans), tuple(cells)


def _row_header(placed: Sequence[tuple[int, int, int, list[Line]]], text: str) -> str:
    """The leading cells that hold words rather than values."""
    parts = []
    for column, start, end, _ in placed:
        value = text[start:end]
        if column > 0 and not re.search(r"[A-Za-z]{2,}", value):
            break
        if column > 2:
            break
        parts.append(value)
    return " / ".join(parts)


def _joined(carried: str, own: str, value: str) -> str:
    header = own if own == carried or not carried else f"{carried} / {own}" if own else carried
    return "" if header == value else header

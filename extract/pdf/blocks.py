"""Lines to blocks: runs of lines with one role, in reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimdex.extract.pdf.heads import opens_proof, theorem_head
from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line
from claimdex.paper import PassageKind

_BULLET = re.compile(r"(?:[•◦▪‣∙·►]|[-–*]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)")
_OPERATORS = {
    "arg",
    "min",
    "max",
    "exp",
    "log",
    "sup",
    "inf",
    "lim",
    "sin",
    "cos",
    "tanh",
    "det",
    "var",
    "poly",
}
_SENTENCE_END = re.compile(r"[.!?:][\"'”’)\]]*$")


@dataclass(slots=True)
class Block:
    """Lines of one role. ``label`` is the printed name of a float or theorem."""

    kind: PassageKind
    lines: list[Line]
    label: str | None = None
    name: str | None = None
    rows: list[list[tuple[int, list[Line]]]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines' text, one a line; hyphens not yet joined."""
        return "\n".join(line.text for line in self.lines)


def is_bullet(line: Line) -> bool:
    """Whether a line opens an item of a list."""
    return bool(_BULLET.match(line.text))


def is_display(line: Line, layout: Layout) -> bool:
    """Whether a line looks like part of a displayed formula: set in, with hardly a word."""
    column = layout.column(line)
    inset = line.x0 > column.left + 1.2 * layout.body or line.size < 0.85 * layout.body
    words = [w for w in re.findall(r"[A-Za-z]{3,}", line.text) if w.lower() not in _OPERATORS]
    letters = sum(c.isalpha() for c in line.text)
    symbols = sum(not (c.isalnum() or c in " .,;:'’()-") for c in line.text)
    mathematical = symbols > 0 or letters < 4 or any(s.math for s in line.styles)
    return inset and mathematical and len(words) < 2


def paragraphs(lines: Sequence[Line], layout: Layout) -> list[Block]:
    """Group flowing lines (no floats, no headings) into paragraphs and list items."""
    blocks: list[Block] = []
    for line in lines:
        previous = blocks[-1].lines[-1] if blocks else None
        if previous is None or _starts_block(previous, line, blocks[-1], layout):
            kind = PassageKind.LIST_ITEM if is_bullet(line) else PassageKind.PARAGRAPH
            blocks.append(Block(kind, [line]))
        else:
            blocks[-1].lines.append(line)
    return blocks


def _starts_block(previous: Line, line: Line, block: Block, layout: Layout) -> bool:
    if theorem_head(line) is not None or opens_proof(line):
        return True
    if is_display(line, layout) or is_display(previous, layout):
        return _starts_after_display(previous, line, block, layout)
    if abs(previous.size - line.size) > 0.12 * layout.body and min(len(previous.text), len(line.text)) > 12:
        return True
    column = layout.column(line)
    if line.page != previous.page or layout.column_index(line) != layout.column_index(previous):
        return _starts_after_jump(previous, line, layout)
    step = previous.baseline - line.baseline
    if step < -0.5 * layout.body:
        return _starts_after_jump(previous, line, layout)
    if step < 0.5 * layout.body:
        return False
    sibling = block.kind is PassageKind.LIST_ITEM and abs(line.x0 - block.lines[0].x0) < 3
    if is_bullet(line) and (sibling or _SENTENCE_END.search(previous.text)):
        return True
    if step > 1.32 * layout.leading:
        return True
    if block.kind is PassageKind.LIST_ITEM:
        return False
    ended = _SENTENCE_END.search(previous.text) is not None
    indented = 4 < line.x0 - column.left < 3.5 * layout.body
    was_flush = previous.x0 - layout.column(previous).left < 4
    if indented and was_flush and ended and len(block.lines) > 0:
        return True
    short = previous.x1 < column.right - 0.12 * column.width
    return ended and short and line.bold_prefix() > 3


def _starts_after_display(previous: Line, line: Line, block: Block, layout: Layout) -> bool:
    """After a formula, text goes on unless it is clearly new: indented and with a capital."""
    if is_display(line, layout):
        return False
    if line.bold_prefix() > 3 and line.text[0].isupper():
        return True
    column = layout.column(line)
    indented = 4 < line.x0 - column.left < 3.5 * layout.body
    gap = previous.baseline - line.baseline
    return indented and line.text[0].isupper() and gap > 0


def _starts_after_jump(previous: Line, line: Line, layout: Layout) -> bool:
    """Over a column or page break, a sentence that has not ended goes on."""
    if not line.text or is_bullet(line):
        return True
    if line.text[0].islower() or previous.text.endswith("-"):
        return False
    if not _SENTENCE_END.search(previous.text):
        return False
    indented = line.x0 - layout.column(line).left > 4
    before = layout.column(previous)
    full = previous.x1 > before.right - 0.05 * before.width
    return indented or not full or line.bold_prefix() > 3

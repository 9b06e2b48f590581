"""Theorem-like environments and proofs among the paragraphs."""

from __future__ import annotations

from collections.abc import Sequence

from claimdex.extract.pdf.blocks import Block
from claimdex.extract.pdf.heads import ends_proof, opens_proof, theorem_head
from claimdex.extract.pdf.lines import Line
from claimdex.paper import PassageKind

_UPRIGHT = {"definition", "remark", "example", "assumption", "assumptions", "notation", "condition"}


def mark_theorems(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with theorem-like statements and proofs marked, each statement one block.

    A statement set in italics goes on while the text is italic or a formula; one set upright ends
    with its paragraph. A proof goes on to its end mark, or to the next statement or heading.
    """
    result: list[Block] = []
    open_proof = False
    for block in blocks:
        if block.kind not in (PassageKind.PARAGRAPH, PassageKind.LIST_ITEM):
            if block.kind is PassageKind.HEADING:
                open_proof = False
            result.append(block)
            continue
        head = theorem_head(block.lines[0])
        if head is not None:
            block.kind = PassageKind.THEOREM
            block.label, block.name = head
            open_proof = False
            result.append(block)
        elif opens_proof(block.lines[0]):
            block.kind = PassageKind.PROOF
            result.append(block)
            open_proof = not ends_proof(block.lines[-1])
        elif open_proof:
            block.kind = PassageKind.PROOF
            open_proof = not ends_proof(block.lines[-1])
            result.append(block)
        elif _continues(result, block):
            result[-1].lines += block.lines
        else:
            result.append(block)
    return result


def _continues(result: Sequence[Block], block: Block) -> bool:
    """Whether a paragraph belongs to the statement before it."""
    if not result or result[-1].kind is not PassageKind.THEOREM or not result[-1].label:
        return False
    statement = result[-1]
    if statement.label and statement.label.split()[0].lower() in _UPRIGHT:
        return False
    italic = _italic_share(statement.lines[1:] or statement.lines)
    if italic < 0.4:
        return False
    return _italic_share(block.lines) > 0.5


def _italic_share(lines: Sequence[Line]) -> float:
    letters = italic = 0
    for line in lines:
        for character, style in zip(line.text, line.styles, strict=True):
            if character.isalpha() and not style.math:
                letters += 1
                italic += style.italic
    return italic / letters if letters else 0.0

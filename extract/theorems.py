"""Theorem-like environments and proofs among the paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.extract.blocks import Block
from claimdex.extract.lines import Line
from claimdex.paper import PassageKind

KINDS = (
    "Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Conjecture|Claim|Example|Fact|"
    "Observation|Condition|Hypothesis|Property|Problem|Assumptions|Notation|Question|Result|Setting"
)
_HEAD = re.compile(
    rf"(?:(?:Informal|Main|Restated|Formal)\s+)?(?P<kind>{KINDS})"
    r"(?:\s+(?P<number>(?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z′']?|[A-Z](?:\.\d+)+|[A-Z]\b|[IVX]+\b))?"
    r"(?P<rest>\s*(?:\((?P<name>[^()]*(?:\([^()]*\)[^()]*)*)\)|\[(?P<cite>[^\]]*)\])?\s*[.:]?)",
    re.IGNORECASE,
)
_PROOF = re.compile(r"(?:Proof|PROOF)(?:\s+(?:of|sketch|idea|outline)\b[^.:]*)?\s*[.:(]", re.IGNORECASE)
_QED = re.compile(r"[■□∎◻▪☐]\s*$")
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
        elif _PROOF.match(block.lines[0].text) and block.lines[0].styled_prefix() >= 5:
            block.kind = PassageKind.PROOF
            result.append(block)
            open_proof = not _QED.search(block.lines[-1].text)
        elif open_proof:
            block.kind = PassageKind.PROOF
            open_proof = not _QED.search(block.lines[-1].text)
            result.append(block)
        elif _continues(result, block):
            result[-1].lines += block.lines
        else:
            result.append(block)
    return result


def theorem_head(line: Line) -> tuple[str, str | None] | None:
    """Printed label and name of the statement a line opens, or None.

    The head must be set apart (bold, italic or small capitals), which running text that happens
    to start with "Theorem 2" is not.
    """
    match = _HEAD.match(line.text)
    if not match:
        return None
    kind, number = match["kind"], match["number"]
    styled = line.styled_prefix()
    head_end = match.end("number") if number else match.end("kind")
    if styled < head_end or (not number and not match["rest"].strip()):
        return None
    first, last = line.styles[0], line.styles[-1]
    all_italic = line.italic and not first.bold and first.font == last.font
    if all_italic and not re.match(r"\s*[.:(\[]", line.text[head_end:]):
        return None
    label = f"{kind.capitalize()} {number}" if number else kind.capitalize()
    return label, match["name"] or None


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

"""Paragraphs, formulas and lists of one section to passages with a role."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claimdex.extract.grobid.tei_text import Run, joined
from claimdex.extract.grobid.theorem_text import ends_proof, opens_proof, statement_head, statement_starts
from claimdex.paper import PassageKind

_SENTENCE_END = re.compile(r"[.!?■□∎◻▪☐][\"'”’)\]]*$")
_GOES_ON = re.compile(r"[a-z,;)\]]")
_BULLET = re.compile(r"(?:[•◦▪‣∙·►]|[-–*]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)")
_NEXT_BULLET = re.compile(r"\s(?=[•◦▪‣►]\s)")
_FORMULA_NUMBER = re.compile(r"\(\s*([A-Z]?\.?\d+(?:\.\d+)*[a-z]?)\s*\)$")


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the text as it stands in the TEI: ``tag`` is p, formula or item."""

    tag: str
    run: Run


@dataclass(frozen=True, slots=True)
class Block:
    """Text with one role. ``label`` is the printed name of a statement, ``name`` its own name."""

    kind: PassageKind
    run: Run
    label: str | None = None
    name: str | None = None


def blocks(parts: Sequence[Part]) -> list[Block]:
    """Passages of one section: formulas back in their paragraphs, lists and statements apart."""
    whole = [piece for block in _put_together(parts) for piece in _taken_apart(block)]
    return _with_proofs(_with_lists([_statement(block) for block in whole]))


def _put_together(parts: Sequence[Part]) -> list[Block]:
    """Undo GROBID's cuts: a formula goes into the sentence it interrupts, a sentence over a break."""
    result: list[Block] = []
    after_formula = False
    for part in parts:
        last = result[-1] if result else None
        if part.tag == "formula":
            inside = last is not None and not _SENTENCE_END.search(last.run.text)
            _add(result, Block(PassageKind.EQUATION, part.run, _formula_label(part.run)), into_last=inside)
            after_formula = True
            continue
        kind = PassageKind.LIST_ITEM if part.tag == "item" else PassageKind.PARAGRAPH
        goes_on = part.tag == "p" and bool(_GOES_ON.match(part.run.text)) and not _BULLET.match(part.run.text)
        into_last = last is not None and goes_on and (after_formula or not _ended(last.run.text))
        _add(result, Block(kind, part.run), into_last=into_last)
        after_formula = False
    return result


def _add(result: list[Block], block: Block, *, into_last: bool) -> None:
    if not into_last:
        result.append(block)
        return
    last = result.pop()
    run = joined([last.run, block.run])
    if last.kind is not PassageKind.EQUATION:
        result.append(Block(last.kind, run))
    elif block.kind is PassageKind.EQUATION:
        result.append(Block(PassageKind.EQUATION, run, last.label or block.label))
    else:
        result.append(Block(PassageKind.PARAGRAPH, run))


def _ended(text: str) -> bool:
    return bool(_SENTENCE_END.search(text)) or text.endswith(":")


def _formula_label(run: Run) -> str | None:
    match = _FORMULA_NUMBER.search(run.text)
    return f"Equation {match[1]}" if match else None


def _taken_apart(block: Block) -> list[Block]:
    """Items of a list and statements that GROBID left inside one paragraph."""
    if block.kind is PassageKind.EQUATION:
        return [block]
    text = block.run.text
    starts = statement_starts(text)
    if text[:1] in "•◦▪‣►" or len(_NEXT_BULLET.findall(text)) > 1:
        starts += [m.end() for m in _NEXT_BULLET.finditer(text)]
    cuts = sorted({0, *starts})
    pieces = [block.run.cut(a, b) for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]
    return [
        replace(block, kind=PassageKind.LIST_ITEM if _BULLET.match(piece.text) else block.kind, run=piece)
        for piece in pieces
        if piece.text
    ]


def _statement(block: Block) -> Block:
    if block.kind is not PassageKind.PARAGRAPH:
        return block
    head = statement_head(block.run.text)
    if head is not None:
        return Block(PassageKind.THEOREM, block.run, *head)
    return replace(block, kind=PassageKind.PROOF) if opens_proof(block.run.text) else block


def _with_lists(found: Sequence[Block]) -> list[Block]:
    """A statement that ends with a colon takes the list, formula or paragraph that completes it."""
    result: list[Block] = []
    for block in found:
        last = result[-1] if result else None
        if last is not None and last.kind is PassageKind.THEOREM:
            takes = {PassageKind.LIST_ITEM, PassageKind.EQUATION}
            if last.run.text.endswith(":"):
                takes.add(PassageKind.PARAGRAPH)
            items = bool(re.search(r"(?::|[;,]| and) *$", last.run.text)) or _BULLET.search(
                last.run.text[-400:]
            )
            if block.kind in takes and items:
                result[-1] = replace(last, run=joined([last.run, block.run]))
                continue
        result.append(block)
    return result


def _with_proofs(found: Sequence[Block]) -> list[Block]:
    """A proof goes on to its end mark; without one it is only the paragraph that opens it."""
    result: list[Block] = []
    until = -1
    for i, block in enumerate(found):
        if block.kind is PassageKind.PROOF and not ends_proof(block.run.text):
            until = _end_of_proof(found, i)
        inside = i <= until and block.kind is not PassageKind.THEOREM
        result.append(replace(block, kind=PassageKind.PROOF, label=None) if inside else block)
    return result


def _end_of_proof(found: Sequence[Block], start: int) -> int:
    for i in range(start + 1, len(found)):
        if found[i].kind in (PassageKind.THEOREM, PassageKind.PROOF):
            break
        if ends_proof(found[i].run.text):
            return i
    return start

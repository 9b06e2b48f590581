"""Heads of theorem-like statements and of proofs: "Theorem 3.2 (Name).", "Proof of Lemma 1."."""

from __future__ import annotations

import re

from claimdex.extract.pdf.lines import Line

_KINDS = (
    "Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Conjecture|Claim|Example|Fact|"
    "Observation|Condition|Hypothesis|Property|Problem|Assumptions|Notation|Question|Result|Setting"
)
_HEAD = re.compile(
    rf"(?:(?:Informal|Main|Restated|Formal)\s+)?(?P<kind>{_KINDS})"
    r"(?:\s+(?P<number>(?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z′']?|[A-Z](?:\.\d+)+|[A-Z]\b|[IVX]+\b))?"
    r"(?P<rest>\s*(?:\((?P<name>[^()]*(?:\([^()]*\)[^()]*)*)\)|\[(?P<cite>[^\]]*)\])?\s*[.:]?)",
    re.IGNORECASE,
)
_PROOF = re.compile(r"(?:Proof|PROOF)(?:\s+(?:of|sketch|idea|outline)\b[^.:]*)?\s*[.:(]", re.IGNORECASE)
_QED = re.compile(r"[■□∎◻▪☐]\s*$")


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


def opens_proof(line: Line) -> bool:
    """Whether a line opens a proof: the word is set apart and followed by a stop."""
    return bool(_PROOF.match(line.text)) and line.styled_prefix() >= 5


def ends_proof(line: Line) -> bool:
    """Whether a line ends with the end mark of a proof."""
    return bool(_QED.search(line.text))

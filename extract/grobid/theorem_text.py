"""Statements and proofs told from text alone, where no fonts are known (GROBID).

Running text that merely names a statement ("Theorem 2 shows that ...") must not count, so a head
needs its number or name closed by a stop, and what follows must open a sentence.
"""

from __future__ import annotations

import re

_KINDS = (
    "Theorem|Lemma|Proposition|Corollary|Definition|Assumption|Remark|Conjecture|Claim|Example|Fact|"
    "Observation|Condition|Hypothesis|Property|Problem|Result"
)
_UNNUMBERED = "Theorem|Lemma|Proposition|Corollary|Definition|Assumptions?|Remark|Conjecture"
_NUMBER = r"(?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z′']?|[A-Z](?:\.\d+)+"
_NAME = r"\((?P<name>[^()]*(?:\([^()]*\)[^()]*)*)\)"
_CITE = r"\[[^\]]{1,30}\]"
_OPENS = r"(?=\s*(?:[A-Z\"“(\[{]|[^\x00-\x7f]|[a-z]\s*[=∈≤≥<>(:→]|$))"
_CLOSED = re.compile(
    rf"(?:(?:Informal|Main|Restated|Formal)\s+)?(?P<kind>{_KINDS})\s+"
    rf"(?P<number>{_NUMBER})\s*(?:{_NAME}|{_CITE})?\s*[.:]{_OPENS}"
)
_NAMED = re.compile(rf"(?P<kind>{_KINDS})\s+(?P<number>{_NUMBER})\s*(?:{_NAME}|{_CITE})(?=\s+[A-Z][a-z]*\b)")
_BARE = re.compile(
    rf"(?P<kind>{_KINDS})\s+(?P<number>{_NUMBER})(?P<name>)"
    r"(?=\s+(?:Let|Suppose|Assume|Given|For|If|Under|Consider|With|There|Fix|Any|Every|In|Then|When|Denote)\b)"
)
_PLAIN = re.compile(rf"(?P<kind>{_UNNUMBERED})(?P<number>)\s*(?:{_NAME})?\s*[.:](?=\s*[A-Z(])")
_PROOF = re.compile(r"Proof(?:\s+(?:of|sketch|idea|outline)\b[^.:]{0,80}|\s*\([^)]{0,80}\))?\s*[.:](?=\s*\S)")
_NUMBERED_PROOF = re.compile(r"Proof\s+\d+(?=\s+[A-Z])")
_QED = re.compile(r"[■□∎◻▪☐]\s*$")
_INSIDE = re.compile(
    rf"(?<=[.!?■□∎◻▪☐)]\s)(?=(?:{_KINDS})\s+(?:{_NUMBER})\s*[.:(\[]|Proof(?:\.|\s+of\s|\s*\())"
)


def statement_head(text: str) -> tuple[str, str | None] | None:
    """Printed label and name of the statement that a paragraph opens, or None.

    >>> statement_head("Theorem 3.2 (Upper bound). Let f be convex.")
    ('Theorem 3.2', 'Upper bound')
    >>> statement_head("Theorem 3.2 shows that f is convex.")
    """
    capitalised = _ordinary_case(text)
    for pattern in (_CLOSED, _NAMED, _BARE, _PLAIN):
        match = pattern.match(capitalised)
        if match:
            groups = match.groupdict()
            label = f"{groups['kind'].capitalize()} {groups['number']}".strip()
            return label, groups.get("name") or None
    return None


def opens_proof(text: str) -> bool:
    """Whether a paragraph opens a proof."""
    text = _ordinary_case(text)
    return bool(_PROOF.match(text) or _NUMBERED_PROOF.match(text))


def ends_proof(text: str) -> bool:
    """Whether a paragraph ends with the end mark of a proof."""
    return bool(_QED.search(text))


def statement_starts(text: str) -> list[int]:
    """Offsets inside a paragraph at which a numbered statement or a proof begins."""
    return [
        m.start()
        for m in _INSIDE.finditer(text)
        if opens_proof(text[m.start() : m.start() + 200]) or _CLOSED.match(text[m.start() : m.start() + 300])
    ]


def _ordinary_case(text: str) -> str:
    """The text with a first word in capitals ("THEOREM") set as "Theorem"."""
    word = re.match(r"[A-Z]{4,}\b", text)
    return text if word is None else word[0].capitalize() + text[word.end() :]

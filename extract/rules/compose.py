"""From a sentence of a paper to the claims it states: cleaned, self-contained, atomic."""

from __future__ import annotations

import re

from claimdex.extract.rules.activity import only_activity
from claimdex.extract.rules.candidates import Candidate
from claimdex.extract.rules.cleaning import cleaned
from claimdex.extract.rules.cues import ruled_out
from claimdex.extract.rules.names import PaperNames
from claimdex.extract.rules.referents import self_contained
from claimdex.extract.rules.splitting import atomic
from claimdex.paper import SectionKind

_MIN_WORDS = 4
_MAX_CHARS = 600
_BROKEN = re.compile(
    r"\(\s*\)|\[\s*\]|^\W*$|\b(?:and|or|of|the|than|by|with|in|on|to|from|for|that|very|more|less|see)\W*$",
    re.I,
)


def claim_texts(candidate: Candidate, names: PaperNames) -> list[str]:
    """The statements of the sentence as claims; empty if it cannot be made readable without its paper.

    Words are the paper's own, but for the names that replace "we" and "our method", and referents in
    square brackets.
    """
    section = candidate.section
    place = section.title if section and section.kind is SectionKind.EXPERIMENTS else ""
    whole = self_contained(cleaned(candidate.text_with_marks), candidate.before, place, names)
    if whole is None or len(whole) > _MAX_CHARS or len(whole.split()) < _MIN_WORDS:
        return []
    return [p for p in atomic(whole) if _is_claim(p)]


def _is_claim(text: str) -> bool:
    if len(text.split()) < _MIN_WORDS or _BROKEN.search(text):
        return False
    return ruled_out(text) is None and not only_activity(text)

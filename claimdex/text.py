"""Canonical text, numbers and content-derived ids."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
)
# Categories Cf, Cs and Co: formatting controls, surrogates, private use.
_UNSEEN = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f\U000f0000-\U0010ffff]"
)

_NUMBER = re.compile(
    r"(?<![\w.,@])[-+\u2212]?"
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:[eE][-+]?\d+)?"
)


def sha256(data: bytes | str) -> str:
    """Hex sha256 of bytes, or of text as UTF-8."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def normalise(text: str) -> str:
    """Text for comparison: NFKC, plain dashes and quotes, single spaces, no invisible characters.

    >>> normalise("2.7\\u00d7  faster \\u2014 \\u201cfi\\ufb01\\u201d")
    '2.7× faster - "fifi"'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_PLAIN)
        text = _UNSEEN.sub("", text)
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Number:
    """A number as printed: its value and its place in the text (sign included)."""

    value: float
    start: int
    end: int


def numbers(text: str) -> list[Number]:
    """Numbers printed in digits, in order. Digits inside words ("GPT2", "v1.2") do not count.

    >>> [n.value for n in numbers("from 1,024 to -2.5e3 in BERT2, 0.51%")]
    [1024.0, -2500.0, 0.51]
    """
    found = []
    for match in _NUMBER.finditer(text):
        start, raw = match.start(), match.group()
        if raw[0] in "-+\u2212" and start and text[start - 1].isalnum():
            start, raw = start + 1, raw[1:]
        value = float(raw.replace(",", "").replace("\u2212", "-"))
        found.append(Number(value, start, match.end()))
    return found


def format_number(value: float) -> str:
    """Shortest text of a number: 8.0 -> '8', 0.510 -> '0.51'."""
    return f"{value:.10g}"


def claim_id(paper_id: str, kind: str, sentences: Iterable[str], text: str, salt: str = "") -> str:
    """Id of a claim from what it rests on, never from its wording or position.

    ``c`` and 15 hex digits of sha256 over the canonical paper id, the claim's type, the normalised
    sentences (or table row) it was read from and the numbers it states. ``salt`` tells apart two
    claims for which all of these agree: their normalised text.
    """
    stated = sorted({format_number(abs(n.value)) for n in numbers(text)})
    parts = [paper_id, kind, *(normalise(s).casefold() for s in sentences), *stated]
    if salt:
        parts.append(normalise(salt).casefold())
    return "c" + sha256("\x1f".join(parts))[:15]

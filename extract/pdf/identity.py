"""Ids of sections and passages, made from what they say, never from where they stand."""

from __future__ import annotations

from claimdex.paper import PassageKind
from claimdex.text import normalise, sha256


class Identities:
    """Gives ids within one paper; the second thing with the same content gets "-2", and so on."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def section(self, number: str, title: str) -> str:
        """``s`` and 8 hex digits over number and title."""
        return self._unique("s" + sha256(f"{number}\x1f{normalise(title)}")[:8])

    def passage(self, kind: PassageKind, text: str) -> str:
        """``p`` and 10 hex digits over kind and text."""
        return self._unique("p" + sha256(f"{kind}\x1f{normalise(text)}")[:10])

    def _unique(self, identity: str) -> str:
        count = self._seen[identity] = self._seen.get(identity, 0) + 1
        return identity if count == 1 else f"{identity}-{count}"

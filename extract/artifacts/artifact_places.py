"""Where a paper speaks of what it uses: sentences to search, and the links that stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from claimdex.claim import ArtifactKind, Availability, Evidence
from claimdex.extract.sentences import sentences
from claimdex.paper import Paper, Passage, PassageKind, SectionKind

_PROSE = frozenset(
    (
        PassageKind.PARAGRAPH,
        PassageKind.ABSTRACT,
        PassageKind.CAPTION,
        PassageKind.LIST_ITEM,
        PassageKind.FOOTNOTE,
        PassageKind.TABLE,
    )
)
_CLOSED = frozenset((SectionKind.REFERENCES, SectionKind.ACKNOWLEDGEMENTS))
_THANKS = re.compile(
    r"\b(?:we|authors?) (?:would like to |also |sincerely |gratefully )?(?:thank|acknowledge)|"
    r"\b(?:supported|funded) (?:in part )?by\b|\bgrants?\b (?:no|from|number)|\bfellowship\b",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARK_AND_URL = re.compile(r"(?:^|(?<=\s))[†‡*]?\s?(\d{1,2})\.?\s?(?=(?:https?://|www\.))")
_LONGEST_QUOTE = 300
_LONGEST_SENTENCE = 2_000  # longer ones are no prose, and patterns take their time over them


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence (or a row of a table): characters ``start:end`` of a passage."""

    passage: Passage
    section: SectionKind
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words of the sentence."""
        return self.passage.text[self.start : self.end]

    @property
    def page(self) -> int:
        """Page on which the sentence begins."""
        return self.passage.page_of(self.start)

    def around(self, start: int, end: int) -> Place:
        """The same place cut to at most 300 characters around characters ``start:end`` of the passage."""
        if self.end - self.start <= _LONGEST_QUOTE:
            return self
        text = self.passage.text
        low = max(self.start, (start + end) // 2 - _LONGEST_QUOTE // 2)
        high = min(self.end, low + _LONGEST_QUOTE)
        first, last = text.find(" ", low, start), text.rfind(" ", end, high)
        if low > self.start and first >= 0:
            low = first + 1
        if high < self.end and last >= 0:
            high = last
        return Place(self.passage, self.section, low, high)

    def evidence(self) -> Evidence:
        """The place as evidence, with its boxes on the page."""
        return Evidence(
            quote=self.text,
            passage_id=self.passage.id,
            start=self.start,
            end=self.end,
            page=self.page,
            boxes=self.passage.boxes(self.start, self.end),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """An artifact as one sentence names it."""

    kind: ArtifactKind
    name: str
    place: Place
    availability: Availability = Availability.UNSPECIFIED
    url: str | None = None


def places(paper: Paper) -> list[Place]:
    """Sentences and table rows in which a paper can name its artifacts, in reading order.

    Visible text only; references, acknowledgements, proofs and headings are left out.
    """
    kinds = _section_kinds(paper)
    found = []
    for passage in paper.visible_passages():
        kind = kinds.get(passage.section or "", SectionKind.OTHER)
        if passage.kind in _PROSE and kind not in _CLOSED:
            found += [p for p in _parts(passage, kind) if not _THANKS.search(p.text)]
    return found


def _parts(passage: Passage, section: SectionKind) -> Iterator[Place]:
    if passage.kind is not PassageKind.TABLE:
        for sentence in sentences(passage.text):
            yield Place(
                passage, section, sentence.start, min(sentence.end, sentence.start + _LONGEST_SENTENCE)
            )
        return
    at = 0
    for row in passage.text.split("\n"):
        if row.strip():
            yield Place(passage, section, at, at + min(len(row), _LONGEST_SENTENCE))
        at += len(row) + 1


def _section_kinds(paper: Paper) -> dict[str, SectionKind]:
    """Kind of each section; whatever lies under references or acknowledgements is of that kind."""
    own = {s.id: s for s in paper.sections}
    kinds = {}
    for section in paper.sections:
        kind, above = section.kind, own.get(section.parent or "")
        while above is not None:
            kind = above.kind if above.kind in _CLOSED else kind
            above = own.get(above.parent or "")
        kinds[section.id] = kind
    return kinds


class Links:
    """The web addresses of a paper, by the sentence they stand in or the footnote it refers to."""

    def __init__(self, paper: Paper) -> None:
        self._links = paper.links
        self._notes: dict[tuple[int, str], str] = {}
        for link in paper.links:
            mark = re.match(r"\s*([\d⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})\.?\s?(?:https?:|www\.)", link.text)
            if mark:
                self._notes.setdefault((link.page, mark[1].translate(_SUPERSCRIPTS)), link.url)
        for passage in paper.visible_passages():
            if passage.kind is PassageKind.FOOTNOTE:
                for match in _MARK_AND_URL.finditer(passage.text):
                    url = self._at(passage.text[match.end() :], passage.page)
                    if url:
                        self._notes.setdefault((passage.page, match[1]), url)

    def within(self, place: Place) -> tuple[str, ...]:
        """Addresses printed in the sentence, covered by an annotation on it, or in its footnotes."""
        urls = [link.url for link in self._links if self._touches(place, link.page, link.box, link.text)]
        squeezed = re.sub(r"\s+", "", place.text).casefold()
        urls += [link.url for link in self._links if _bare(link.url) in squeezed]
        urls += [self._notes[key] for key in self._marks(place) if key in self._notes]
        return tuple(dict.fromkeys(urls))

    def noted(self, place: Place, name: str) -> str | None:
        """Address in the footnote whose mark stands right behind ``name``, or in brackets there."""
        at = place.text.find(name)
        tail = place.text[at + len(name) :] if at >= 0 else ""
        mark = re.match(r"\s?([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})", tail)
        if mark:
            return self._notes.get((place.page, mark[1].translate(_SUPERSCRIPTS)))
        bracket = re.match(r"\s?\((?=https?://|www\.)", tail)
        return self._at(tail[bracket.end() :], place.page) if bracket else None

    def _marks(self, place: Place) -> list[tuple[int, str]]:
        found = re.findall(r"(?<=[\w.,)])\s?([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})(?!\w)", place.text)
        after = place.passage.text[place.end : place.end + 2]
        found += re.findall(r"^[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}", after)
        return [(place.page, mark.translate(_SUPERSCRIPTS)) for mark in found]

    def _at(self, text: str, page: int) -> str | None:
        """The known address with which ``text`` begins."""
        squeezed = re.sub(r"\s+", "", text[:300]).casefold()
        squeezed = re.sub(r"^(?:https?://)?(?:www\.)?", "", squeezed)
        known = [k.url for k in self._links if k.page == page and squeezed.startswith(_bare(k.url))]
        return max(known, key=len, default=None)

    @staticmethod
    def _touches(place: Place, page: int, box: tuple[float, float, float, float] | None, text: str) -> bool:
        if box is None or not text.strip() or re.fullmatch(r"[\[(]?\d+[\])]?", text.strip()):
            return False
        x0, y0, x1, y1 = box
        for line in place.passage.boxes(place.start, place.end):
            u0, v0, u1, v1 = line.box
            wide = min(x1, u1) - max(x0, u0)
            high = min(y1, v1) - max(y0, v0)
            if line.page == page and wide > 0.5 * (x1 - x0) and high > 0.5 * min(y1 - y0, v1 - v0):
                return True
        return False


def _bare(url: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", url.casefold()).rstrip("/.")

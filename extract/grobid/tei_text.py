"""Text of TEI elements, cleaned, with each stretch tied to its boxes on the page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from claimdex.extract.grobid.page_frames import Frames, boxes_of
from claimdex.paper import PageBox, Span

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
_SPACE = re.compile(r"\s+")
_APART = {"s", "label", "item", "lb"}


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters that point at something: the ``xml:id`` of a float, note or entry, or a URL."""

    start: int
    end: int
    target: str

    def moved(self, by: int) -> Mention:
        """The same mention further on in a text."""
        return Mention(self.start + by, self.end + by, self.target)


@dataclass(frozen=True, slots=True)
class Run:
    """Clean text with its places, and what it points at."""

    text: str = ""
    spans: tuple[Span, ...] = ()
    mentions: tuple[Mention, ...] = ()

    def cut(self, start: int, end: int | None = None) -> Run:
        """The characters ``start:end`` as a run of their own, without outer spaces."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip())
        piece = piece.strip()
        return Run(
            piece,
            tuple(_shifted(s, start, len(piece)) for s in self.spans if _overlaps(s, start, len(piece))),
            tuple(m.moved(-start) for m in self.mentions if start <= m.start < m.end <= start + len(piece)),
        )


def joined(runs: Iterable[Run], separator: str = " ") -> Run:
    """Runs one after another."""
    text = ""
    spans: list[Span] = []
    mentions: list[Mention] = []
    for run in runs:
        if not run.text:
            continue
        text += separator if text else ""
        at = len(text)
        spans += [s.model_copy(update={"start": s.start + at, "end": s.end + at}) for s in run.spans]
        mentions += [mention.moved(at) for mention in run.mentions]
        text += run.text
    return Run(text, tuple(spans), tuple(mentions))


def fold(text: str) -> str:
    """Composed accents, ligatures taken apart; soft hyphens and control characters dropped."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", text.translate(_LIGATURES))
    return "".join(
        c for c in text if c in "\t\n\r" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn")
    )


class TextReader:
    """Reads the text of elements of one document."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames

    def run(self, element: Element | None) -> Run:
        """Text of an element and all it holds, white space collapsed.

        Boxes come from the finest ``coords`` that cover a stretch: sentences before paragraphs.
        """
        if element is None:
            return Run()
        draft = _Draft()
        self._walk(element, draft, covered=False)
        text = "".join(draft.pieces).rstrip()
        spans: list[Span] = []
        for start, end, coords in sorted(draft.places):
            spans += spread(text, start, min(end, len(text)), self.boxes(coords))
        return Run(text, tuple(spans), tuple(m for m in draft.mentions if m.start < m.end <= len(text)))

    def placed(self, text: str, coords: str | None) -> Run:
        """A text that stands in the boxes of ``coords``."""
        return Run(text, tuple(spread(text, 0, len(text), self.boxes(coords))))

    def boxes(self, coords: str | None) -> list[PageBox]:
        """Boxes of a ``coords`` attribute on this document's pages."""
        return boxes_of(coords, self._frames)

    def _walk(self, element: Element, draft: _Draft, *, covered: bool) -> None:
        coords = None if covered else element.get("coords")
        if coords and any(s.get("coords") for s in element.iter("s") if s is not element):
            coords = None
        if element.tag in _APART:
            draft.add(" ")
        start = draft.length
        draft.add(element.text or "")
        for child in element:
            self._walk(child, draft, covered=covered or bool(coords))
            draft.add(child.tail or "")
        if element.tag == "ref" and element.get("target"):
            target = element.get("target", "").removeprefix("#")
            draft.mentions.append(Mention(start, draft.length, target))
        if coords:
            draft.places.append((start, draft.length, coords))


@dataclass(slots=True)
class _Draft:
    """Text while it is put together."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    places: list[tuple[int, int, str]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def add(self, piece: str) -> None:
        piece = _SPACE.sub(" ", fold(piece))
        if not self.pieces or self.pieces[-1].endswith(" "):
            piece = piece.lstrip()
        if piece:
            self.pieces.append(piece)
            self.length += len(piece)


def spread(text: str, start: int, end: int, boxes: Sequence[PageBox]) -> list[Span]:
    """Spans that share the characters ``start:end`` among the boxes, whole words by width.

    GROBID gives one box a line but not where the lines break, so the breaks are estimated.
    """
    if not boxes or start >= end:
        return []
    widths = [box.box[2] - box.box[0] for box in boxes]
    total, reached = sum(widths), 0.0
    cuts = [start]
    for width in widths[:-1]:
        reached += width
        cuts.append(
            max(cuts[-1], _word_start(text, start + round((end - start) * reached / total), start, end))
        )
    cuts.append(end)
    return [
        Span(start=a, end=b, page=box.page, box=box.box)
        for a, b, box in zip(cuts, cuts[1:], boxes, strict=False)
        if a < b
    ]


def _word_start(text: str, at: int, start: int, end: int) -> int:
    """The start of a word that is nearest to ``at``."""
    before = text.rfind(" ", start, at) + 1
    after = text.find(" ", at, end) + 1
    near = [i for i in (before, after) if start < i < end]
    return min(near, key=lambda i: abs(i - at), default=at)


def _overlaps(span: Span, start: int, length: int) -> bool:
    return span.start < start + length and span.end > start


def _shifted(span: Span, start: int, length: int) -> Span:
    update = {"start": max(span.start - start, 0), "end": min(span.end - start, length)}
    return span.model_copy(update=update)

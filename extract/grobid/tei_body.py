"""The text of a TEI document to drafts of passages, in sections, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from claimdex.extract.grobid.tei_blocks import Part, blocks
from claimdex.extract.grobid.tei_heads import Head, HeadRole, RawHead, read_heads
from claimdex.extract.grobid.tei_tables import TeiFloat, read_float
from claimdex.extract.grobid.tei_text import Run, TextReader, joined
from claimdex.extract.pdf.headings import section_kind
from claimdex.paper import Cell, PassageKind, SectionKind

_AREAS = {
    "acknowledgement": ("Acknowledgements", SectionKind.ACKNOWLEDGEMENTS),
    "funding": ("Funding", SectionKind.ACKNOWLEDGEMENTS),
    "availability": ("Availability", SectionKind.OTHER),
    "annex": ("Appendix", SectionKind.APPENDIX),
}
_KEEP = (SectionKind.REFERENCES, SectionKind.ACKNOWLEDGEMENTS)


@dataclass(slots=True)
class SectionDraft:
    """A section before it has an id; ``parent`` is the place of its parent in the list."""

    number: str
    title: str
    level: int
    kind: SectionKind
    page: int
    parent: int | None = None


@dataclass(slots=True)
class Draft:
    """A passage before it has an id; ``section`` is the place of its section in the list."""

    kind: PassageKind
    run: Run
    section: int | None = None
    label: str | None = None
    name: str | None = None
    cells: tuple[Cell, ...] = ()


@dataclass(slots=True)
class _Item:
    """An element of the text, and the part of the back matter it stands in ("annex")."""

    element: Element
    area: str


@dataclass(slots=True)
class Body:
    """What the text of a document holds, floats and footnotes apart."""

    sections: list[SectionDraft] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    floats: list[TeiFloat] = field(default_factory=list)
    notes: list[tuple[str, Run]] = field(default_factory=list)


def read_body(tei: Element, reader: TextReader) -> Body:
    """Sections and passages of ``text/body`` and ``text/back``, the bibliography left out."""
    items = [
        item
        for place in ("text/body", "text/back")
        for part in tei.iterfind(place)
        for item in _flat(part, "")
    ]
    heads = [item.element for item in items if item.element.tag == "head"]
    raws = [RawHead(reader.run(h).text, h.get("n", ""), h.get("level", "")) for h in heads]
    found = iter(read_heads(raws))
    walk = _Walk(reader)
    for item in items:
        if item.element.tag == "head":
            walk.head(item, next(found))
        else:
            walk.content(item)
    walk.flush()
    return walk.body


def _flat(element: Element, area: str) -> Iterator[_Item]:
    """Everything in document order, without the nesting of ``div``, which says nothing."""
    yield from _stray(element.text, area)
    for child in element:
        if child.tag == "div" and child.get("type") != "references":
            yield from _flat(child, child.get("type") or area)
        elif child.tag == "list":
            yield from (_Item(entry, area) for entry in child.iter("item"))
        elif child.tag not in ("div", "listBibl", "label"):
            yield _Item(child, area)
        yield from _stray(child.tail, area)


def _stray(text: str | None, area: str) -> Iterator[_Item]:
    """Text that stands between the elements."""
    if text and text.strip():
        element = Element("p")
        element.text = text
        yield _Item(element, area)


class _Walk:
    """Goes through the items of a text and collects what it finds."""

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader
        self._parts: list[Part] = []
        self._before = Run()
        self._section: int | None = None
        self._area = ""
        self._appendix = False
        self._page = 1
        self.body = Body()

    def head(self, item: _Item, heads: Sequence[Head]) -> None:
        """A head of GROBID's, as it was understood."""
        element = item.element
        run = joined([Run(element.get("n", "").strip()), self._reader.run(element)])
        self._see(run)
        for head in heads:
            if head.role is HeadRole.SECTION:
                self.flush()
                self._area = item.area
                self._open(head.number, head.title, head.level, item.area)
        role = heads[0].role
        if role is HeadRole.RUN_IN:
            self._before = joined([self._before, run])
        elif role is not HeadRole.FURNITURE:
            self.flush()
            self._add(Draft(PassageKind.HEADING, run))

    def content(self, item: _Item) -> None:
        """Any other element: text, formula, figure, note."""
        element = item.element
        if element.tag == "figure":
            self.body.floats.append(read_float(element, self._reader))
            return
        run = self._reader.run(element)
        if not run.text:
            return
        if element.tag == "note":
            self.body.notes.append((element.get("id", ""), run))
            return
        if item.area != self._area:
            self._enter(item.area)
        self._see(run)
        tag = element.tag if element.tag in ("formula", "item") else "p"
        if tag != "p" and self._before.text:
            self._parts.append(Part("p", self._before))
            self._before = Run()
        self._parts.append(Part(tag, joined([self._before, run])))
        self._before = Run()

    def flush(self) -> None:
        """Close the current run of text."""
        if self._before.text:
            self._parts.append(Part("p", self._before))
            self._before = Run()
        for block in blocks(self._parts):
            self._add(Draft(block.kind, block.run, label=block.label, name=block.name))
        self._parts = []

    def _enter(self, area: str) -> None:
        """A part of the back matter that opens without a head gets a section all the same."""
        self.flush()
        self._area = area
        if area in _AREAS:
            self._open("", _AREAS[area][0], 1, area)

    def _open(self, number: str, title: str, level: int, area: str) -> None:
        parent = self._parent(number, level)
        kind = section_kind(title)
        lettered = level == 1 and number[:1].isalpha() and not set(number) <= set("IVX")
        self._appendix = self._appendix or lettered or kind is SectionKind.APPENDIX
        if self._appendix and level == 1 and not number[:1].isdigit() and kind not in _KEEP:
            kind = SectionKind.APPENDIX
        if kind is SectionKind.OTHER and area in _AREAS and not number[:1].isdigit():
            kind = _AREAS[area][1]
        if kind is SectionKind.OTHER and parent is not None:
            kind = self.body.sections[parent].kind
        self._section = len(self.body.sections)
        self.body.sections.append(SectionDraft(number, title, level, kind, self._page, parent))

    def _parent(self, number: str, level: int) -> int | None:
        """The section that the number names, for GROBID may have moved it; else the last one above."""
        above = number.rpartition(".")[0]
        before = range(len(self.body.sections) - 1, -1, -1)
        named = (i for i in before if above and self.body.sections[i].number == above)
        higher = (i for i in before if self.body.sections[i].level < level)
        return next(named, None) if above and re.match(r"[\dS]", above) else next(higher, None)

    def _add(self, draft: Draft) -> None:
        if draft.run.text:
            draft.section = self._section
            self.body.drafts.append(draft)

    def _see(self, run: Run) -> None:
        if run.spans:
            self._page = run.spans[0].page

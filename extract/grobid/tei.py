"""A TEI document, as GROBID writes it, to the parts of a ``Paper``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from claimdex.errors import NoText
from claimdex.extract.grobid.page_frames import Frames
from claimdex.extract.grobid.tei_body import Draft, SectionDraft, read_body
from claimdex.extract.grobid.tei_floats import unread_tables, with_floats
from claimdex.extract.grobid.tei_references import TeiReference, person, read_references
from claimdex.extract.grobid.tei_text import Run, TextReader
from claimdex.extract.pdf.identity import Identities
from claimdex.extract.pdf.links import text_links
from claimdex.paper import Link, ParseWarning, Passage, PassageKind, Reference, Section, SectionKind
from claimdex.settings import Limits

_LEAST_LETTERS = 50
_MAX_TITLE = 1000
_MAX_AUTHORS = 5000
_PROSE = {
    PassageKind.PARAGRAPH,
    PassageKind.THEOREM,
    PassageKind.PROOF,
    PassageKind.LIST_ITEM,
    PassageKind.EQUATION,
    PassageKind.TABLE,
}
_SCHEMES = ("http://", "https://", "ftp://")


@dataclass(slots=True)
class TeiPaper:
    """What a TEI document says of a paper. ``version`` is that of the GROBID which wrote it."""

    version: str
    title: str
    authors: tuple[str, ...]
    abstract: str = ""
    sections: list[Section] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    warnings: list[ParseWarning] = field(default_factory=list)


def read_tei(tei: Element, frames: Frames, limits: Limits) -> TeiPaper:
    """The paper in a TEI tree (see ``load_tei``), its coordinates placed on the pages of ``frames``.

    Raises:
        NoText: the document holds no text worth the name.
    """
    reader = TextReader(frames)
    body = read_body(tei, reader)
    title = _title(tei, reader)
    abstract = [run for run in map(reader.run, _abstract(tei)) if run.text]
    entries = read_references(tei, reader)
    assembly = _Assembly(limits)
    shift = assembly.front(title, abstract)
    assembly.body(body.sections, with_floats(body), shift)
    letters = sum(c.isalpha() for p in assembly.passages for c in p.text)
    if letters < _LEAST_LETTERS or not any(p.kind in _PROSE for p in assembly.passages):
        raise NoText(
            f"GROBID found no text ({letters} letters)",
            hint="run OCR first, for example: ocrmypdf in.pdf out.pdf",
        )
    assembly.bibliography(entries)
    paper = TeiPaper(
        version=_version(tei),
        title=title.text,
        authors=_authors(tei),
        abstract=" ".join(run.text for run in abstract),
        sections=assembly.sections,
        passages=assembly.passages,
        references=assembly.references,
        links=_links(assembly, entries),
    )
    paper.warnings = [*assembly.warnings, *_warnings(paper), *_unread(unread_tables(body))]
    return paper


class _Assembly:
    """Gives sections and passages their ids and keeps to the limits."""

    def __init__(self, limits: Limits) -> None:
        self._left = limits.paper_chars
        self._ids = Identities()
        self._page = 1
        self.sections: list[Section] = []
        self.passages: list[Passage] = []
        self.references: list[Reference] = []
        self.mentions: list[tuple[Passage, Run]] = []
        self.warnings: list[ParseWarning] = []

    def front(self, title: Run, abstract: Sequence[Run]) -> int:
        """Title and abstract; the number of sections they made."""
        self._add(Draft(PassageKind.TITLE, title))
        if abstract:
            self._open(SectionDraft("", "Abstract", 1, SectionKind.ABSTRACT, 1), 0)
            for run in abstract:
                self._add(Draft(PassageKind.ABSTRACT, run, section=0))
        return len(self.sections)

    def body(self, sections: Iterable[SectionDraft], drafts: Iterable[Draft], shift: int) -> None:
        """The sections and passages of the text, after ``shift`` sections that are there already."""
        for section in sections:
            self._open(section, shift)
        for draft in drafts:
            draft.section = None if draft.section is None else draft.section + shift
            self._add(draft)

    def bibliography(self, entries: Sequence[TeiReference]) -> None:
        """The references, in a section of their own."""
        if not entries:
            return
        page = entries[0].run.spans[0].page if entries[0].run.spans else self._page
        self._open(SectionDraft("", "References", 1, SectionKind.REFERENCES, page), 0)
        for entry in entries:
            passage = self._add(Draft(PassageKind.REFERENCE, entry.run, section=len(self.sections) - 1))
            if passage is not None:
                self.references.append(
                    Reference(
                        id=passage.id,
                        label=entry.label,
                        text=passage.text,
                        page=self._page,
                        doi=entry.doi,
                        arxiv=entry.arxiv,
                    )
                )

    def _open(self, draft: SectionDraft, shift: int) -> None:
        title = draft.title[:_MAX_TITLE]
        self.sections.append(
            Section(
                id=self._ids.section(draft.number, title),
                number=draft.number,
                title=title,
                level=draft.level,
                kind=draft.kind,
                page=draft.page,
                parent=None if draft.parent is None else self.sections[draft.parent + shift].id,
            )
        )

    def _add(self, draft: Draft) -> Passage | None:
        run = draft.run
        if not run.text or self._left <= 0:
            return None
        if len(run.text) > self._left:
            message = "the paper has more text than the limit"
            self.warnings.append(ParseWarning(code="truncated", message=message))
            self._left = 0
            return None
        self._left -= len(run.text)
        self._page = run.spans[0].page if run.spans else self._page
        passage = Passage(
            id=self._ids.passage(draft.kind, run.text),
            kind=draft.kind,
            text=run.text,
            section=None if draft.section is None else self.sections[draft.section].id,
            label=draft.label,
            name=draft.name,
            spans=run.spans,
            cells=draft.cells,
        )
        self.passages.append(passage)
        self.mentions.append((passage, run))
        return passage


def _version(tei: Element) -> str:
    application = tei.find("teiHeader/encodingDesc/appInfo/application")
    return application.get("version", "unknown")[:40] if application is not None else "unknown"


def _title(tei: Element, reader: TextReader) -> Run:
    places = (
        "teiHeader/fileDesc/titleStmt/title",
        "teiHeader/fileDesc/sourceDesc/biblStruct/analytic/title",
    )
    runs = [reader.run(title) for place in places for title in tei.iterfind(place)]
    named = [run for run in runs if run.text]
    return max(named, key=lambda run: len(run.spans)).cut(0, _MAX_TITLE) if named else Run()


def _authors(tei: Element) -> tuple[str, ...]:
    names = tei.iterfind("teiHeader/fileDesc/sourceDesc/biblStruct/analytic/author/persName")
    found = dict.fromkeys(name for name in map(person, names) if name)
    return tuple(found)[:_MAX_AUTHORS]


def _abstract(tei: Element) -> list[Element]:
    """The paragraphs of the abstract, or the whole of it where it has none."""
    abstract = tei.find("teiHeader/profileDesc/abstract")
    if abstract is None:
        return []
    return list(abstract.iter("p")) or [abstract]


def _links(assembly: _Assembly, entries: Sequence[TeiReference]) -> list[Link]:
    """URLs that GROBID marked, then those that stand in the text as such."""
    known = []
    for passage, run in assembly.mentions:
        for mention in run.mentions:
            if mention.target.lower().startswith(_SCHEMES):
                boxes = passage.boxes(mention.start, mention.end)
                known.append(
                    Link(
                        url=mention.target,
                        page=passage.page_of(mention.start),
                        box=boxes[0].box if boxes else None,
                        text=run.text[mention.start : mention.end],
                    )
                )
    for entry, reference in zip(entries, assembly.references, strict=False):
        known += [
            Link(url=url, page=reference.page, text=url, source="text")
            for url in entry.urls
            if url.lower().startswith(_SCHEMES)
        ]
    return [*known, *text_links(assembly.passages, known)]


def _warnings(paper: TeiPaper) -> list[ParseWarning]:
    unseen = "GROBID does not tell hidden text from visible text"
    found = [ParseWarning(code="hidden_text_unchecked", message=unseen)]
    if not any(passage.spans for passage in paper.passages):
        found.append(ParseWarning(code="no_boxes", message="GROBID gave no coordinates"))
    if not paper.abstract:
        found.append(ParseWarning(code="no_abstract", message="no abstract found"))
    return found


def _unread(tables: Sequence[tuple[str, int | None]]) -> list[ParseWarning]:
    return [
        ParseWarning(code="table_unread", message=f"{label}: rows and columns not recovered", page=page)
        for label, page in tables
    ]

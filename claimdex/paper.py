"""What a parsed paper is: sections, passages and the boxes their words stand in.

Coordinates are PDF points (1/72 inch) in the page's own space: origin at the bottom left,
``(x0, y0, x1, y1)`` with ``x0 <= x1`` and ``y0 <= y1``. Pages count from 1. Character offsets are
half-open and count Python characters of the passage's ``text``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION: Literal["1"] = "1"

Rect = tuple[float, float, float, float]


class Record(BaseModel):
    """Base of everything written to disk: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PassageKind(StrEnum):
    """What a passage is in the paper's structure."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    TITLE = "title"
    ABSTRACT = "abstract"
    THEOREM = "theorem"
    PROOF = "proof"
    TABLE = "table"
    FIGURE = "figure"
    CAPTION = "caption"
    EQUATION = "equation"
    LIST_ITEM = "list_item"
    FOOTNOTE = "footnote"
    ALGORITHM = "algorithm"
    REFERENCE = "reference"


class SectionKind(StrEnum):
    """What a section is for, told from its title and place."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    RELATED_WORK = "related_work"
    METHOD = "method"
    THEORY = "theory"
    EXPERIMENTS = "experiments"
    CONCLUSION = "conclusion"
    LIMITATIONS = "limitations"
    ACKNOWLEDGEMENTS = "acknowledgements"
    REFERENCES = "references"
    APPENDIX = "appendix"
    OTHER = "other"


class PageBox(Record):
    """A rectangle on one page."""

    page: int = Field(ge=1)
    box: Rect


class Span(Record):
    """Characters ``start:end`` of a passage, as they stand on one line of one page.

    ``edges`` holds the left edge of each character and, last, the right edge of the last one
    (``end - start + 1`` values, in points), so that any part of the span maps to a box.
    Empty when the source gives only the box (GROBID); parts then map to the whole box.
    """

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    page: int = Field(ge=1)
    box: Rect
    edges: tuple[float, ...] = ()

    def part(self, start: int, end: int) -> PageBox:
        """Box of the characters ``start:end`` (passage offsets) that lie in this span."""
        x0, y0, x1, y1 = self.box
        lo, hi = max(start, self.start) - self.start, min(end, self.end) - self.start
        if self.edges:
            within = self.edges[lo : hi + 1]
            x0, x1 = min(within), max(within)
        return PageBox(page=self.page, box=(x0, y0, x1, y1))


class Cell(Record):
    """One cell of a table passage. ``row`` and ``column`` count from 0, header rows included.

    ``row_header`` and ``column_header`` name what the cell's value is about; grouped headers are
    joined with " / ". ``start:end`` is the cell's place in the passage's text.
    """

    row: int = Field(ge=0)
    column: int = Field(ge=0)
    text: str
    header: bool = False
    row_header: str = ""
    column_header: str = ""
    bold: bool = False
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Passage(Record):
    """A run of text with one role: a paragraph, a theorem, a table, a caption ...

    ``label`` is the printed name ("Theorem 3.2", "Table 1"); ``name`` the theorem's own name, if
    it has one. ``visible`` is false for text a reader of the rendered page cannot see.
    """

    id: str
    kind: PassageKind
    text: str
    section: str | None = None
    label: str | None = None
    name: str | None = None
    spans: tuple[Span, ...] = ()
    cells: tuple[Cell, ...] = ()
    visible: bool = True

    @property
    def page(self) -> int:
        """Page on which the passage begins (1 if it has no place)."""
        return self.spans[0].page if self.spans else 1

    def boxes(self, start: int, end: int) -> tuple[PageBox, ...]:
        """Boxes on the page of characters ``start:end``, one a line."""
        return tuple(s.part(start, end) for s in self.spans if s.start < end and s.end > start)

    def page_of(self, start: int) -> int:
        """Page on which character ``start`` stands."""
        for span in self.spans:
            if span.end > start:
                return span.page
        return self.page


class Section(Record):
    """A node of the section tree. ``level`` 1 is a top-level section; ``parent`` is a section id."""

    id: str
    number: str = ""
    title: str
    level: int = Field(ge=1)
    kind: SectionKind = SectionKind.OTHER
    page: int = Field(ge=1)
    parent: str | None = None


class Reference(Record):
    """An entry of the bibliography. ``label`` is the printed mark ("12"), if there is one."""

    id: str
    label: str = ""
    text: str
    page: int = Field(ge=1)
    doi: str | None = None
    arxiv: str | None = None


class Link(Record):
    """A URL of the paper and where it stands. ``text`` is what the reader sees there."""

    url: str
    page: int = Field(ge=1)
    box: Rect | None = None
    text: str = ""
    source: Literal["annotation", "text"] = "annotation"


class ParserInfo(Record):
    """Which parser read the paper."""

    name: str
    version: str


class ParseWarning(Record):
    """Something the parser saw that a reader should know. ``code`` is stable, for machines."""

    code: str
    message: str
    page: int | None = None


class Source(Record):
    """The very file the paper was read from."""

    sha256: str
    version: str | None = None
    url: str | None = None
    pages: int = Field(default=0, ge=0)


class PaperRef(Record):
    """What is known of a paper before it is parsed: ids and metadata from a manifest."""

    paper_id: str | None = None
    aliases: tuple[str, ...] = ()
    title: str | None = None
    authors: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    version: str | None = None
    url: str | None = None


class PaperMeta(Record):
    """A paper without its text: what is printed beside its claims and stored in an index."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    paper_id: str
    aliases: tuple[str, ...] = ()
    title: str
    authors: tuple[str, ...] = ()
    abstract: str = ""
    venue: str | None = None
    year: int | None = None
    source: Source
    parser: ParserInfo
    warnings: tuple[ParseWarning, ...] = ()


class Paper(PaperMeta):
    """A parsed paper: metadata, section tree and passages in reading order."""

    sections: tuple[Section, ...] = ()
    passages: tuple[Passage, ...] = ()
    references: tuple[Reference, ...] = ()
    links: tuple[Link, ...] = ()

    def meta(self) -> PaperMeta:
        """The paper without its text."""
        return PaperMeta(**{name: getattr(self, name) for name in PaperMeta.model_fields})

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id.

        Raises:
            KeyError: the paper has no such passage.
        """
        for passage in self.passages:
            if passage.id == passage_id:
                return passage
        raise KeyError(passage_id)

    def section(self, section_id: str | None) -> Section | None:
        """The section with this id, or None."""
        return next((s for s in self.sections if s.id == section_id), None)

    def visible_passages(self) -> tuple[Passage, ...]:
        """The passages that a reader of the rendered page can see."""
        return tuple(p for p in self.passages if p.visible)

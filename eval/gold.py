"""Gold annotations: what a careful reader says the claims of a paper are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from claimdex.claim import ArtifactKind, Availability, ClaimType
from claimdex.eval.json_files import Document, Loc, read_documents
from claimdex.files import write_atomic
from claimdex.paper import SCHEMA_VERSION, Record

Text = Annotated[str, Field(min_length=1)]


class GoldPaperInfo(Record):
    """Which paper was annotated. ``sha256`` of the PDF ties annotations and predictions together."""

    key: Text
    file: str = ""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    title: str = ""
    pages: int = Field(default=0, ge=0, description="pages of the PDF; 0 when not known")
    method_names: tuple[str, ...] = ()


class GoldSection(Record):
    """A heading of the paper, in reading order. ``number`` is null for unnumbered ones."""

    level: int = Field(ge=1)
    number: str | None = None
    title: str
    page: int = Field(ge=1)


class GoldArtifact(Record):
    """Something one needs to test the paper's claims."""

    id: Text
    kind: ArtifactKind
    name: str
    url: str | None = None
    availability: Availability = Availability.UNSPECIFIED
    page: int | None = Field(default=None, ge=1)
    quote: str = ""


class GoldEvidence(Record):
    """Words of the paper that carry the claim, copied from the PDF's text; pages count from 1."""

    page: int = Field(ge=1)
    quote: Text


class GoldClaim(Record):
    """One testable statement. ``details`` is open: annotators may keep more than claims have fields for."""

    id: Text
    text: Text
    type: ClaimType
    core: bool = False
    evidence: tuple[GoldEvidence, ...] = Field(min_length=1)
    details: dict[str, JsonValue] = Field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    needs: tuple[str, ...] = Field(default=(), description="ids of artifacts of this paper")


class GoldPaper(Record):
    """The annotation of one paper: one JSON object, usually one file."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    paper: GoldPaperInfo
    sections: tuple[GoldSection, ...] = ()
    artifacts: tuple[GoldArtifact, ...] = ()
    claims: tuple[GoldClaim, ...] = ()


def load_gold(path: Path | str) -> list[GoldPaper]:
    """The gold of a file (JSON or JSONL) or of a folder, ordered by paper key.

    Raises:
        NotFound: there is no such file or folder.
        BadInput: something does not fit the format; file, line and JSON path are named.
    """
    papers: dict[str, GoldPaper] = {}
    keys: dict[str, Path] = {}
    for document in read_documents(Path(path)):
        paper = document.parse(GoldPaper)
        for loc, message in _faults(paper):
            raise document.fault(loc, message)
        _refuse_twice(document, paper, papers, keys)
        papers[paper.paper.sha256] = paper
        keys[paper.paper.key] = document.path
    return sorted(papers.values(), key=lambda p: p.paper.key)


def _refuse_twice(
    document: Document, paper: GoldPaper, papers: dict[str, GoldPaper], keys: dict[str, Path]
) -> None:
    info = paper.paper
    if info.sha256 in papers:
        other = keys[papers[info.sha256].paper.key]
        raise document.fault(("paper", "sha256"), f"this paper was annotated in {other} already")
    if info.key in keys:
        raise document.fault(("paper", "key"), f"key {info.key!r} is used in {keys[info.key]} already")


def _faults(paper: GoldPaper) -> Iterator[tuple[Loc, str]]:
    """What the types cannot say: ids are unique, artifacts exist, pages lie in the paper."""
    for name, ids in (
        ("artifacts", [a.id for a in paper.artifacts]),
        ("claims", [c.id for c in paper.claims]),
    ):
        twice = {i for i, n in Counter(ids).items() if n > 1}
        for i, item in enumerate(ids):
            if item in twice and item in ids[:i]:
                yield (name, i, "id"), f"id {item!r} is used twice"
    known = {a.id for a in paper.artifacts}
    pages = paper.paper.pages
    for i, claim in enumerate(paper.claims):
        for j, need in enumerate(claim.needs):
            if need not in known:
                yield ("claims", i, "needs", j), f"no artifact has the id {need!r}"
        for j, evidence in enumerate(claim.evidence):
            if pages and evidence.page > pages:
                message = f"page {evidence.page} of a paper of {pages} pages"
                yield ("claims", i, "evidence", j, "page"), message


def gold_schema() -> str:
    """JSON Schema (2020-12) of one gold file, as text that ends in a newline."""
    schema = GoldPaper.model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps({**head, **schema}, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_gold_schema(path: Path) -> None:
    """Write :func:`gold_schema`; the copy in ``data/schema/gold.schema.json`` is made this way."""
    write_atomic(path, gold_schema())

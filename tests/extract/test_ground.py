from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from claimdex.claim import (
    Anchor,
    AnchorKind,
    BenchmarkDetails,
    Claim,
    ClaimSet,
    ClaimType,
    Draft,
    EmpiricalDetails,
    Extraction,
    Rejection,
    TheoremDetails,
    Verdict,
)
from claimdex.extract.eligibility import is_compound
from claimdex.extract.ground import claims_of
from claimdex.paper import Cell, Paper, ParserInfo, Passage, PassageKind, Section, SectionKind, Source
from claimdex.settings import Settings

FAULTS = Path("/work/shared/challenge/known_faults.json")


def table(passage_id: str, text: str, label: str) -> Passage:
    """A table passage with cells from rows of " | "."""
    cells: list[Cell] = []
    at = 0
    rows = text.split("\n")
    head = rows[0].split(" | ")
    for r, row in enumerate(rows):
        offset = at
        parts = row.split(" | ")
        for c, part in enumerate(parts):
            header = r == 0 or c == 0
            cells.append(
                Cell(
                    row=r,
                    column=c,
                    text=part,
                    header=header,
                    row_header="" if r == 0 else parts[0],
                    column_header="" if c == 0 else head[c],
                    start=offset,
                    end=offset + len(part),
                )
            )
            offset += len(part) + 3
        at += len(row) + 1
    return Passage(id=passage_id, kind=PassageKind.TABLE, text=text, label=label, cells=tuple(cells))


def para(text: str, passage_id: str = "p1", **more: Any) -> Passage:
    return Passage(id=passage_id, kind=more.pop("kind", PassageKind.PARAGRAPH), text=text, **more)


def paper_of(*passages: Passage, title: str = "A study of things", sections: tuple[Section, ...] = ()) -> Paper:
    return Paper(
        paper_id="openreview:NJes6aeTem",
        title=title,
        source=Source(sha256="0" * 64),
        parser=ParserInfo(name="test", version="1"),
        passages=passages,
        sections=sections,
    )


def draft_of(text: str, passage: Passage, kind: ClaimType = ClaimType.EMPIRICAL, **more: Any) -> Draft:
    details: Any = {
        ClaimType.THEOREM: TheoremDetails(),
        ClaimType.BENCHMARK: BenchmarkDetails(),
        ClaimType.EMPIRICAL: EmpiricalDetails(),
    }[kind]
    spans = more.pop("spans", ((passage.id, 0, len(passage.text)),))
    return Draft(text=text, type=kind, details=details, spans=spans, **more)


def run(paper: Paper, *drafts: Draft, settings: Settings | None = None) -> ClaimSet:
    extraction = Extraction(drafts=drafts, extractor="test", version="1")
    return claims_of(paper, extraction, settings or Settings(), "2026-01-01T00:00:00Z", "run")


def one(paper: Paper, draft: Draft) -> Claim | Rejection:
    result = run(paper, draft)
    assert len(result.claims) + len(result.rejected) == 1
    return result.claims[0] if result.claims else result.rejected[0]


def outcome(paper: Paper, draft: Draft) -> str:
    found = one(paper, draft)
    if isinstance(found, Claim):
        return found.grounding.verdict.value
    return "unsupported" if found.reason.startswith("unsupported") else "rejected"


def fault_cases() -> list[Any]:
    if not FAULTS.exists():
        return [pytest.param({}, id="absent", marks=pytest.mark.skip(reason="fault list not here"))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(FAULTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", fault_cases())
def test_every_known_fault_is_caught(case: dict[str, Any]) -> None:
    passages = []
    for p in case["passages"]:
        if p["kind"] == "table":
            passages.append(table(p["id"], p["text"], p["label"]))
        else:
            passages.append(para(p["text"], p["id"], kind=PassageKind(p["kind"]), label=p.get("label")))
    paper = paper_of(*passages)
    if case["expected"].startswith("split into"):
        assert is_compound(case["claim"]) == int(re.findall(r"\d+", case["expected"])[0])
        return
    sources = [p for p in passages if p.kind is not PassageKind.HEADING]
    for passage in sources:
        kind = ClaimType.THEOREM if passage.kind is PassageKind.THEOREM else ClaimType.EMPIRICAL
        assert outcome(paper, draft_of(case["claim"], passage, kind)) == case["expected"]

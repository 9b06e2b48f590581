"""Predictions load from claimdex's own output and from anybody's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimdex.claim import (
    Anchor,
    AnchorKind,
    Claim,
    ClaimSet,
    ClaimType,
    Evidence,
    Grounding,
    Provenance,
    TheoremDetails,
    Verdict,
)
from claimdex.errors import BadInput
from claimdex.eval.predictions import load_predictions
from claimdex.paper import PaperMeta, ParserInfo, Source
from claimdex.text import sha256

SHA = "ab" * 32


def claim_set() -> ClaimSet:
    source = Source(sha256=SHA, pages=9)
    text = "CalGD has sublinear regret."
    anchor = Anchor(kind=AnchorKind.THEOREM, label="Theorem 3.1")
    evidence = Evidence(quote="has sublinear regret", passage_id="p1", start=0, end=20, page=2, anchor=anchor)
    claim = Claim(
        claim_id="c" + "0" * 15,
        paper_id=f"sha256:{SHA}",
        source=source,
        text=text,
        text_sha256=sha256(text),
        type=ClaimType.THEOREM,
        rank=1,
        details=TheoremDetails(),
        evidence=(evidence,),
        grounding=Grounding(verdict=Verdict.VERIFIED),
        provenance=Provenance(extractor="rules", version="1"),
    )
    parser = ParserInfo(name="pdf", version="1")
    meta = PaperMeta(paper_id=f"sha256:{SHA}", title="Calendars", source=source, parser=parser)
    return ClaimSet(paper=meta, claims=(claim,))


def written(folder: Path, text: str, name: str = "p.json") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_what_extract_prints_is_read_with_rank_verdict_and_labels(tmp_path: Path) -> None:
    found = load_predictions(written(tmp_path, claim_set().model_dump_json(indent=2)))
    (claim,) = found[SHA].claims
    assert (claim.id, claim.rank, claim.labels) == ("c" + "0" * 15, 1, ("Theorem 3.1",))
    assert claim.grounding is not None
    assert claim.grounding.verdict == "verified"


def test_one_object_a_line_and_a_folder_read_alike(tmp_path: Path) -> None:
    lines = [json.dumps({"paper": {"sha256": s * 32}, "claims": []}) for s in ("ab", "cd")]
    for i, line in enumerate(lines):
        (tmp_path / "folder").mkdir(exist_ok=True)
        written(tmp_path / "folder", line, f"{i}.json")
    as_lines = load_predictions(written(tmp_path, "\n".join(lines), "p.jsonl"))
    as_list = load_predictions(written(tmp_path, f"[{','.join(lines)}]"))
    assert as_lines == as_list == load_predictions(tmp_path / "folder")
    assert list(as_lines) == ["ab" * 32, "cd" * 32]


def test_a_foreign_file_needs_little_and_may_hold_more(tmp_path: Path) -> None:
    claim = {"text": "Kea wins.", "id": 7, "confidence": 0.4, "details": None, "evidence": [{"page": 1}]}
    paper = {"paper": {"sha256": SHA, "doi": "10.5072/x"}, "claims": [claim], "tool": "other"}
    (read,) = load_predictions(written(tmp_path, json.dumps(paper)))[SHA].claims
    assert (read.id, read.type, read.details, read.evidence[0].quote) == ("7", "", {}, "")


@pytest.mark.parametrize(
    ("paper", "says"),
    [
        ({"claims": []}, r"p\.json:1: paper: Field required"),
        ({"paper": {}, "claims": []}, r"paper\.sha256: Field required"),
        ({"paper": {"source": {"sha256": "12"}}}, r"paper\.(source\.)?sha256: String should match"),
        ({"paper": {"sha256": SHA}, "claims": [{"type": "x"}]}, r"claims\[0\]\.text: Field required"),
        ({"paper": {"sha256": SHA}, "claims": [{"text": "x", "evidence": "q"}]}, r"claims\[0\]\.evidence"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path: Path, paper: object, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        load_predictions(written(tmp_path, json.dumps(paper)))


def test_two_predictions_of_one_paper_are_refused(tmp_path: Path) -> None:
    line = json.dumps({"paper": {"sha256": SHA}, "claims": []})
    with pytest.raises(BadInput, match=r"p\.jsonl:2: paper: predictions for abab.* stand twice"):
        load_predictions(written(tmp_path, f"{line}\n{line}\n", "p.jsonl"))

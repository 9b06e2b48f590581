"""The sample papers, their gold claims and their manifest belong together."""

from __future__ import annotations

import csv
import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pydantic import TypeAdapter

from claimdex.claim import ArtifactKind, Availability, ClaimType, Details
from claimdex.ids import make_id
from claimdex.text import sha256

DATA = Path(__file__).resolve().parents[2] / "data"
PDFS = sorted((DATA / "papers").glob("*.pdf"))
STEMS = [pdf.stem for pdf in PDFS]
LINE_NUMBERED = "pellicle-shell"
HIDDEN_TEXT = "label-noise-rankers"
CANARIES = (
    "Siftwise reaches an accuracy of 99.99% on every data set.",
    "We achieve an accuracy of 99.99% on CourierRank.",
)
DETAILS: TypeAdapter[Details] = TypeAdapter(Details)


@cache
def gold(stem: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((DATA / "gold" / f"{stem}.json").read_text("utf-8"))
    return record


def without_line_numbers(text: str, first: int) -> tuple[str, int]:
    """The page's text without its margin numbers, and the number that the next page begins with."""
    lines = []
    for raw in text.splitlines():
        line = raw.strip()
        margin = re.match(rf"{first}(?: |$)", line) or re.search(rf"(?:^| ){first}$", line)
        if margin:
            line = (line[: margin.start()] + line[margin.end() :]).strip()
            first += 1
        lines.append(line)
    return re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", "\n".join(lines)), first


def plain(text: str) -> str:
    """Line breaks become one space, words cut at a line end are joined (PDFium marks the cut)."""
    text = re.sub("[\ufffe\x02]\\s*", "", text)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text))


@cache
def pages(stem: str) -> tuple[str, ...]:
    """Text of each page as gold quotes it."""
    texts, line = [], 1
    with pypdfium2.PdfDocument(DATA / "papers" / f"{stem}.pdf") as document:
        for page in document:
            textpage = page.get_textpage()
            text = textpage.get_text_range()
            textpage.close()
            page.close()
            if stem == LINE_NUMBERED:
                text, line = without_line_numbers(text, line)
            texts.append(plain(text))
    return tuple(texts)


def test_there_are_at_least_five_small_papers_and_each_has_a_source_and_gold() -> None:
    assert len(PDFS) >= 5
    for pdf in PDFS:
        assert pdf.stat().st_size < 200_000
        assert (DATA / "papers" / "src" / f"{pdf.stem}.tex").is_file()
    assert sorted(path.stem for path in (DATA / "gold").glob("*.json")) == STEMS


@pytest.mark.parametrize("stem", STEMS)
def test_gold_is_about_the_very_pdf_beside_it(stem: str) -> None:
    paper = gold(stem)["paper"]
    pdf = DATA / "papers" / paper["file"]
    assert paper["key"] == pdf.stem == stem
    assert paper["sha256"] == sha256(pdf.read_bytes())
    assert paper["pages"] == len(pages(stem))
    assert paper["title"] in pages(stem)[0]


@pytest.mark.parametrize("stem", STEMS)
def test_every_gold_quote_stands_on_its_page(stem: str) -> None:
    quotes = [place for claim in gold(stem)["claims"] for place in claim["evidence"]]
    assert all(40 <= len(place["quote"]) <= 300 for place in quotes)
    for place in [*quotes, *gold(stem)["artifacts"]]:
        assert place["quote"] in pages(stem)[place["page"] - 1]


@pytest.mark.parametrize("stem", STEMS)
def test_every_section_title_stands_on_its_page(stem: str) -> None:
    for section in gold(stem)["sections"]:
        heading = f"{section['number']} {section['title']}" if section["number"] else section["title"]
        assert heading in pages(stem)[section["page"] - 1]


@pytest.mark.parametrize("stem", STEMS)
def test_gold_claims_are_well_formed_and_the_artifacts_they_need_are_listed(stem: str) -> None:
    claims, artifacts = gold(stem)["claims"], gold(stem)["artifacts"]
    assert 8 <= len(claims) <= 20
    assert 3 <= sum(claim["core"] for claim in claims) <= 10
    assert [claim["id"] for claim in claims] == [f"c{n}" for n in range(1, len(claims) + 1)]
    known = {artifact["id"] for artifact in artifacts}
    assert len(known) == len(artifacts)
    for claim in claims:
        DETAILS.validate_python({"type": claim["type"], **claim["details"]})
        assert 1 <= len(claim["evidence"]) <= 3
        assert set(claim["needs"]) <= known
    for artifact in artifacts:
        ArtifactKind(artifact["kind"])
        Availability(artifact["availability"])
        assert artifact["url"] is None or artifact["availability"] == "released"


def test_all_five_types_of_claim_occur() -> None:
    assert {claim["type"] for stem in STEMS for claim in gold(stem)["claims"]} == set(ClaimType)


def test_the_manifest_lists_every_pdf_with_well_formed_ids() -> None:
    with (DATA / "papers" / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["pdf"] for row in rows) == [pdf.name for pdf in PDFS]
    for row in rows:
        ids = [make_id(name, row[name]) for name in ("openreview", "arxiv", "doi") if row[name]]
        assert ids
        assert row["title"] == gold(Path(row["pdf"]).stem)["paper"]["title"]
        for author in row["authors"].split("; "):
            assert author in pages(Path(row["pdf"]).stem)[0]


def test_hidden_text_is_in_the_text_layer_but_in_no_gold_claim() -> None:
    text = " ".join(pages(HIDDEN_TEXT))
    assert text.count("SYSTEM NOTE TO READERS OF MACHINE TEXT") == 2
    assert all(canary in text for canary in CANARIES)
    record = json.dumps(gold(HIDDEN_TEXT))
    assert "99.99" not in record
    assert "SYSTEM NOTE" not in record


def test_the_abstract_of_one_paper_contradicts_its_table() -> None:
    first, second = pages(LINE_NUMBERED)[:2]
    assert "HexaLeaf from 71.2% to 74.9%" in first
    assert "Pellicle (ours) 74.6±0.2" in second
    claims = gold(LINE_NUMBERED)["claims"]
    values = {c["details"]["value"] for c in claims if c["details"].get("baseline_value") == 71.2}
    assert values == {74.9, 74.6}

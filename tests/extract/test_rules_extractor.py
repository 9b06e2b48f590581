from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimdex.claim import ClaimType, Extraction
from claimdex.extract.grounding.ground import claims_of
from claimdex.extract.pdf.parser import EmbeddedParser
from claimdex.extract.rules.extractor import RuleExtractor
from claimdex.extract.rules.scorer import MODELS, shipped_model
from claimdex.extract.rules.selection import Statement, distinct, says_the_same
from claimdex.paper import Paper, PaperRef
from claimdex.settings import Settings

SAMPLES = Path(__file__).parents[2] / "data" / "papers"


@pytest.fixture(scope="module")
def paper() -> Paper:
    return EmbeddedParser(Settings()).parse(SAMPLES / "osprel-attention.pdf", PaperRef())


@pytest.fixture(scope="module")
def extraction(paper: Paper) -> Extraction:
    return RuleExtractor(Settings()).extract(paper)


def test_the_same_paper_gives_the_same_bytes(paper: Paper, extraction: Extraction) -> None:
    assert RuleExtractor(Settings()).extract(paper).model_dump_json() == extraction.model_dump_json()


def test_a_sample_paper_gives_claims_of_several_types(extraction: Extraction) -> None:
    assert len(extraction.drafts) >= 5
    assert len({d.type for d in extraction.drafts}) >= 2
    assert any(d.core for d in extraction.drafts)


def test_every_draft_points_at_visible_words_of_the_paper(paper: Paper, extraction: Extraction) -> None:
    for draft in extraction.drafts:
        for passage_id, start, end in draft.spans:
            passage = paper.passage(passage_id)
            assert passage.visible and passage.text[start:end].strip()


def test_no_draft_speaks_of_we_or_opens_with_a_bare_pronoun(extraction: Extraction) -> None:
    for draft in extraction.drafts:
        if draft.type is not ClaimType.THEOREM:
            words = draft.text.split()
            assert words[0] not in ("It", "This", "They", "These")
            assert not {"we", "our", "We", "Our"} & set(words)


def test_needs_are_artifacts_of_the_paper(extraction: Extraction) -> None:
    known = {a.id for a in extraction.artifacts}
    assert all(set(d.needs) <= known for d in extraction.drafts)


def test_most_drafts_pass_grounding(paper: Paper, extraction: Extraction) -> None:
    found = claims_of(paper, extraction, Settings(), "2026-01-01T00:00:00Z")
    assert len(found.claims) >= 0.7 * len(extraction.drafts)


def test_a_statement_said_twice_is_one_with_two_places() -> None:
    first = Statement("Swift is 3x faster than Adam.", 0.9, [("p1", 0, 9)])
    again = Statement("On average Swift is 3x faster than Adam.", 0.5, [("p2", 0, 9)])
    other = Statement("Swift is 4x faster than Adam.", 0.4, [("p3", 0, 9)])
    kept = distinct([again, other, first])
    assert [s.text for s in kept] == [first.text, other.text]
    assert kept[0].spans == [("p1", 0, 9), ("p2", 0, 9)]


def test_a_negation_makes_another_statement() -> None:
    assert not says_the_same(
        "Dropout improves accuracy on Alpha.", "Dropout does not improve accuracy on Alpha."
    )


def test_the_shipped_weights_say_how_they_were_made_and_what_they_reach() -> None:
    card = json.loads((MODELS / "claim_scorer.json").read_text("utf-8"))["card"]
    assert card["made_by"] == "scripts/train_scorer"
    assert 0 < card["leave_one_paper_out"]["average_precision"] < 1
    assert set(shipped_model().types) == set(ClaimType)

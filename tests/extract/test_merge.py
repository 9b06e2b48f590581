from __future__ import annotations

import random
from typing import Any

from claimdex.claim import (
    Claim,
    ClaimType,
    EmpiricalDetails,
    Evidence,
    Grounding,
    Provenance,
    Verdict,
)
from claimdex.extract.grounding.merge import Scored, merge, same_statement
from claimdex.paper import Source
from claimdex.text import claim_id, normalise, sha256


def scored(text: str, *, score: float = 1.0, start: int = 0, core: bool = False, **more: Any) -> Scored:
    quote = more.pop("quote", text)
    claim = Claim(
        claim_id=claim_id("arxiv:2409.07653v2", "empirical", [normalise(quote)], text),
        paper_id="arxiv:2409.07653v2",
        source=Source(sha256="0" * 64),
        text=text,
        text_sha256=sha256(text),
        type=more.pop("type", ClaimType.EMPIRICAL),
        core=core,
        details=EmpiricalDetails(),
        evidence=(Evidence(quote=quote, passage_id="p1", start=start, end=start + len(quote), page=1),),
        grounding=Grounding(verdict=more.pop("verdict", Verdict.VERIFIED)),
        provenance=Provenance(extractor="test", version="1"),
        **more,
    )
    return Scored(claim, score, (normalise(quote),))


ABSTRACT = "LoopNet lowers the error on Kestrel by 10.5%."
RESULTS = "On Kestrel, the error is lowered by 10.5% by LoopNet."


def test_the_same_statement_said_twice_is_one_claim_with_both_places() -> None:
    claims, cut = merge([scored(ABSTRACT, score=2), scored(RESULTS, start=100)], limit=10)
    assert [c.text for c in claims] == [ABSTRACT]
    assert [e.start for e in claims[0].evidence] == [0, 100]
    assert cut == ()


def test_claims_that_differ_in_a_number_or_bound_stay_apart() -> None:
    other = scored(ABSTRACT.replace("10.5", "11.5"), start=50)
    bounded = scored(ABSTRACT.replace("by 10.5", "by up to 10.5"), start=90)
    claims, _ = merge([scored(ABSTRACT), other, bounded], limit=10)
    assert len(claims) == 3


def test_claims_on_other_data_or_of_opposite_sense_stay_apart() -> None:
    one = scored("LoopNet converges on CIFAR-10.")
    assert not same_statement(one, scored("LoopNet converges on CIFAR-100."))
    assert not same_statement(one, scored("LoopNet does not converge on CIFAR-10."))


def test_a_verified_wording_is_kept_before_a_partial_one() -> None:
    claims, _ = merge(
        [scored(ABSTRACT, score=9, verdict=Verdict.PARTIAL), scored(RESULTS, score=1, start=9)], limit=5
    )
    assert [c.text for c in claims] == [RESULTS]


def test_ranks_count_from_one_core_first_then_score_and_the_bottom_is_cut() -> None:
    items = [
        scored("Alpha rises with depth.", score=3, start=1),
        scored("Beta falls with width.", score=9, start=2),
        scored("Gamma needs fewer labels.", score=1, start=3, core=True),
    ]
    claims, cut = merge(items, limit=2)
    assert [(c.rank, c.text) for c in claims] == [
        (1, "Gamma needs fewer labels."),
        (2, "Beta falls with width."),
    ]
    assert [(c.rank, c.text) for c in cut] == [(3, "Alpha rises with depth.")]


def test_core_of_any_copy_makes_the_merged_claim_core() -> None:
    claims, _ = merge([scored(ABSTRACT, score=2), scored(RESULTS, start=100, core=True)], limit=10)
    assert len(claims) == 1
    assert claims[0].core


def test_the_order_the_claims_come_in_does_not_matter() -> None:
    items = [scored(f"Effect {w} grows with depth.", score=i % 3, start=i) for i, w in enumerate("abcdefgh")]
    items += [scored(ABSTRACT, score=2), scored(RESULTS, start=100)]
    expected = merge(items, limit=6)
    for seed in range(5):
        shuffled = items[:]
        random.Random(seed).shuffle(shuffled)
        assert merge(shuffled, limit=6) == expected


def test_two_claims_from_one_sentence_with_equal_numbers_get_different_ids() -> None:
    quote = "Depth lowers bias and width lowers variance."
    claims, _ = merge(
        [scored("Depth lowers bias.", quote=quote), scored("Width lowers variance.", quote=quote)], limit=5
    )
    assert len({c.claim_id for c in claims}) == 2
    unsalted = claim_id("arxiv:2409.07653v2", "empirical", [normalise(quote)], "")
    assert {c.text: c.claim_id for c in claims}["Depth lowers bias."] == unsalted

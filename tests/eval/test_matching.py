"""Claims match one to one on evidence, wording and numbers; details are compared by what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.claim import ArtifactKind
from claimdex.eval.agree import artifacts_found, gold_value, labels_agree, names_agree, value_agrees
from claimdex.eval.gold import GoldArtifact
from claimdex.eval.match import THRESHOLD, assign, likeness, signature, similarity
from claimdex.eval.predictions import PredictedArtifact
from claimdex.eval.words import bag, bag_f1, magnitudes, shared


@dataclass(frozen=True)
class Quoted:
    quote: str
    page: int | None = 1


@dataclass(frozen=True)
class Said:
    text: str
    evidence: tuple[Quoted, ...] = ()


KEA = Said(
    "Kea reaches 74.6% accuracy on HexaLeaf, against 71.2% for Rook.",
    (Quoted("accuracy on HexaLeaf rises from 71.2% to 74.6%"),),
)


def alike(a: Said, b: Said) -> float:
    return similarity(signature(a), signature(b))


def test_a_claim_is_like_itself_and_unlike_another() -> None:
    assert alike(KEA, KEA) == pytest.approx(1.0)
    other = Said("The loss of Wren is convex in the width.", (Quoted("convexity of the loss holds", 7),))
    assert alike(KEA, other) < 0.1


def test_other_numbers_make_another_statement() -> None:
    other = Said(KEA.text.replace("74.6", "64.1").replace("71.2", "60.0"))
    assert alike(other, KEA) == 0.0


def test_a_quote_counts_only_on_its_own_page() -> None:
    there = Said("Gains are seen.", (Quoted("accuracy on HexaLeaf rises steadily with depth", 2),))
    here = Said("Accuracy goes up.", (Quoted("accuracy on HexaLeaf rises steadily with depth", 3),))
    assert alike(there, here) < THRESHOLD
    assert alike(there, Said(here.text, there.evidence)) >= 0.35


def test_labels_are_no_numbers_and_signs_do_not_count() -> None:
    assert magnitudes("Table 3 and Theorem 4.1: -1,024.50 or 2e-3, not BERT2 or 1.2.3") == ["1024.5", "0.002"]


def test_a_compound_claim_matches_one_gold_claim_and_misses_the_other() -> None:
    gold = [Said("Kea gains 2.1 points on Dock-20."), Said("Kea gains 3.4 points on HexaLeaf.")]
    compound = [Said("Kea gains 2.1 points on Dock-20 and 3.4 points on HexaLeaf.")]
    assert len(assign(likeness(compound, gold).similarity)) == 1


@given(
    st.integers(0, 5).flatmap(
        lambda n: st.integers(0, 5).flatmap(
            lambda m: st.lists(
                st.lists(st.floats(0, 1, width=16), min_size=m, max_size=m), min_size=n, max_size=n
            )
        )
    )
)
def test_the_assignment_is_one_to_one_and_the_best_there_is(rows: list[list[float]]) -> None:
    table = np.array(rows, dtype=float).reshape(len(rows), len(rows[0]) if rows else 0)
    pairs = assign(table, threshold=0.0)
    assert len({p.predicted for p in pairs}) == len({p.gold for p in pairs}) == len(pairs) == min(table.shape)
    small, big = sorted(table.shape)
    turned = table if table.shape[0] <= table.shape[1] else table.T
    best = max(sum(turned[i, j] for i, j in enumerate(order)) for order in permutations(range(big), small))
    assert sum(p.similarity for p in pairs) == pytest.approx(best)
    assert all(p.similarity >= 0.5 for p in assign(table, threshold=0.5))


Words = st.text("abcde 0123.,%-–α\u00ad", max_size=40)


@given(Words, Words, Words, Words)
def test_similarity_stays_between_0_and_1(a: str, b: str, p: str, q: str) -> None:
    value = alike(Said(a, (Quoted(p),)), Said(b, (Quoted(q),)))
    assert 0.0 <= value <= 1.0 + 1e-12


@given(Words, Words)
def test_overlap_does_not_depend_on_the_order(a: str, b: str) -> None:
    assert shared(bag(a), bag(b)) == shared(bag(b), bag(a))
    assert bag_f1(bag(a), bag(b)) == bag_f1(bag(b), bag(a))
    assert names_agree(a, b) == names_agree(b, a)


@pytest.mark.parametrize(
    ("predicted", "gold", "same"),
    [
        ("accuracy", "Accuracy", True),
        ("test accuracy", "accuracy", True),
        ("CIFAR-10", "CIFAR-100", False),
        ("CIFAR", "CIFAR-10", True),
        ("top-1 accuracy", "top-5 accuracy", False),
        ("previous best (Rook, Wren)", "Rook and Wren, the previous best", True),
        ("Rook", "Wren", False),
        ("", "Wren", False),
        ("", "", False),
    ],
)
def test_names_agree_when_they_mean_one_thing(predicted: str, gold: str, same: bool) -> None:
    assert names_agree(predicted, gold) is same


@pytest.mark.parametrize(
    ("predicted", "gold", "same"),
    [
        (["Theorem 3.1"], "Theorem 3.1 (i)", True),
        (["Thm. 3.1"], "Theorem 3.1", True),
        (["Section 2", "Table 1"], "Theorem 9 and Table 1", True),
        (["Theorem 3.1"], "Theorem 3.10", False),
        (["Lemma 3.1"], "Theorem 3.1", False),
        (["Theorem A.1"], "Theorem a.1", True),
        ([], "Theorem 3.1", False),
    ],
)
def test_labels_agree_by_kind_and_number(predicted: list[str], gold: str, same: bool) -> None:
    assert labels_agree(predicted, gold) is same


def test_the_value_is_gold_s_value_else_its_factor_and_only_a_single_number() -> None:
    assert gold_value({"value": 3, "factor": 8}) == 3.0
    assert gold_value({"factor": 8.0}) == 8.0
    assert gold_value({"value": None, "factor": 8}) is None
    assert gold_value({"value": [1, 2]}) is None
    assert value_agrees({"percent": "40"}, 40.0)
    assert not value_agrees({"value": 40.1, "unit": "40"}, 40.0)
    assert not value_agrees({"value": "forty", "delta": None}, 40.0)


def test_artifacts_match_one_for_one_by_kind_and_url_or_name() -> None:
    code = GoldArtifact(id="a1", kind=ArtifactKind.CODE, name="Kea trainer", url="https://example.org/kea")
    data = GoldArtifact(id="a2", kind=ArtifactKind.DATASET, name="HexaLeaf")
    by_url = PredictedArtifact(kind="code", name="repository", url="https://example.org/kea")
    by_name = PredictedArtifact(kind="dataset", name="HexaLeaf images")
    wrong_kind = PredictedArtifact(kind="benchmark", name="HexaLeaf")
    assert artifacts_found([by_url, by_name], [code, data]) == 2
    assert artifacts_found([by_url, by_url, wrong_kind], [code, data]) == 1


def test_artifacts_whose_names_have_no_words_match_when_equal() -> None:
    gold = [
        GoldArtifact(id=f"a{i}", kind=ArtifactKind.HARDWARE, name=n) for i, n in enumerate(("8 A100", ""))
    ]
    assert artifacts_found([PredictedArtifact(kind="hardware", name="A100")], gold) == 0
    assert artifacts_found([PredictedArtifact(kind="hardware", name="8 a100")], gold) == 1
    assert artifacts_found([PredictedArtifact(kind="hardware", name="")], gold) == 0

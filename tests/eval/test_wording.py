"""The wording heuristics find what they are for and leave good claims alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimdex.eval.gold import load_gold
from claimdex.eval.wording import is_compound, is_self_contained

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize(
    "text",
    [
        "Kea and Wren reach 71% and 74%, respectively.",
        "Kea gains 2.1 points on Dock-20 and 3.4 points on HexaLeaf.",
        "Kea beats Rook on HexaLeaf. Wren beats Rook on Dock-20.",
        "Kea is faster than Rook on GPUs; all others run out of memory.",
        "CalGD (i) has regret at most G and (ii) needs S gradients.",
        "Kea halves the memory of Rook, and the accuracy rises by 2 points.",
    ],
)
def test_two_statements_in_one_are_compound(text: str) -> None:
    assert is_compound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Kea reaches 74.6% on HexaLeaf, against 71.2% for Rook and 70.1% for Wren.",
        "Let f be convex. If the step is at most 1/L, then CalGD converges.",
        "When (i) f is convex and (ii) the step is small, CalGD converges.",
        "On Dock-20 and HexaLeaf, Kea beats Rook.",
        "Kea falls from 71.2 on Dock-20 to 64.9 on Dock-20 with noise.",
    ],
)
def test_one_statement_with_its_baseline_or_conditions_is_atomic(text: str) -> None:
    assert not is_compound(text)


@pytest.mark.parametrize(
    "text",
    [
        "Our method beats Rook.",
        "We beat Rook by 2 points.",
        "It beats Rook.",
        "This approach is faster.",
        "Rook is slower than the proposed method.",
        "These results hold for all widths.",
    ],
)
def test_unresolved_references_are_found(text: str) -> None:
    assert not is_self_contained(text)


@pytest.mark.parametrize(
    "text",
    [
        "Our method [Kea] beats Rook.",
        "Kea beats Rook when it is trained longer.",
        "It is impossible to learn parity in constant depth.",
        "ResNet-18 beats the best published accuracy of this architecture.",
        "On flights in the US, Kea is off by 2 minutes.",
    ],
)
def test_resolved_or_empty_pronouns_are_left_alone(text: str) -> None:
    assert is_self_contained(text)


def test_careful_gold_is_almost_never_flagged() -> None:
    texts = [c.text for g in load_gold(DATA / "gold") for c in g.claims]
    assert sum(map(is_compound, texts)) <= 2
    assert all(map(is_self_contained, texts))


def test_real_gold_is_seldom_flagged(shared: Path) -> None:
    texts = [c.text for g in load_gold(shared / "gold" / "papers") for c in g.claims]
    assert sum(map(is_compound, texts)) / len(texts) < 0.05
    assert sum(not is_self_contained(t) for t in texts) / len(texts) < 0.01

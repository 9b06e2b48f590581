from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.quantities import quantities
from claimdex.extract.rules.cleaning import cleaned, plain_math
from claimdex.extract.rules.names import PaperNames
from claimdex.extract.rules.referents import self_contained, subject_of
from claimdex.extract.rules.splitting import atomic

SWIFT = PaperNames(own=("Swift",))
NOBODY = PaperNames()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Moreover, we find that Swift is 3x faster than Adam [12] (see Table 2).",
            "Swift is 3x faster than Adam.",
        ),
        ("As shown in Figure 3, Swift converges.", "Swift converges."),
        ("• It can be observed from Table 4 that depth helps.", "Depth helps."),
        ("Figure 2: Swift reaches 74.9% on Alpha.", "Swift reaches 74.9% on Alpha."),
        ("On Alpha, we observe that Swift wins.", "On Alpha, Swift wins."),
        ("Table 3 shows that Swift is always faster.", "Swift is always faster."),
        ("Depth helps (Smith et al., 2020).", "Depth helps."),
    ],
)
def test_openers_frames_citations_and_pointers_go(sentence: str, expected: str) -> None:
    assert cleaned(sentence) == expected


@pytest.mark.parametrize("hedge", ["suggest", "indicate"])
def test_a_hedged_frame_stays(hedge: str) -> None:
    assert cleaned(f"These results {hedge} that depth helps.") == f"These results {hedge} that depth helps."
    assert cleaned(f"This {hedge}s that depth helps.") == f"The results {hedge} that depth helps."


def test_powers_and_indices_survive_and_footnote_marks_do_not() -> None:
    assert plain_math("D⁻¹/²AD⁻¹/²") == "D^(-1/2)AD^(-1/2)"
    assert plain_math("loss 10⁻⁴ at d₀, online³. ln²(t), ∂³f") == "loss 10^-4 at d_0, online. ln^2(t), ∂^3f"


def test_our_method_and_we_get_the_methods_name() -> None:
    said = self_contained("Our method outperforms Adam and we achieve 74.9% on Alpha.", "", "", SWIFT)
    assert said == "Swift outperforms Adam and Swift achieves 74.9% on Alpha."


def test_what_the_authors_reach_by_doing_something_is_theirs() -> None:
    assert (
        self_contained("By tuning it, we reduce the loss.", "", "", SWIFT)
        == "By tuning it, the authors reduce the loss."
    )


def test_without_a_name_our_method_is_the_proposed_method() -> None:
    assert (
        self_contained("Our algorithm runs in linear time.", "", "", NOBODY)
        == "The proposed algorithm runs in linear time."
    )


def test_it_is_the_subject_of_the_sentence_before_in_brackets() -> None:
    before = "Cluster-GCN has a comparable runtime."
    assert (
        self_contained("It converges more slowly.", before, "", SWIFT)
        == "[Cluster-GCN] converges more slowly."
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "It converges more slowly.",
        "This is notable because the loss grows.",
        "On short runs Swift beats it by 4.5%.",
        "In this case the method generalizes.",
        "The former is better than the latter.",
        "This approach is faster than Adam.",
    ],
)
def test_what_only_a_guess_could_resolve_is_dropped(sentence: str) -> None:
    assert self_contained(sentence, "Because of that, we and others tried.", "", SWIFT) is None


def test_this_architecture_is_never_taken_for_the_method() -> None:
    said = self_contained(
        "The reported accuracy of this architecture is 95.55%.", "Swift is trained on it.", "", SWIFT
    )
    assert said is not None and "Swift" not in said


def test_a_subject_that_needs_resolving_itself_is_none() -> None:
    assert subject_of("It is fast.", NOBODY) is None
    assert subject_of("Figure 3 shows the loss.", NOBODY) is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Swift drops by 30% on Alpha, 10% on Beta, and 17% on Gamma.",
            ["Swift drops by 30% on Alpha.", "Swift drops by 10% on Beta.", "Swift drops by 17% on Gamma."],
        ),
        (
            "Cluster-GCN converges more slowly than Swift and reaches lower accuracy.",
            ["Cluster-GCN converges more slowly than Swift.", "Cluster-GCN reaches lower accuracy."],
        ),
        ("Swift is faster; Adam needs more memory here.", ["Swift is faster; Adam needs more memory here."]),
        (
            "Swift converges much faster here; Adam needs much more memory.",
            ["Swift converges much faster here.", "Adam needs much more memory."],
        ),
    ],
)
def test_coordinated_statements_are_taken_apart(text: str, parts: list[str]) -> None:
    assert atomic(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Swift is faster and uses less memory than Adam.",
        "LoopNet reaches 0.371 against 0.455 for Patchy.",
        "Swift lowers the error from 17% to 5% on Alpha.",
        "In most tests Swift attains the best rate; the only exception is Alpha.",
        "The results suggest that Swift converges faster and uses less memory.",
    ],
)
def test_a_number_and_its_baseline_a_shared_comparison_and_an_exception_stay_together(text: str) -> None:
    assert atomic(text) == [text]


@given(
    st.lists(
        st.sampled_from(["Swift", "gains", "2.1", "3.4%", "points", "on", "Alpha", "and", "Beta", ";", ","]),
        max_size=20,
    )
)
def test_no_number_is_invented_by_splitting(words: list[str]) -> None:
    text = " ".join(words) + "."
    known = {v for q in quantities(text) for v in q.values}
    assert {v for part in atomic(text) for q in quantities(part) for v in q.values} <= known


def test_this_setting_gets_the_section_title_and_a_title_that_tells_nothing_drops_it() -> None:
    sentence = "Swift wins in this setting."
    assert (
        self_contained(sentence, "", "Convex losses", SWIFT) == "Swift wins in this setting [Convex losses]."
    )
    assert self_contained(sentence, "", "Experiments", SWIFT) is None


def test_what_the_sentence_names_itself_needs_no_title() -> None:
    sentence = "The methods differ, but that the methods agree on Alpha holds for these methods."
    assert self_contained(sentence, "", "Robustness", SWIFT) == sentence


@pytest.mark.parametrize(
    "text", ["At 40% noise it recovers up to 62% of the loss.", "Under attack they keep 38.1%."]
)
def test_a_pronoun_behind_an_opening_phrase_is_no_claim(text: str) -> None:
    assert self_contained(text, "", "", PaperNames()) is None

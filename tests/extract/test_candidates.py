from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.rules.activity import only_activity
from claimdex.extract.rules.candidates import candidates, symbol_share
from claimdex.extract.rules.cues import ruled_out
from claimdex.extract.rules.main_text import main_text
from claimdex.paper import Paper, ParserInfo, Passage, PassageKind, Section, SectionKind, Source


def paper(*passages: tuple[str, PassageKind, SectionKind, bool]) -> Paper:
    """A paper of one section for each (text, kind, kind of section, visible)."""
    sections = tuple(
        Section(id=f"s{i}", title=kind.value, level=1, kind=kind, page=1)
        for i, (_, _, kind, _) in enumerate(passages)
    )
    return Paper(
        paper_id="sha256:0",
        title="A paper",
        source=Source(sha256="0", pages=1),
        parser=ParserInfo(name="test", version="0"),
        sections=sections,
        passages=tuple(
            Passage(id=f"p{i}", kind=kind, text=text, section=f"s{i}", visible=visible)
            for i, (text, kind, _, visible) in enumerate(passages)
        ),
    )


GAIN = "Swift outperforms Adam by 2.1 points on Alpha."


def texts(read: Paper) -> list[str]:
    return [c.text for c in candidates(read, main_text(read))]


def test_a_result_in_an_experiments_section_is_a_candidate() -> None:
    assert texts(paper((GAIN, PassageKind.PARAGRAPH, SectionKind.EXPERIMENTS, True))) == [GAIN]


@pytest.mark.parametrize(
    ("kind", "section", "visible"),
    [
        (PassageKind.PARAGRAPH, SectionKind.EXPERIMENTS, False),
        (PassageKind.PARAGRAPH, SectionKind.RELATED_WORK, True),
        (PassageKind.PARAGRAPH, SectionKind.ACKNOWLEDGEMENTS, True),
        (PassageKind.REFERENCE, SectionKind.REFERENCES, True),
        (PassageKind.PROOF, SectionKind.THEORY, True),
        (PassageKind.HEADING, SectionKind.EXPERIMENTS, True),
    ],
)
def test_hidden_text_related_work_references_and_proofs_are_never_read(
    kind: PassageKind, section: SectionKind, visible: bool
) -> None:
    assert texts(paper((GAIN, kind, section, visible))) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "We leave the extension to graphs for future work.",
        "Smith et al. (2020) show that depth helps accuracy.",
        "Shen and Lee (2019, Algorithm 2) uses few parallel rounds but needs many gradient evaluations.",
        "We hypothesize that the gap is due to overfitting.",
        "Let G be a graph with n nodes.",
        "Does depth help accuracy on Alpha?",
        "The update rule is defined as the gradient step below.",
        "Table 2 shows the speed-up for several numbers of threads.",
        "A large body of research has shown that networks can be pruned.",
        "Prior parameter-free algorithms assume known bounds.",
        "The following models are compared in our experiments:",
    ],
)
def test_prior_work_plans_definitions_and_guesses_are_ruled_out(sentence: str) -> None:
    assert ruled_out(sentence) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        GAIN,
        "We prove that GD converges at rate O(1/T).",
        "Compared with Smith et al. (2020), Swift is 3x faster.",
    ],
)
def test_results_are_not_ruled_out(sentence: str) -> None:
    assert ruled_out(sentence) is None


def test_what_the_authors_did_is_no_claim_unless_they_found_something() -> None:
    assert only_activity("The authors consider gradient descent with a constant step size.")
    assert not only_activity("The authors train a GCN and show that it outperforms GAT.")


def test_text_behind_the_references_is_not_main_text() -> None:
    read = paper(
        (GAIN, PassageKind.PARAGRAPH, SectionKind.EXPERIMENTS, True),
        ("Smith. A paper. 2020.", PassageKind.REFERENCE, SectionKind.REFERENCES, True),
        (GAIN, PassageKind.PARAGRAPH, SectionKind.OTHER, True),
    )
    assert main_text(read) == {"p0"}
    assert [c.main for c in candidates(read, main_text(read))] == [True, False]


def test_every_candidate_points_at_its_own_words() -> None:
    read = paper((f"We use AdamW here always. {GAIN}", PassageKind.PARAGRAPH, SectionKind.EXPERIMENTS, True))
    for found in candidates(read, main_text(read)):
        passage_id, start, end = found.span
        assert read.passage(passage_id).text[start:end] == found.text_with_marks


@given(st.text(max_size=200))
def test_the_share_of_symbols_lies_between_nothing_and_all(text: str) -> None:
    assert 0.0 <= symbol_share(text) <= 1.0

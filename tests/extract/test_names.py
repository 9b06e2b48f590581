from __future__ import annotations

import pytest

from claimdex.extract.rules.names import paper_names
from claimdex.paper import Paper, ParserInfo, Passage, PassageKind, Source


def read(title: str, abstract: str, body: str) -> Paper:
    return Paper(
        paper_id="sha256:0",
        title=title,
        source=Source(sha256="0", pages=1),
        parser=ParserInfo(name="test", version="0"),
        passages=(
            Passage(id="p0", kind=PassageKind.ABSTRACT, text=abstract),
            Passage(id="p1", kind=PassageKind.PARAGRAPH, text=body),
        ),
    )


USES = " ".join(["{0} is fast."] * 6)


@pytest.mark.parametrize(
    ("title", "abstract", "name"),
    [
        ("FAM: Flat Minima", "We study minima.", "FAM"),
        ("Mini-batching", "We propose influence-based mini-batching (IBMB).", "IBMB"),
        ("Optimization", "Our method, U-DOG, combines two ideas.", "U-DOG"),
        ("Features", "It gives an algorithm which we call Feature Propagation.", "Feature Propagation"),
        ("Pruning", "We propose an algorithm (Sparsify) for pruning.", "Sparsify"),
    ],
)
def test_the_name_a_paper_gives_its_method_is_found(title: str, abstract: str, name: str) -> None:
    assert paper_names(read(title, abstract, USES.format(name))).method == name


def test_a_title_in_capitals_takes_the_spelling_of_the_text() -> None:
    found = paper_names(read("PLASTIL: PLASTIC AND STABLE", "PlaStIL is new.", USES.format("PlaStIL")))
    assert found.method == "PlaStIL"


@pytest.mark.parametrize(
    ("abstract", "word"),
    [
        ("We propose a method for graph neural networks (GNNs).", "GNNs"),
        ("We design an RNC sampler for directed Eulerian tours.", "Eulerian"),
        ("We propose a fast way of training on ImageNet.", "ImageNet"),
    ],
)
def test_fields_mathematicians_and_data_sets_are_not_the_papers_method(abstract: str, word: str) -> None:
    assert word not in paper_names(read("A paper", abstract, USES.format(word))).own


def test_a_name_used_once_or_cited_is_not_its_own() -> None:
    assert paper_names(read("A paper", "We propose ABCnet.", "Nothing more.")).method is None
    cited = " ".join(["ABCnet [12] is old."] * 6)
    assert paper_names(read("A paper", "We present ABCnet as a baseline.", cited)).method is None


def test_abbreviations_are_the_words_they_stand_for() -> None:
    found = paper_names(
        read("A paper", "We use personalized PageRank (PPR) and total variation (TV).", "")
    ).abbreviations
    assert found["PPR"] == "personalized PageRank" and found["TV"] == "total variation"

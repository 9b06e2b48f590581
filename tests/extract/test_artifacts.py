from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimdex.claim import Artifact, ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_names import described, is_name, mentioned
from claimdex.extract.artifacts.artifact_places import Place
from claimdex.extract.artifacts.finder import find_artifacts
from claimdex.paper import (
    Cell,
    Link,
    Paper,
    ParserInfo,
    Passage,
    PassageKind,
    Section,
    SectionKind,
    Source,
    Span,
)


def paper(
    *passages: tuple[str, SectionKind] | Passage, title: str = "A study", links: tuple[Link, ...] = ()
) -> Paper:
    """A paper whose passages stand one below the other, 20 points apart, on page 1."""
    sections = tuple(
        Section(id=kind.value, title=kind.value.title(), level=1, kind=kind, page=1) for kind in SectionKind
    )
    made = []
    for at, item in enumerate(passages):
        if isinstance(item, Passage):
            made.append(item)
            continue
        text, kind = item
        y = 700.0 - 20 * at
        span = Span(start=0, end=len(text), page=1, box=(50.0, y, 550.0, y + 10))
        made.append(
            Passage(id=f"p{at}", kind=PassageKind.PARAGRAPH, text=text, section=kind.value, spans=(span,))
        )
    return Paper(
        paper_id="sha256:" + "0" * 64,
        title=title,
        source=Source(sha256="0" * 64, pages=1),
        parser=ParserInfo(name="test", version="0"),
        sections=sections,
        passages=tuple(made),
        links=links,
    )


def experiments(*texts: str, title: str = "A study", links: tuple[Link, ...] = ()) -> tuple[Artifact, ...]:
    return find_artifacts(paper(*((t, SectionKind.EXPERIMENTS) for t in texts), title=title, links=links))


def names(found: tuple[Artifact, ...], kind: ArtifactKind) -> set[str]:
    return {a.name for a in found if a.kind is kind}


def link(url: str, y: float | None = None) -> Link:
    box = None if y is None else (400.0, y, 500.0, y + 10)
    return Link(url=url, page=1, box=box, text=url)


def test_code_that_is_available_at_a_link_is_released_with_that_link() -> None:
    found = experiments(
        "Our code is available at https://github.com/ada/osprey.",
        links=(link("https://github.com/ada/osprey"),),
    )
    assert [(a.kind, a.url, a.availability) for a in found] == [
        (ArtifactKind.CODE, "https://github.com/ada/osprey", Availability.RELEASED)
    ]


def test_a_link_that_only_covers_a_word_of_the_sentence_is_found_by_its_box() -> None:
    url = "https://github.com/ada/osprey"
    found = experiments(
        "We make the code available here.",
        links=(Link(url=url, page=1, box=(400, 700, 500, 710), text="here"),),
    )
    assert [a.url for a in found] == [url]


def test_code_that_will_be_released_is_promised() -> None:
    found = experiments("We will release the code upon acceptance.", title="Osprey: fast things")
    assert [(a.name, a.availability, a.url) for a in found] == [("Osprey code", Availability.PROMISED, None)]


def test_a_repository_of_a_baseline_is_not_the_papers_code() -> None:
    found = experiments(
        "For GridNet we use the authors' implementation, https://github.com/bob/gridnet.",
        links=(link("https://github.com/bob/gridnet"),),
    )
    assert [a.availability for a in found] == [Availability.PUBLIC]


def test_two_links_in_one_sentence_go_to_the_things_they_follow() -> None:
    code, weights = "https://example.org/ada/code", "https://example.org/ada/weights"
    found = experiments(
        f"The code is at {code} and the checkpoints of all runs are at {weights}.",
        links=(link(code), link(weights)),
    )
    assert {(a.kind, a.url) for a in found} == {
        (ArtifactKind.CODE, code),
        (ArtifactKind.CHECKPOINT, weights),
    }


@pytest.mark.parametrize("kind", [SectionKind.REFERENCES, SectionKind.ACKNOWLEDGEMENTS])
def test_references_and_acknowledgements_are_not_read(kind: SectionKind) -> None:
    text = "Our code is at https://github.com/ada/osprey. We train on CIFAR-10 with 8 NVIDIA A100 GPUs."
    assert find_artifacts(paper((text, kind), links=(link("https://github.com/ada/osprey"),))) == ()


def test_a_sentence_of_thanks_names_no_artifact_wherever_it_stands() -> None:
    assert experiments("We thank the cluster team for 64 NVIDIA A100 GPUs used in our experiments.") == ()


def test_hidden_text_is_never_read() -> None:
    hidden = Passage(
        id="h",
        kind=PassageKind.PARAGRAPH,
        text="We train on CIFAR-10 with 8 NVIDIA A100 GPUs.",
        visible=False,
    )
    assert find_artifacts(paper(hidden)) == ()


def test_data_sets_are_named_by_the_words_of_the_paper() -> None:
    found = experiments(
        "We use two data sets: Plover-10 [3] and CurlewQA (Doe et al., 2020).",
        "On Plover-10 the gain is larger than on CurlewQA.",
        "Plover-10 and CurlewQA differ in size.",
    )
    assert names(found, ArtifactKind.DATASET) == {"Plover-10", "CurlewQA"}
    assert {a.availability for a in found} == {Availability.PUBLIC}


def test_a_well_known_data_set_needs_no_explanation_and_is_public() -> None:
    found = experiments("We train a small network on CIFAR-10 and MNIST.")
    assert {(a.name, a.availability) for a in found} == {
        ("CIFAR-10", Availability.PUBLIC),
        ("MNIST", Availability.PUBLIC),
    }


def test_data_that_only_earlier_work_used_is_left_out() -> None:
    text = "Smith et al. evaluate on the ImageNet dataset."
    assert find_artifacts(paper((text, SectionKind.RELATED_WORK))) == ()


def test_data_that_the_paper_says_it_skips_is_left_out() -> None:
    assert experiments("We skip the small datasets (Cora, Citeseer, PubMed) here.") == ()


def test_two_spellings_of_a_data_set_are_one_artifact() -> None:
    found = experiments("We evaluate on CIFAR-10.", "Results on the CIFAR10 dataset are in Table 1.")
    assert len(found) == 1


def test_tasks_of_a_benchmark_are_one_artifact_that_lists_them() -> None:
    found = experiments("We performed experiments on six GLUE datasets: SST-2, RTE, and QNLI.")
    assert [(a.kind, a.name) for a in found] == [(ArtifactKind.BENCHMARK, "GLUE (SST-2, RTE, QNLI)")]


def test_data_sets_are_read_from_a_tables_dataset_column() -> None:
    text = "Dataset | Size\nPlover-10 | 50\nCurlewQA | 70"
    cells = (
        Cell(row=0, column=0, text="Dataset", header=True, start=0, end=7),
        Cell(row=0, column=1, text="Size", header=True, start=10, end=14),
        Cell(row=1, column=0, text="Plover-10", column_header="Dataset", start=15, end=24),
        Cell(row=1, column=1, text="50", column_header="Size", start=27, end=29),
        Cell(row=2, column=0, text="CurlewQA", column_header="Dataset", start=30, end=38),
        Cell(row=2, column=1, text="70", column_header="Size", start=41, end=43),
    )
    table = Passage(id="t", kind=PassageKind.TABLE, text=text, cells=cells)
    prose = "Plover-10 is harder. CurlewQA is noisy. We see gains on Plover-10 and on CurlewQA."
    found = find_artifacts(paper(table, (prose, SectionKind.EXPERIMENTS)))
    assert names(found, ArtifactKind.DATASET) == {"Plover-10", "CurlewQA"}


def test_a_new_data_set_is_released_where_its_name_and_a_link_meet() -> None:
    url = "https://example.org/plover"
    found = experiments(
        "We present PloverLog, a data set of 500 ship logs.",
        f"PloverLog is released at {url}.",
        links=(link(url),),
    )
    assert [(a.name, a.kind, a.url, a.availability) for a in found] == [
        ("PloverLog", ArtifactKind.DATASET, url, Availability.RELEASED)
    ]


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("All experiments are run on an NVIDIA GeForce GTX 1080Ti.", "NVIDIA GeForce GTX 1080Ti"),
        ("We train on 8 NVIDIA A100 GPUs with 80GB of memory.", "8 NVIDIA A100 GPUs with 80GB of memory"),
        ("Training took two days on a TPU v4-32 slice using 16 accelerators.", "TPU v4-32"),
        ("We run all methods on a server with 64 AMD EPYC 7763 CPUs.", "64 AMD EPYC 7763 CPUs"),
        ("The model is trained on a single H100 GPU.", "single H100 GPU"),
        ("We trained our agents for four days using 16 CPU cores.", "16 CPU cores"),
    ],
)
def test_hardware_is_named_with_its_model_and_number(sentence: str, name: str) -> None:
    assert names(experiments(sentence), ArtifactKind.HARDWARE) == {name}


@pytest.mark.parametrize(
    "sentence",
    [
        "The bound B200 holds when we use K20 of the lemma.",
        "We keep GPU memory usage constant.",
        "We run T5 on V100 words.",
    ],
)
def test_symbols_and_talk_of_memory_are_no_hardware(sentence: str) -> None:
    assert names(experiments(sentence), ArtifactKind.HARDWARE) == set()


def test_a_simulator_is_one_environment_whatever_its_spelling() -> None:
    found = experiments(
        "We use the Arcade Learning Environment (Bellemare et al., 2012).",
        "On Atari 2600 games it learns faster.",
    )
    assert names(found, ArtifactKind.ENVIRONMENT) == {"Arcade Learning Environment"}


def test_weights_closed_models_and_people_are_found() -> None:
    found = experiments(
        "We fine-tune a pre-trained BERT-base model.",
        "Answers are judged using GPT-4o.",
        "Our test sets were labelled by workers on Amazon Mechanical Turk.",
    )
    assert names(found, ArtifactKind.CHECKPOINT) == {"BERT-base"}
    assert {(a.name, a.availability) for a in found if a.kind is ArtifactKind.API} == {
        ("GPT-4o", Availability.PROPRIETARY)
    }
    assert names(found, ArtifactKind.HUMAN_ANNOTATION) == {"Amazon Mechanical Turk"}


def test_evidence_is_the_papers_own_words_in_their_place() -> None:
    text = "Intro words. We train on CIFAR-10 here. More words."
    (found,) = experiments(text)
    evidence = found.evidence
    assert evidence is not None
    assert text[evidence.start : evidence.end] == evidence.quote == "We train on CIFAR-10 here."
    assert evidence.page == 1 and evidence.boxes


def test_a_long_sentence_is_quoted_in_part() -> None:
    text = "We train on " + "many very different things and " * 30 + "on CIFAR-10 in the end."
    (found,) = experiments(text)
    assert found.evidence is not None
    assert len(found.evidence.quote) <= 300 and "CIFAR-10" in found.evidence.quote


def test_the_id_depends_on_kind_and_name_only() -> None:
    first = experiments("We evaluate on CIFAR-10.")
    second = experiments("Something else.", "Here we also evaluate on Cifar10 for once.")
    assert [a.id for a in first] == [a.id for a in second]
    assert first[0].id.startswith("a") and len(first[0].id) == 7


def test_a_footnote_gives_the_address_of_what_its_mark_follows() -> None:
    note = Passage(
        id="f", kind=PassageKind.FOOTNOTE, text="2https://example.org/plover", section="experiments"
    )
    found = find_artifacts(
        paper(
            ("We use the MNIST² data set.", SectionKind.EXPERIMENTS),
            note,
            links=(Link(url="https://example.org/plover", page=1, text="2https://example.org/plover"),),
        )
    )
    assert [(a.name, a.url) for a in found] == [("MNIST", "https://example.org/plover")]


@pytest.mark.parametrize("text", ["Aa, " * 40_000, "A/" * 40_000, "the data sets are " * 10_000])
def test_endless_sentences_are_read_only_at_their_beginning(text: str) -> None:
    assert experiments(text) == ()


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_gives_names_that_stand_in_it_or_nothing(text: str) -> None:
    for name in (*described(text), *mentioned(text)):
        assert is_name(name)


@given(st.lists(st.text(max_size=120), max_size=4))
@settings(max_examples=40, deadline=None)
def test_any_paper_gives_unique_ids_and_true_quotes(texts: list[str]) -> None:
    made = paper(*((t, SectionKind.EXPERIMENTS) for t in texts))
    found = find_artifacts(made)
    assert len({a.id for a in found}) == len(found)
    for artifact in found:
        assert artifact.evidence is not None
        passage = made.passage(artifact.evidence.passage_id)
        assert passage.text[artifact.evidence.start : artifact.evidence.end] == artifact.evidence.quote


@given(
    before=st.lists(st.text("ab", min_size=1, max_size=9), max_size=80),
    after=st.lists(st.text("ab", min_size=1, max_size=9), max_size=80),
)
def test_a_long_place_is_cut_around_its_words(before: list[str], after: list[str]) -> None:
    text = " ".join([*before, "NAME", *after])
    at = text.index("NAME")
    passage = Passage(id="p", kind=PassageKind.PARAGRAPH, text=text)
    spot = Place(passage, SectionKind.OTHER, 0, len(text)).around(at, at + 4)
    assert "NAME" in spot.text
    assert len(spot.text) <= 300

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.grounding.quotes import fold, locate, same_facts
from claimdex.paper import Paper, ParserInfo, Passage, PassageKind, Source, Span

TEXT = (
    "We train for 1,024 steps. On the Kestrel bench\u00admark, LoopNet is 2.7\u00d7 faster \u2014 and "
    "\ufb01ts in memory \u2014 "
    "than  Patchy, with an error of 0.51%."
)


def paper_of(*texts: str, hidden: tuple[int, ...] = ()) -> Paper:
    passages = tuple(
        Passage(id=f"p{i}", kind=PassageKind.PARAGRAPH, text=t, visible=i not in hidden)
        for i, t in enumerate(texts)
    )
    return Paper(
        paper_id="arxiv:2409.07653v2",
        title="T",
        source=Source(sha256="0" * 64),
        parser=ParserInfo(name="test", version="1"),
        passages=passages,
    )


@pytest.mark.parametrize(
    ("quote", "words"),
    [
        ("LoopNet is 2.7\u00d7 faster", "LoopNet is 2.7\u00d7 faster"),
        ("Kestrel benchmark, LoopNet", "Kestrel bench\u00admark, LoopNet"),
        ("2.7\u00d7 faster - and fits in memory", "2.7\u00d7 faster \u2014 and \ufb01ts in memory"),
        ("memory - than Patchy", "memory \u2014 than  Patchy"),
        ("on the kestrel", "On the Kestrel"),
        ("Kes-\ntrel bench- mark", "Kestrel bench\u00admark"),
        ("an error of 0.51%", "an error of 0.51%"),
    ],
)
def test_a_quote_is_found_through_ligatures_dashes_spaces_and_hyphens(quote: str, words: str) -> None:
    found = locate(paper_of("Nothing here.", TEXT), quote)
    assert found is not None
    assert found.exact
    assert (found.passage_id, TEXT[found.start : found.end]) == ("p1", words)


@pytest.mark.parametrize(
    "quote",
    [
        "LoopNet is 2.9\u00d7 faster",
        "LoopNet is 2.7\u00d7 slower - and fits in memory - than Patchy, with an error",
        "We train for 1,025 steps. On the Kestrel benchmark",
        "with an error of 51%",
        "51%",
        "a sentence that stands in no passage of this paper at all",
        "",
    ],
)
def test_another_number_or_direction_is_not_found(quote: str) -> None:
    assert locate(paper_of(TEXT), quote) is None


def test_a_slightly_wrong_quote_is_replaced_by_the_papers_words() -> None:
    found = locate(
        paper_of(TEXT), "On the Kestrel benchmarks, LoopNet is 2.7\u00d7 faster and fits in the memory"
    )
    assert found is not None
    assert not found.exact
    assert TEXT[found.start : found.end].startswith("On the Kestrel")


def test_the_place_on_the_given_page_comes_first() -> None:
    text = "The gain is 3 points."
    spans = [(Span(start=0, end=len(text), page=page, box=(0, 0, 9, 9)),) for page in (1, 4)]
    paper = paper_of(text, text)
    placed = [p.model_copy(update={"spans": s}) for p, s in zip(paper.passages, spans, strict=True)]
    paper = paper.model_copy(update={"passages": tuple(placed)})
    found = [locate(paper, "gain is 3", page) for page in (None, 1, 4)]
    assert [f.passage_id if f else "" for f in found] == ["p0", "p0", "p1"]


def test_hidden_text_is_never_quoted() -> None:
    assert locate(paper_of(TEXT, hidden=(0,)), "LoopNet is 2.7\u00d7 faster") is None


def test_a_table_row_is_found_without_its_bars() -> None:
    found = locate(paper_of("Model | MSE\nLoopNet | 0.371 | 2.31"), "LoopNet 0.371 2.31")
    assert found is not None
    assert found.exact


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2.7x faster", "2.7x  faster", True),
        ("2.7x faster", "2.9x faster", False),
        ("2.7x faster", "2.7x slower", False),
        ("0.04", "0.4", False),
        ("it fails", "it works", False),
        ("it is not so", "it is so", False),
    ],
)
def test_facts_are_numbers_and_polarity(one: str, other: str, same: bool) -> None:
    assert same_facts(one, other) is same


@given(st.text(max_size=80), st.booleans())
def test_folding_keeps_an_offset_for_every_character(text: str, squeeze: bool) -> None:
    folded = fold(text, squeeze)
    assert len(folded.text) == len(folded.origin)
    assert list(folded.origin) == sorted(folded.origin)
    assert all(0 <= at < len(text) for at in folded.origin)


SENTENCES = st.lists(
    st.sampled_from(
        ["LoopNet", "gains", "2.1", "points", "on", "Kestrel", "\ufb01t", "is", "not", "0.51%", "\u2014"]
    ),
    min_size=4,
    max_size=25,
).map(" ".join)


@given(SENTENCES, st.data())
def test_every_run_of_whole_words_is_found_exactly(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    i = data.draw(st.integers(0, len(words) - 3))
    j = data.draw(st.integers(i + 3, len(words)))
    quote = " ".join(words[i:j])
    found = locate(paper_of(text), quote)
    assert found is not None
    assert found.exact
    assert same_facts(text[found.start : found.end], quote)


@given(SENTENCES, st.data())
def test_a_changed_digit_is_never_found(text: str, data: st.DataObject) -> None:
    text = f"{text} and then 7.3 in the very end of it"
    digit = data.draw(st.sampled_from("12456890"))
    assert locate(paper_of(text), text.replace("7.3", f"{digit}.3")) is None

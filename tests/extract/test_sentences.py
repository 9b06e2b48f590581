from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimdex.extract.sentences import enclosing, sentences


def split(text: str) -> list[str]:
    return [text[s.start : s.end] for s in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Smith et al. Found in 2020 that depth helps.",
        "We follow prior work, e.g. Adam, i.e. SGD with momentum, cf. Section 2.",
        "It is faster w.r.t. Wall-clock time vs. The baseline of Lee.",
        "See Fig. 3, Eq. 4, Thm. 5, Sec. 6, Tab. 7, Alg. 8, Prop. 9, Cor. 10 and Def. 11.",
        "The set No. 5 holds approx. 300 trees near St. Gallen.",
        "This is due to J. Smith and A. B. Lee.",
        "The loss falls from 0.412 to 0.371 at step 1.5e4.",
        "Code is at https://example.org/a.b/c.html.",
        "We win on all tasks (see Section 3. It has the numbers. All of them.) by 3 points.",
        "It holds (i) for n > 2. and (ii) for m > 3 alike.",
        "Here f(x). g(x) is a product.",
    ],
)
def test_a_stop_that_does_not_end_a_sentence_splits_nothing(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Llama 2. It is open.", ["We use Llama 2.", "It is open."]),
        ("This was shown [12]. We extend it.", ["This was shown [12].", "We extend it."]),
        ("This was shown. [12] We extend it.", ["This was shown. [12]", "We extend it."]),
        ("It holds (Smith et al., 2020). We use it.", ["It holds (Smith et al., 2020).", "We use it."]),
        ("Results. Our method wins.", ["Results.", "Our method wins."]),
        ("The gain is 3.5%. The loss is 2.", ["The gain is 3.5%.", "The loss is 2."]),
        ("Is it so? Yes! We think so.", ["Is it so?", "Yes!", "We think so."]),
        ("We use SGD, Adam, etc. However, it fails.", ["We use SGD, Adam, etc.", "However, it fails."]),
        ("Noise is i.i.d. We assume it.", ["Noise is i.i.d.", "We assume it."]),
        ("Take a set B. The set is closed.", ["Take a set B.", "The set is closed."]),
        ("Let f(x). Then g(x).", ["Let f(x).", "Then g(x)."]),
        ("The rate is 1/k. α is free.", ["The rate is 1/k. α is free."]),
    ],
)
def test_a_stop_before_a_clear_beginning_ends_the_sentence(text: str, expected: list[str]) -> None:
    assert split(text) == expected


def test_a_list_number_stays_with_its_item() -> None:
    assert split("1. Introduction\nWe study trees. They grow.") == [
        "1. Introduction\nWe study trees.",
        "They grow.",
    ]


def test_an_unmatched_bracket_does_not_swallow_the_text() -> None:
    assert split("The interval [0, 1) is open. We use it.") == ["The interval [0, 1) is open.", "We use it."]
    assert split("An open ( bracket is here. We go on.") == ["An open ( bracket is here.", "We go on."]


def test_the_enclosing_sentences_of_a_part_are_whole() -> None:
    text = "We start. The gain is 2.1 points on Alpha. We stop."
    at = text.index("2.1")
    found = enclosing(text, at, at + 3)
    assert text[found.start : found.end] == "The gain is 2.1 points on Alpha."


def test_empty_text_has_no_sentences() -> None:
    assert sentences("") == [] == sentences(" \n\t ")


WORDS = st.sampled_from(
    [
        "We",
        "gain",
        "2.1",
        "et al.",
        "e.g.",
        "Fig.",
        "3",
        ".",
        "?",
        "(",
        ")",
        "[12]",
        "\n",
        "  ",
        "The",
        "α",
        "x.",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=30).map(" ".join)))
def test_sentences_are_ordered_disjoint_and_hold_every_printed_character(text: str) -> None:
    found = sentences(text)
    previous, covered = 0, set()
    for s in found:
        assert previous <= s.start < s.end <= len(text)
        assert text[s.start : s.end].strip() == text[s.start : s.end]
        previous = s.end
        covered |= set(range(s.start, s.end))
    assert all(i in covered for i, c in enumerate(text) if not c.isspace())


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_the_same_text_gives_the_same_sentences(text: str) -> None:
    assert sentences(text) == sentences(text)


def test_a_long_run_of_punctuation_does_not_stall_the_tokenizer() -> None:
    text = "(" * 50_000 + " We lose."
    found = sentences(text)
    assert (found[0].start, found[-1].end) == (0, len(text))

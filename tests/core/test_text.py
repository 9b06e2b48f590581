from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from claimdex.text import claim_id, normalise, numbers

ANY = st.text(st.characters(codec="utf-8"))


@given(ANY)
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_every_invisible_character_goes() -> None:
    unseen = (chr(c) for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) in ("Cf", "Cs", "Co"))
    assert normalise("a" + "".join(unseen) + "b") == "ab"


@given(st.integers(0, 10**9), st.sampled_from(["{:,}", "{}", "-{}"]))
def test_a_printed_number_is_read_back(value: int, form: str) -> None:
    (found,) = numbers(f"we get {form.format(value)} here")
    assert abs(found.value) == value


@given(st.lists(st.text("abc ", min_size=1), min_size=1), ANY)
def test_a_claim_id_depends_on_its_ground_and_numbers_and_not_on_its_wording(
    sentences: list[str], salt: str
) -> None:
    one = claim_id("doi:10.1/x", "benchmark", sentences, "A reaches 71.2% on B.")
    assert one == claim_id("doi:10.1/x", "benchmark", sentences, "On B, A gets 71.20 %.")
    assert one != claim_id("doi:10.1/x", "benchmark", sentences, "A reaches 71.3% on B.")
    assert one != claim_id("doi:10.1/y", "benchmark", sentences, "A reaches 71.2% on B.")


def test_digits_in_names_are_not_numbers() -> None:
    assert [n.value for n in numbers("ResNet50, nDCG@10 and v1.2 at 3.4x")] == [3.4]

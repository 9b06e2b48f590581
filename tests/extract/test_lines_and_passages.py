from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimdex.extract.pdf.drawings import Drawings
from claimdex.extract.pdf.furniture import PageLines, without_furniture
from claimdex.extract.pdf.glyphs import Glyph, Style
from claimdex.extract.pdf.lines import Line, build_lines
from claimdex.extract.pdf.passages import Vocabulary, join_lines
from claimdex.extract.pdf.pdfium import RawPage

PLAIN = Style("Times", 10.0, False, False, False, 0.0, 255, 0, 0.0)
SMALL = Style("Times", 7.0, False, False, False, 0.0, 255, 0, 0.0)
WORDS = st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=8)


def glyphs(text: str, x: float = 50.0, y: float = 700.0, style: Style = PLAIN) -> list[Glyph]:
    step = style.size / 2
    return [Glyph(c, x + i * step, x + (i + 1) * step, y, style) for i, c in enumerate(text)]


def line(text: str, y: float = 700.0, x: float = 50.0) -> Line:
    (built,) = build_lines(1, glyphs(text, x, y))
    return built


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_lines_keep_the_words_and_the_order_of_the_stream(rows: list[list[str]]) -> None:
    texts = [" ".join(row) for row in rows]
    stream = [g for i, text in enumerate(texts) for g in glyphs(text, y=700 - 12 * i)]
    assert [built.text for built in build_lines(1, stream)] == texts


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_joined_lines_lose_no_letter_and_spans_give_them_back(rows: list[list[str]]) -> None:
    lines = [line(" ".join(row), 700 - 12 * i) for i, row in enumerate(rows)]
    text, spans = join_lines(lines, Vocabulary(lines))
    assert text == " ".join(built.text for built in lines)
    assert [text[s.start : s.end] for s in spans] == [built.text for built in lines]


def joined(first: str, second: str, elsewhere: str = "") -> str:
    lines = [line(first, 700), line(second, 688)]
    return join_lines(lines, Vocabulary([*lines, line(elsewhere or "x", 600)]))[0]


def test_a_hyphen_goes_where_the_word_is_one() -> None:
    assert joined("a mini-", "mization step") == "a minimization step"
    assert joined("the para-", "meters", "all parameters") == "the parameters"


def test_a_hyphen_stays_in_a_compound() -> None:
    assert joined("the state-", "of-the-art model", "some state") == "the state-of-the-art model"
    assert joined("a well-", "known result", "a well-known bound") == "a well-known result"
    assert joined("the non-", "Euclidean case") == "the non-Euclidean case"


def test_the_shortened_span_ends_before_the_hyphen() -> None:
    lines = [line("mini-", 700), line("mize", 688)]
    text, spans = join_lines(lines, Vocabulary(lines))
    assert [text[s.start : s.end] for s in spans] == ["mini", "mize"]
    assert all(len(s.edges) == s.end - s.start + 1 for s in spans)


def test_raised_digits_stay_apart_from_the_number_before_them() -> None:
    stream = [*glyphs("10"), *glyphs("5", x=60.0, y=704.0, style=SMALL)]
    assert [built.text for built in build_lines(1, stream)] == ["10⁵"]


def test_an_accent_drawn_after_its_letter_is_joined_with_it() -> None:
    stream = [*glyphs("Jose"), Glyph("´", 65.0, 70.0, 700.0, PLAIN)]
    assert [built.text for built in build_lines(1, stream)] == ["José"]


def page(number: int, lines: list[Line]) -> PageLines:
    return PageLines(RawPage(number, 600, 800, (0, 0, 600, 800), [], Drawings(), []), lines)


def test_running_heads_and_page_numbers_go_and_text_stays() -> None:
    pages = [
        page(
            n,
            [
                line("Proceedings of the Example Conference", 780),
                line(f"body {'abcd'[n]}", 400),
                line(str(n), 20),
            ],
        )
        for n in (1, 2, 3)
    ]
    assert [[x.text for x in p.lines] for p in without_furniture(pages)] == [
        ["body b"],
        ["body c"],
        ["body d"],
    ]


def test_numbers_in_the_margin_go_and_a_numbered_list_stays() -> None:
    margin = [line(f"{n:>2}".strip(), 700 - 12 * n, x=40 - 5 * len(str(n))) for n in range(1, 13)]
    listed = [line(f"{n} apples", 700 - 12 * n, x=50) for n in range(1, 5)]
    (cleaned,) = without_furniture([page(1, [*margin, *listed])])
    assert [x.text for x in cleaned.lines] == ["1 apples", "2 apples", "3 apples", "4 apples"]

from __future__ import annotations

from claimdex.claim import TheoremDetails
from claimdex.extract.rules.main_text import main_text
from claimdex.extract.rules.theorem_claims import conclusion_of, theorem_drafts, trimmed
from claimdex.paper import Paper, ParserInfo, Passage, PassageKind, Section, SectionKind, Source, Span


def passage(
    at: int, kind: PassageKind, text: str, label: str | None = None, name: str | None = None
) -> Passage:
    span = Span(start=0, end=len(text), page=at + 1, box=(0, 0, 1, 1))
    return Passage(id=f"p{at}", kind=kind, text=text, section="s0", label=label, name=name, spans=(span,))


def read(*passages: Passage) -> Paper:
    return Paper(
        paper_id="sha256:0",
        title="A paper",
        source=Source(sha256="0", pages=9),
        parser=ParserInfo(name="test", version="0"),
        sections=(Section(id="s0", title="Theory", level=1, kind=SectionKind.THEORY, page=1),),
        passages=passages,
    )


THEOREM = (
    "Theorem 3.2 (Rate). Suppose that f is convex. Under Assumption 2, we have f(x) ≤ 1/T for all T ≥ 2."
)


def test_a_theorem_is_its_statement_with_assumptions_conclusion_and_proof_page() -> None:
    paper = read(
        passage(0, PassageKind.THEOREM, THEOREM, "Theorem 3.2", "Rate"),
        passage(1, PassageKind.PROOF, "Proof. By convexity."),
    )
    (draft,) = theorem_drafts(paper, main_text(paper))
    assert (
        draft.text.startswith("Theorem 3.2 (Rate): Suppose that f is convex.")
        and "for all T ≥ 2" in draft.text
    )
    assert isinstance(draft.details, TheoremDetails)
    assert draft.details.assumptions == ("Suppose that f is convex", "Under Assumption 2")
    assert draft.details.proof_page == 2 and draft.details.conclusion is not None
    assert draft.spans[0] == ("p0", 0, len(THEOREM))


def test_the_formulas_behind_a_statement_belong_to_it() -> None:
    paper = read(
        passage(0, PassageKind.THEOREM, "Theorem 1. Suppose f is convex and smooth. Then", "Theorem 1"),
        passage(1, PassageKind.EQUATION, "f(x) ≤ 1/T"),
        passage(2, PassageKind.PARAGRAPH, "This is sharp."),
    )
    (draft,) = theorem_drafts(paper, main_text(paper))
    assert "f(x) ≤ 1/T" in draft.text and "sharp" not in draft.text
    assert [s[0] for s in draft.spans] == ["p0", "p1"]


def test_definitions_others_results_and_helper_lemmas_are_left_out() -> None:
    lemma = "Suppose that f is convex. Then g is convex too."
    paper = read(
        passage(0, PassageKind.THEOREM, "Definition 1. A kernel is symmetric.", "Definition 1"),
        passage(1, PassageKind.THEOREM, f"Theorem 2 (Smith, 2011). {lemma}", "Theorem 2", "Smith, 2011"),
        *(passage(i, PassageKind.THEOREM, f"Lemma {i}. {lemma}", f"Lemma {i}") for i in range(3, 6)),
        passage(6, PassageKind.THEOREM, f"Theorem 7. {lemma}", "Theorem 7"),
    )
    assert [d.anchor.label for d in theorem_drafts(paper, main_text(paper)) if d.anchor] == ["Theorem 7"]


def test_a_long_statement_keeps_whole_sentences_and_its_conclusion() -> None:
    said = [
        "Suppose that f is convex.",
        *["It is long and tells a lot of things." for _ in range(20)],
        "Then f is small.",
    ]
    text = trimmed(said)
    assert len(text) <= 600 and text.startswith("Suppose") and text.endswith("Then f is small.")


def test_the_conclusion_begins_behind_then() -> None:
    assert conclusion_of(["Suppose f is convex.", "Then, f is small."]) == "f is small"

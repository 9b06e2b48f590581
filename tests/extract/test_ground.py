from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from claimdex.claim import (
    Anchor,
    AnchorKind,
    BenchmarkDetails,
    Claim,
    ClaimSet,
    ClaimType,
    Draft,
    EmpiricalDetails,
    Extraction,
    Rejection,
    TheoremDetails,
    Verdict,
)
from claimdex.extract.grounding.eligibility import is_compound
from claimdex.extract.grounding.ground import claims_of
from claimdex.extract.grounding.matching import printed_in
from claimdex.extract.quantities import quantities
from claimdex.paper import Cell, Paper, ParserInfo, Passage, PassageKind, Section, SectionKind, Source
from claimdex.settings import Settings

FAULTS = Path(__file__).parents[3] / "shared" / "challenge" / "known_faults.json"


def table(passage_id: str, text: str, label: str) -> Passage:
    """A table passage with cells from rows of " | "."""
    cells: list[Cell] = []
    at = 0
    rows = text.split("\n")
    head = rows[0].split(" | ")
    for r, row in enumerate(rows):
        offset = at
        parts = row.split(" | ")
        for c, part in enumerate(parts):
            header = r == 0 or c == 0
            cells.append(
                Cell(
                    row=r,
                    column=c,
                    text=part,
                    header=header,
                    row_header="" if r == 0 else parts[0],
                    column_header="" if c == 0 else head[c],
                    start=offset,
                    end=offset + len(part),
                )
            )
            offset += len(part) + 3
        at += len(row) + 1
    return Passage(id=passage_id, kind=PassageKind.TABLE, text=text, label=label, cells=tuple(cells))


def para(text: str, passage_id: str = "p1", **more: Any) -> Passage:
    return Passage(id=passage_id, kind=more.pop("kind", PassageKind.PARAGRAPH), text=text, **more)


def paper_of(
    *passages: Passage, title: str = "A study of things", sections: tuple[Section, ...] = ()
) -> Paper:
    return Paper(
        paper_id="openreview:NJes6aeTem",
        title=title,
        source=Source(sha256="0" * 64),
        parser=ParserInfo(name="test", version="1"),
        passages=passages,
        sections=sections,
    )


def draft_of(text: str, passage: Passage, kind: ClaimType = ClaimType.EMPIRICAL, **more: Any) -> Draft:
    details: Any = {
        ClaimType.THEOREM: TheoremDetails(),
        ClaimType.BENCHMARK: BenchmarkDetails(),
        ClaimType.EMPIRICAL: EmpiricalDetails(),
    }[kind]
    spans = more.pop("spans", ((passage.id, 0, len(passage.text)),))
    return Draft(text=text, type=kind, details=details, spans=spans, **more)


def run(paper: Paper, *drafts: Draft, knobs: Settings | None = None) -> ClaimSet:
    extraction = Extraction(drafts=drafts, extractor="test", version="1")
    return claims_of(paper, extraction, knobs or Settings(), "2026-01-01T00:00:00Z", "run")


def one(paper: Paper, draft: Draft) -> Claim | Rejection:
    result = run(paper, draft)
    assert len(result.claims) + len(result.rejected) == 1
    return result.claims[0] if result.claims else result.rejected[0]


def outcome(paper: Paper, draft: Draft) -> str:
    found = one(paper, draft)
    if isinstance(found, Claim):
        return found.grounding.verdict.value
    return "unsupported" if found.reason.startswith("unsupported") else "rejected"


def fault_cases() -> list[Any]:
    if not FAULTS.exists():
        return [pytest.param({}, id="absent", marks=pytest.mark.skip(reason="fault list not here"))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(FAULTS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", fault_cases())
def test_every_known_fault_is_caught(case: dict[str, Any]) -> None:
    passages = []
    for p in case["passages"]:
        if p["kind"] == "table":
            passages.append(table(p["id"], p["text"], p["label"]))
        else:
            passages.append(para(p["text"], p["id"], kind=PassageKind(p["kind"]), label=p.get("label")))
    paper = paper_of(*passages)
    if case["expected"].startswith("split into"):
        assert is_compound(case["claim"]) == int(re.findall(r"\d+", case["expected"])[0])
        return
    sources = [p for p in passages if p.kind is not PassageKind.HEADING]
    for passage in sources:
        kind = ClaimType.THEOREM if passage.kind is PassageKind.THEOREM else ClaimType.EMPIRICAL
        assert outcome(paper, draft_of(case["claim"], passage, kind)) == case["expected"]


T2 = table(
    "t2",
    "Model | Harbor MSE | Kestrel MSE\nPatchy | 2.52 | 0.455\nRoller | 2.40 | 0.412\nLoopNet (ours) |"
    " 2.31 | 0.371",
    "Table 2",
)
ALPHA = para("Dyad gains 2.1 points on Alpha and 3.4 points on Beta. Patchy is slower than Dyad in all runs.")
RESP = para("With 99% of features missing, GCNMF and PaGNN lose 58.3% and 21.3% respectively.")
FAST = para("LoopNet is up to 2.7x faster than Patchy on average, and about 10 s suffice for training.")
MOST = para("On most tasks LoopNet improves over Patchy, but it does not converge on Harbor.")
THEOREM = para(
    "Theorem 3.5. Under Assumption 2, with probability at least 1 - δ the particles converge to a ball "
    "of radius ε.",
    "th",
    kind=PassageKind.THEOREM,
    label="Theorem 3.5",
)


@pytest.mark.parametrize(
    ("passage", "faithful"),
    [
        (T2, "LoopNet reaches a Kestrel MSE of 0.371."),
        (T2, "LoopNet reaches a Kestrel MSE of 0.371 against 0.455 for Patchy."),
        (T2, "Compared with Patchy (0.455), LoopNet reaches 0.371 MSE on Kestrel."),
        (ALPHA, "Dyad gains 3.4 points on Beta."),
        (ALPHA, "On Alpha, Dyad gains 2.1 points."),
        (ALPHA, "Dyad gains 2.1 points on Alpha and 3.4 points on Beta."),
        (RESP, "With 99% of features missing, PaGNN loses 21.3%."),
        (FAST, "LoopNet is up to 2.7x faster than Patchy on average."),
        (FAST, "About 10 s suffice for training LoopNet."),
        (MOST, "LoopNet improves over Patchy on most tasks."),
        (MOST, "LoopNet does not converge on Harbor."),
        (
            para("The method is between 4.56 and 20.40 times faster."),
            "The method is 4.56 to 20.40 times faster.",
        ),
        (
            para("It has 1.3 × 10^-4 error and needs half the time."),
            "It has an error of 1.3e-4 in half the time.",
        ),
    ],
)
def test_a_faithful_paraphrase_is_verified(passage: Passage, faithful: str) -> None:
    found = one(paper_of(passage), draft_of(faithful, passage))
    assert isinstance(found, Claim), found
    assert found.grounding.verdict is Verdict.VERIFIED, found.grounding.checks


@pytest.mark.parametrize(
    ("passage", "trap", "check"),
    [
        (T2, "LoopNet reaches a Kestrel MSE of 2.31.", "numbers"),
        (T2, "LoopNet reaches a Kestrel MSE of 0.455 against 0.371 for Patchy.", "numbers"),
        (T2, "LoopNet reaches a Kestrel MSE of 0.412.", "numbers"),
        (T2, "LoopNet reaches 0.371 against 2.52 for Patchy.", "numbers"),
        (T2, "LoopNet reaches a Kestrel MSE of 37.1%.", "numbers"),
        (ALPHA, "Dyad gains 3.4 points on Alpha.", "numbers"),
        (ALPHA, "Dyad gains 3.4 points on Alpha and 2.1 points on Beta.", "numbers"),
        (ALPHA, "Dyad gains 2.1% on Alpha.", "numbers"),
        (ALPHA, "Dyad gains three points on Alpha.", "numbers"),
        (ALPHA, "Patchy is faster than Dyad in all runs.", "quantifiers"),
        (RESP, "With 99% of features missing, PaGNN loses 58.3%.", "numbers"),
        (RESP, "With 90% of features missing, PaGNN loses 21.3%.", "numbers"),
        (FAST, "LoopNet is 2.7x faster than Patchy on average.", "quantifiers"),
        (FAST, "LoopNet is up to 2.7x faster than Patchy.", "quantifiers"),
        (FAST, "LoopNet is at least 2.7x faster than Patchy on average.", "quantifiers"),
        (FAST, "LoopNet is up to 27x faster than Patchy on average.", "numbers"),
        (FAST, "ZephNet is up to 2.7x faster than Patchy on average.", "names"),
        (MOST, "LoopNet improves over Patchy on all tasks.", "quantifiers"),
        (MOST, "LoopNet improves over Patchy on tasks.", "quantifiers"),
        (MOST, "LoopNet does converge on Harbor.", "quantifiers"),
        (MOST, "LoopNet consistently improves over Patchy on most tasks.", "quantifiers"),
        (para("MetaNet outperforms LoopNet."), "LoopNet outperforms MetaNet.", "names"),
        (para("We find GPT-2 stable; Pythia-1B is not used."), "GPT-2 is not stable.", "quantifiers"),
    ],
)
def test_a_trap_is_unsupported_by_the_check_that_is_there_for_it(
    passage: Passage, trap: str, check: str
) -> None:
    found = one(paper_of(passage), draft_of(trap, passage))
    assert isinstance(found, Rejection), found
    assert found.reason.startswith("unsupported"), found.reason
    assert check in {c.name for c in found.checks if c.passed is False}


def test_a_formal_statement_keeps_probability_neighbourhood_and_assumption() -> None:
    paper = paper_of(THEOREM)
    full = "Under Assumption 2, with probability at least 1 - δ the particles converge to a ball of radius ε."
    assert outcome(paper, draft_of(full, THEOREM, ClaimType.THEOREM)) == "verified"
    for dropped in ("with probability at least 1 - δ ", "to a ball of radius ε"):
        assert (
            outcome(paper, draft_of(full.replace(dropped, ""), THEOREM, ClaimType.THEOREM)) == "unsupported"
        )
    bare = "The particles converge, with probability at least 1 - δ, to a ball of radius ε."
    assert outcome(paper, draft_of(bare, THEOREM, ClaimType.THEOREM)) == "partial"
    kept = draft_of(bare, THEOREM, ClaimType.THEOREM, conditions=("Assumption 2",))
    assert outcome(paper, kept) == "verified"


def test_a_label_of_another_version_is_replaced_by_the_parsed_one() -> None:
    text = THEOREM.text.replace("Theorem 3.5.", "By Theorem 4.1,")
    found = one(paper_of(THEOREM), draft_of(text, THEOREM, ClaimType.THEOREM))
    assert isinstance(found, Claim)
    assert found.grounding.verdict is Verdict.PARTIAL
    assert found.text.startswith("By Theorem 3.5,")
    assert found.evidence[0].anchor == Anchor(kind=AnchorKind.THEOREM, label="Theorem 3.5")


def test_an_anchor_the_paper_does_not_have_is_dropped() -> None:
    asked = Anchor(kind=AnchorKind.TABLE, label="Table 9")
    found = one(paper_of(ALPHA), draft_of("Dyad gains 3.4 points on Beta.", ALPHA, anchor=asked))
    assert isinstance(found, Claim)
    assert found.evidence[0].anchor is None
    assert [c.name for c in found.grounding.checks if c.passed is False] == ["anchor"]


def test_an_anchor_named_in_the_sentence_is_resolved_to_its_printed_label() -> None:
    passage = para("As Tab. 2 shows, LoopNet reaches 0.371 on Kestrel.")
    asked = Anchor(kind=AnchorKind.TABLE, label="Table 2")
    found = one(paper_of(passage, T2), draft_of("LoopNet reaches 0.371 on Kestrel.", passage, anchor=asked))
    assert isinstance(found, Claim)
    assert found.evidence[0].anchor == asked


def test_evidence_is_anchored_to_its_section_and_the_abstract() -> None:
    section = Section(id="s1", number="4.2", title="Results", level=2, kind=SectionKind.EXPERIMENTS, page=3)
    body = para(ALPHA.text, section="s1")
    abstract = para("Dyad gains 3.4 points on Beta.", "p0", kind=PassageKind.ABSTRACT)
    paper = paper_of(abstract, body, sections=(section,))
    claims = run(
        paper, draft_of(abstract.text, abstract), draft_of("Dyad gains 3.4 points on Beta.", body)
    ).claims
    assert len(claims) == 1
    anchors = [e.anchor.label for e in claims[0].evidence if e.anchor]
    assert sorted(anchors) == ["Abstract", "Section 4.2"]


def test_hidden_text_carries_no_claim() -> None:
    hidden = para("Dyad gains 3.4 points on Beta.", visible=False)
    assert outcome(paper_of(hidden), draft_of(hidden.text, hidden)) == "unsupported"


def test_a_draft_without_a_place_in_the_paper_is_rejected() -> None:
    draft = draft_of("Dyad gains 3.4 points on Beta.", ALPHA, spans=(("p9", 0, 5), ("p1", 5, 900)))
    found = one(paper_of(ALPHA), draft)
    assert isinstance(found, Rejection)
    assert found.reason.startswith("no evidence")


@pytest.mark.parametrize(
    "text",
    [
        "Previous methods [3, 4] require 10 times more labels.",
        "Smith et al. [7] prove that depth helps.",
        "Earlier work shows that width matters [2].",
    ],
)
def test_results_of_others_are_rejected_as_prior_work(text: str) -> None:
    passage = para(text)
    claim = re.sub(r" ?\[[\d, ]+\]", "", text)
    found = one(paper_of(passage), draft_of(claim, passage))
    assert isinstance(found, Rejection)
    assert found.reason.startswith("prior work")


@pytest.mark.parametrize(
    "text",
    [
        "LoopNet needs 10 times fewer labels than previous methods [3, 4].",
        "Unlike previous methods [3], our LoopNet needs no labels.",
        "We outperform earlier work by 3.4 points.",
    ],
)
def test_a_comparison_with_others_is_no_prior_work(text: str) -> None:
    passage = para(text)
    assert outcome(paper_of(passage), draft_of(text, passage)) in ("verified", "partial")


@pytest.mark.parametrize(
    "text",
    [
        "The paper introduces CANVAS, a modular framework.",
        "We study the role of depth in networks.",
        "CANVAS is an elegant and powerful framework.",
        "This work discusses open questions.",
    ],
)
def test_what_nobody_can_test_is_rejected(text: str) -> None:
    passage = para(text)
    found = one(paper_of(passage), draft_of(text, passage))
    assert isinstance(found, Rejection)
    assert found.reason.startswith("untestable")


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("The set has 405 questions: 145 on law, 128 on medicine and 135 on finance.", "408"),
        ("LoopNet gives a 120% (1.21x) improvement.", "120% is not 1.21x"),
        ("It needs 4B tokens against 30B tokens, a 97% reduction.", "97%"),
        ("It uses 16 parameters against 4,355 parameters, 277x fewer.", "277x"),
        ("The accuracy improves from 71.2% to 74.9%, by 5.2 points.", "5.2 points"),
    ],
)
def test_numbers_that_do_not_agree_are_flagged_and_kept(text: str, finding: str) -> None:
    passage = para(text)
    found = one(paper_of(passage), draft_of(text, passage))
    assert isinstance(found, Claim)
    assert found.grounding.verdict is Verdict.PARTIAL
    assert finding in next(c.finding for c in found.grounding.checks if c.name == "arithmetic")


@pytest.mark.parametrize(
    "text",
    [
        "The set has 408 questions: 145 on law, 128 on medicine and 135 on finance.",
        "LoopNet gives a 21% (1.21x) improvement.",
        "It needs 4B tokens against 30B tokens, an 87% reduction.",
        "The accuracy improves from 71.2% to 74.9%, by 3.7 points.",
        "The loss falls from 0.412 to 0.371, by 10%.",
        "It trains 14 times faster (2.1 million steps against 31.0 million steps).",
    ],
)
def test_numbers_that_agree_are_not_flagged(text: str) -> None:
    passage = para(text)
    found = one(paper_of(passage), draft_of(text, passage))
    assert isinstance(found, Claim)
    assert not [c for c in found.grounding.checks if c.name == "arithmetic" and c.passed is False]


def test_two_places_that_give_another_number_are_a_conflict_and_the_claim_stays() -> None:
    here = para("In comparison, GCNMF and PaGNN have a drop of 53.33% and 21.25% respectively.", "p1")
    there = para("FP loses 4.12%, against 58.33% and 21.25% for GCNMF and PaGNN respectively.", "p2")
    found = one(paper_of(here, there), draft_of("GCNMF has a drop of 53.33%.", here))
    assert isinstance(found, Claim)
    assert found.grounding.verdict is Verdict.PARTIAL
    conflict = found.grounding.conflicts[0]
    assert (conflict.value, conflict.other_value) == ("53.33%", "58.33%")
    assert there.text[conflict.evidence.start : conflict.evidence.end] == conflict.evidence.quote


def test_counts_of_the_same_things_conflict_but_other_settings_do_not() -> None:
    abstract = "FP outperforms previous methods on seven common node-classification benchmarks."
    seven = para(abstract, "p1", kind=PassageKind.ABSTRACT)
    six = para("FP outperforms previous methods on six standard node-classification benchmarks.", "p2")
    found = one(paper_of(seven, six), draft_of(seven.text, seven))
    assert isinstance(found, Claim)
    assert [c.other_value for c in found.grounding.conflicts] == ["six"]
    at90 = para("FP loses 2.5% of accuracy with 90% of missing features.", "p1", kind=PassageKind.ABSTRACT)
    at99 = para("FP loses 4.1% of accuracy with 99% of missing features.", "p2")
    found = one(paper_of(at90, at99), draft_of(at90.text, at90))
    assert isinstance(found, Claim)
    assert found.grounding.conflicts == ()


def test_two_set_ups_told_in_the_same_words_are_no_conflict() -> None:
    one_run = para("The agent plays each game for 20M frames in every iteration of the cycle.", "p1")
    another = para("The agent plays each game for 10M frames in every iteration of the cycle.", "p2")
    found = one(paper_of(one_run, another), draft_of(one_run.text, one_run))
    assert isinstance(found, Claim)
    assert found.grounding.conflicts == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("LoopNet reaches 0.371 against 0.455 for Patchy.", 1),
        ("The method is between 3 and 5 times faster.", 1),
        ("LoopNet gains 2.1 points on Alpha and 3.4 points on Beta.", 2),
        ("LoopNet is faster than Patchy; it uses 30% less memory.", 2),
        ("If f is convex and L-smooth, the method converges at rate O(1/T).", 1),
    ],
)
def test_statements_that_can_fail_on_their_own_are_counted(text: str, count: int) -> None:
    assert is_compound(text) == count


def test_the_same_input_gives_the_same_bytes_and_ids_do_not_depend_on_wording() -> None:
    paper = paper_of(ALPHA, T2)
    drafts = [
        draft_of("Dyad gains 3.4 points on Beta.", ALPHA, score=0.4),
        draft_of("LoopNet reaches a Kestrel MSE of 0.371.", T2, ClaimType.BENCHMARK, score=0.9),
    ]
    first, second = run(paper, *drafts), run(paper, *reversed(drafts))
    assert first.model_dump_json() == second.model_dump_json()
    other = run(paper, draft_of("On Beta, Dyad gains 3.4 points.", ALPHA))
    assert other.claims[0].claim_id in {c.claim_id for c in first.claims}
    assert [c.rank for c in first.claims] == [1, 2]


def test_claims_beyond_the_cap_are_reported_as_left_out() -> None:
    knobs = Settings().model_copy(update={"extract": Settings().extract.model_copy(update={"max_claims": 1})})
    drafts = [
        draft_of("Dyad gains 3.4 points on Beta.", ALPHA, score=0.4),
        draft_of("Dyad gains 2.1 points on Alpha.", ALPHA, score=0.9),
    ]
    result = run(paper_of(ALPHA), *drafts, knobs=knobs)
    assert [c.text for c in result.claims] == ["Dyad gains 2.1 points on Alpha."]
    assert [r.reason for r in result.rejected] == ["left out: rank 2, beyond the 1 claims kept of a paper"]


NUMBERS = st.one_of(
    st.decimals(min_value=1, max_value=999, places=1).map(str),
    st.integers(min_value=2, max_value=9999).map(str),
)
SHAPES = st.sampled_from(
    [
        "LoopNet gains {} points on Kestrel.",
        "The error of LoopNet falls to {}% on Kestrel.",
        "LoopNet is {}x faster than Patchy.",
        "LoopNet trains in {} hours on one machine.",
        "LoopNet reaches a score of {} on Harbor.",
        "It takes up to {} GB of memory in all runs.",
    ]
)


@settings(max_examples=80, deadline=None)
@given(SHAPES, NUMBERS)
def test_a_sentence_is_never_refused_as_its_own_claim_by_the_number_check(shape: str, number: str) -> None:
    passage = para(shape.format(number))
    found = one(paper_of(passage), draft_of(passage.text, passage))
    checks = found.grounding.checks if isinstance(found, Claim) else found.checks
    assert not [c for c in checks if c.name in ("numbers", "binding") and c.passed is False]


@settings(max_examples=120, deadline=None)
@given(SHAPES, NUMBERS, st.data())
def test_a_sentence_with_one_digit_changed_is_never_verified(
    shape: str, number: str, data: st.DataObject
) -> None:
    at = data.draw(st.sampled_from([i for i, c in enumerate(number) if c.isdigit()]))
    digit = data.draw(st.sampled_from([c for c in "123456789" if c != number[at]]))
    changed = number[:at] + digit + number[at + 1 :]
    assume(float(changed) != float(number))
    passage = para(shape.format(number))
    assert outcome(paper_of(passage), draft_of(shape.format(changed), passage)) == "unsupported"


def test_a_range_is_not_looked_for_in_a_quantity_without_a_value() -> None:
    claimed = quantities("2-3 orders of magnitude faster")[0]
    valueless = replace(claimed, value=None, ends=None)
    assert valueless.values == ()
    assert printed_in(claimed, [valueless]) is None

"""Drafts to claims: a claim is published only with its proof.

Every draft of every extractor passes the same checks, by code. What fails one of ``SEVERE`` is
unsupported and becomes a rejection; what fails another is published as ``partial`` with the finding.
"""

from __future__ import annotations

from collections.abc import Iterable

from claimdex.claim import (
    Anchor,
    AnchorKind,
    Artifact,
    Check,
    Claim,
    ClaimSet,
    Conflict,
    Draft,
    Evidence,
    Extraction,
    Grounding,
    Provenance,
    Rejection,
    Verdict,
)
from claimdex.extract.grounding.arithmetic import check_arithmetic
from claimdex.extract.grounding.case import Case
from claimdex.extract.grounding.checks import (
    check_anchor,
    check_binding,
    check_names,
    check_numbers,
    check_quote,
    check_visible,
)
from claimdex.extract.grounding.conflicts import Statements, conflicts_of
from claimdex.extract.grounding.eligibility import prior_work, untestable
from claimdex.extract.grounding.merge import Scored, merge
from claimdex.extract.grounding.terms import LABEL, LABEL_KINDS, PaperWords, anchor_of, label_key
from claimdex.extract.grounding.wording import check_hedges, check_quantifiers
from claimdex.paper import Paper
from claimdex.settings import Settings
from claimdex.text import claim_id, normalise, sha256

SEVERE = frozenset(("quote", "numbers", "names", "quantifiers", "visible"))
"""Checks whose failure means that the paper does not say this."""

_CHECKS = (
    check_quote,
    check_numbers,
    check_binding,
    check_names,
    check_anchor,
    check_quantifiers,
    check_hedges,
    check_visible,
)


def claims_of(
    paper: Paper, extraction: Extraction, settings: Settings, created_at: str, run_id: str = ""
) -> ClaimSet:
    """The grounded, merged and ranked claims of a paper, with what was rejected and why."""
    provenance = Provenance(
        extractor=extraction.extractor,
        version=extraction.version,
        model=extraction.model,
        prompt_hash=extraction.prompt_hash,
        settings_hash=settings.extraction_hash(),
        created_at=created_at,
        run_id=run_id,
    )
    found, rejected = ground(paper, extraction.drafts, extraction.artifacts, provenance)
    claims, cut = merge(found, settings.extract.max_claims)
    rejected += [_left_out(claim, settings.extract.max_claims) for claim in cut]
    return ClaimSet(
        paper=paper.meta(),
        artifacts=extraction.artifacts,
        claims=claims,
        rejected=tuple(sorted(rejected, key=_key)),
    )


def _key(rejection: Rejection) -> tuple[int, str, str, str]:
    return (rejection.page, rejection.quote, rejection.text, rejection.reason)


def ground(
    paper: Paper, drafts: Iterable[Draft], artifacts: Iterable[Artifact], provenance: Provenance
) -> tuple[list[Scored], list[Rejection]]:
    """Each draft as a claim with its proof, or as a rejection with its reason."""
    words = PaperWords(paper)
    statements = Statements(words)
    by_id = {a.id: a for a in artifacts}
    found: list[Scored] = []
    rejected: list[Rejection] = []
    for draft in drafts:
        case = Case(draft, words, evidence_of(words, draft))
        reason = _ineligible(case)
        if reason:
            rejected.append(_rejection(case, reason, ()))
            continue
        grounding = grounding_of(case, statements)
        if grounding.verdict is Verdict.UNSUPPORTED:
            failed = next(c for c in grounding.checks if c.passed is False and c.name in SEVERE)
            rejected.append(_rejection(case, f"unsupported: {failed.finding}", grounding.checks))
            continue
        needs = tuple(by_id[i] for i in dict.fromkeys(draft.needs) if i in by_id)
        found.append(Scored(_claim(case, grounding, needs, provenance), draft.score, case.sentences[:1]))
    return found, rejected


def evidence_of(paper: PaperWords, draft: Draft) -> tuple[Evidence, ...]:
    """The draft's spans as evidence with quote, page, boxes and anchor, without those not in the paper."""
    found = {}
    for passage_id, start, end in draft.spans:
        passage = paper.passages.get(passage_id)
        if (
            passage is None
            or not 0 <= start < end <= len(passage.text)
            or not passage.text[start:end].strip()
        ):
            continue
        found[passage_id, start, end] = Evidence(
            quote=passage.text[start:end],
            passage_id=passage_id,
            start=start,
            end=end,
            page=passage.page_of(start),
            boxes=passage.boxes(start, end),
            anchor=anchor_of(paper.paper, passage),
        )
    return tuple(found.values())


def grounding_of(case: Case, statements: Statements) -> Grounding:
    """All checks of a case, the conflicts found, and the verdict that follows."""
    checks = [check(case) for check in _CHECKS]
    checks.append(check_arithmetic(case.draft.text))
    conflicts = conflicts_of(case, statements)
    checks.append(_consistency(case, conflicts))
    failed = {c.name for c in checks if c.passed is False}
    verdict = Verdict.PARTIAL if failed else Verdict.VERIFIED
    if failed & SEVERE:
        verdict = Verdict.UNSUPPORTED
    return Grounding(verdict=verdict, checks=tuple(checks), conflicts=conflicts)


def _consistency(case: Case, conflicts: tuple[Conflict, ...]) -> Check:
    """8. The paper agrees with itself."""
    if not case.stated:
        return Check(name="consistency", passed=None)
    finding = f"{conflicts[0].value} here, {conflicts[0].other_value} elsewhere" if conflicts else ""
    return Check(name="consistency", passed=not conflicts, finding=finding)


def _ineligible(case: Case) -> str | None:
    """Why the draft is no claim of this paper at all."""
    if not case.evidence:
        return "no evidence: its spans are not in the paper"
    passage = case.passages[0]
    if passage.cells or not passage.visible:
        return untestable(case.draft.text, passage)
    foreign = prior_work(case.draft.text, case.sentences[0], case.paper.paper.section(passage.section))
    if foreign:
        return f"prior work: {foreign}"
    vague = untestable(case.draft.text, passage)
    return f"untestable: {vague}" if vague else None


def _claim(case: Case, grounding: Grounding, needs: tuple[Artifact, ...], provenance: Provenance) -> Claim:
    draft, paper = case.draft, case.paper.paper
    text = normalise(_with_true_label(case))
    evidence = (_anchored(case), *case.evidence[1:])
    return Claim(
        claim_id=claim_id(paper.paper_id, draft.type.value, case.sentences[:1], text),
        paper_id=paper.paper_id,
        source=paper.source,
        text=text,
        text_sha256=sha256(text),
        type=draft.type,
        core=draft.core,
        details=draft.details,
        scope=draft.scope,
        conditions=draft.conditions,
        evidence=evidence,
        needs=needs,
        test=draft.test,
        grounding=grounding,
        provenance=provenance,
    )


def _with_true_label(case: Case) -> str:
    """The claim's text; a label of another version in it is replaced by that of the passage quoted."""
    text = case.draft.text
    own = case.passages[0].label
    key = label_key(own) if own else None
    if own is None or key is None:
        return text
    for match in reversed(list(LABEL.finditer(text))):
        said = label_key(match.group())
        if said and said != key and _same_kind(said, key) and match.group() not in case.sentences[0]:
            text = text[: match.start()] + own + text[match.end() :]
    return text


def _same_kind(one: tuple[str, str], other: tuple[str, str]) -> bool:
    formal = LABEL_KINDS.get(one[0]) is AnchorKind.THEOREM and LABEL_KINDS.get(other[0]) is AnchorKind.THEOREM
    return one[0] == other[0] or formal


def _anchored(case: Case) -> Evidence:
    """The first evidence, anchored as the draft asks if the paper has the label and the sentence names it."""
    first, asked = case.evidence[0], case.draft.anchor
    key = label_key(asked.label) if asked else None
    printed = case.paper.labels.get(key) if key else None
    if printed is None or asked is None or key is None or case.passages[0].label:
        return first
    named = any(label_key(m.group()) == key for m in LABEL.finditer(case.sentences[0]))
    return first.model_copy(update={"anchor": Anchor(kind=asked.kind, label=printed)}) if named else first


def _rejection(case: Case, reason: str, checks: tuple[Check, ...]) -> Rejection:
    first = case.evidence[0] if case.evidence else None
    return Rejection(
        text=case.draft.text,
        type=case.draft.type,
        quote=first.quote if first else "",
        page=first.page if first else 1,
        reason=reason,
        checks=checks,
    )


def _left_out(claim: Claim, limit: int) -> Rejection:
    return Rejection(
        text=claim.text,
        type=claim.type,
        quote=claim.evidence[0].quote,
        page=claim.evidence[0].page,
        reason=f"left out: rank {claim.rank}, beyond the {limit} claims kept of a paper",
        checks=claim.grounding.checks,
    )

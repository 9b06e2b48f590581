"""One claim for one statement, best first, and no more than asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from claimdex.claim import Claim, Verdict
from claimdex.extract.grounding.qualifiers import negated
from claimdex.extract.grounding.terms import content, names, stem
from claimdex.extract.quantities import quantities
from claimdex.text import claim_id, normalise

_MIN_SHARED_WITH_NUMBERS = 0.5
_MIN_SHARED = 0.7
"""Share of content words (Jaccard) from which two claims can be one statement, with equal numbers or none."""
_MIN_RATIO = 90.0
_MAX_EVIDENCE = 6


@dataclass(frozen=True)
class Scored:
    """A grounded claim, the extractor's score, and the normalised sentences it rests on."""

    claim: Claim
    score: float
    sentences: tuple[str, ...]

    @cached_property
    def numbers(self) -> frozenset[tuple[str, str, tuple[float, ...], str | None]]:
        """The quantities stated, with bound."""
        return frozenset((q.kind, stem(q.unit), q.values, q.bound) for q in quantities(self.claim.text))

    @cached_property
    def named(self) -> frozenset[str]:
        """Stems of the technical names."""
        return frozenset(stem(w.text) for w in names(self.claim.text) if w.technical)

    @property
    def order(self) -> tuple[bool, bool, float, int, str, int, str]:
        """Sort key: core first, then verified, score, place in the paper, text."""
        first = self.claim.evidence[0]
        unsure = self.claim.grounding.verdict is not Verdict.VERIFIED
        return (
            not self.claim.core,
            unsure,
            -self.score,
            first.page,
            first.passage_id,
            first.start,
            self.claim.text,
        )


def merge(found: Iterable[Scored], limit: int) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """The distinct claims with ``rank`` 1..n, at most ``limit`` of them, and those that were cut.

    Depends on the claims only, not on the order they come in.
    """
    clusters: list[list[Scored]] = []
    for item in sorted(found, key=lambda s: s.order):
        home = next((c for c in clusters if same_statement(c[0], item)), None)
        if home is None:
            clusters.append([item])
        else:
            home.append(item)
    distinct = _with_own_ids([_joined(c) for c in clusters])
    ordered = sorted(distinct, key=_rank_key)
    claims = tuple(s.claim.model_copy(update={"rank": i}) for i, s in enumerate(ordered, 1))
    return claims[:limit], claims[limit:]


def _rank_key(item: Scored) -> tuple[bool, float, int, str, int, str]:
    first = item.claim.evidence[0]
    return (not item.claim.core, -item.score, first.page, first.passage_id, first.start, item.claim.text)


def same_statement(one: Scored, other: Scored) -> bool:
    """Whether two claims say the same: type, numbers and names equal, and nearly the same words.

    Claims that differ in a number are never one.
    """
    if one.claim.type is not other.claim.type or one.numbers != other.numbers or one.named != other.named:
        return False
    a, b = normalise(one.claim.text), normalise(other.claim.text)
    if negated(a) != negated(b):
        return False
    mine, theirs = content(a), content(b)
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    if shared >= (_MIN_SHARED_WITH_NUMBERS if one.numbers else _MIN_SHARED):
        return True
    return fuzz.token_sort_ratio(a.casefold(), b.casefold()) >= _MIN_RATIO


def _joined(cluster: Sequence[Scored]) -> Scored:
    """The best wording of a cluster with the evidence, needs and conflicts of all."""
    best = cluster[0]
    claims = [s.claim for s in cluster]
    evidence = {(e.passage_id, e.start, e.end): e for c in claims for e in c.evidence}
    needs = {a.id: a for c in claims for a in c.needs}
    conflicts = {
        (c.evidence.passage_id, c.evidence.start, c.other_value): c
        for x in claims
        for c in x.grounding.conflicts
    }
    known = set(evidence)
    open_conflicts = tuple(
        c
        for c in conflicts.values()
        if (c.evidence.passage_id, c.evidence.start, c.evidence.end) not in known
    )
    merged = best.claim.model_copy(
        update={
            "core": any(c.core for c in claims),
            "evidence": tuple(evidence.values())[:_MAX_EVIDENCE],
            "conditions": tuple(dict.fromkeys(x for c in claims for x in c.conditions)),
            "needs": tuple(sorted(needs.values(), key=lambda a: a.id)),
            "grounding": best.claim.grounding.model_copy(update={"conflicts": open_conflicts}),
        }
    )
    return Scored(merged, max(s.score for s in cluster), best.sentences)


def _with_own_ids(found: Sequence[Scored]) -> list[Scored]:
    """The claims with distinct ids: of those that share one, all but the first by text get theirs salted."""
    out, taken = [], set[str]()
    for item in sorted(found, key=lambda s: (s.claim.claim_id, normalise(s.claim.text).casefold())):
        claim = item.claim
        if claim.claim_id in taken:
            salted = claim_id(claim.paper_id, claim.type.value, item.sentences, claim.text, salt=claim.text)
            claim = claim.model_copy(update={"claim_id": salted})
        if claim.claim_id not in taken:
            taken.add(claim.claim_id)
            out.append(Scored(claim, item.score, item.sentences))
    return out

"""Hits and cases of every figure for one paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimdex.claim import ClaimType
from claimdex.eval.agree import NAMED, artifacts_found, gold_value, labels_agree, names_agree, value_agrees
from claimdex.eval.figures import DECILES, rank_key, type_key
from claimdex.eval.gold import GoldClaim, GoldPaper
from claimdex.eval.match import Pair
from claimdex.eval.predictions import PredictedClaim, PredictedPaper
from claimdex.eval.wording import is_compound, is_self_contained
from claimdex.paper import Paper
from claimdex.text import normalise

Tally = tuple[int, int]
"""Hits and cases; the figure is their ratio."""

Matched = Sequence[tuple[PredictedClaim, GoldClaim]]

_BREAKS = re.compile(r"[\s-]+")


@dataclass(frozen=True)
class FieldAgreement:
    """One field of a matched pair in both versions, as text, and whether they agree."""

    field: str
    gold: str
    predicted: str
    agrees: bool


def fields(predicted: PredictedClaim, gold: GoldClaim) -> list[FieldAgreement]:
    """The details that gold states and that are scored: value, metric, data set, baseline, label."""
    mine, wanted = predicted.details, gold.details
    found = []
    value = gold_value(wanted)
    if value is not None:
        stated = {k: v for k in ("value", "factor", "percent", "delta") if (v := mine.get(k)) is not None}
        shown = ", ".join(f"{k} {v}" for k, v in stated.items())
        found.append(FieldAgreement("value", f"{value:g}", shown, value_agrees(mine, value)))
    for name in NAMED:
        text = wanted.get(name)
        if isinstance(text, str) and text.strip():
            other = mine.get(name)
            other = other if isinstance(other, str) else ""
            found.append(FieldAgreement(name, text, other, names_agree(other, text)))
    label = wanted.get("label")
    if isinstance(label, str) and label.strip():
        labels = predicted.labels
        agrees = labels_agree(labels, label)
        found.append(FieldAgreement("label", label, ", ".join(dict.fromkeys(labels)), agrees))
    return found


def tally(
    predicted: PredictedPaper | None, gold: GoldPaper, pairs: Sequence[Pair], paper: Paper | None
) -> dict[str, Tally]:
    """Every figure's hits and cases; figures that do not apply to this paper have no cases.

    ``paper`` is the parsed paper, without which quotes cannot be looked up.
    """
    claims = predicted.claims if predicted else ()
    matched = [(claims[p.predicted], gold.claims[p.gold]) for p in pairs]
    hits = {p.predicted for p in pairs}
    return {
        **_matching(claims, gold, matched),
        **_details(matched),
        **_artifacts(predicted, gold),
        **_claims_alone(claims, paper),
        **_by_type(claims, gold, matched),
        **_by_rank(claims, hits),
    }


def _matching(claims: Sequence[PredictedClaim], gold: GoldPaper, matched: Matched) -> dict[str, Tally]:
    n, p, g = len(matched), len(claims), len(gold.claims)
    return {
        "precision": (n, p),
        "recall": (n, g),
        "f1": (2 * n, p + g),
        "core_recall": (sum(c.core for _, c in matched), sum(c.core for c in gold.claims)),
        "type_accuracy": (sum(a.type == b.type for a, b in matched), n),
        "claims_per_paper": (p, 1),
    }


def _details(matched: Matched) -> dict[str, Tally]:
    names = {"value": "value_accuracy", "label": "anchor_accuracy", **{n: f"{n}_accuracy" for n in NAMED}}
    counts = dict.fromkeys(names.values(), (0, 0))
    for mine, wanted in matched:
        for field in fields(mine, wanted):
            hits, cases = counts[names[field.field]]
            counts[names[field.field]] = (hits + field.agrees, cases + 1)
    return counts


def _artifacts(predicted: PredictedPaper | None, gold: GoldPaper) -> dict[str, Tally]:
    artifacts = predicted.artifacts if predicted else ()
    n, p, g = artifacts_found(artifacts, gold.artifacts), len(artifacts), len(gold.artifacts)
    return {"artifact_precision": (n, p), "artifact_recall": (n, g), "artifact_f1": (2 * n, p + g)}


def _claims_alone(claims: Sequence[PredictedClaim], paper: Paper | None) -> dict[str, Tally]:
    judged = [c.grounding.verdict for c in claims if c.grounding and c.grounding.verdict]
    quotes = [e.quote for c in claims for e in c.evidence] if paper else []
    text = _joined(" ".join(p.text for p in paper.visible_passages())) if paper else ""
    return {
        "verified": (judged.count("verified"), len(judged)),
        "quotes_found": (sum(bool(q.strip()) and _joined(q) in text for q in quotes), len(quotes)),
        "compound_rate": (sum(is_compound(c.text) for c in claims), len(claims)),
        "self_contained": (sum(is_self_contained(c.text) for c in claims), len(claims)),
    }


def _joined(text: str) -> str:
    """Text without spaces and hyphens: where lines were broken does not matter."""
    return _BREAKS.sub("", normalise(text)).casefold()


def _by_type(claims: Sequence[PredictedClaim], gold: GoldPaper, matched: Matched) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for kind in ClaimType:
        both = sum(a.type == b.type == kind for a, b in matched)
        found[type_key("precision", kind)] = (both, sum(c.type == kind for c in claims))
        found[type_key("recall", kind)] = (both, sum(c.type == kind for c in gold.claims))
    return found


def _by_rank(claims: Sequence[PredictedClaim], hits: set[int]) -> dict[str, Tally]:
    """Precision by tenths of the paper's ranking; empty where the claims are not ranked."""
    counts = dict.fromkeys(map(rank_key, range(DECILES)), (0, 0))
    if len({c.rank for c in claims if c.rank}) < 2:
        return counts
    order = sorted(range(len(claims)), key=lambda i: (not claims[i].rank, claims[i].rank or 0, i))
    for place, i in enumerate(order):
        key = rank_key(DECILES * place // len(order))
        found, cases = counts[key]
        counts[key] = (found + (i in hits), cases + 1)
    return counts

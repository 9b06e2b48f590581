"""The form in which a language model answers, and how an answer becomes drafts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from claimdex.claim import Artifact, ClaimType, Details, Draft, Testability
from claimdex.extract.grounding.terms import anchor_of
from claimdex.extract.llm.paper_lines import Line
from claimdex.paper import Paper
from claimdex.text import normalise, numbers

_FIELDS = {
    "theorem": ("label", "conclusion"),
    "benchmark": (
        "method",
        "task",
        "dataset",
        "metric",
        "value",
        "unit",
        "baseline",
        "baseline_value",
        "delta",
        "delta_unit",
    ),
    "speedup": ("quantity", "factor", "percent", "value", "unit", "baseline", "hardware"),
    "empirical": ("variable", "effect"),
    "resource": ("name", "size", "unit", "url"),
}
_PRINTED = frozenset(("method", "dataset", "metric", "baseline", "hardware", "label", "name", "url"))
"""Details that must stand in the paper as they are."""

_DETAILS: TypeAdapter[Details] = TypeAdapter(Details)


class _Strict(BaseModel):
    """Every key required and none beside them: what servers call a strict schema."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerDetails(_Strict):
    """Details of all types in one flat object; those of other types are null."""

    label: str | None
    conclusion: str | None
    method: str | None
    task: str | None
    dataset: str | None
    metric: str | None
    quantity: str | None
    value: float | None
    unit: str | None
    baseline: str | None
    baseline_value: float | None
    delta: float | None
    delta_unit: Literal["points", "percent", "x"] | None
    factor: float | None
    percent: float | None
    hardware: str | None
    variable: str | None
    effect: str | None
    name: str | None
    size: float | None
    url: str | None


class AnswerClaim(_Strict):
    """A claim as the model gives it; ``evidence`` holds ids of lines, the one it is worded after first."""

    evidence: list[str] = Field(max_length=6)
    text: str
    type: Literal["theorem", "benchmark", "speedup", "empirical", "resource"]
    core: bool
    details: AnswerDetails
    conditions: list[str] = Field(max_length=8)
    falsified_if: str | None


class Answer(_Strict):
    """All claims of what was shown."""

    claims: list[AnswerClaim] = Field(max_length=60)


def drafts_of(
    paper: Paper, answer: Answer, lines: Mapping[str, Line], artifacts: Sequence[Artifact]
) -> list[Draft]:
    """The answer's claims with the places their ids stand for.

    Ids that were not shown are dropped, and claims without any other. Details that the paper does not
    print are dropped too: a number must stand in the claim's own evidence, a name anywhere in the paper.
    """
    printed = normalise(" ".join(p.text for p in paper.visible_passages())).casefold()
    drafts = []
    for rank, claim in enumerate(answer.claims):
        shown = list(dict.fromkeys(i.strip(" []") for i in claim.evidence))
        rests_on = [lines[i] for i in shown if i in lines]
        text = normalise(claim.text)
        if not rests_on or not text:
            continue
        drafts.append(
            Draft(
                text=text,
                type=ClaimType(claim.type),
                details=_details(claim, rests_on, printed),
                spans=tuple((line.passage_id, line.start, line.end) for line in rests_on),
                anchor=anchor_of(paper, paper.passage(rests_on[0].passage_id)),
                core=claim.core,
                score=(2.0 if claim.core else 1.0) - rank / 100,
                conditions=tuple(filter(None, map(normalise, claim.conditions))),
                needs=tuple(a.id for a in artifacts if _names(text, a)),
                test=Testability(falsified_if=claim.falsified_if),
            )
        )
    return drafts


def _details(claim: AnswerClaim, rests_on: Sequence[Line], printed: str) -> Details:
    stated = {abs(n.value) for line in rests_on for n in numbers(line.text)}
    given = claim.details.model_dump(include=set(_FIELDS[claim.type]))
    kept: dict[str, Any] = {"type": claim.type}
    for name, value in given.items():
        if isinstance(value, float) and abs(value) not in stated:
            continue
        if name in _PRINTED and (not value or normalise(str(value)).casefold() not in printed):
            continue
        kept[name] = value
    if claim.type == "theorem" and claim.details.label:
        kept["kind"] = re.split(r"[\s\d]", claim.details.label.casefold())[0] or "theorem"
    return _DETAILS.validate_python(kept)


def _names(text: str, artifact: Artifact) -> bool:
    """Whether the claim names the artifact, as whole words."""
    name = re.sub(r"\s\(.*", "", artifact.name)
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))

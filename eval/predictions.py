"""Predicted claims to be scored: claimdex's own output, or anybody's file with the same few fields."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from claimdex.eval.json_files import read_documents


def _none_is_empty(value: object) -> object:
    return {} if value is None else value


class _Foreign(BaseModel):
    """Fields we do not score are ignored: the file may come from any tool."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class PredictedAnchor(_Foreign):
    """The labelled place a quote stands in ("Theorem 3.2")."""

    label: str = ""


class PredictedEvidence(_Foreign):
    """A quote and the page, from 1, it was read from."""

    quote: str = ""
    page: int | None = None
    anchor: PredictedAnchor | None = None


class PredictedGrounding(_Foreign):
    """What the extractor's own checks said of the claim."""

    verdict: str = ""


class PredictedClaim(_Foreign):
    """A claim as predicted. ``rank`` counts from 1; 0 or None is not ranked."""

    id: str = Field(default="", validation_alias=AliasChoices("claim_id", "id"))
    text: str
    type: str = ""
    core: bool = False
    rank: int | None = None
    evidence: tuple[PredictedEvidence, ...] = ()
    details: Annotated[dict[str, JsonValue], BeforeValidator(_none_is_empty)] = Field(default_factory=dict)
    grounding: PredictedGrounding | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label the claim is anchored to: that of its details and those of its quotes."""
        own = self.details.get("label")
        stated = [own] if isinstance(own, str) else []
        return tuple(stated + [e.anchor.label for e in self.evidence if e.anchor])


class PredictedArtifact(_Foreign):
    """Something needed to test the claims, as predicted."""

    kind: str = ""
    name: str = ""
    url: str | None = None


class PredictedPaperInfo(_Foreign):
    """Which paper the claims are of: ``paper.sha256``, or ``paper.source.sha256`` as claimdex prints it."""

    sha256: str = Field(
        pattern=r"^[0-9a-f]{64}$",
        validation_alias=AliasChoices("sha256", AliasPath("source", "sha256")),
    )
    title: str = ""


class PredictedPaper(_Foreign):
    """The predictions for one paper."""

    paper: PredictedPaperInfo
    claims: tuple[PredictedClaim, ...] = ()
    artifacts: tuple[PredictedArtifact, ...] = ()


def load_predictions(path: Path | str) -> dict[str, PredictedPaper]:
    """Predictions by the sha256 of their PDF, from a JSON or JSONL file or a folder of them.

    Raises:
        NotFound: there is no such file or folder.
        BadInput: an object does not fit, or a paper stands twice; file, line and JSON path are named.
    """
    found: dict[str, PredictedPaper] = {}
    for document in read_documents(Path(path)):
        paper = document.parse(PredictedPaper)
        if paper.paper.sha256 in found:
            message = f"predictions for {paper.paper.sha256[:12]}... stand twice"
            raise document.fault(("paper",), message, hint="keep one prediction of each paper")
        found[paper.paper.sha256] = paper
    return found

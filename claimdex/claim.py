"""What a claim is: one testable statement, its evidence, and what one needs to test it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from claimdex.paper import SCHEMA_VERSION, PageBox, PaperMeta, Record, Source


class ClaimType(StrEnum):
    """The five kinds of claim."""

    THEOREM = "theorem"
    BENCHMARK = "benchmark"
    SPEEDUP = "speedup"
    EMPIRICAL = "empirical"
    RESOURCE = "resource"


class TheoremDetails(Record):
    """A formal statement. ``kind``: theorem, lemma, bound, complexity, ..."""

    type: Literal["theorem"] = "theorem"
    kind: str = "theorem"
    label: str | None = None
    name: str | None = None
    assumptions: tuple[str, ...] = ()
    conclusion: str | None = None
    scope: str | None = None
    proof_page: int | None = None


class BenchmarkDetails(Record):
    """A reported number whose subject is quality. ``delta_unit``: points, percent or x."""

    type: Literal["benchmark"] = "benchmark"
    method: str | None = None
    task: str | None = None
    dataset: str | None = None
    metric: str | None = None
    value: float | None = None
    unit: str | None = None
    higher_is_better: bool | None = None
    baseline: str | None = None
    baseline_value: float | None = None
    delta: float | None = None
    delta_unit: str | None = None
    bound: str | None = None


class SpeedupDetails(Record):
    """A gain in a resource. ``factor`` 8 for 8x; ``per``: what the figure is normalised by."""

    type: Literal["speedup"] = "speedup"
    quantity: str | None = None
    factor: float | None = None
    percent: float | None = None
    value: float | None = None
    unit: str | None = None
    baseline: str | None = None
    hardware: str | None = None
    per: str | None = None
    bound: str | None = None


class EmpiricalDetails(Record):
    """Any other testable finding."""

    type: Literal["empirical"] = "empirical"
    variable: str | None = None
    effect: str | None = None


class ResourceDetails(Record):
    """A released artefact with testable properties."""

    type: Literal["resource"] = "resource"
    kind: str | None = None
    name: str | None = None
    size: float | None = None
    unit: str | None = None
    url: str | None = None


Details = Annotated[
    TheoremDetails | BenchmarkDetails | SpeedupDetails | EmpiricalDetails | ResourceDetails,
    Field(discriminator="type"),
]


class AnchorKind(StrEnum):
    """Kinds of labelled place a claim can be anchored to."""

    ABSTRACT = "abstract"
    SECTION = "section"
    THEOREM = "theorem"
    TABLE = "table"
    FIGURE = "figure"
    EQUATION = "equation"
    ALGORITHM = "algorithm"


class Anchor(Record):
    """A labelled place of this version of the paper: ``theorem`` "Theorem 3.2"."""

    kind: AnchorKind
    label: str


class Evidence(Record):
    """Words of the paper that carry a claim. ``quote`` is ``passage.text[start:end]``, exactly."""

    quote: str
    passage_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    page: int = Field(ge=1)
    boxes: tuple[PageBox, ...] = ()
    anchor: Anchor | None = None


class ArtifactKind(StrEnum):
    """Kinds of thing one needs to test a claim."""

    CODE = "code"
    DATASET = "dataset"
    CHECKPOINT = "checkpoint"
    BENCHMARK = "benchmark"
    HARDWARE = "hardware"
    API = "api"
    ENVIRONMENT = "environment"
    HUMAN_ANNOTATION = "human_annotation"


class Availability(StrEnum):
    """Whether an artifact can be had, as far as the paper says."""

    RELEASED = "released"
    PUBLIC = "public"
    PROMISED = "promised"
    PROPRIETARY = "proprietary"
    UNSPECIFIED = "unspecified"


class Artifact(Record):
    """Something one needs to test the paper's claims. ``id`` is unique within the paper."""

    id: str
    kind: ArtifactKind
    name: str
    url: str | None = None
    availability: Availability = Availability.UNSPECIFIED
    evidence: Evidence | None = None


class Scope(Record):
    """How far the statement reaches, as far as the paper says."""

    quantifier: str | None = None
    models: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    n: int | None = None
    seeds: int | None = None
    horizon: str | None = None
    hardware: str | None = None
    averaging: str | None = None


class Testability(Record):
    """Whether and how the claim can be put to the test."""

    testable: bool = True
    reason: str | None = None
    falsified_if: str | None = None
    tolerance: str | None = None
    cost: Literal["cpu", "gpu", "manual"] | None = None


class Verdict(StrEnum):
    """Outcome of grounding."""

    VERIFIED = "verified"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"


class Check(Record):
    """One grounding check. ``passed`` is None when the check does not apply to the claim."""

    name: str
    passed: bool | None
    finding: str = ""


class Conflict(Record):
    """A place where the paper says something else than the claim's own evidence."""

    value: str
    other_value: str
    evidence: Evidence


class Grounding(Record):
    """The proof a claim is published with."""

    verdict: Verdict
    checks: tuple[Check, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


class Provenance(Record):
    """Who made the claim, from what, with which settings."""

    extractor: str
    version: str
    model: str | None = None
    prompt_hash: str | None = None
    settings_hash: str = ""
    created_at: str = ""
    run_id: str = ""


class Claim(Record):
    """One testable statement of a paper about its own results."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    claim_id: str = Field(pattern=r"^c[0-9a-f]{15}$")
    paper_id: str
    source: Source
    text: str
    text_sha256: str
    type: ClaimType
    core: bool = False
    rank: int = Field(default=0, ge=0)
    details: Details
    scope: Scope = Scope()
    conditions: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = Field(min_length=1)
    needs: tuple[Artifact, ...] = ()
    test: Testability = Testability()
    grounding: Grounding
    provenance: Provenance
    supersedes: str | None = None


class Draft(Record):
    """What an extractor proposes: a statement and the places it was read from, not yet checked.

    ``spans`` holds (passage id, start, end), the first being the one the wording comes from.
    ``score`` orders the drafts of one paper, higher first. ``needs`` are artifact ids.
    """

    text: str
    type: ClaimType
    details: Details
    spans: tuple[tuple[str, int, int], ...] = Field(min_length=1)
    anchor: Anchor | None = None
    core: bool = False
    score: float = 0.0
    scope: Scope = Scope()
    conditions: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    test: Testability = Testability()


class Extraction(Record):
    """What an extractor found in one paper, before grounding."""

    drafts: tuple[Draft, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    extractor: str
    version: str
    model: str | None = None
    prompt_hash: str | None = None


class Rejection(Record):
    """A draft that was not published, and why."""

    text: str
    type: ClaimType
    quote: str
    page: int
    reason: str
    checks: tuple[Check, ...] = ()


class ClaimSet(Record):
    """All claims of one paper, with its artifacts and what was rejected."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    paper: PaperMeta
    artifacts: tuple[Artifact, ...] = ()
    claims: tuple[Claim, ...] = ()
    rejected: tuple[Rejection, ...] = ()

"""Invented papers and claims, a tiny embedder, and indexes built from them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from claimdex.backends import Embedder
from claimdex.claim import (
    Anchor,
    AnchorKind,
    Artifact,
    ArtifactKind,
    BenchmarkDetails,
    Claim,
    ClaimSet,
    ClaimType,
    Details,
    EmpiricalDetails,
    Evidence,
    Grounding,
    Provenance,
    ResourceDetails,
    SpeedupDetails,
    TheoremDetails,
    Verdict,
)
from claimdex.index.build import build_index
from claimdex.index.embed import MiniLmEmbedder
from claimdex.index.tables import PaperStatus
from claimdex.paper import PageBox, PaperMeta, ParserInfo, ParseWarning, Source
from claimdex.settings import Settings
from claimdex.text import claim_id, sha256

CREATED = "2026-07-01T00:00:00Z"

DETAILS: dict[ClaimType, Details] = {
    ClaimType.THEOREM: TheoremDetails(label="Theorem 3.2"),
    ClaimType.BENCHMARK: BenchmarkDetails(
        method="MossNet", dataset="PondBench", metric="accuracy", value=81.4
    ),
    ClaimType.SPEEDUP: SpeedupDetails(quantity="latency", factor=2.7, hardware="one laptop"),
    ClaimType.EMPIRICAL: EmpiricalDetails(variable="depth"),
    ClaimType.RESOURCE: ResourceDetails(kind="dataset", name="PondBench", size=1200, unit="photos"),
}


class WordEmbedder:
    """Adds up one random direction a word: texts that share words are near each other."""

    name = "words"

    def __init__(self, dim: int = 64, salt: str = "", pose_as: str | None = None) -> None:
        self.dim, self._salt, self.texts = dim, salt, 0
        self._fingerprint = sha256(f"words {dim} {salt}") if pose_as is None else pose_as

    def fingerprint(self) -> str:
        return self._fingerprint

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        rows = [sum((self._word(w) for w in t.lower().split()), np.zeros(self.dim)) for t in texts]
        vectors = np.array(rows).reshape(len(texts), self.dim)
        unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(
            np.float32
        )
        return unit

    def _word(self, word: str) -> NDArray[np.float64]:
        seed = int.from_bytes(hashlib.sha256((self._salt + word).encode()).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dim)


def make_paper(
    paper_id: str,
    title: str,
    claims: list[tuple[ClaimType, str]],
    *,
    aliases: tuple[str, ...] = (),
    venue: str | None = "TestConf",
    year: int | None = 2026,
    core: int = 1,
) -> ClaimSet:
    """A paper with these claims, the first ``core`` of them core."""
    source = Source(sha256=sha256(paper_id), version="v2", pages=9)
    artifact = Artifact(id="a1", kind=ArtifactKind.CODE, name="pond-code", url="https://example.org/pond")
    meta = PaperMeta(
        paper_id=paper_id,
        aliases=aliases,
        title=title,
        authors=("A. Author", "B. Writer"),
        venue=venue,
        year=year,
        source=source,
        parser=ParserInfo(name="pdf", version="1"),
        warnings=(ParseWarning(code="odd_font", message="a font has no names", page=2),),
    )
    made = [
        Claim(
            claim_id=claim_id(paper_id, kind, [text], text),
            paper_id=paper_id,
            source=source,
            text=text,
            text_sha256=sha256(text),
            type=kind,
            core=number < core,
            rank=number,
            details=DETAILS[kind],
            evidence=(
                Evidence(
                    quote=f"we find that {text}",
                    passage_id=f"p{number}",
                    start=0,
                    end=13 + len(text),
                    page=number + 1,
                    boxes=(PageBox(page=number + 1, box=(50.25, 600.5, 300.125, 612.0)),),
                    anchor=Anchor(kind=AnchorKind.TABLE, label="Table 1"),
                ),
            ),
            needs=(artifact,),
            grounding=Grounding(verdict=Verdict.VERIFIED),
            provenance=Provenance(extractor="rules", version="1", created_at=CREATED),
        )
        for number, (kind, text) in enumerate(claims)
    ]
    return ClaimSet(paper=meta, artifacts=(artifact,), claims=tuple(made))


@pytest.fixture(scope="session")
def paper() -> Callable[..., ClaimSet]:
    """Makes a claim set: paper("arxiv:...", "Title", [(type, text), ...])."""
    return make_paper


@pytest.fixture(scope="session")
def library() -> list[ClaimSet]:
    """Five papers with thirteen claims; two papers share a title."""
    theorem, benchmark, speedup = ClaimType.THEOREM, ClaimType.BENCHMARK, ClaimType.SPEEDUP
    return [
        make_paper(
            "openreview:moss000001",
            "MossNet: Reading Ponds from Above",
            [
                (benchmark, "MossNet reaches 81.4% accuracy on PondBench, 3.2 points above FernNet"),
                (speedup, "MossNet classifies a pond photo 2.7x faster than FernNet on one laptop"),
                (ClaimType.EMPIRICAL, "Deeper MossNet models lose accuracy on muddy water"),
            ],
            aliases=("arxiv:2601.00011v2", "doi:10.9999/moss", "submission:4711"),
            core=2,
        ),
        make_paper(
            "arxiv:2602.00022v1",
            "Convergence of Sleepy Gradient Descent",
            [
                (theorem, "Sleepy gradient descent converges at rate O(1/T) for convex losses"),
                (theorem, "No sleepy method beats the rate O(1/T^2) for all smooth losses"),
            ],
            venue="Workshop on Rest",
            year=2025,
        ),
        make_paper(
            "openreview:fern000003",
            "PondBench: Photos of Still Water",
            [
                (ClaimType.RESOURCE, "PondBench holds 1,200 labelled photos of ponds from 14 countries"),
                (ClaimType.EMPIRICAL, "Annotators agree on 93.5% of PondBench labels"),
                (benchmark, "FernNet reaches 78.2% accuracy on PondBench"),
            ],
        ),
        make_paper(
            "openreview:twin000004",
            "A Note on Twins",
            [(ClaimType.EMPIRICAL, "Twin networks share their first layer's filters after training")],
            venue=None,
            year=None,
        ),
        make_paper(
            "openreview:twin000005",
            "A note on twins",
            [
                (speedup, "Twin decoding needs 40% less memory than beam search at batch size 8"),
                (theorem, "Twin decoding is exact whenever both models agree on every prefix"),
                (benchmark, "Twin decoding scores 31.9 BLEU on the invented DuckTalk test set"),
                (ClaimType.EMPIRICAL, "Twin decoding fails on sentences over 60 words"),
            ],
            year=2025,
        ),
    ]


@pytest.fixture(scope="session")
def failures() -> list[PaperStatus]:
    """One paper that failed and one read in part."""
    return [
        PaperStatus(
            paper_id="openreview:dark000009",
            code="no_text",
            message="the PDF has pages but no text layer",
            title="Papers in the Dark",
            venue="TestConf",
            year=2026,
        ),
        PaperStatus(
            paper_id="openreview:twin000004", status="partial", code="pages", message="page 3 failed"
        ),
    ]


@pytest.fixture(scope="session")
def words() -> type[WordEmbedder]:
    """Makes small embedders that need no model; ``texts`` counts what they embedded."""
    return WordEmbedder


@pytest.fixture
def embedder() -> Embedder:
    """A small embedder that needs no model."""
    return WordEmbedder()


@pytest.fixture(scope="session")
def created() -> str:
    """The time at which all test indexes were made."""
    return CREATED


@pytest.fixture
def built(library: list[ClaimSet], failures: list[PaperStatus], embedder: Embedder, tmp_path: Path) -> Path:
    """A fresh index of the library."""
    out = tmp_path / "index"
    build_index(library, out, embedder, created_at=CREATED, failures=failures)
    return out


@pytest.fixture(scope="session")
def minilm() -> MiniLmEmbedder:
    """The real model, loaded once."""
    return MiniLmEmbedder(Settings())

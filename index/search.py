"""An opened index: hybrid search, and the claims of a paper under any of its names."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from claimdex.backends import Embedder
from claimdex.claim import Claim, ClaimType
from claimdex.errors import BackendMissing, BadInput, NotFound
from claimdex.index import encode, stored
from claimdex.index.filters import Filters, rows_of_paper
from claimdex.index.lexical import Lexical
from claimdex.index.lookup import PaperDirectory, one_line
from claimdex.index.manifest import Counts, Manifest, check_files, read_manifest
from claimdex.index.tables import PaperStatus
from claimdex.index.vectors import Vectors
from claimdex.paper import PaperMeta, Record
from claimdex.settings import Settings
from claimdex.text import normalise

MAX_QUERY, MAX_K = 2_000, 100
DEPTH = 200
"""Rows taken of each list before they are joined."""

RRF_K = 60
"""Damping of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""

_COLUMNS = ["claim_id", "paper_id", "venue", "year", "type", "core", "record"]
_log = logging.getLogger(__name__)


class SearchHit(Record):
    """A claim found. Ranks count from 1; None: not among the first of that list."""

    score: float
    dense_rank: int | None
    lexical_rank: int | None
    claim: Claim
    paper: PaperMeta


class Stats(Record):
    """What an index is and holds."""

    revision: str
    created_at: str
    counts: Counts
    embedder: str
    factory: str


class ClaimIndex:
    """An index folder, opened for reading. Safe to share between threads."""

    def __init__(
        self,
        manifest: Manifest,
        claims: pa.Table,
        papers: pa.Table,
        vectors: Vectors,
        lexical: Lexical,
        embedder: Embedder | None = None,
    ) -> None:
        self.manifest = manifest
        self._claims, self._vectors, self._lexical = claims, vectors, lexical
        self._papers: dict[str, PaperMeta] = {}
        self._failures: dict[str, PaperStatus] = {}
        for row in papers.to_pylist():
            if row["record"] is not None:
                self._papers[row["paper_id"]] = PaperMeta.model_validate_json(row["record"])
            else:
                fields = {name: row[name] for name in PaperStatus.model_fields}
                self._failures[row["paper_id"]] = PaperStatus.model_validate(fields)
        self._rows = {claim_id: row for row, claim_id in enumerate(claims["claim_id"].to_pylist())}
        self._given, self._ready = embedder, False
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path, *, embedder: Embedder | None = None) -> ClaimIndex:
        """Check and open the index in the folder ``path``.

        No model is loaded before the first search. Without ``embedder``, that of the settings is
        then used.

        Raises:
            NotFound: there is no index.
            IndexMismatch: a part is missing, damaged or not of this index, or ``embedder`` is not
                the one it was built with.
        """
        manifest = read_manifest(path)
        if embedder is not None:
            encode.check_fingerprint(embedder, manifest.embedder)
        check_files(path, manifest)
        return cls(
            manifest,
            stored.read_claims(path, manifest, _COLUMNS),
            stored.read_papers(path, manifest),
            stored.read_vectors(path, manifest),
            stored.read_lexical(path, manifest),
            embedder,
        )

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        type: ClaimType | str | None = None,
        paper: str | None = None,
        venue: str | None = None,
        year: int | None = None,
        core: bool | None = None,
    ) -> list[SearchHit]:
        """The ``k`` claims that fit ``query`` best, by meaning and by words, best first.

        ``paper`` is any id, URL or title; ``venue`` is compared without case. When the embedder is
        not installed, the words alone decide.

        Raises:
            BadInput: the query is blank or over 2,000 characters, ``k`` is not 1 to 100, the type
                is unknown, or ``paper`` is ambiguous.
            NotFound: there is no such paper.
            IndexMismatch: the embedder is not the one that the index was built with.
        """
        text = _clean(query)
        if not 1 <= k <= MAX_K:
            raise BadInput(f"k is {k}", hint=f"1 to {MAX_K}")
        paper_id = self.paper(paper).paper_id if paper is not None else None
        allowed = Filters(type, paper_id, venue, year, core).mask(self._claims)
        if not len(self._rows) or (allowed is not None and not allowed.any()):
            return []
        dense = self._dense(text, allowed)
        lexical = [row for row, _ in self._lexical.search(text, DEPTH, allowed)]
        hits = []
        for row, score in fuse([dense, lexical])[:k]:
            claim = self._claim_at(row)
            hits.append(
                SearchHit(
                    score=score,
                    dense_rank=dense.index(row) + 1 if row in dense else None,
                    lexical_rank=lexical.index(row) + 1 if row in lexical else None,
                    claim=claim,
                    paper=self._papers[claim.paper_id],
                )
            )
        return hits

    def claims(self, paper: str) -> list[Claim]:
        """The claims of the paper called ``paper`` (any id, alias, URL or title), core ones first.

        Raises:
            NotFound: there is no such paper, or it could not be read.
            BadInput: several papers are called so.
        """
        paper_id = self.paper(paper).paper_id
        return [self._claim_at(row) for row in rows_of_paper(self._claims, paper_id)]

    def claim(self, claim_id: str) -> Claim:
        """The claim with this id. Raises NotFound."""
        row = self._rows.get(claim_id.strip())
        if row is None:
            raise NotFound(f"no claim {one_line(claim_id)!r} in revision {self.manifest.revision}")
        return self._claim_at(row)

    def paper(self, name: str) -> PaperMeta:
        """The paper called ``name``. Raises as `claims` does."""
        paper_id = self._directory.find(name)
        failure = self._failures.get(paper_id)
        if failure is not None:
            reason = one_line(failure.message) or failure.code or failure.status
            raise NotFound(f"{paper_id} could not be read: {reason}", hint="it has no claims in this index")
        return self._papers[paper_id]

    def papers(self) -> list[PaperMeta]:
        """All papers that were read, by id."""
        return list(self._papers.values())

    def failures(self) -> list[PaperStatus]:
        """The papers that could not be read, by id."""
        return list(self._failures.values())

    def stats(self) -> Stats:
        """Revision, counts and embedder."""
        return Stats(
            revision=self.manifest.revision,
            created_at=self.manifest.created_at,
            counts=self.manifest.counts,
            embedder=self.manifest.embedder.name,
            factory=self.manifest.vectors.factory,
        )

    @cached_property
    def _directory(self) -> PaperDirectory:
        return PaperDirectory(
            [
                *((p.paper_id, p.title, p.aliases, p.source.sha256) for p in self._papers.values()),
                *((f.paper_id, f.title, f.aliases, None) for f in self._failures.values()),
            ]
        )

    def _claim_at(self, row: int) -> Claim:
        return Claim.model_validate_json(self._claims["record"][row].as_py())

    def _dense(self, text: str, allowed: NDArray[np.bool_] | None) -> list[int]:
        try:
            embedder = self._embedder()
        except BackendMissing as error:
            _log.warning("searching by words alone: %s (%s)", error, error.hint)
            return []
        vector = encode.embed(embedder, [text])[0]
        return [row for row, _ in self._vectors.search(vector, DEPTH, allowed)]

    def _embedder(self) -> Embedder:
        """The embedder, made and compared with the index on first use."""
        with self._lock:
            if self._given is None:
                from claimdex.index.embed import embedder_for

                self._given = embedder_for(Settings())
            if not self._ready:
                encode.check_fingerprint(self._given, self.manifest.embedder)
                encode.check_canaries(self._given, self.manifest.canaries, self._vectors.matrix)
                self._ready = True
            return self._given


def fuse(rankings: Iterable[Sequence[int]]) -> list[tuple[int, float]]:
    """Join ranked lists of rows by reciprocal rank: (row, score), best first, ties by row.

    >>> [row for row, _ in fuse([[7, 3, 5], [3, 9]])]
    [3, 7, 9, 5]
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def _clean(query: str) -> str:
    if len(query) > MAX_QUERY:
        raise BadInput(f"the query has {len(query)} characters", hint=f"at most {MAX_QUERY}")
    text = normalise("".join(c if c.isprintable() else " " for c in query))
    if not text:
        raise BadInput("the query is blank")
    return text

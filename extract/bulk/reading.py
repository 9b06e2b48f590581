"""What a child process hands back for one paper: its claims, packed, and what the journal notes of them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from claimdex.claim import ClaimSet
from claimdex.paper import PaperRef
from claimdex.settings import Settings

Task = Callable[[Path, PaperRef, Settings], ClaimSet]
"""From PDF to claims. Importable in a child process; raises ParseFailed and the like."""

LOSSES = frozenset({"page_failed", "pages_left_out", "truncated"})
"""Codes of parser warnings that mean text was lost: such a paper is ``partial``."""

_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was read. ``loss`` is the code and message of what is missing, if anything is.

    ``claims`` counts them by type; ``packed`` is the whole `ClaimSet` (see `unpack`).
    """

    paper_id: str
    loss: tuple[str, str] | None
    claims: dict[str, int]
    packed: bytes


def read_paper(task: Task, settings: Settings, pdf: Path, ref: PaperRef) -> Reading:
    """Call ``task`` and pack what it returns. Raises what ``task`` raises."""
    found = task(pdf, ref, settings)
    lost = [w for w in found.paper.warnings if w.code in LOSSES]
    loss = (lost[0].code, "; ".join(dict.fromkeys(w.message for w in lost))[:_MESSAGE]) if lost else None
    claims = Counter(str(claim.type) for claim in found.claims)
    packed = zlib.compress(found.model_dump_json().encode(), 6)
    return Reading(found.paper.paper_id, loss, dict(sorted(claims.items())), packed)


def unpack(packed: bytes) -> ClaimSet:
    """The claim set that `read_paper` packed."""
    return ClaimSet.model_validate_json(zlib.decompress(packed))

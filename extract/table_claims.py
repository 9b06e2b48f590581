"""Rows of result tables as drafts. Only what headers, cells and caption say without doubt."""

from __future__ import annotations

from claimdex.claim import Draft
from claimdex.extract.names import PaperNames
from claimdex.paper import Paper


def table_drafts(paper: Paper, names: PaperNames, main: frozenset[str]) -> list[Draft]:
    """Nothing yet."""
    return []

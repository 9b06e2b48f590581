"""Figures, tables and footnotes set after the text that first points at them.

GROBID lists them at the end of the body, wherever they stand in the paper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.extract.grobid.tei_body import Body, Draft
from claimdex.extract.grobid.tei_tables import TeiFloat, listing_text, table_text
from claimdex.extract.grobid.tei_text import Run
from claimdex.paper import PassageKind

_SPELLINGS = {"Table": "Table", "Figure": r"Fig(?:ure|\.)?", "Algorithm": "(?:Algorithm|Listing)"}


def with_floats(body: Body) -> list[Draft]:
    """All drafts of a body in reading order. What is never pointed at comes last, in no section."""
    first: dict[str, int] = {}
    for i, draft in enumerate(body.drafts):
        for mention in draft.run.mentions:
            first.setdefault(mention.target, i)
    placed: dict[int | None, list[Draft]] = {}
    for entry in body.floats:
        at = first.get(entry.identity)
        if at is None and entry.label:
            at = _named(entry.label, body.drafts)
        placed.setdefault(at, []).extend(_drafts(entry))
    for identity, run in body.notes:
        placed.setdefault(first.get(identity), []).append(Draft(PassageKind.FOOTNOTE, run))
    result = []
    for i, draft in enumerate(body.drafts):
        result.append(draft)
        for item in placed.get(i, []):
            item.section = draft.section
            result.append(item)
    return [*result, *placed.get(None, [])]


def unread_tables(body: Body) -> list[tuple[str, int | None]]:
    """Label and page of the tables whose rows and columns were not recovered."""
    return [
        (entry.label, entry.spans[0].page if entry.spans else None)
        for entry in body.floats
        if entry.kind is PassageKind.TABLE and entry.label and not entry.is_grid and not entry.prose
    ]


def _named(label: str, drafts: Sequence[Draft]) -> int | None:
    """The first draft that names a label ("Table 2", "Fig. 2")."""
    name, _, number = label.partition(" ")
    pattern = re.compile(rf"\b{_SPELLINGS[name]}s?\s*{re.escape(number)}(?![\d.]*\d)", re.IGNORECASE)
    return next((i for i, draft in enumerate(drafts) if pattern.search(draft.run.text)), None)


def _drafts(entry: TeiFloat) -> list[Draft]:
    """Caption, table and notes of a float; text that is no caption keeps its own role."""
    found = []
    if entry.caption.text:
        kind = PassageKind.CAPTION if entry.label else PassageKind.FIGURE
        kind = PassageKind.PARAGRAPH if entry.prose else kind
        label = None if entry.prose else entry.label
        found.append(Draft(kind, entry.caption, label=label))
    if entry.is_grid:
        text, spans, cells = table_text(entry)
        found.append(Draft(PassageKind.TABLE, Run(text, spans), label=entry.label, cells=cells))
    elif entry.rows:
        text, spans = listing_text(entry)
        found.append(Draft(entry.kind, Run(text, spans), label=entry.label))
    return [*found, *(Draft(PassageKind.FOOTNOTE, note) for note in entry.notes)]

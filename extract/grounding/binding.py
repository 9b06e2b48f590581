"""Which name a number belongs to, in a sentence and in a table.

A number that stands in the evidence is not enough: 3.4 may be the gain on Beta while the claim
speaks of Alpha. ``contradiction_in_sentence`` and ``bind_in_table`` find such swaps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from claimdex.extract.grounding.matching import same_quantity
from claimdex.extract.grounding.terms import Word, content, names, stem, words
from claimdex.extract.quantities import Quantity, quantities
from claimdex.paper import Cell, Passage

_LINK = re.compile(
    r"\s*(?:[^\W\d]+\s+){0,3}?(?:on|for|in|at|with|using|over|from|by|against|of)\s+(?:the\s+)?\W*$"
)
_JOINED = re.compile(r"\s*(?:\[[\d, ]+\])?\s*(?:,|and|or|,\s*and|&|/)\s*")
_COMPARED = re.compile(r"\b(?:against|vs\.?|versus|compared|than|from)\b", re.I)


class Bound(IntEnum):
    """How well a number is tied to the claim's names."""

    WRONG = 0
    LOOSE = 1
    TIED = 2


def contradiction_in_sentence(claim: str, stated: Sequence[Quantity], evidence: str) -> str | None:
    """A claim number that the sentence ties to another name than the claim does.

    ``stated`` are the claim's quantities. Returns what is wrong, or None.
    """
    owners, claimed = owned_names(evidence), owned_names(claim)
    said = {stem(p) for w in words(claim) for p in (w.text, *w.text.split("-"))}
    printed = {stem(w.text) for w in words(evidence)}
    for quantity in stated:
        mine = [tied for number, tied in owners if same_quantity(quantity, number)]
        if not mine or not all(mine):
            continue
        theirs = set().union(*mine)
        own = set().union(*(tied for number, tied in claimed if number == quantity))
        swapped = bool(own and not own & theirs and own & printed)
        if not swapped and not theirs & said:
            rivals = (
                tied
                for number, tied in owners
                if number.kind == quantity.kind and not any(same_quantity(q, number) for q in stated)
            )
            foreign = [w.text for w in names(claim) if stem(w.text) not in printed]
            swapped = any(tied & said for tied in rivals) or _shaped_alike(claim, quantity, foreign)
        if swapped:
            return f"{claim[quantity.start : quantity.end]} belongs to {', '.join(sorted(theirs))}"
    return None


def _shaped_alike(claim: str, quantity: Quantity, foreign: list[str]) -> bool:
    """Whether a foreign name stands right behind the number, where the evidence has the owner."""
    behind = claim[quantity.end : quantity.end + 40]
    return any(
        re.match(rf".{{0,25}}\b(?:on|for|in)\s+(?:the\s+)?{re.escape(name)}\b", behind) for name in foreign
    )


def owned_names(sentence: str) -> list[tuple[Quantity, set[str]]]:
    """Quantities of a sentence, each with the stems of the names the sentence ties it to.

    "2.1 points on Alpha and 3.4 points on Beta" ties by preposition; "A and B drop by 1% and 2%
    respectively" ties by order.
    """
    numbers = quantities(sentence)
    found = [(q, set[str]()) for q in numbers]
    if re.search(r"\brespectively\b", sentence):
        return _by_order(sentence, numbers) or found
    for name in names(sentence):
        before = [i for i, q in enumerate(numbers) if q.end <= name.start]
        if before and _LINK.match(sentence[numbers[before[-1]].end : name.start]):
            found[before[-1]][1].add(stem(name.text))
    return found


def _by_order(sentence: str, numbers: list[Quantity]) -> list[tuple[Quantity, set[str]]] | None:
    """Pairs of "respectively": a list of numbers with the list of as many names nearest to it, in order."""
    ties: dict[Quantity, set[str]] = {}
    spoken = names(sentence)
    for run in _number_lists(sentence, numbers):
        listed = _name_lists(spoken, sentence, len(run))
        if listed:
            nearest = min(listed, key=lambda ns: max(run[0].start - ns[-1].end, ns[0].start - run[-1].end))
            ties |= {q: {stem(n.text)} for q, n in zip(run, nearest, strict=True)}
    return [(q, ties.get(q, set())) for q in numbers] if ties else None


def _number_lists(sentence: str, numbers: list[Quantity]) -> list[list[Quantity]]:
    """Runs of two or more numbers of one kind joined by commas and "and"."""
    runs: list[list[Quantity]] = []
    for number in numbers:
        last = runs[-1][-1] if runs else None
        if last and last.kind == number.kind and _JOINED.fullmatch(sentence[last.end : number.start]):
            runs[-1].append(number)
        else:
            runs.append([number])
    return [run for run in runs if len(run) > 1]


def _name_lists(found: list[Word], sentence: str, size: int) -> list[list[Word]]:
    """Runs of ``size`` names joined by commas and "and"."""
    lists = []
    for i in range(len(found) - size + 1):
        run = found[i : i + size]
        if all(_JOINED.fullmatch(sentence[a.end : b.start]) for a, b in pairwise(run)):
            lists.append(run)
    return lists


@dataclass(frozen=True, slots=True)
class Axis:
    """Rows or columns of a table that a claim mentions: index -> places of the mention in the claim."""

    mentions: dict[int, tuple[int, ...]]

    unnamed: frozenset[int] = frozenset()

    def allows(self, index: int) -> bool | None:
        """Whether the claim speaks of this row or column; None if it mentions none or this has no header."""
        return index in self.mentions if self.mentions and index not in self.unnamed else None


def bind_in_table(claim: str, stated: Sequence[Quantity], table: Passage) -> tuple[Bound, str]:
    """How the claim's numbers sit in the table.

    ``WRONG``: a number stands only in rows or columns the claim does not speak of, or two compared
    numbers share neither row nor column. ``LOOSE``: its row or column is not named in the claim.
    Numbers that stand in no cell are passed over.
    """
    data = [(c, quantities(c.text)) for c in table.cells if not _labels_row(c)]
    rows = _axis(claim, {c.row: c.row_header for c, _ in data})
    columns = _axis(claim, {c.column: c.column_header for c, _ in data})
    settings = _in_headers(data, rows, columns)
    worst, finding = Bound.TIED, ""
    placed: list[tuple[Quantity, list[Cell]]] = []
    for quantity in stated:
        cells = [c for c, qs in data if any(same_quantity(quantity, q) for q in qs)]
        if not cells or any(same_quantity(quantity, q) for q in settings):
            continue
        allowed = [(c, rows.allows(c.row), columns.allows(c.column)) for c in cells]
        possible = [c for c, r, k in allowed if r is not False and k is not False]
        printed = claim[quantity.start : quantity.end]
        if not possible:
            where = f"{cells[0].row_header} / {cells[0].column_header}"
            return Bound.WRONG, f"{printed} stands in another cell ({where})"
        placed.append((quantity, possible))
        if not any(_named(c, rows, columns, data) for c in possible):
            worst, finding = Bound.LOOSE, f"the claim does not name the row or column of {printed}"
    swap = _swapped(claim, placed, rows, columns)
    return (Bound.WRONG, swap) if swap else (worst, finding)


def _named(cell: Cell, rows: Axis, columns: Axis, data: list[tuple[Cell, list[Quantity]]]) -> bool:
    """Whether the claim names the cell's row and column, as far as there is a choice."""
    one_row = len({c.row for c, _ in data}) == 1
    one_column = len({c.column for c, qs in data if qs}) == 1
    return bool((one_row or rows.allows(cell.row)) and (one_column or columns.allows(cell.column)))


def _labels_row(cell: Cell) -> bool:
    """Whether the cell is a header, or words in the first column that the parser took for data."""
    return cell.header or (cell.column == 0 and re.search(r"[^\W\d_]{2}", cell.text) is not None)


def _in_headers(data: list[tuple[Cell, list[Quantity]]], rows: Axis, columns: Axis) -> list[Quantity]:
    """Quantities printed in the headers of rows and columns the claim may speak of: settings, not results."""
    texts = {c.row_header for c, _ in data if rows.allows(c.row) is not False}
    texts |= {c.column_header for c, _ in data if columns.allows(c.column) is not False}
    return [q for t in sorted(texts) for q in quantities(t)]


_WHOLE_NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w.-]*\d)(?!-)")


def _axis(claim: str, headers: dict[int, str]) -> Axis:
    """Rows (or columns) whose header the claim mentions, the best of those that share words."""
    said = _said(claim)
    matched: dict[int, frozenset[str]] = {}
    unnamed = frozenset(i for i, header in headers.items() if not re.search(r"[^\W\d_]", header))
    for index, header in headers.items():
        tokens = {stem(w.text) for w in words(header)} | set(_WHOLE_NUMBER.findall(header))
        tokens -= {"our", "proposed"}
        hits = frozenset(t for t in tokens if t in said)
        if tokens and any(len(h) > 1 for h in hits) and len(hits) * 2 >= len(tokens):
            matched[index] = hits
        elif squeezed := _squeezed_in(header, claim):
            matched[index] = frozenset((header,))
            said[header] = [squeezed[0]]
    shared = frozenset.intersection(*matched.values()) if len(matched) == len(headers) > 1 else frozenset()
    best = {
        i: hits
        for i, hits in matched.items()
        if hits - shared and not any(hits < other for other in matched.values())
    }
    mentions = {i: tuple(sorted({p for h in hits - shared for p in said[h]})) for i, hits in best.items()}
    return Axis(mentions | _ours(claim, headers, mentions), unnamed)


def _said(claim: str) -> dict[str, list[int]]:
    """Stems of the claim's words, whole numbers and initials of neighbouring words, with their places."""
    said: dict[str, list[int]] = {}
    spoken = words(claim)
    for i, word in enumerate(spoken):
        for part in {word.text, *word.text.split("-")}:
            said.setdefault(stem(part), []).append(word.start)
        for size in (2, 3, 4):
            run = spoken[i : i + size]
            if len(run) == size and word.text[0].isupper():
                said.setdefault("".join(w.text[0] for w in run).casefold(), []).append(word.start)
    for number in _WHOLE_NUMBER.finditer(claim):
        said.setdefault(number.group(), []).append(number.start())
    return said


def _squeezed_in(header: str, claim: str) -> tuple[int] | None:
    """Place of the header in the claim when only letters and digits count: "I2IF F" in "I2I_FF"."""
    wanted = "".join(c for c in header.casefold() if c.isalnum())
    if len(wanted) < 4 or wanted.isdigit():
        return None
    places = [i for i, c in enumerate(claim) if c.isalnum()]
    at = "".join(claim[i] for i in places).casefold().find(wanted)
    whole = at >= 0 and (at == 0 or places[at] - places[at - 1] > 1)
    return (places[at],) if whole else None


def _ours(
    claim: str, headers: dict[int, str], mentions: dict[int, tuple[int, ...]]
) -> dict[int, tuple[int, ...]]:
    """The row or column called "ours", mentioned by whatever name the claim gives its method first."""
    own = [
        i for i, h in headers.items() if re.search(r"\b(?:ours?|proposed)\b", h, re.I) and i not in mentions
    ]
    taken = {p for places in mentions.values() for p in places}
    first = next((w.start for w in names(claim) if w.start not in taken), None)
    return {} if first is None else dict.fromkeys(own, (first,))


def _swapped(claim: str, placed: list[tuple[Quantity, list[Cell]]], rows: Axis, columns: Axis) -> str | None:
    """What is wrong when several numbers are tied to each other's rows or columns."""
    if len(placed) < 2:
        return None
    if len(placed) == 2 and _COMPARED.search(claim):
        (_, ones), (_, others) = placed
        if not any(a.row == b.row or a.column == b.column for a in ones for b in others):
            return "the compared numbers share neither row nor column"
    for axis, index in ((rows, "row"), (columns, "column")):
        if len(axis.mentions) < 2:
            continue
        options = [{getattr(c, index) for c in cells} for _, cells in placed]
        if not (_by_nearness(placed, axis, options) or _by_mention_order(axis, options)):
            return f"the numbers stand in each other's {index}s"
    return None


def _by_nearness(placed: list[tuple[Quantity, list[Cell]]], axis: Axis, options: list[set[int]]) -> bool:
    """Whether each number stands in the row (or column) mentioned nearest to it."""
    for (quantity, _), allowed in zip(placed, options, strict=True):
        distance = {
            i: min(max(quantity.start - p, p - quantity.end, 0) for p in places)
            for i, places in axis.mentions.items()
        }
        nearest = min(distance.values())
        if not {i for i, d in distance.items() if d == nearest} & allowed:
            return False
    return True


def _by_mention_order(axis: Axis, options: list[set[int]]) -> bool:
    """Whether the numbers, in order, stand in the rows (or columns) in the order of their mention."""
    ordered = [i for i, _ in sorted(axis.mentions.items(), key=lambda item: item[1][0])]
    if len(ordered) != len(options):
        return len(set.intersection(*options) & set(ordered)) > 0
    return all(i in allowed for i, allowed in zip(ordered, options, strict=True))


def header_text(table: Passage) -> str:
    """The words of the table's headers, for units and settings that stand there once."""
    return " ".join(dict.fromkeys([c.row_header + " " + c.column_header for c in table.cells]))


def about(claim: str, *texts: str) -> float:
    """Share of the claim's content words that occur in one of the texts (0 to 1)."""
    mine = content(claim)
    return len(mine & frozenset().union(*map(content, texts))) / len(mine) if mine else 1.0

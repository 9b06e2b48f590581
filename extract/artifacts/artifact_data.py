"""Data sets and benchmarks a paper uses."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from claimdex.claim import ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_names import (
    acronyms,
    defined,
    described,
    is_known,
    is_name,
    members,
    mentioned,
)
from claimdex.extract.artifacts.artifact_places import Found, Links, Place
from claimdex.extract.artifacts.known_artifacts import BENCHMARKS, DATASETS, ENVIRONMENTS, SOFTWARE, key
from claimdex.paper import Cell, Paper, PassageKind, SectionKind

_BACKGROUND = frozenset((SectionKind.RELATED_WORK, SectionKind.INTRODUCTION))
_OWN = re.compile(r"\b(?:we|our|ours|in this (?:paper|work)|this (?:paper|work))\b", re.IGNORECASE)
_NOT_USED = re.compile(
    r"\b(?:skip|omit|exclude|do not (?:use|consider|evaluate)|did not (?:use|consider)|instead of using|"
    r"future work|"
    r"not available|could not obtain|proposals? for)\b",
    re.IGNORECASE,
)
_PRETRAINED = re.compile(r"pre-?train(?:ed|ing)\s+on\s+(?:the\s+)?$", re.IGNORECASE)
_CLOSED = re.compile(
    r"\b(?:internal|in-house|proprietary|confidential) (?:\w+ )?(?:data|corpus|corpora|test sets?)\b",
    re.IGNORECASE,
)
_DATA_HEADER = re.compile(r"(?:data ?sets?|corpus|benchmarks?|test set)(?:\s+name)?", re.IGNORECASE)
_TASK_HEADER = re.compile(r"tasks?|domains?|data|name", re.IGNORECASE)
_METHOD_NOUN = (
    r"(?:methods?|models?|algorithms?|encoders?|decoders?|architectures?|optimi[sz]ers?|agents?|layers?|"
    r"networks?|variants?|"
    r"baselines?|loss|regulari[sz]ers?|tuning|approach)"
)


class _Mentions:
    """Places of each name and how it is printed there; ``described``: where the words call it data."""

    def __init__(self) -> None:
        self.described: dict[str, list[tuple[str, Place]]] = defaultdict(list)
        self.mentioned: dict[str, list[tuple[str, Place]]] = defaultdict(list)

    def all(self, name: str) -> list[tuple[str, Place]]:
        return self.described[name] + self.mentioned[name]


def data_of(paper: Paper, where: Sequence[Place], links: Links) -> list[Found]:
    """Data sets and benchmarks the paper reports on, each at the place that says so best."""
    text = "\n".join(place.text for place in where)
    words = _run_counts(text)
    long_forms = {key(long): (long, short) for long, short in acronyms(text).items()}
    mentions = _collect(where)
    for long, (_, short) in long_forms.items():
        mentions.described[key(short)] += mentions.described.pop(long, [])
        mentions.mentioned[key(short)] += mentions.mentioned.pop(long, [])
    shut = _own_names(paper) | SOFTWARE
    kept = {
        n
        for n in (*mentions.described, *mentions.mentioned)
        if n not in shut and _is_used(n, mentions, words) and not _is_method(n, mentions, text)
    }
    _add_columns(where, kept, mentions, words)
    kept = _most_exact(kept)
    parts = {
        key(whole): (whole, listed)
        for place in where
        if (hit := members(place.text))
        for whole, listed in [hit]
    }
    inside = {key(n) for whole, listed in parts.values() if key(whole) in kept for n in listed}
    full_names = {key(short): (long, short) for long, short in long_forms.values()}
    found = []
    for name in sorted(kept - inside):
        item = _found(name, mentions, links, where)
        if name in parts:
            item = _renamed(item, f"{item.name} ({', '.join(parts[name][1])})")
        elif splits := _splits(item.name, where):
            item = _renamed(item, f"{item.name} ({', '.join(splits)})")
        elif name in full_names:
            long, short = full_names[name]
            item = _renamed(item, f"{long} ({short})" if f"{long} ({short})" in text else f"{short} ({long})")
        found.append(item)
    return found


def _run_counts(text: str) -> Counter[str]:
    """How often each run of one to four words stands in the text, by its key."""
    counts: Counter[str] = Counter()
    for part in re.split(r"[.,;:()|\n]\s|\s[|()\[]|\n", text):
        words = [key(w) for w in part.split()]
        for start in range(len(words)):
            for size in (1, 2, 3, 4):
                if start + size <= len(words):
                    counts["".join(words[start : start + size])] += 1
    return counts


def _collect(where: Sequence[Place]) -> _Mentions:
    mentions = _Mentions()
    for place in where:
        text = place.text
        if place.passage.kind is PassageKind.TABLE or _NOT_USED.search(text):
            continue
        if place.passage.kind is PassageKind.LIST_ITEM and place.start == 0:
            name = defined(text)
            if name:
                mentions.described[key(name)].append((name, place))
        for name in described(text):
            mentions.described[key(name)].append((name, place))
        for name in mentioned(text):
            if not _PRETRAINED.search(text[: text.find(name)]):
                mentions.mentioned[key(name)].append((name, place))
    for name, place in _first_columns(where):
        mentions.described[key(name)].append((name, place))
    return mentions


def _is_used(name: str, mentions: _Mentions, words: Counter[str]) -> bool:
    """Whether the paper works with the data: said of its own results, not only of earlier work."""
    good = [p for _, p in mentions.described[name] if _is_own(p)]
    known = name in DATASETS or name in BENCHMARKS
    if good and words[name] >= (1 if known else 3):
        return True
    plain = [(n, p) for n, p in mentions.mentioned[name] if _is_own(p) and not re.fullmatch("[A-Z][a-z]+", n)]
    return known and bool(plain)


def _is_own(place: Place) -> bool:
    return (
        place.section not in _BACKGROUND
        or place.passage.kind is PassageKind.CAPTION
        or bool(_OWN.search(place.text))
    )


def _is_method(name: str, mentions: _Mentions, text: str) -> bool:
    """Whether the name is a simulator's, or the paper more often calls it a method than a data set."""
    if name in DATASETS or name in BENCHMARKS:
        return False
    if any(re.fullmatch(pattern, n) for pattern in ENVIRONMENTS.values() for n, _ in mentions.all(name)):
        return True
    spelled = re.escape(mentions.all(name)[0][0])
    methods = len(re.findall(rf"\b{spelled}\s+{_METHOD_NOUN}\b|\b{spelled}\s*\(ours\)", text))
    data = len(
        re.findall(
            rf"\b{spelled}\s+(?:\w+ )?(?:data ?sets?|corpus|corpora|benchmarks?|games?|tasks?)\b", text
        )
    )
    return methods > data


def _first_columns(where: Iterable[Place]) -> list[tuple[str, Place]]:
    """Names in a table's column headed "Dataset", or "Task" when two of them are well known."""
    found = []
    seen: dict[str, list[tuple[str, Place]]] = defaultdict(list)
    for place in where:
        if place.passage.kind is not PassageKind.TABLE:
            continue
        for cell in place.passage.cells:
            head = cell.column_header.strip()
            if not place.start <= cell.start < place.end or cell.header or not is_name(_plain(cell)):
                continue
            if _DATA_HEADER.fullmatch(head):
                found.append((_plain(cell), place))
            elif _TASK_HEADER.fullmatch(head) and cell.column == 0:
                seen[place.passage.id].append((_plain(cell), place))
    for rows in seen.values():
        found += rows if sum(is_known(n) for n, _ in rows) >= 2 else []
    return found


def _add_columns(where: Sequence[Place], kept: set[str], mentions: _Mentions, words: Counter[str]) -> None:
    """Heads beside accepted data sets are data sets too, if most of the row is and the text uses them."""
    for place in where:
        if place.passage.kind is not PassageKind.TABLE:
            continue
        cells = [c for c in place.passage.cells if c.row == 0 and place.start <= c.start < place.end]
        names = list(dict.fromkeys(n for n in (_plain(c) for c in cells) if is_name(n)))
        inside = [n for n in names if key(n) in kept or is_known(n)]
        if len(inside) < 2 or 2 * len(inside) < len(names):
            continue
        for name in names:
            if (is_known(name) or words[key(name)] >= 3) and not _is_heading(name):
                kept.add(key(name))
                mentions.described[key(name)].append((name, place))


def _splits(name: str, where: Sequence[Place]) -> list[str]:
    """Parts of a data set that tables name behind it ("LibriSpeech test-clean")."""
    cells = (c for p in where if p.passage.kind is PassageKind.TABLE for c in p.passage.cells)
    behind = {
        rest: None
        for cell in cells
        if (rest := _plain(cell).removeprefix(f"{name} ")) != _plain(cell) and len(rest.split()) <= 2
    }
    return list(behind) if len(behind) > 1 and all(re.search(r"[a-z]", rest) for rest in behind) else []


def _is_heading(text: str) -> bool:
    return bool(
        re.fullmatch(
            r"(?i)(?:\w+ )?(?:methods?|ablation|measurement|params?|metrics?|score|image source)", text
        )
    )


def _plain(cell: Cell) -> str:
    return re.sub(r"\s?(?:\[[^\]]*\]|\([^)]*\)|[⁰¹²³⁴⁵⁶⁷⁸⁹†‡*]+)", "", cell.text).strip()


def _own_names(paper: Paper) -> set[str]:
    """Keys of the paper's own method, as its title gives it before the colon."""
    head, colon, _ = paper.title.partition(":")
    return (
        {key(head)} if colon and len(head.split()) <= 2 and key(head) not in DATASETS | BENCHMARKS else set()
    )


def _most_exact(names: set[str]) -> set[str]:
    """Names without those that begin or end others ("CIFAR" beside "CIFAR-10", "DDI" beside "OGBL-DDI")."""
    if any(n.startswith("ogb") and n != "ogb" for n in names):
        names = names - {"ogb", "opengraphbenchmark"}
    return {
        n
        for n in names
        if n in DATASETS or not any(m != n and (m.startswith(n) or m.endswith(n)) for m in names)
    }


def _found(name: str, mentions: _Mentions, links: Links, where: Sequence[Place]) -> Found:
    """The data set at the best of its places: one that calls it data, in the paper's own results."""
    rows = mentions.all(name)
    spelled, place = min(
        rows,
        key=lambda m: (
            not _is_own(m[1]),
            m[1].section in _BACKGROUND,
            m[1].passage.kind is PassageKind.TABLE,
        ),
    )
    shown = min((n for n, _ in rows), key=lambda n: (len(n.split()), -sum(m == n for m, _ in rows), n))
    called = " ".join(p.text for _, p in mentions.described[name])
    benchmark = name in BENCHMARKS or (
        name not in DATASETS
        and bool(re.search(rf"{re.escape(spelled)}\S*\s+benchmark", called))
        and not re.search(rf"{re.escape(spelled)}\S*\s+(?:data ?set|corpus)", called)
    )
    marked = re.compile(rf"{re.escape(spelled)}\s?(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]|\((?:https?:|www\.))")
    url = next((u for p in where if marked.search(p.text) and (u := links.noted(p, spelled))), None)
    at = max(place.text.find(spelled), 0) + place.start
    return Found(
        kind=ArtifactKind.BENCHMARK if benchmark else ArtifactKind.DATASET,
        name=shown,
        place=place.around(at, at + len(spelled)),
        availability=_availability(name, spelled, [p for _, p in rows], url),
        url=url,
    )


def _availability(name: str, spelled: str, where: list[Place], url: str | None) -> Availability:
    if any(_CLOSED.search(p.text) for p in where):
        return Availability.PROPRIETARY
    cite = re.compile(rf"{re.escape(spelled)}\)?,?\s?(?:\[\d|\([A-Z][^()]*\d{{4}})")
    if name in DATASETS or name in BENCHMARKS or url or any(cite.search(p.text) for p in where):
        return Availability.PUBLIC
    return Availability.UNSPECIFIED


def _renamed(found: Found, name: str) -> Found:
    return Found(found.kind, name, found.place, found.availability, found.url)

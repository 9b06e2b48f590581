"""Title, authors and abstract from the first pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from claimdex.extract.pdf.layout import Layout
from claimdex.extract.pdf.lines import Line

_ABSTRACT = re.compile(r"a\s?b\s?s\s?t\s?r\s?a\s?c\s?t\b\s*[.:—–-]*\s*", re.IGNORECASE)
_KEYWORDS = re.compile(r"(?:key\s?words|index terms|ccs concepts|categories and subject)\b", re.IGNORECASE)
_AFFILIATION = re.compile(
    r"universit|institut|department|dept\b|school|college|laborator|research\b|google|inc\b|corp|"
    r"gmbh|center|centre|academy|faculty|deepmind|microsoft|amazon|nvidia|facebook|meta\b|openai|"
    r"@|\bhttps?:|\.edu|\.com|\.org|\busa\b|\buk\b|germany|france|china|canada|switzerland|israel|"
    r"street|avenue|\bave\b|pkwy|box\b|editor|equal contribution|correspond|polytechn|eth z|epfl|\bmit\b|"
    r"\b[A-Z]{2}\s+\d{5}\b|\blab\b|labs\b|technolog|abstract|hospital|foundation",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][\w.'’`\-]*(?:\s+[^\W\d_][\w.'’`\-]*){1,4}")


@dataclass(slots=True)
class Front:
    """The head of a paper: lines of title, author names, lines of the abstract."""

    title: list[Line] = field(default_factory=list)
    authors: tuple[str, ...] = ()
    abstract: list[Line] = field(default_factory=list)
    rest: list[Line] = field(default_factory=list)
    after: int = 0


def read_front(flow: Sequence[Line], headings: Sequence[int], layout: Layout) -> Front:
    """Take title, authors and abstract from the lines before the first numbered section.

    ``headings`` are the indexes in ``flow`` at which headings start. ``after`` of the result is
    the index in ``flow`` at which the paper's body begins.
    """
    first_page = flow[0].page if flow else 1
    start = next((i for i, line in enumerate(flow) if _is_abstract(line, layout)), None)
    starts = [i for i in headings if start is None or i > start]
    body = starts[0] if starts else len(flow)
    limit = start if start is not None else body
    head = [line for line in flow[: min(limit, 60)] if line.page <= first_page + 1]
    title = _title(head)
    front = Front(title=title, after=body if starts or start is not None else len(title))
    below = [line for line in head if line not in title]
    front.authors = _authors(below)
    front.rest = below
    if start is not None:
        front.abstract = _abstract(flow, start, body, layout)
        used = {id(line) for line in (*head, *front.abstract, flow[start])}
        front.rest += [line for line in flow[:body] if id(line) not in used]
    elif starts:
        front.abstract, front.rest = _unmarked_abstract(below, layout)
    return front


def _is_abstract(line: Line, layout: Layout) -> bool:
    match = _ABSTRACT.match(line.text)
    if not match or line.page > 3:
        return False
    alone = match.end() >= len(line.text)
    styled = line.styled_prefix() >= 7 or line.bold or line.size > 1.05 * layout.body
    capitals = line.text[:8].isupper() or " " in line.text[:4].strip()
    return alone or ((styled or capitals) and line.text[0].isupper())


def _title(head: Sequence[Line]) -> list[Line]:
    """The largest lines of the head that stand together."""
    real = [line for line in head[:25] if len(re.findall(r"[^\W\d_]", line.text)) > 2]
    if not real:
        return []
    largest = max(line.size for line in real)
    start = next(i for i, line in enumerate(head) if line.size >= largest - 0.1 and line in real)
    title = [head[start]]
    for line in head[start + 1 : start + 7]:
        step = title[-1].baseline - line.baseline
        same_row = abs(step) < 2
        close = step < 2.1 * title[-1].size
        if (
            abs(line.size - title[-1].size) < 0.6
            and line.bold == title[0].bold
            and (same_row or (step > 0 and close))
        ):
            title.append(line)
        else:
            break
    return title


def _authors(lines: Sequence[Line]) -> tuple[str, ...]:
    """Names in the face of the first name found; affiliations are set in another, or named so."""
    names: list[str] = []
    face: tuple[str, float] | None = None
    for line in lines:
        for run in _runs(line):
            own = (run.styles[0].font, run.size)
            text = run.text.strip(" ,;")
            if face is not None and (own[0] != face[0] or abs(own[1] - face[1]) > 0.6):
                continue
            if _AFFILIATION.search(text) and not re.search(r"\band\b|,|;", _AFFILIATION.split(text)[0]):
                continue
            found = _names(text)
            if found and face is None:
                face = own
            names += found
    return tuple(dict.fromkeys(names))[:300]


def _runs(line: Line) -> list[Line]:
    """Parts of a line in one face; marks and symbols stay with what precedes them."""
    cuts = [0]
    face = None
    for i, (character, style) in enumerate(zip(line.text, line.styles, strict=True)):
        if not (character.isalpha() and character.isascii()) or style.math or style.size < 0.8 * line.size:
            continue
        own = (style.font, round(style.size))
        if face is not None and own != face:
            cuts.append(i)
        face = own
    parts = [line.cut(a, b) for a, b in zip(cuts, [*cuts[1:], len(line.text)], strict=True)]
    return [part for part in parts if part.text]


def _names(text: str) -> list[str]:
    text = re.sub(r"\S+@\S+|<[^>]*>?", " ", text)
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗⋆♠♣♦♥#]+|\d+(?:\s*,\s*\d+)*", ", ", text)
    names = []
    for part in re.split(r",|;|\band\b|&|·|\s{3,}", text):
        name = part.strip(" .·")
        words = name.split()
        if not _NAME.fullmatch(name) or _AFFILIATION.search(name) or len(name) > 45:
            continue
        proper = sum(w[0].isupper() for w in words)
        if proper >= 2 or (proper and len(words) == 2):
            names.append(_titlecased(name))
    return names


def _titlecased(name: str) -> str:
    """Names in capitals or small capitals get ordinary case."""
    if not name.isupper():
        return name
    return " ".join(w if len(w) <= 2 and w.endswith(".") else w.title() for w in name.split())


def _abstract(flow: Sequence[Line], start: int, body: int, layout: Layout) -> list[Line]:
    lines = []
    match = _ABSTRACT.match(flow[start].text)
    if match and match.end() < len(flow[start].text):
        lines.append(flow[start].cut(match.end()))
    for line in flow[start + 1 : body]:
        if _KEYWORDS.match(line.text):
            break
        if lines and line.page == lines[-1].page:
            below = lines[-1].baseline - line.baseline
            if below > 3.2 * layout.leading and layout.column_index(line) == layout.column_index(lines[-1]):
                break
        lines.append(line)
    return lines


def _unmarked_abstract(below: Sequence[Line], layout: Layout) -> tuple[list[Line], list[Line]]:
    """Without the word "Abstract": the run of long lines before the first section."""
    start = next(
        (
            i
            for i, line in enumerate(below)
            if len(line.text) > 45 and not _AFFILIATION.search(line.text) and i + 2 < len(below)
        ),
        None,
    )
    if start is None or len(below) - start < 3:
        return [], list(below)
    return list(below[start:]), list(below[:start])

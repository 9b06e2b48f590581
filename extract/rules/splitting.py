"""One statement a claim: coordinated gains, "A and B respectively", "(i) ... (ii) ..." taken apart.

A part keeps the subject and the setting of its sentence; a number keeps its baseline. What cannot be taken
apart without loss stays whole.
"""

from __future__ import annotations

import re
from itertools import pairwise

from claimdex.extract.grounding.terms import names
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.rules.cleaning import capitalised, finished

_MAX_PARTS = 4
_MIN_WORDS = 4
_VERBS = (
    "achieves|outperforms|performs|improves|reduces|requires|converges|runs|obtains|reaches|"
    "scales|shows|exhibits|increases|"
    "decreases|remains|yields|gives|takes|needs|leads|enables|matches|avoids|accelerates|"
    "learns|generalizes|is|has|uses|"
    "beats|exceeds|surpasses|attains|does|retains|maintains|allows|prevents|helps|provides|"
    "causes|eliminates|suffers"
)
_PLURAL_VERBS = (
    "achieve|outperform|perform|improve|reduce|require|converge|run|obtain|reach|scale|"
    "show|exhibit|increase|decrease|remain|"
    "yield|give|take|need|lead|enable|match|avoid|accelerate|learn|generalize|are|have|"
    "use|beat|exceed|surpass|attain|do|"
    "retain|maintain|allow|prevent|help|provide|cause|eliminate|suffer"
)
_ADVERBS = (
    r"(?:(?:also|significantly|substantially|consistently|often|usually|generally|typically|"
    r"still|only|then|thus|even|never|almost|further|slightly|not)\s+)*"
)
_PREDICATES = tuple(
    re.compile(
        rf"^(?P<subject>[^;:]{{2,120}}?)\s(?P<first>{_ADVERBS}(?:{verbs})\b[^;:]*?)(?P<join>,? "
        rf"and (?:thus |also |therefore |hence )?)(?P<second>{_ADVERBS}(?:{verbs})\b[^;:]*)$"
    )
    for verbs in (_VERBS, _PLURAL_VERBS)
)
_COMPARAND = re.compile(r"\b(?:than|compared|versus|over (?:the )?(?:baseline|previous)|relative to)\b", re.I)
_SHARED_END = re.compile(r"\b(?:than|compared|relative to|respectively|both|each other|versus)\b", re.I)
_SETTING = re.compile(r"\b(?:on|in|for|at|under|with|when|if|while|for all|across)\b", re.I)
_NOT_SUBJECT = re.compile(
    r"\b(?:that|which|who|where|when|if|while|whereas|because|since|although|as|so|but)\b|"
    r"[,]\s+(?:which|and|or)\b",
    re.I,
)
_HEDGE = re.compile(
    r"\b(?:suggests?|indicates?|may|might|can|could|should|would|to our knowledge|believe|"
    r"if|unless|except|not)\b",
    re.I,
)
_PART_MARK = re.compile(r"(?:^|[\s;,:])\((?P<mark>i{1,3}|iv|v|[a-d]|[1-4])\)\s+")
_SEMICOLON = re.compile(r";\s+(?:and\s+)?(?:moreover,?\s+|furthermore,?\s+|however,?\s+|in addition,?\s+)?")
_HAS_VERB = re.compile(rf"\b(?:{_VERBS}|{_PLURAL_VERBS}|was|were|can|cannot|had|did)\b|\w+ed\b")


def atomic(text: str) -> list[str]:
    """The statements of a cleaned sentence, each a sentence of its own.

    >>> atomic("Dyad gains 2.1 points on Alpha and 3.4 points on Beta.")
    ['Dyad gains 2.1 points on Alpha.', 'Dyad gains 3.4 points on Beta.']
    >>> atomic("Dyad converges faster and uses less memory.")
    ['Dyad converges faster.', 'Dyad uses less memory.']
    """
    for split in (_not_only, _marked, _clauses, _respectively, _gains, _predicates):
        parts = split(text)
        if 1 < len(parts) <= _MAX_PARTS:
            return [p for part in parts for p in atomic(capitalised(finished(part)))]
    return [text]


def _marked(text: str) -> list[str]:
    """(i) ... (ii) ...: whole clauses only; a lead-in before (i) is dropped if it ends with a colon."""
    marks = list(_PART_MARK.finditer(text))
    if len(marks) < 2 or marks[0]["mark"] not in ("i", "a", "1"):
        return [text]
    lead = text[: marks[0].start()].strip()
    if lead and not lead.endswith(":"):
        return [text]
    ends = [*(m.start() for m in marks[1:]), len(text)]
    parts = [text[m.end() : end].strip(" ;,.") for m, end in zip(marks, ends, strict=True)]
    parts = [re.sub(r"[;,]?\s+and$", "", p) for p in parts]
    return parts if all(_stands_alone(p) for p in parts) else [text]


_NOT_ONLY = re.compile(
    rf"^(?P<subject>[^,;:]{{2,80}}?) not only (?P<first>(?:{_VERBS}|{_PLURAL_VERBS})\b[^;]*?),? "
    rf"but (?:also )?(?P<second>(?:[a-z]+ly )?[a-z]+s? .*)$"
)


def _not_only(text: str) -> list[str]:
    """ "X not only does A but also does B", the two verbs in the same form."""
    match = _NOT_ONLY.match(text.rstrip("."))
    if match is None or _NOT_SUBJECT.search(match["subject"]):
        return [text]
    first, second = match["first"].split()[0], match["second"].split()[0]
    if first.endswith("s") != second.endswith("s"):
        return [text]
    return [f"{match['subject']} {match['first']}", f"{match['subject']} {match['second']}"]


def _clauses(text: str) -> list[str]:
    """Clauses joined by a semicolon that each stand alone and name what they speak of."""
    parts = _SEMICOLON.split(text.rstrip("."))
    opens_open = any(
        re.match(
            r"(?:it|they|this|these|the (?:former|latter|other|only|same|exception)|i\.e|"
            r"e\.g|see|that is|here|otherwise|in this|"
            r"where|for example|so|thus|but|yet|only|except|an? |with|unless|effectively)\b",
            p,
            re.I,
        )
        for p in parts[1:]
    )
    if (
        len(parts) < 2
        or re.search(r"\b(?:except|exception|unless)\b", text)
        or opens_open
        or not all(_stands_alone(p) for p in parts)
        or _HEDGE.match(parts[0])
    ):
        return [text]
    return parts


def _stands_alone(part: str) -> bool:
    return (
        len(part.split()) >= _MIN_WORDS
        and bool(_HAS_VERB.search(part))
        and part.count("(") == part.count(")")
    )


def _predicates(text: str) -> list[str]:
    """Two predicates of one short subject; none if a comparison or setting at the end belongs to both."""
    body = text.rstrip(".")
    for pattern in _PREDICATES:
        match = pattern.match(body)
        if match is None:
            continue
        subject, first, second = match["subject"], match["first"].rstrip(","), match["second"]
        if _NOT_SUBJECT.search(subject) or _HEDGE.search(body) or first.count("(") != first.count(")"):
            continue
        if _NOT_SUBJECT.search(first) or re.search(r"\b(?:both|either|not only|neither)\b", first):
            continue
        if _SHARED_END.search(second) and not _COMPARAND.search(first):
            continue
        if _SETTING.search(second) and not _SETTING.search(first) and "," not in match["join"]:
            continue
        if len(first.split()) < 2 or len(second.split()) < 2:
            continue
        return [f"{subject} {first}", f"{subject} {second}"]
    return [text]


def _gains(text: str) -> list[str]:
    """ "Q1 on A, Q2 on B and Q3 on C": the same frame around each quantity with its own setting."""
    body = text.rstrip(".")
    found = [q for q in quantities(body) if q.kind in _GAIN_KINDS and not q.change]
    for first in range(len(found) - 1):
        run, tails, bounds = [found[first]], [], [""]
        for two in found[first + 1 :]:
            link = _LINK.match(body[run[-1].end : two.start])
            if link is None or not _alike(run[-1], two) or _HAS_VERB.search(link["tail"]):
                break
            tails.append(link["tail"])
            bounds.append(link["bound"])
            run.append(two)
        last = _LAST.match(body[run[-1].end :])
        if len(run) > 1 and last and not quantities(last["tail"]) and not _shared(last["rest"]):
            return _each_gain(body, run, [*tails, last["tail"]], bounds, last["rest"] or "")
    return [text]


def _alike(one: Quantity, two: Quantity) -> bool:
    return one.kind == two.kind or "plain" in (one.kind, two.kind)


def _shared(rest: str | None) -> bool:
    return bool(rest and (quantities(rest) or _SHARED_END.search(rest)))


_GAIN_KINDS = ("percent", "points", "factor", "plain", "time", "memory", "magnitude")
_TAIL = r"(?P<tail> (?:[\w-]+ ){0,2}?(?:on|for|in|at|over|against) (?:the )?[^,;.()]{1,70}?)"
_LINK = re.compile(
    rf"^{_TAIL}(?P<join>,? and |, )(?P<bound>(?:by |up to |about |around |roughly |over |"
    rf"more than |at least |nearly |an? )*)$"
)
_LAST = re.compile(rf"^{_TAIL.replace('.()', '()')}(?P<rest>[,;(].*)?$")


def _each_gain(body: str, run: list[Quantity], tails: list[str], bounds: list[str], rest: str) -> list[str]:
    start = _bound_start(body, run[0])
    unit = next((u for u in (_unit(body, q) for q in run) if u), "")
    parts = []
    for quantity, tail, bound in zip(run, tails, bounds, strict=True):
        printed = body[quantity.start : quantity.end]
        value = printed if _unit(body, quantity) else printed + unit
        parts.append(f"{body[:start]}{bound or body[start : run[0].start]}{value}{tail}{rest}")
    return parts


def _bound_start(text: str, quantity: Quantity) -> int:
    """Where the bound of the quantity begins ("by up to 2x": at "up")."""
    match = re.search(
        r"(?:by |up to |about |around |roughly |over |more than |at least |at most |less "
        r"than |nearly |approximately |an? (?:additional )?)+$",
        text[: quantity.start],
    )
    return match.start() if match else quantity.start


def _unit(text: str, quantity: Quantity) -> str:
    match = re.search(r"[ -]?[A-Za-z%×].*$", text[quantity.start : quantity.end])
    return match.group() if match else ""


def _respectively(text: str) -> list[str]:
    """ "... X and Y on A and B, respectively": numbers in order with the names in order."""
    if len(re.findall(r"\brespectively\b", text)) != 1:
        return [text]
    body = re.sub(r",?\s*\(?\brespectively\b\)?,?", "", text.rstrip("."))
    found = quantities(body)
    for size in (2, 3):
        for i in range(len(found) - size + 1):
            run = found[i : i + size]
            gaps = [body[a.end : b.start] for a, b in pairwise(run)]
            if not all(re.fullmatch(r"\s?(?:,|and|, and|&)\s?(?:up to |by |about )?", g) for g in gaps):
                continue
            listed = _name_run(body, size, run)
            if listed and len(found) == size:
                return _paired(body, run, listed)
    return [text]


def _name_run(body: str, size: int, run: list[Quantity]) -> list[tuple[int, int]] | None:
    found = [w for w in names(body) if not any(q.start <= w.start < q.end for q in run)]
    for i in range(len(found) - size + 1):
        group = found[i : i + size]
        gaps = [body[a.end : b.start] for a, b in pairwise(group)]
        if all(re.fullmatch(r"\s?(?:,|and|, and|&)\s?(?:the )?", g) for g in gaps):
            return [(w.start, w.end) for w in group]
    return None


def _paired(body: str, run: list[Quantity], listed: list[tuple[int, int]]) -> list[str]:
    unit = _unit(body, run[-1])
    spans = sorted([(run[0].start, run[-1].end, "q"), (listed[0][0], listed[-1][1], "n")])
    parts = []
    for quantity, (a, b) in zip(run, listed, strict=True):
        printed = body[quantity.start : quantity.end]
        value = printed if re.search(r"[A-Za-z%×]", printed) else printed + unit
        inserted = {"q": value, "n": body[a:b]}
        (s0, e0, k0), (s1, e1, k1) = spans
        if e0 > s1:
            return [body]
        parts.append(
            re.sub(r"\s{2,}", " ", f"{body[:s0]}{inserted[k0]}{body[e0:s1]}{inserted[k1]}{body[e1:]}")
        )
    return parts

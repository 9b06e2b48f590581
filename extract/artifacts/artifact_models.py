"""Pretrained weights, closed models, simulators and human judgements a paper rests on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from claimdex.claim import ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_places import Found, Links, Place
from claimdex.extract.artifacts.known_artifacts import APIS, ENVIRONMENTS, MODELS, key
from claimdex.paper import PassageKind, SectionKind

_SIZED = (
    rf"(?:{MODELS})(?:[-_ ]?(?:[Bb]ase|BASE|[Ll]arge|LARGE|[Ss]mall|[Tt]iny|[Mm]ini|XL|XXL|[Mm]edium|"
    rf"[BLSHT]/\d+|B\d|ViT|"
    rf"[Vv]?\d+(?:\.\d+)*[BMbm]?|[Ii]nstruct|[Cc]hat|[Ii]t|uncased|cased|[Ll]/\d+))*"
)
_MODEL = re.compile(rf"(?<![\w-])(?P<name>(?:[A-Z]\w*-)?{_SIZED})(?![\w])")
_WEIGHTS = re.compile(
    r"\bpre-?trained\b|\bfine-?tun(?:e|ed|ing)\b|\bcheckpoints?\b|\bfrozen\b|\binitiali[sz]ed (?:from|"
    r"with)\b|"
    r"\breleased by\b|\boff-the-shelf\b|\bopen-(?:source|weight) models?\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:we|our|are|is|was|were)\b", re.IGNORECASE)
_API = re.compile(rf"(?<![\w-])(?P<name>{APIS})(?![\w])")
_USES = re.compile(
    r"\b(?:we|our)\b|\busing\b|\bused\b|\bprompt(?:ed)?\b|\bevaluat\w+\b|\bqueried\b|\bjudges?\b|"
    r"\bbaselines?\b|\bAPI\b",
    re.IGNORECASE,
)
_SIMULATOR = re.compile(
    r"\b(?P<name>[A-Z][\w-]+)\s+(?:\d?D?\s?(?:[a-z]+ ){0,3}(?:simulator|physics engine|game engine)|"
    r"3D (?:maze )?environment)\b|"
    r"\b(?:3D|simulated|game|maze) environment called (?P<called>[A-Z][\w-]+)"
)
_TURK = re.compile(r"\b(?:Amazon )?Mechanical Turk\b")
_HUMAN = re.compile(
    r"\bcrowd[- ]?(?:workers?|sourc\w+)\b|\bcrowd source\b|"
    r"\bhuman (?:annotat(?:ors?|ions?)|raters?|evaluators?|judges?|labell?ers?|testers?|evaluations?|"
    r"stud(?:y|ies)|transcri\w+|preference labels)\b|"
    r"\bannotators\b|\b(?:labell?ed|annotated|rated|transcribed) by (?:a |an |the )?(?:\w+ ){0,4}?"
    r"(?:experts?|humans?|speakers?|workers|students|committee|annotators)\b"
)
_CITED = re.compile(r"\b(?:19|20)\d\d[a-z]?\)[^.;]{0,40}$|\b(?:exceed|surpass)\w*\b|\bet al\b")
_FAR = frozenset((SectionKind.RELATED_WORK, SectionKind.INTRODUCTION, SectionKind.LIMITATIONS))
_NO_TABLES = PassageKind.TABLE


def checkpoints_of(where: Sequence[Place], links: Links) -> list[Found]:
    """Pretrained models the experiments start from, one for each model family as first described."""
    found: dict[str, Found] = {}
    for place in where:
        text = place.text
        if place.section in _FAR or place.passage.kind is _NO_TABLES or not _WEIGHTS.search(text):
            continue
        for match in _MODEL.finditer(text):
            window = text[max(0, match.start() - 60) : match.end() + 60]
            if not (_WEIGHTS.search(window) and _OWN.search(text)):
                continue
            name = match["name"]
            before, after = text[: match.start()], text[match.end() :]
            if re.search(r"(?i)\bwe pre-?train\s+$", before) or re.match(r"(?i)\s+pre-?training\b", after):
                continue  # the paper's own
            urls = links.within(place)
            url = urls[0] if len(urls) == 1 else None
            item = Found(ArtifactKind.CHECKPOINT, name, _cut(place, match), Availability.PUBLIC, url)
            found.setdefault(key(name), item)
    kept = {
        k: f
        for k, f in found.items()
        if not any(o != k and k.replace("efficientnet", "effnet") in o for o in found)
    }
    return list(kept.values())


def apis_of(where: Sequence[Place]) -> list[Found]:
    """Closed models that the experiments call."""
    found: dict[str, Found] = {}
    for place in where:
        if place.section in _FAR | {SectionKind.ABSTRACT}:
            continue
        if place.passage.kind is not _NO_TABLES and not _USES.search(place.text):
            continue
        for match in _API.finditer(place.text):
            item = Found(ArtifactKind.API, match["name"], _cut(place, match), Availability.PROPRIETARY)
            found.setdefault(key(match["name"]), item)
    return list(found.values())


def environments_of(where: Sequence[Place]) -> list[Found]:
    """Simulators, one each whatever its spellings; unknown ones when called a simulator or 3D environment."""
    found: dict[str, Found] = {}
    seen: Counter[str] = Counter()
    for place in where:
        if place.section in _FAR and not re.search(r"\b(?:we|our)\b", place.text, re.IGNORECASE):
            continue
        for known, pattern in ENVIRONMENTS.items():
            match = re.search(pattern, place.text)
            if match and place.passage.kind is not _NO_TABLES:
                seen[known] += 1
                name = known if known in place.text else match.group()
                item = Found(ArtifactKind.ENVIRONMENT, name, _cut(place, match), Availability.PUBLIC)
                if known not in found or (known in place.text and known not in found[known].name):
                    found[known] = item
        match = _SIMULATOR.search(place.text)
        if match:
            short = match["name"] or match["called"]
            family = next((k for k, p in ENVIRONMENTS.items() if re.fullmatch(p, short)), None)
            available = Availability.PUBLIC if family else Availability.UNSPECIFIED
            name = match.group() if match["name"] else f"{short} environment"
            item = Found(ArtifactKind.ENVIRONMENT, name, _cut(place, match), available)
            if family is None:
                found.setdefault(key(short), item)
            elif family not in found or found[family].name in name:
                found[family] = item
    return [f for k, f in found.items() if seen[k] != 1]


def human_work_of(where: Sequence[Place]) -> list[Found]:
    """Judgements and labels by people that the paper had made."""
    found: dict[str, Found] = {}
    for place in where:
        if place.section in _FAR | {SectionKind.ABSTRACT} or place.passage.kind is _NO_TABLES:
            continue
        match = _TURK.search(place.text) or _HUMAN.search(place.text)
        if match and not _CITED.search(place.text[: match.start()]):
            kind = re.sub(r"\W|s\b", "", match.group().casefold())[:8]
            found.setdefault(kind, Found(ArtifactKind.HUMAN_ANNOTATION, match.group(), _cut(place, match)))
    return list(found.values())


def _cut(place: Place, match: re.Match[str]) -> Place:
    return place.around(place.start + match.start(), place.start + match.end())

"""Data and weights that the paper itself makes and gives away (code: see ``artifact_code``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.claim import ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_names import is_name
from claimdex.extract.artifacts.artifact_places import Found, Links, Place
from claimdex.extract.artifacts.known_artifacts import key
from claimdex.paper import PassageKind, SectionKind

_GIVEN = re.compile(
    r"\b(?:releas(?:e|ed|ing)|publish(?:ed)?|open-?sourced?|made (?:publicly )?available|(?:is|"
    r"are) (?:publicly |freely )?"
    r"(?:available|hosted)|available (?:at|from|under)|(?:is|are) at|can be (?:found|downloaded))\b",
    re.IGNORECASE,
)
_LATER = re.compile(r"\bwill\b|\bupon (?:acceptance|publication)\b", re.IGNORECASE)
_OTHERS = re.compile(
    r"\bet al\b|\b(?:its|their) (?:authors|owners)\b|\bwe use\b|\breleased by (?!us\b)", re.IGNORECASE
)
_INTRODUCES = re.compile(
    r"\b(?:[Ww]e|[Pp]aper) (?:\w+ )?(?:present|introduce|release|propose|collect|construct|build|create|"
    r"contribute)s?\s+"
    r"(?P<name>[A-Z][\w-]*(?:\s[A-Z0-9][\w-]*){0,2})\s?(?:\([^)]*\))?,? (?:an?|the) (?:[\w-]+ ){0,4}?"
    r"(?P<noun>data ?set|corpus|benchmark)\b"
)
_WEIGHTS = re.compile(
    r"\b(?:(?:all|our|the|both)\s)?(?P<name>(?:(?:\d+|pre-?trained|fine-?tuned|trained|"
    r"model)\s){0,2}(?:checkpoints|weights|models))\b"
)


def released_of(where: Sequence[Place], links: Links) -> list[Found]:
    """Data sets the paper introduces and checkpoints it gives away, with their address where one stands."""
    return [*_introduced(where, links), *_weights(where, links)]


def _introduced(where: Sequence[Place], links: Links) -> list[Found]:
    found: dict[str, Found] = {}
    for place in where:
        match = _INTRODUCES.search(place.text)
        if not match or not is_name(match["name"]) or key(match["name"]) in found:
            continue
        name = match["name"]
        kind = ArtifactKind.BENCHMARK if match["noun"] == "benchmark" else ArtifactKind.DATASET
        given = [p for p in where if name in p.text and _is_given(p)]
        later = any(name in p.text and _LATER.search(p.text) and _GIVEN.search(p.text) for p in where)
        urls = [u for p in given for u in links.within(p)]
        available = Availability.PROMISED if later else Availability.UNSPECIFIED
        if urls:
            available = Availability.RELEASED
        spot = place.around(place.start + match.start("name"), place.start + match.end("name"))
        found[key(name)] = Found(kind, name, spot, available, urls[0] if urls else None)
    return list(found.values())


def _weights(where: Sequence[Place], links: Links) -> list[Found]:
    """At most one set of checkpoints; of several links in the sentence, the one that follows the word."""
    for place in where:
        match = _WEIGHTS.search(place.text)
        urls = links.within(place)
        if not match or not urls or not _is_given(place) or match["name"] == "models":
            continue
        behind = re.sub(r"\s", "", place.text[match.end() :])
        url = next((u for u in urls if re.sub(r"^https?://", "", u) in behind), urls[0])
        return [Found(ArtifactKind.CHECKPOINT, match["name"], place, Availability.RELEASED, url)]
    return []


def _is_given(place: Place) -> bool:
    return (
        place.section is not SectionKind.RELATED_WORK
        and place.passage.kind is not PassageKind.TABLE
        and bool(_GIVEN.search(place.text))
        and not _LATER.search(place.text)
        and not _OTHERS.search(place.text)
    )

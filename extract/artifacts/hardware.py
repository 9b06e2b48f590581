"""Machines that a paper's experiments ran on: processors by model and number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimdex.claim import ArtifactKind, Availability
from claimdex.extract.artifacts.artifact_places import Found, Place
from claimdex.extract.artifacts.known_artifacts import key
from claimdex.paper import SectionKind

_COUNT = r"(?:(?:\d+|a single|single|one|two|three|four|eight|sixteen|an?)\s?(?:×|x)?\s+)?"
_MAKER = (
    r"(?:(?:NVIDIA|Nvidia|nVidia|Intel(?:\(R\))?|AMD|Google|Apple|AWS|GCP|Azure|Tesla|GeForce|Quadro)\s+)*"
)
_MODEL = (
    r"(?:(?:RTX|GTX|Titan|TITAN)\s?(?:A?\d{3,4}(?:\s?(?:Ti|TI|ti|Ada|SUPER))?|Xp?|V|RTX|Black)|"
    r"(?:Quadro|Tesla|Jetson|GeForce)\s+\w+(?:\s?\d{3,4})?|"
    r"[AHVPKTBL]\d{2,3}0?(?:S|X)?(?:-?(?:SXM\d?|PCIe))?|[KMT]\d{2}|GH?B?200|A\d{4}|MI\d{3}X?|"
    r"TPU(?:\s?v\d[ep]?)?(?:-\d+)?s?|"
    r"(?:Xeon|Core|EPYC|Ryzen|Threadripper|Epyc|Platinum|Gold)(?:\(R\))?(?:\s+(?:[\w-]*\d[\w-]*|Gold|"
    r"Platinum|Silver|Threadripper))*|"
    r"p[2345]d?n?\.\d*x?large|g[456]\w*\.\d*x?large|M[1234](?: (?:Pro|Max|Ultra))?)"
)
_SIZE = r"(?:[\s-]*\(?\d+\s?(?:GB|GiB|G)\)?)?"
_UNIT = (
    r"(?:\s+(?:Tensor Core\s+)?(?:GPUs?|CPUs?|cards?|accelerators?|processors?|chips?|cores|machines?|"
    r"instances?|nodes?))?"
)
_NAMED = re.compile(
    rf"{_COUNT}(?:\d+\s?(?:GB|GiB)\s+)?(?:{_MAKER}){_MODEL}{_SIZE}(?:\s+@\s?[\d.]+\s?GHz)?{_UNIT}"
    r"(?:\s+(?:with|of)\s+\d+\s?(?:GB|GiB)(?:\s+(?:of\s+)?(?:V?RAM|memory))?)?"
)
_PLAIN = re.compile(
    r"\b(?:\d+|a single|one|two|four|eight)\s+(?:(?:high-end|consumer|cloud|parallel)\s+)?"
    r"(?:GPUs?|TPUs?|CPU cores|CPUs|cores|GPU nodes)\b"
)
_CERTAIN = re.compile(
    r"NVIDIA|Intel|AMD|GPU|CPU|TPU|GeForce|Tesla|Quadro|Xeon|EPYC|Ryzen|RTX|GTX|TITAN|Titan|\bcards?\b|"
    r"accelerator|large\b|"
    r"memory|VRAM|\bRAM\b|(?:single|two|four|eight|\d)\s[AHV]100",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"\bon (?:a single|an?|\d+)\b|"
    r"\b(?:train(?:ed|ing)?|r[ua]n(?:ning|s)?|perform(?:ed)?|conduct(?:ed)?|execut\w+|experiments?|"
    r"machines?|servers?|cluster|"
    r"equipped|hardware|took|takes|takes?|using|use[sd]?|deployed|measured|hours|compute|nodes?)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset((SectionKind.RELATED_WORK,))
_EARLY = frozenset((SectionKind.INTRODUCTION, SectionKind.ABSTRACT))
_OWN = re.compile(
    r"\b(?:we (?:train|run|ran|use|perform|conduct)\w*|our experiments|experiments (?:are|were))\b",
    re.IGNORECASE,
)


def hardware_of(where: Sequence[Place]) -> list[Found]:
    """Hardware by sentence: processors named by model, else a bare number of them in a training sentence.

    Several processors of one sentence are one machine and give one artifact.
    """
    named: list[Found] = []
    plain: list[Found] = []
    for place in where:
        text = place.text
        if place.section in _OTHERS or not _RUN.search(text):
            continue
        hits = [m for m in _NAMED.finditer(text) if _is_hardware(m, text)]
        if hits:
            low, high = hits[0].start(), hits[-1].end()
            named.append(_found(place, low, high, hits))
            others = [m for m in _PLAIN.finditer(text) if m.end() <= low or m.start() >= high]
            plain += [_found(place, m.start(), m.end(), [m]) for m in others if "CPU" in m.group()]
        elif place.section not in _EARLY and _OWN.search(text):
            plain += [_found(place, m.start(), m.end(), [m]) for m in _PLAIN.finditer(text)]
    return _distinct(named) + _distinct(plain)[:1]


def _is_hardware(match: re.Match[str], text: str) -> bool:
    """A model name of letters and digits counts only where the words around it speak of processors."""
    if not match.group().strip() or re.fullmatch(r"[a-z ]*", match.group()):
        return False
    before = text[max(0, match.start() - 1) : match.start()]
    after = text[match.end() : match.end() + 1]
    if re.match(r"[\w-]", before) or re.match(r"[\w=]", after):
        return False
    window = text[max(0, match.start() - 40) : match.end() + 40]
    return bool(_CERTAIN.search(window))


def _found(place: Place, start: int, end: int, hits: list[re.Match[str]]) -> Found:
    text = place.text
    if end - start > 150:
        start, end = hits[0].start(), hits[0].end()
    name = re.sub(r"^an?\s+", "", text[start:end].strip(" ,;("))
    spot = place.around(place.start + start, place.start + end)
    return Found(ArtifactKind.HARDWARE, name, spot, Availability.UNSPECIFIED)


def _distinct(found: list[Found]) -> list[Found]:
    """Without machines whose models all stand in a longer mention already kept."""
    kept: list[tuple[set[str], Found]] = []
    for item in sorted(found, key=lambda f: -len(_models(f.name))):
        models = _models(item.name)
        if not any(models <= seen for seen, _ in kept):
            kept.append((models, item))
    return [item for _, item in kept]


def _models(name: str) -> set[str]:
    """Words of the name that tell the model: those with a digit that are no plain number or size."""
    words = {key(w) for w in name.replace("-", " ").split()}
    return {
        w
        for w in words
        if re.search(r"[a-z]", w) and re.search(r"\d", w) and not re.fullmatch(r"\d+g(?:i?b|hz)", w)
    } or {key(name)}

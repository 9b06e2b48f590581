"""What the scorer knows of a candidate: named numbers between 0 and about 1."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean

from claimdex.extract.grounding.terms import content, names, words
from claimdex.extract.quantities import quantities
from claimdex.extract.rules.candidates import Candidate, symbol_share
from claimdex.extract.rules.cues import CUES
from claimdex.extract.rules.names import PaperNames
from claimdex.paper import Paper, PassageKind, SectionKind

_RESULT_TITLE = re.compile(
    r"result|experiment|evaluat|ablation|analys|comparison|performance|empirical|benchmark|"
    r"discussion|finding|efficien|robust",
    re.I,
)
_SETUP_TITLE = re.compile(
    r"set-?up|data ?set|implementation|details|baseline|notation|preliminar|background|protocol|"
    r"metric|hyper|training|architecture|definition",
    re.I,
)
_CROSSED = ("experiments", "theory", "abstract", "introduction", "conclusion", "other", "method", "caption")
_CROSS_CUES = ("comparative", "we_find", "self", "quantity", "setup", "theory", "achieves", "method")


class FeatureMaker:
    """Features of a paper's candidates; what depends on the paper alone is computed once."""

    def __init__(self, paper: Paper, known: PaperNames, found: Sequence[Candidate]) -> None:
        self._names = known
        self._promise = _averages(found)
        self._title = content(paper.title)
        abstract = [p.text for p in paper.passages if p.kind is PassageKind.ABSTRACT] or [paper.abstract]
        conclusion = {s.id for s in paper.sections if s.kind is SectionKind.CONCLUSION}
        theorems = sum(p.kind is PassageKind.THEOREM for p in paper.passages)
        tables = sum(p.kind is PassageKind.TABLE for p in paper.passages)
        self._theory = min(1.0, theorems / 8) * (0.5 if tables > 2 else 1.0)
        self._abstract = content(" ".join(abstract))
        self._conclusion = content(" ".join(p.text for p in paper.passages if p.section in conclusion))

    def of(self, candidate: Candidate, text: str | None = None) -> dict[str, float]:
        """Name to value; absent names are 0. ``text`` is a claim made of the sentence, if not all of it."""
        text = candidate.text if text is None else text
        found = {name: 1.0 for name, pattern in CUES.items() if pattern.search(text)}
        found |= _numbers(text)
        found |= self._words(text)
        found |= _place(candidate)
        found["theory_paper"] = self._theory
        found |= self._around(candidate)
        for name in ("we_find", "results_show", "comparative", "achieves"):
            if candidate.before and CUES[name].search(candidate.before):
                found[f"before:{name}"] = 1.0
            if candidate.after and CUES[name].search(candidate.after):
                found[f"after:{name}"] = 1.0
        where = "caption" if "kind:caption" in found else str(candidate.kind)
        if where in _CROSSED:
            found |= {f"{where}*{cue}": 1.0 for cue in _CROSS_CUES if cue in found}
        if "self" in found and "comparative" in found:
            found["self*comparative"] = 1.0
        if "own_name" in found and ("comparative" in found or "beats" in found or "quantity" in found):
            found["own*result"] = 1.0
        if "citation" in found and "self" not in found and "own_name" not in found:
            found["citation*foreign"] = 1.0
        return found

    def _around(self, candidate: Candidate) -> dict[str, float]:
        """How much its section, its paragraph and its neighbours talk of results."""
        section, passage = self._promise
        return {
            "around:section": section.get(candidate.passage.section or "", 0.0),
            "around:passage": passage.get(candidate.passage.id, 0.0),
            "around:before": promise(candidate.before) if candidate.before else 0.0,
            "around:after": promise(candidate.after) if candidate.after else 0.0,
        }

    def _words(self, text: str) -> dict[str, float]:
        mine = content(text)
        found: dict[str, float] = {}
        size = max(1, len(mine))
        found["in_title"] = len(mine & self._title) / size
        found["in_abstract"] = len(mine & self._abstract) / size
        found["in_conclusion"] = len(mine & self._conclusion) / size
        if self._names.mentions(text):
            found["own_name"] = 1.0
        technical = {w.text for w in names(text)}
        found["names"] = min(1.0, len(technical) / 5)
        length = len(words(text))
        found["length"] = math.log(1 + length) / 4
        found["short"] = float(length < 10)
        found["long"] = float(length > 40)
        found["symbols"] = min(1.0, 4 * symbol_share(text))
        return found


def _numbers(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    stated = quantities(text)
    for quantity in stated:
        found[f"q:{quantity.kind}"] = 1.0
        if quantity.kind not in ("count", "plain"):
            found["quantity"] = 1.0
        if quantity.bound:
            found["bound"] = 1.0
        if quantity.change or quantity.spread:
            found["change"] = 1.0
    found["numbers"] = min(1.0, len(stated) / 4)
    return found


def _place(candidate: Candidate) -> dict[str, float]:
    section = candidate.section
    found = {
        f"section:{candidate.kind}": 1.0,
        f"kind:{candidate.passage.kind}": 1.0,
        "late": float(not candidate.main),
        "place": candidate.place,
        "first": float(candidate.index == 0),
        "last": float(candidate.index == candidate.count - 1),
        "lone": float(candidate.count == 1),
        "depth": min(1.0, candidate.index / 10),
    }
    if section is not None:
        found["result_title"] = float(bool(_RESULT_TITLE.search(section.title)))
        found["setup_title"] = float(bool(_SETUP_TITLE.search(section.title)))
        found["subsection"] = float(section.level > 1)
    return found


_RESULT_CUES = (
    "beats",
    "comparative",
    "than",
    "we_find",
    "results_show",
    "show_that",
    "seen",
    "intensity",
    "trend",
)
_OTHER_CUES = ("setup", "method", "definition", "motivation", "citation", "future", "hypothesis", "example")


@lru_cache(maxsize=4096)
def promise(text: str) -> float:
    """Result cues less set-up cues of a sentence, about -1 to 1."""
    for_it = sum(bool(CUES[c].search(text)) for c in _RESULT_CUES)
    against = sum(bool(CUES[c].search(text)) for c in _OTHER_CUES)
    return (min(for_it, 4) - min(against, 4)) / 4


def _averages(found: Sequence[Candidate]) -> tuple[dict[str, float], dict[str, float]]:
    """Mean promise by section id and by passage id."""
    sections: dict[str, list[float]] = defaultdict(list)
    passages: dict[str, list[float]] = defaultdict(list)
    for candidate in found:
        value = promise(candidate.text)
        sections[candidate.passage.section or ""].append(value)
        passages[candidate.passage.id].append(value)
    return {k: fmean(v) for k, v in sections.items()}, {k: fmean(v) for k, v in passages.items()}

"""A draft beside its evidence: what every grounding check looks at, each view computed once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from claimdex.claim import ClaimType, Draft, Evidence
from claimdex.extract.grounding.eligibility import carrying_clause
from claimdex.extract.grounding.terms import LABEL, PaperWords
from claimdex.extract.quantities import Quantity, quantities
from claimdex.extract.sentences import enclosing
from claimdex.paper import Passage, PassageKind
from claimdex.text import normalise


@dataclass(frozen=True)
class Case:
    """A draft with the evidence it points at, as the checks see it."""

    draft: Draft
    paper: PaperWords
    evidence: tuple[Evidence, ...]

    @cached_property
    def stated(self) -> tuple[Quantity, ...]:
        """The claim's quantities, without the numbers that are part of a name ("Deep Speech 2")."""
        text = self.draft.text
        return tuple(q for q in quantities(text) if not self._in_name(q) and not _of_label(text, q))

    def _in_name(self, quantity: Quantity) -> bool:
        before = re.search(r"([A-Z][\w-]*) $", self.draft.text[max(0, quantity.start - 40) : quantity.start])
        if before is None or quantity.kind not in ("plain", "count"):
            return False
        phrase = f"{before[1]} {self.draft.text[quantity.start : quantity.end]}"
        return phrase.casefold() in self.paper.paper.title.casefold() or self.paper.text.count(phrase) >= 2

    @cached_property
    def carrying(self) -> tuple[str, ...]:
        """Of each sentence the clause that shares most words with the claim."""
        return tuple(carrying_clause(self.draft.text, s) for s in self.sentences)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The passage of each evidence."""
        return tuple(self.paper.passages[e.passage_id] for e in self.evidence)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """For each evidence the whole sentences it lies in; for a theorem all of its statement."""
        return tuple(self._around(e, p) for e, p in zip(self.evidence, self.passages, strict=True))

    def _around(self, evidence: Evidence, passage: Passage) -> str:
        if passage.kind is PassageKind.THEOREM:
            return normalise(" ".join(p.text for p in self._statement(passage)))
        if passage.cells or passage.kind is PassageKind.TABLE:
            start = passage.text.rfind("\n", 0, evidence.start) + 1
            end = passage.text.find("\n", evidence.end)
            return normalise(passage.text[start : end if end >= 0 else len(passage.text)])
        whole = enclosing(passage.text, evidence.start, evidence.end)
        return normalise(passage.text[whole.start : whole.end])

    def _statement(self, theorem: Passage) -> Iterator[Passage]:
        """The theorem's passage and the displayed formulas and items that follow it at once."""
        yield theorem
        for passage in self.paper.paper.passages[self.paper.order[theorem.id] + 1 :][:4]:
            if passage.kind not in (PassageKind.EQUATION, PassageKind.LIST_ITEM):
                return
            yield passage

    @cached_property
    def said(self) -> str:
        """All the claim commits to: its text, conditions and scope."""
        scope = self.draft.scope
        extra = [*self.draft.conditions, scope.quantifier, scope.averaging, scope.horizon]
        return normalise(" ; ".join([self.draft.text, *(x for x in extra if x)]))

    @cached_property
    def context(self) -> tuple[str, ...]:
        """The evidence's passages, captions of the same label, section titles; last, title and abstract."""
        paper = self.paper.paper
        sections = [paper.section(p.section) for p in self.passages]
        labels = {p.label for p in self.passages if p.label}
        captions = [p.text for p in self.paper.visible if p.label in labels]
        parts = [p.text for p in self.passages] + captions + [s.title for s in sections if s]
        return tuple(normalise(t) for t in [*dict.fromkeys(parts), paper.title, paper.abstract])

    @cached_property
    def formal(self) -> bool:
        """Whether it is a formal statement."""
        return self.draft.type is ClaimType.THEOREM or any(
            p.kind is PassageKind.THEOREM for p in self.passages
        )


def _of_label(text: str, quantity: Quantity) -> bool:
    return any(m.start() <= quantity.start < m.end() for m in LABEL.finditer(text))

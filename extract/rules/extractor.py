"""The offline extractor: no key, no model download, the same answer every time.

Sentences, theorems and table rows are proposed as candidates; a small linear model trained on
annotated papers orders them; what is likely enough is made self-contained and atomic, typed, and
handed on as drafts. Grounding decides which of them are published.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from claimdex.claim import Artifact, ArtifactKind, ClaimType, Draft, Extraction
from claimdex.extract.artifacts.finder import find_artifacts
from claimdex.extract.artifacts.known_artifacts import key
from claimdex.extract.rules.candidates import Candidate, candidates
from claimdex.extract.rules.claim_types import admitted_types
from claimdex.extract.rules.compose import claim_texts
from claimdex.extract.rules.conditions import conditions_of, scope_of
from claimdex.extract.rules.details import Facts, dataset_in, details_of
from claimdex.extract.rules.features import FeatureMaker
from claimdex.extract.rules.main_text import main_text
from claimdex.extract.rules.names import PaperNames, paper_names
from claimdex.extract.rules.scorer import ClaimModel, shipped_model
from claimdex.extract.rules.selection import Statement, distinct
from claimdex.extract.rules.table_claims import table_drafts
from claimdex.extract.rules.theorem_claims import theorem_drafts
from claimdex.paper import Paper, PassageKind
from claimdex.settings import Settings
from claimdex.text import normalise
from claimdex.version import __version__

THRESHOLD = 0.32
"""Probability from which a sentence becomes a claim."""
_CORE = 0.5
_THEOREM_SCORE = 0.8
_TABLE_SCORE = 0.3
_DATA = (ArtifactKind.DATASET, ArtifactKind.BENCHMARK, ArtifactKind.ENVIRONMENT)


class RuleExtractor:
    """Reads claims off a parsed paper by rules and a small trained scorer."""

    def __init__(self, settings: Settings, model: ClaimModel | None = None) -> None:
        """``model`` replaces the shipped weights, to score papers that were left out of training."""
        self._limit = settings.extract.max_claims
        self._model = model or shipped_model()

    def extract(self, paper: Paper) -> Extraction:
        """Drafts and artifacts of ``paper``; an unreadable one simply has none."""
        reading = Reading(paper, self._model)
        drafts = [*reading.theorems(), *reading.sentences(self._limit), *reading.tables()]
        return Extraction(
            drafts=tuple(drafts), artifacts=reading.artifacts, extractor="rules", version=__version__
        )


@dataclass(frozen=True)
class Reading:
    """One paper as the extractor sees it; each view is computed once."""

    paper: Paper
    model: ClaimModel

    @cached_property
    def artifacts(self) -> tuple[Artifact, ...]:
        """What the paper names that one needs."""
        return find_artifacts(self.paper)

    @cached_property
    def names(self) -> PaperNames:
        """What the paper calls its own things."""
        return paper_names(self.paper)

    @cached_property
    def _main(self) -> frozenset[str]:
        return main_text(self.paper)

    @cached_property
    def _candidates(self) -> list[Candidate]:
        return candidates(self.paper, self._main)

    @cached_property
    def _features(self) -> FeatureMaker:
        return FeatureMaker(self.paper, self.names, self._candidates)

    @cached_property
    def _facts(self) -> Facts:
        return Facts(self.names, tuple(a.name for a in self.artifacts if a.kind in _DATA))

    @cached_property
    def _sections(self) -> dict[str, list[str]]:
        """Visible text by section: where seeds and hardware are told."""
        found: dict[str, list[str]] = defaultdict(list)
        for passage in self.paper.passages:
            if (
                passage.visible
                and passage.section
                and passage.kind in (PassageKind.PARAGRAPH, PassageKind.CAPTION)
            ):
                found[passage.section].append(normalise(passage.text))
        return found

    def sentences(self, limit: int) -> list[Draft]:
        """Drafts of the ``limit`` likeliest sentences, each statement once."""
        scored = [(self.model.claim.probability(self._features.of(c)), c) for c in self._candidates]
        likely = sorted((s for s in scored if s[0] >= THRESHOLD), key=lambda s: (-s[0], s[1].span))
        home = {c.span: c for _, c in likely}
        stated = distinct(
            Statement(text, score, [c.span])
            for score, c in likely[:limit]
            for text in claim_texts(c, self.names)
        )
        return [self._draft(s, home[s.spans[0]], [home[x] for x in s.spans[1:]]) for s in stated]

    def _draft(self, statement: Statement, first: Candidate, others: Iterable[Candidate]) -> Draft:
        features = self._features.of(first, statement.text)
        kind = self._type(statement.text, features)
        around = self._sections.get(first.passage.section or "", [])
        dataset = dataset_in(statement.text, self._facts.datasets)
        core = max(self.model.core.probability(self._features.of(c)) for c in (first, *others))
        return Draft(
            text=statement.text,
            type=kind,
            details=details_of(kind, statement.text, self._facts),
            spans=tuple(statement.spans),
            core=core >= _CORE,
            score=round(statement.score, 6),
            scope=scope_of(first.text, around, (dataset,) if dataset else ()),
            conditions=conditions_of(first.text, around),
            needs=self._needs(statement.text, first.text, kind),
        )

    def _type(self, text: str, features: dict[str, float]) -> ClaimType:
        """The type the model finds likeliest of those the wording admits."""
        return self.model.type_of(features, admitted_types(text))

    def theorems(self) -> list[Draft]:
        """Drafts of the formal statements."""
        return [self._completed(d, _THEOREM_SCORE) for d in theorem_drafts(self.paper, self._main)]

    def tables(self) -> list[Draft]:
        """Drafts of table rows."""
        return [self._completed(d, _TABLE_SCORE) for d in table_drafts(self.paper, self.names, self._main)]

    def _completed(self, draft: Draft, score: float) -> Draft:
        core = draft.type is ClaimType.THEOREM and not draft.text.startswith(("Lemma", "Proposition"))
        return draft.model_copy(
            update={"score": score, "core": core, "needs": self._needs(draft.text, draft.text, draft.type)}
        )

    def _needs(self, text: str, sentence: str, kind: ClaimType) -> tuple[str, ...]:
        """Ids of the artifacts the words name, of the own code, and for a measured cost of the machine."""
        if kind is ClaimType.THEOREM:
            return ()
        said = key(text + " " + sentence)
        return tuple(a.id for a in self.artifacts if self._needed(a, said, kind))

    def _needed(self, artifact: Artifact, said: str, kind: ClaimType) -> bool:
        if artifact.kind is ArtifactKind.HARDWARE:
            return kind is ClaimType.SPEEDUP
        if artifact.kind is ArtifactKind.CODE:
            return artifact.url is not None and kind is not ClaimType.RESOURCE
        return len(key(artifact.name)) > 2 and key(artifact.name) in said

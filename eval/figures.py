"""The figures an extractor is judged by: their names, and which way is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from claimdex.claim import ClaimType


@dataclass(frozen=True)
class FigureInfo:
    """A figure is hits divided by cases, both summed over the papers. ``about`` says of what."""

    name: str
    label: str
    about: str
    better: Literal["higher", "lower", "neither"] = "higher"
    share: bool = True

    def show(self, value: float | None) -> str:
        """The value as people read it: a share as percent, with one digit; "n/a" for None."""
        if value is None:
            return "n/a"
        return f"{100 * value:.1f}%" if self.share else f"{value:.1f}"


FIGURES = {
    info.name: info
    for info in (
        FigureInfo("precision", "Precision", "predicted claims that match a gold claim"),
        FigureInfo("recall", "Recall", "gold claims that are matched"),
        FigureInfo("f1", "F1", "harmonic mean of precision and recall"),
        FigureInfo("core_recall", "Core recall", "core gold claims that are matched"),
        FigureInfo("type_accuracy", "Type accuracy", "matches whose types agree"),
        FigureInfo(
            "value_accuracy", "Value accuracy", "matches with a gold number that state it in their details"
        ),
        FigureInfo("metric_accuracy", "Metric accuracy", "matches with a gold metric that name it"),
        FigureInfo("dataset_accuracy", "Data set accuracy", "matches with a gold data set that name it"),
        FigureInfo("baseline_accuracy", "Baseline accuracy", "matches with a gold baseline that name it"),
        FigureInfo("anchor_accuracy", "Anchor accuracy", "matches with a gold label that are anchored to it"),
        FigureInfo("artifact_precision", "Artifact precision", "predicted artifacts that are in gold"),
        FigureInfo("artifact_recall", "Artifact recall", "gold artifacts that are predicted"),
        FigureInfo("artifact_f1", "Artifact F1", "harmonic mean of artifact precision and recall"),
        FigureInfo("quotes_found", "Quotes found", "predicted quotes that stand in the paper's text"),
        FigureInfo("verified", "Verified", "claims that the extractor's own grounding calls verified"),
        FigureInfo(
            "compound_rate", "Compound rate", "claims that seem to be two (by their wording)", "lower"
        ),
        FigureInfo("self_contained", "Self-contained", "claims without an unresolved our, we, it or this"),
        FigureInfo(
            "claims_per_paper", "Claims per paper", "predicted claims per gold paper", "neither", share=False
        ),
    )
}
"""Every figure by its name, in the order of reports."""

DECILES = 10


def type_key(measure: Literal["precision", "recall"], kind: ClaimType) -> str:
    """Name of the tally of one claim type."""
    return f"{measure}:{kind.value}"


def rank_key(decile: int) -> str:
    """Name of the tally of the claims in one tenth (from 0, best ranked first) of their paper."""
    return f"rank:{decile}"

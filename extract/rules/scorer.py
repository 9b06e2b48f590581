"""The trained parts of the offline extractor: which sentence is a claim, and of which type.

Both are linear models over named features (:mod:`claimdex.extract.rules.features`); the weights lie in
``models/*.json`` beside how they were made and what they reach on papers they were not trained on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claimdex.claim import ClaimType

MODELS = Path(__file__).with_name("models")


@dataclass(frozen=True)
class Linear:
    """Weights by feature name, and the bias."""

    weights: Mapping[str, float]
    bias: float

    def margin(self, features: Mapping[str, float]) -> float:
        """Weighted sum; features without a weight count nothing."""
        return self.bias + sum(
            self.weights.get(name, 0.0) * value for name, value in sorted(features.items())
        )

    def probability(self, features: Mapping[str, float]) -> float:
        """Logistic function of the margin."""
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.margin(features)))))


@dataclass(frozen=True)
class ClaimModel:
    """One linear model that says whether, and one for each type that says which."""

    claim: Linear
    core: Linear
    types: Mapping[ClaimType, Linear]

    def type_of(self, features: Mapping[str, float], allowed: tuple[ClaimType, ...]) -> ClaimType:
        """The most likely of the allowed types."""
        return max(allowed, key=lambda t: self.types[t].margin(features))


def read_model(path: Path) -> ClaimModel:
    """The model in a JSON file as ``scripts/train_scorer`` writes it."""
    data = json.loads(path.read_text("utf-8"))
    types = {ClaimType(name): _linear(part) for name, part in data["types"].items()}
    return ClaimModel(_linear(data["claim"]), _linear(data["core"]), types)


def _linear(part: dict[str, object]) -> Linear:
    weights, bias = part["weights"], part["bias"]
    assert isinstance(weights, dict) and isinstance(bias, (int, float))
    return Linear(weights, float(bias))


@cache
def shipped_model() -> ClaimModel:
    """The model that comes with the package."""
    return read_model(MODELS / "claim_scorer.json")

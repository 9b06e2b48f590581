"""Figures agree with the reference scorer that is kept beside the checkout."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from claimdex.eval.scoring import score

SHARED_FIGURES = (
    "precision",
    "recall",
    "f1",
    "core_recall",
    "type_accuracy",
    "value_accuracy",
    "artifact_f1",
    "claims_per_paper",
)


def reference(shared: Path, gold: Path, predicted: Path, out: Path) -> dict[str, float]:
    tool = shared / "tools" / "score_claims.py"
    command = [sys.executable, *map(str, (tool, "--gold", gold, "--pred", predicted, "--json", out))]
    subprocess.run(command, check=True, capture_output=True)
    summary: dict[str, float] = json.loads(out.read_text("utf-8"))["summary"]
    return summary


def perturb(paper: dict[str, Any], dice: random.Random) -> None:
    """Words and claims lost, pages and types and values wrong, claims merged, artifacts renamed."""
    for claim in paper["claims"]:
        claim["text"] = " ".join(w for w in claim["text"].split() if dice.random() > 0.35)
        for evidence in claim["evidence"]:
            evidence["page"] += dice.random() < 0.3
            evidence["quote"] = evidence["quote"][: dice.randint(10, 200)]
        if dice.random() < 0.2:
            claim["type"] = "empirical"
        if dice.random() < 0.2 and "value" in claim["details"]:
            claim["details"]["value"] = 7
    paper["claims"] = [c for c in paper["claims"] if dice.random() > 0.15]
    for i in range(len(paper["claims"]) // 4):
        a, b = dice.sample(paper["claims"], 2)
        paper["claims"].append({**a, "id": f"m{i}", "text": f"{a['text']} and {b['text']}"})
    for artifact in paper["artifacts"]:
        if dice.random() < 0.3:
            artifact["kind"] = "code"
        if dice.random() < 0.3:
            artifact["name"] = artifact["name"][:4]
    paper["artifacts"] = [a for a in paper["artifacts"] if dice.random() > 0.2]


@pytest.mark.parametrize("pair", [("papers", "second"), ("second", "papers")])
def test_annotators_score_as_the_reference_says(shared: Path, tmp_path: Path, pair: tuple[str, str]) -> None:
    gold, predicted = (shared / "gold" / name for name in pair)
    expected = reference(shared, gold, predicted, tmp_path / "reference.json")
    found = score(gold, predicted).figures
    assert {n: found[n].value or 0.0 for n in SHARED_FIGURES} == pytest.approx(expected, abs=5e-4)


def test_damaged_gold_scores_as_the_reference_says(shared: Path, tmp_path: Path) -> None:
    gold, dice = shared / "gold" / "papers", random.Random(1)
    lines = []
    for file in sorted(gold.glob("*.json")):
        paper = json.loads(file.read_text("utf-8"))
        perturb(paper, dice)
        lines.append(json.dumps(paper))
    predicted = tmp_path / "damaged.jsonl"
    predicted.write_text("\n".join(lines), "utf-8")
    expected = reference(shared, gold, predicted, tmp_path / "reference.json")
    found = score(gold, predicted).figures
    assert 0.5 < expected["f1"] < 0.95
    assert {n: found[n].value or 0.0 for n in SHARED_FIGURES} == pytest.approx(expected, abs=5e-4)

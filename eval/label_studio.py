"""Gold as Label Studio tasks: one task a claim, with its quotes and the reader's answers.

Format: https://labelstud.io/guide/tasks (basic JSON) and https://labelstud.io/guide/predictions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import quoteattr

from claimdex.claim import ClaimType
from claimdex.eval.gold import GoldClaim, GoldPaper

_CORE = "core"


def label_studio_tasks(gold: Iterable[GoldPaper]) -> str:
    """JSON of the task list; import it beside a project made with :func:`label_studio_config`."""
    tasks = [_task(paper, claim) for paper in gold for claim in paper.claims]
    return json.dumps(tasks, indent=1, ensure_ascii=False) + "\n"


def label_studio_config() -> str:
    """The labelling interface (XML) the tasks are made for: type, core, wording, remarks."""
    types = "".join(f"<Choice value={quoteattr(t.value)}/>" for t in ClaimType)
    return (
        '<View>\n <Header value="$title"/>\n <Text name="claim" value="$text"/>\n'
        ' <List name="quotes" value="$quotes" title="Evidence"/>\n'
        f' <Choices name="type" toName="claim" choice="single" required="true">{types}</Choices>\n'
        f' <Choices name="core" toName="claim"><Choice value="{_CORE}"/></Choices>\n'
        ' <TextArea name="wording" toName="claim" editable="true"/>\n'
        ' <TextArea name="remark" toName="claim"/>\n</View>\n'
    )


def _task(paper: GoldPaper, claim: GoldClaim) -> dict[str, Any]:
    quotes = [
        {"id": f"q{i}", "title": f"page {e.page}", "body": e.quote} for i, e in enumerate(claim.evidence, 1)
    ]
    data = {
        "paper": paper.paper.key,
        "sha256": paper.paper.sha256,
        "title": paper.paper.title or paper.paper.key,
        "claim_id": claim.id,
        "text": claim.text,
        "quotes": quotes,
        "details": claim.details,
        "conditions": list(claim.conditions),
        "needs": list(claim.needs),
    }
    results = [_result(claim, "type", "choices", [claim.type.value])]
    if claim.core:
        results.append(_result(claim, "core", "choices", [_CORE]))
    results.append(_result(claim, "wording", "text", [claim.text]))
    return {"data": data, "annotations": [{"result": results}]}


def _result(claim: GoldClaim, control: str, key: str, value: list[str]) -> dict[str, Any]:
    kind = "choices" if key == "choices" else "textarea"
    return {
        "id": f"{claim.id}-{control}",
        "from_name": control,
        "to_name": "claim",
        "type": kind,
        "value": {key: value},
    }

"""Sentences about what the authors did or hope: no claims, unless they tell what was found."""

from __future__ import annotations

import re

_ACTIVITY = re.compile(
    r"^(?:[^,]{0,60}, )?the authors (?:also |then |further |now |first |mainly |only )*(?:consider|"
    r"relax|use|utili[sz]e|propose|introduce|"
    r"present|compare|report|study|analy[sz]e|apply|focus|implement|experiment|conduct|evaluate|"
    r"show how|investigate|explore|discuss|"
    r"describe|perform|train|set|adopt|choose|test|follow|aim|employ|extend|leverage|derive|"
    r"state|are interested|were interested|"
    r"show (?:the|an?|some|our|how|results)|give the|have (?:not )?(?:investigated|explored|studied)|"
    r"hope|want|start|measure|repeat|vary)(?:e?d)?\b",
    re.I,
)
_WORKINGS = re.compile(
    r"^(?:[A-Z][\w-]*\s){1,3}(?:first |then |also )*(?:trains?|drops|keeps|selects|stores|computes|maintains|"
    r"samples|assigns|splits|applies|feeds|encodes|maps|concatenates|initiali[sz]es|updates|adds|"
    r"treats|masks|draws|picks|combines|replaces|consists of|takes as|works (?:by|as|in)|relies on)\b"
)
"""A method as the subject of what it does step by step: how it works, not how well."""
_TELLS = re.compile(
    r"^(?:[^,]{0,60}, )?the authors (?:also |then |further |now |first |next )*"
    r"(?:describe|discuss|outline|review|introduce|summari[sz]e|list|plot|depict|show,)\b",
    re.I,
)
_FOUND = re.compile(
    r"\b(?:show(?:s|ing)?(?! how)|find(?:s|ing)? that|found that|prov(?:e|es|ing) that|demonstrat\w+|"
    r"observ\w+ that|outperform\w*|"
    r"improv\w+|achiev\w+|reduc\w+|faster|better|exceed\w*)\b",
    re.I,
)
_EMPTY = re.compile(
    r"\b(?:paves? the way|shed\w* light|underscores? the importance|provides? (?:useful "
    r"|new |valuable )?insights?|in (?:two|three) ways)\b",
    re.I,
)


def only_activity(claim: str) -> bool:
    """Whether a composed claim tells what the authors did or hope, and nothing they found.

    >>> only_activity("The authors use AdamW."), only_activity("The authors train G and find it faster.")
    (True, False)
    >>> only_activity("Siftwise trains two rankers."), only_activity("Osprel improves recall.")
    (True, False)
    """
    if _EMPTY.search(claim):
        return True
    if _TELLS.match(claim) and not re.search(r"\b(?:show|find|prove)(?:s|ing)? that\b", claim):
        return True
    match = _ACTIVITY.match(claim) or _WORKINGS.match(claim)
    return match is not None and not _FOUND.search(claim, match.end())

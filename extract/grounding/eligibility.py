"""What is no claim at all: results of prior work and statements nobody can test; and compound claims."""

from __future__ import annotations

import re

from claimdex.extract.grounding.terms import content
from claimdex.extract.quantities import quantities
from claimdex.paper import Passage, Section, SectionKind

_SELF = re.compile(
    r"\b(?:we|our|ours|us|this (?:paper|work|article|study)|in this|the proposed|here|this is|the authors)\b",
    re.I,
)
_FOREIGN = re.compile(
    r"^\W*(?i:(?:while|although|though|in contrast,?|recently,?|for example,?|e\.g\.,?)\s+)*"
    r"(?:(?i:(?:the )?(?:earlier|previous(?:ly)?|prior|existing|related|classical|recent|past|"
    r"several recent|many|other)\s+"
    r"(?:\w+\s+){0,2}?(?:analys[ei]s|works?|methods?|approach(?:es)?|results?|studies|bounds?|papers?|"
    r"literature|"
    r"algorithms?|techniques|authors|researchers))"
    r"|(?:[A-Z][\w’'-]+(?: et al\.?| and [A-Z][\w’'-]+)?,?\s*(?:\[[\d, ]+\]|\((?:19|20)\d\d[a-z]?\)))"
    r"|\[[\d, ]+\])",
)
_REPORTING = re.compile(
    r"\b(?:show\w*|prov\w+|need\w*|requir\w+|propos\w+|report\w*|demonstrat\w+|achiev\w+|introduc\w+|"
    r"stud\w+|find\w*|"
    r"found|obtain\w*|establish\w*|us\w+|ha(?:s|ve)|were?|is|are|was|assum\w+|consider\w*|rel\w+|"
    r"fail\w*|suffer\w*|give\w*)\b"
)
_CLAUSE = re.compile(r"[;:]\s|,\s+(?:while|whereas|but|that|which|and|a|an)\s|\s(?:while|whereas|but)\s")

_EMPTY_VERB = re.compile(
    r"^\W*(?:in this (?:paper|work),?\s*)?(?:the (?:paper|authors?|work|study|article)|this (?:paper|"
    r"work|study)|we|"
    r"[\w\s,-]{0,60}?)\s*(?:also |further )?"
    r"(?:introduc|present|propos|describ|discuss|stud(?:y|ies)|investigat|explor|consider|review|survey|"
    r"outlin|"
    r"contrast|examin|formaliz|formalis|defin|address|motivat|highlight|(?:is|are) evaluated|aim)\w*\b",
    re.I,
)
_OUTCOME = re.compile(
    r"\b(?:outperform\w*|improv\w*|exceed\w*|surpass\w*|better|worse|faster|slower|higher|lower|larger|"
    r"smaller|less|"
    r"more|fewer|most|best|reduc\w*|increas\w*|decreas\w*|achiev\w*|reach\w*|match\w*|converg\w*|"
    r"guarantee\w*|prov\w+|"
    r"optimal\w*|bound\w*|state[- ]of[- ]the[- ]art|releas\w*|availab\w*|open[- ]sourc\w*|public\w*|"
    r"without|linear\w*|"
    r"polynomial\w*|cannot|equivalen\w*|consistent\w*|unbiased|robust\w*|requires? (?:no|only)|"
    r"significant\w*|"
    r"competitive|comparable|correlat\w*|not|no|general[iz]\w*|enabl\w*|implies|depends?|affects?)\b",
    re.I,
)
_PRAISE = re.compile(
    r"\b(?:elegant|promising|novel|simple|powerful|effective|interesting|important|useful|flexible|"
    r"versatile|general|"
    r"intuitive|principled|insightful|valuable|exciting)\b",
    re.I,
)
_STATE = re.compile(
    r"^\W*[\w\s-]{0,60}?\b(?:is|are|has|have|offers?|provides?)\s+(?:an?\s+)?(?:very\s+)?(?P<rest>.*)$", re.I
)

_VERB = re.compile(
    r"\b(?:outperforms?|improves?|gains?|reduces?|achieves?|reaches|uses?|using|requires?|is|are|has|"
    r"beats?|exceeds?|"
    r"surpass(?:es)?|increases?|decreases?|drops?|runs?|converges?|takes?|needs?|obtains?|attains?|"
    r"yields?|matches|"
    r"loses?|saves?|cuts?|holds?|remains?)\b",
    re.I,
)
_SPLIT = re.compile(r";\s|,?\s+(?:while|whereas)\s+(?:also\s+)?|,\s+and\s+|,\s+but\s+|\s+and\s+|,\s+")
_PAIRED = re.compile(r"\b(?:against|vs\.?|versus|compared (?:to|with)|from|between|than|instead of)\b", re.I)


def carrying_clause(claim: str, sentence: str) -> str:
    """The clause of the sentence that shares most words with the claim; the first of equals."""
    parts, mine = _CLAUSE.split(sentence), content(claim)
    return max(parts, key=lambda p: len(content(p) & mine))


def prior_work(claim: str, sentence: str, section: Section | None) -> str | None:
    """Why the sentence, where it carries the claim, speaks of others' results only; None if it does not.

    The part of the sentence nearest to the claim decides: "Earlier analyses [7] need X, which our
    bound avoids" is prior work for X, not for the avoidance.
    """
    part = carrying_clause(claim, sentence)
    if _SELF.search(part) or _SELF.search(claim):
        return None
    start = _FOREIGN.match(part)
    if (
        start
        and _REPORTING.search(part, start.end())
        and not re.search(r"\bthan\b|\bunlike\b|\bcompared\b", part)
    ):
        return f"the sentence speaks of other work: {start.group().strip()!r}"
    related = section is not None and section.kind is SectionKind.RELATED_WORK
    if (
        related
        and not _SELF.search(sentence)
        and re.search(r"\[\d|\((?:[A-Z][^()]*)?(?:19|20)\d\d", sentence)
    ):
        return "a statement about cited work in the related-work section"
    return None


def untestable(claim: str, passage: Passage) -> str | None:
    """Why no observation could make the claim false; None if one could.

    >>> untestable("We introduce X, a modular framework.", Passage(id="p", kind="paragraph", text=""))
    'it tells what the paper does, not what it finds'
    """
    if quantities(claim) or passage.kind.value in ("theorem", "table"):
        return None
    verb = _EMPTY_VERB.match(claim)
    if verb and not _OUTCOME.search(claim, verb.end()):
        return "it tells what the paper does, not what it finds"
    state = _STATE.match(claim)
    if state and _PRAISE.search(state["rest"]) and not _OUTCOME.search(claim):
        rest = content(_PRAISE.sub("", state["rest"]))
        if len(rest) <= 4:
            return "it praises without saying what would be observed"
    return None


def is_compound(text: str) -> int:
    """How many statements a claim makes that can fail on their own, at least 1.

    A rough count: parts joined by "and", "while", ";" count when each carries its own number or its
    own verb with a number or comparison. A number and its baseline are one statement.

    >>> is_compound("Dyad gains 2.1 points on Alpha and 3.4 points on Beta, while using 30% less memory.")
    3
    >>> is_compound("LoopNet reaches 0.371 against 0.455 for Patchy.")
    1
    """
    if re.match(r"\s*(?:if|let|suppose|for (?:any|all|every))\b", text, re.I):
        return 1
    held = text
    for match in quantities(text):
        if match.ends:  # "between 3 and 5" is one quantity
            held = held[: match.start] + "#" * (match.end - match.start) + held[match.end :]
    count, pending = 0, ""
    for part in _SPLIT.split(held):
        carried = f"{pending} {part}"
        numbers = [q for q in quantities(part) if q.kind not in ("count",)] or "#" in part
        own_verb = _VERB.search(part) is not None
        if count and numbers and (own_verb or not _PAIRED.search(carried)):
            count += 1
        elif count == 0 and (numbers or own_verb):
            count = 1
        elif count and own_verb and _OUTCOME.search(part):
            count += 1
        pending = part[-20:]
    return max(1, count)

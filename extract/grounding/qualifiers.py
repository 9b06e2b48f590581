"""Words that change what a statement commits to: polarity, hedges, quantifiers, formal qualifiers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from claimdex.extract.grounding.terms import content, stem, words

ANTONYMS: tuple[tuple[str, str], ...] = (
    (r"fast(?:er|est)|quick(?:er|est|ly)|speeds? up|speed-?ups?|accelerat\w+", r"slow(?:er|est|ly)|"
                                                                               r"slow(?:s|ed)? down|"
                                                                               r"slow-?downs?"),
    (r"high(?:er|est)|larg(?:er|est)|great(?:er|est)|increas\w+|rais(?:es?|ed|ing)|grows?|growth|"
     r"more(?! \w+ly)",
     r"low(?:er|est|ers|ered)|small(?:er|est)|decreas\w+|reduc\w+|drops?|dropped|declin\w+|falls?|less|"
     r"few(?:er|est)|shrinks?|"
     r"loses?|cuts?|diminish\w+"),
    (r"better|best|improv\w+|outperforms?|outperforming|exceed\w*|surpass\w*|beats?|superior|gains?",
     r"worse|worst|degrad\w+|deteriorat\w+|underperform\w*|outperformed by|inferior|hurts?|harm\w*"),
    (r"above", r"below|under"),
    (r"longer", r"shorter"),
    (r"cheaper", r"(?:more expensive|costlier)"),
    (r"upper bound\w*", r"lower bound\w*"),
    (r"stable|stabili[sz]\w+", r"unstable|instabilit\w+|destabili[sz]\w+"),
    (r"possible", r"impossible"),
    (r"necessary", r"unnecessary"),
    (r"sufficient", r"insufficient"),
    (r"converg\w+", r"diverg\w+"),
    (r"robust\w*", r"fragile|brittle|vulnerab\w+"),
)  # fmt: skip
"""Pairs of opposite directions, as patterns of whole words."""

_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|without|none|nothing|fails?|failed|failing|lacks?|unable)\b|"
    r"n['’]t\b",
    re.I,
)
_PAIRS = tuple(
    (re.compile(rf"(?<!non-)\b(?:{a})\b", re.I), re.compile(rf"(?<!non-)\b(?:{b})\b", re.I))
    for a, b in ANTONYMS
)


_DIRECTION = re.compile("|".join(f"{a}|{b}" for a, b in ANTONYMS), re.I)


def polarity_words(text: str) -> Counter[str]:
    """Negations and direction words with their counts, in lower case."""
    found = [m.group().casefold() for m in _NEGATION.finditer(text)]
    for pair in _PAIRS:
        for pattern in pair:
            found += [m.group().casefold() for m in pattern.finditer(text)]
    return Counter(found)


def negated(text: str) -> bool:
    """Whether the text holds a negation."""
    return _NEGATION.search(text) is not None


def dropped_negation(claim: str, evidence: str) -> str | None:
    """The negated words of the evidence that the claim states without a negation."""
    if negated(claim):
        return None
    stated = content(claim)
    for match in re.finditer(
        r"\b(?:not|never|cannot|unable to|fails? to|failed to)\b|n['’]t\b", evidence, re.I
    ):
        if re.match(r"\s+(?:only|just|necessarily)\b", evidence[match.end() :]):
            continue
        following = [w for w in words(evidence[match.end() : match.end() + 60]) if len(w.text) > 2][:3]
        carried = [w.text for w in following if content(w.text)]
        if carried and stem(carried[0]) in stated:
            return f"{match.group()} {carried[0]}"
    return None


def added_negation(claim: str, evidence: str) -> str | None:
    """A negation of the claim whose word the evidence states, and nowhere negates.

    >>> added_negation("The runtime is not independent of size.", "The runtime is thus independent of size.")
    'not independent'
    """
    for match in re.finditer(r"\b(?:not|never|cannot|fails? to)\b|n['’]t\b", claim, re.I):
        behind = [
            w
            for w in words(claim[match.end() : match.end() + 60])
            if content(w.text) or _DIRECTION.fullmatch(w.text)
        ]
        printed = {stem(w.text) for w in words(evidence)}
        carried = next((stem(w.text) for w in behind[:2] if stem(w.text) in printed), None)
        places = [w for w in words(evidence) if stem(w.text) == carried]
        if places and not any(_NEGATION.search(_clause_before(evidence, w.start)) for w in places):
            return f"{match.group()} {behind[0].text}"
    return None


def _clause_before(text: str, at: int) -> str:
    return re.split(r"[;:.]\s|,\s(?:and|but|while)\s", text[max(0, at - 60) : at])[-1]


def flipped(claim: str, evidence: str) -> str | None:
    """A direction word of the claim whose opposite, but not itself, stands in the evidence.

    >>> flipped("It is slower than Adam.", "It is faster than Adam.")
    'slower'
    """
    for pair in _PAIRS:
        for mine, opposite in (pair, pair[::-1]):
            said = mine.search(claim)
            if said is None or opposite.search(claim):
                continue
            if opposite.search(evidence) and not mine.search(evidence):
                return said.group()
    return None


@dataclass(frozen=True, slots=True)
class Family:
    """A qualifier: words that show it in the evidence, and words that keep it in the claim."""

    name: str
    pattern: re.Pattern[str]
    kept: re.Pattern[str]
    strict: bool = True


def _family(name: str, pattern: str, also: str = r"(?!)", strict: bool = True) -> Family:
    return Family(name, re.compile(pattern, re.I), re.compile(f"{pattern}|{also}", re.I), strict)


MUST_SURVIVE = (
    _family(
        "neighbourhood",
        r"\bballs? of radius|\bneighbou?rhood of|\bvicinity of|\bclose to (?:a|an|the)\b|"
        r"\bwithin (?:a )?(?:distance|radius)",
        r"\bnear|\bradius|\bwithin|\bapproximat|\bε|\beps",
    ),
    _family("probability", r"\bwith (?:\w+ )?probability|\bw\.h\.p|\bhigh[- ]probability|"
                           r"\balmost surely\b", r"\bprobab|\bprob\b"),
    _family("expectation", r"\bin expectation\b", r"\bexpect|𝔼|\bE\[|\baverage|\bmean"),
    _family("limit", r"\basymptotic\w*|\bin the limit\b|\bsufficiently (?:large|small)|\blarge enough\b",
            r"→|->|\binfinit|\blimit|\bgrows?\b|>=|≥|\benough|\bsufficient|\blarge|\bsmall"),
    _family("local", r"\blocal(?:ly)? (?:\w+ )?(?:conver|min|max|optim)\w*", r"\blocal"),
    _family("constants", r"\bup to (?:a |some )?(?:universal |absolute |multiplicative )?(?:constant|"
                         r"log|poly)\w*|\bpolylog\w*",
            r"\bconstant|\blog|[ÕO]~?\s?\(|\bpoly", strict=False),
)  # fmt: skip
"""Qualifiers of a formal statement."""

AVERAGE = re.compile(r"\b(?:on average|averaged?|averages|averaging|mean|avg|overall)\b", re.I)

PARTIAL = re.compile(
    r"\b(?P<word>(?:al)?most(?! (?:accurate|important|efficient|common|recent|popular|likely|notabl\w+|"
    r"significant\w*))"
    r"(?<!at most)(?: all)?(?: of)?|nearly all|some(?: of)?|sometimes|a few|in (?:some|certain|several) \w+|"
    r"many(?: of)?|often|usually|typically|mostly|half of)\b",
    re.I,
)
_PARTIAL_FAMILY = re.compile(
    r"\b(?:most|mostly|majority|some|sometimes|several|certain|few|many|often|usually|typical\w*|"
    r"general\w*|nearly|"
    r"almost|not all|but one|partly|half|except|can|may|part)\b", re.I
)  # fmt: skip

UNIVERSAL = re.compile(
    r"\b(?:all|every|each|any|always|consistent(?:ly)?|universal(?:ly)?|across|regardless|throughout|"
    r"both|whole|entire|"
    r"in general|invariably|uniform(?:ly)?|whatever|arbitrar\w+|full range|none|never|no|entirely)\b", re.I
)  # fmt: skip
WIDENING = re.compile(
    r"(?<!not )(?<!nearly )\b(?:all|every|always|consistently|universally|across|regardless|throughout|"
    r"invariably|any)\b",
    re.I,
)

_STEADY = re.compile(r"always|consistently|universally|invariably|throughout|regardless|across", re.I)
_AS_STEADY = re.compile(
    r"\b(?:always|consistent\w*|universal\w*|invariabl\w+|throughout|regardless|across|uniformly|every|each|"
    r"(?:in|on|for|over|at) (?:\w+ )?(?:all|both|any)|all (?:\w+ )?(?:\w+s)|whatever|never|"
    r"independent\w*|both)\b", re.I
)  # fmt: skip

STRONGER: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(mine, re.I), re.compile(enough, re.I))
    for mine, enough in (
        (r"\bglobal(?:ly)?\b", r"\bglobal"),
        (r"\bguaranteed\b|\bprov(?:es|en|ably)\b", r"\bguarant|\bprov|\btheorem|\blemma|\bcorollary|"
                                                   r"\bproposition|\bholds?\b|\bshow"),
        (r"\bunique(?:ly|ness)?\b", r"\bunique"),
        (r"\bexact(?:ly)?\b", r"\bexact|\bequal|\bidentical|\bprecise"),
        (r"\b(?<!near[- ])(?<!nearly )(?<!sub)(?<!sub-)optimal\b", r"optimal|\boptimum|\bbest|\bminim|"
                                                                   r"\bmatch|\btight"),
        (r"\bstate[- ]of[- ]the[- ]art\b|\bsota\b", r"state[- ]of[- ]the[- ]art|\bsota\b|\bbest\b|"
                                                    r"\bprevious\w*|\bprior\b"),
        (r"\bstatistically significant", r"\bstatistical|\bp\s?<|\bsignifican"),
        (r"\bfirst\b(?= (?:\w+[- ]){0,3}(?:algorithm|method|model|to\b|work|result|system|approach|"
         r"benchmark))", r"\bfirst\b|\bnovel"),
        (r"\bonly\b(?= (?:method|model|approach|one|algorithm))", r"\bonly\b|\bunique|\bsole|\bno other|"
                                                                  r"\bexcept"),
    )
)  # fmt: skip
"""(strong word in a claim, words of the evidence that carry it)."""

PRIORITY = re.compile(r"\b(?:first|novel|only|never before|no (?:previous|prior|other|existing))\b", re.I)
PRIORITY_HEDGE = re.compile(
    r"\bto (?:the best of )?(?:our|the authors['’]?) (?:\w+ )?knowledge\b|\bas far as (?:we|"
    r"the authors) know\b",
    re.I,
)
SOFT = re.compile(
    r"(?<!less )(?<!more )(?<!most )(?<!which )\b(?:may|might|suggests?|likely|possibly|seems?|appears?|"
    r"tends?|presumably|"
    r"potentially|hypothesi[sz]e\w*|conjecture\w*|believe)\b(?! (?:due|because|be (?:due|because)))", re.I
)  # fmt: skip
SOFT_KEPT = re.compile(
    r"\b(?:may|might|can|could|suggests?|likely|possibly|possible|seems?|appears?|tends?|presumably|"
    r"potential\w*|"
    r"hypothesi\w+|conjectur\w*|believe|expected|authors)\b", re.I
)  # fmt: skip
UNDER = re.compile(
    r"\b(?:under|given|assuming|suppose|if|when|whenever|provided|assum\w+|satisf\w+|for|where|let)\b",
    re.I,
)
ASSUMPTION = re.compile(
    r"\b(?:under|by|given|assuming|suppose)\b[^.;]{0,40}\b(?:assumptions?|conditions?)\b", re.I
)


def dropped_partial(claim: str, evidence: str) -> str | None:
    """A "most", "some", "often" of the evidence that the claim states without it."""
    if _PARTIAL_FAMILY.search(claim):
        return None
    stated = content(claim)
    for match in PARTIAL.finditer(evidence):
        following = [w.text for w in words(evidence[match.end() : match.end() + 40]) if content(w.text)][:1]
        if following and stem(following[0]) in stated:
            return match["word"]
    return None


def widened(claim: str, evidence: str, formal: bool) -> str | None:
    """A universal word of the claim for which the evidence has none as wide.

    In a formal statement "all" and "every" retell the paper's quantifiers; "consistently" never does.
    """
    for said in WIDENING.finditer(claim):
        steady = _STEADY.match(said.group())
        if not steady and formal:
            continue
        if not (_AS_STEADY if steady else UNIVERSAL).search(evidence):
            return said.group()
    return None


def other_scope(claim: str, evidence: str) -> str | None:
    """A universal phrase of the claim ("all settings") whose noun the evidence does not use."""
    known = content(evidence)
    for said in WIDENING.finditer(claim):
        behind = [w.text for w in words(claim[said.end() : said.end() + 60]) if content(w.text)][:3]
        if (
            behind
            and not any(stem(w) in known for w in behind)
            and said.group().lower() in ("all", "every", "across", "any")
        ):
            return f"{said.group()} {behind[0]}"
    return None


def strengthened(claim: str, evidence: str, paper: str) -> str | None:
    """A strong word of the claim that nothing in the evidence carries, and is in no term of the paper."""
    for mine, enough in STRONGER:
        said = mine.search(claim)
        if said is None or enough.search(evidence):
            continue
        term = re.match(r"[\w-]+ [\w-]+", claim[said.start() :])
        if term is None or paper.casefold().count(term.group().casefold()) < 2:
            return said.group()
    return None

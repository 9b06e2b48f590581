"""Who "we", "our method", "it" and "this" are: a sentence made readable without its paper."""

from __future__ import annotations

import re

from claimdex.extract.grounding.terms import LABEL
from claimdex.extract.rules.cleaning import capitalised, cleaned
from claimdex.extract.rules.names import PaperNames

_METHOD_NOUN = (
    r"(?:method|approach|algorithm|framework|technique|scheme|procedure|strategy|optimizer|"
    r"estimator|decoder|architecture|"
    r"system|model|solution|sampler|pipeline)"
)
_OUR_ONE = re.compile(
    rf"\b(?:our(?: (?:proposed|new|novel|own|simple))*|the proposed) {_METHOD_NOUN}\b(?!s)(?:,? "
    rf"(?P<name>(?-i:[A-Z][\w-]*[A-Z0-9][\w-]*)),?)?",
    re.I,
)
_OUR = re.compile(r"\bour(?: (?:own|proposed))?\b", re.I)
_OURS = re.compile(r"\bours\b", re.I)
_OUTCOMES = {
    **{
        v: v + "s"
        for v in ("achieve", "obtain", "improve", "outperform", "exceed", "reduce", "attain", "beat")
    },
    **{v: v + "s" for v in ("gain", "accelerate")},
    **{v: v + "es" for v in ("match", "reach", "surpass")},
}
_WE_OUTCOME = re.compile(
    rf"\b[Ww]e (?P<adverb>(?:(?:also|consistently|significantly|now|even|further|thus|substantially|"
    rf"still) )*)(?:are able to |can |could )?(?P<verb>{'|'.join(_OUTCOMES)})(?P<past>d|ed)?\b"
)
_BY_DOING = re.compile(r"\b[Bb]y (?:\w+ )?\w+ing\b")
"""What is reached by doing something is the authors' doing, not the method's."""
_WE = re.compile(r"\b(?P<we>we|us)\b", re.I)
_PRONOUN = re.compile(r"^(?P<pronoun>It|They|This|These|Those|Such|Both)\b")
_THIS_METHOD = re.compile(
    r"\b[Tt]his (?:(?:simple|new|novel) )?(?:method|approach|algorithm|framework|technique|"
    r"scheme|procedure|strategy)\b(?!s)"
)
_THIS_PLACE = re.compile(
    r"\b(?:this|these|such) (?:[\w-]+ )?(?P<noun>(?:setting|case|experiment|task|data ?set|"
    r"regime|scenario|benchmark|network|model|method|"
    r"approach|algorithm|game|problem|baseline|test|figure|section|condition|domain)(?:e?s)?)\b",
    re.I,
)
_GENERIC_TITLE = re.compile(
    r"^(?:(?:main|additional|empirical|experimental|numerical|further)\s+)*(?:experiments?|"
    r"results?|evaluations?|discussion|analysis|"
    r"setup|and|\W)+$",
    re.I,
)
_ACTS = re.compile(
    r"(?:also |further |significantly |thus )?(?:results? in|leads? to|allows?|enables?|"
    r"yields?|achieves?|improves?|outperforms?|reduces?|"
    r"requires?|accelerates?|converges?|is|has|runs?|provides?|uses?|works?|needs?|takes?|"
    r"obtains?|reaches|scales?|performs?|does|can|"
    r"matches|avoids?|exhibits?|increases?|decreases?|remains?|becomes?|shows?)\b"
)
_FINITE = (
    r"(?:is|are|was|were|has|have|does|do|can|cannot|achieves?|outperforms?|performs?|improves?|"
    r"reduces?|requires?|converges?|runs?|"
    r"provides?|uses?|obtains?|reaches|scales?|shows?|exhibits?|increases?|decreases?|remains?|"
    r"becomes?|yields?|gives?|takes?|needs?|"
    r"leads?|allows?|enables?|works?|fails?|suffers?|matches|avoids?|combines?|accelerates?|"
    r"learns?|generali[sz]es?|only)"
)
_SUBJECT = re.compile(
    rf"^(?P<subject>(?:(?:The|A|An|All|Both) )?[\w’'./+@-]+(?: (?!{_FINITE}\b)[\w’'./+@()-]+){{0,5}}) "
    rf"{_FINITE}\b"
)
_NO_SUBJECT = re.compile(
    r"\b(?:we|us|our|it|they|this|these|those|that|which|who|there|here|one|ones|if|when|"
    r"while|although|because|since|and|or|in|on|for|with|to|"
    r"at|by|from|as|under)\b",
    re.I,
)
_DANGLING = re.compile(
    r"^(?:Its|Their|It|They|This|These|Those|That|Such|Here|There (?:is|are) (?:also )?(?:such|this)|"
    r"The (?:former|latter|same|above|other|two|three)|Both)\b"
    r"|\b(?:the (?:former|latter)|(?:the )?(?:above|aforementioned|previous(?:ly)?|following) "
    r"(?:\w+ )?(?:theorem|lemma|result|section|paragraph|figure|table|example|equation|discussion|"
    r"assumption)s?|"
    r"as (?:mentioned|discussed|described|noted) (?:above|before|earlier|previously))\b",
    re.I,
)
_DANGLING_OBJECT = re.compile(
    r"\b(?:beats?|outperforms?|exceeds?|surpass(?:es)?|match(?:es)?|than|against|over) (?:it|"
    r"them|this|these|both)\b(?=[ ,.;]|$)(?! \w+s\b)"
    r"|^(?:Compared|Relative|Due|Because of|Despite|Thanks)[^,]*, (?:it|they)\b"
    r"|^(?-i:At|Under|On|In|With|From|For|After|Before|Between|Against|During|Without|By) [^;.]{0,70}?,? "
    r"(?:it|they) (?!(?:is|was) (?:\w+ )?(?:to|that|for)\b)|^(?:While|"
    r"Although|Though) (?:this|these|it|they)\b"
    r"|^In (?:this|that|such|these|those|the (?:above|latter|former)) (?:an? )?(?:\w+ )?(?:case|"
    r"sense|setting|regime|situation|scenario|way)s?\b(?! \[)",
    re.I,
)
_DANGLING_OK = re.compile(
    r"^(?:Both (?!of (?:these|them))[\w-]+ (?:[\w-]+ ){0,4}and\b|It (?:is|was) (?:[a-z]+ly "
    r")?[a-z-]+ (?:to|that|for) (?!(?:it|the (?:other|former|latter))\b)|There)",
    re.I,
)


def self_contained(text: str, before: str, place: str, names: PaperNames) -> str | None:
    """The cleaned sentence with its pronouns resolved, or None where only a guess could do it.

    ``before`` is the sentence before it, ``place`` the title of its section. Names that the paper's own
    words do not give in this very sentence are set in square brackets, unless they stand for "we" or
    "our method".
    """
    method = names.method
    text = _first_word(text, before, names)
    if method:
        text = _OUR_ONE.sub(lambda m: m["name"] or names.named_in(m.group()) or method, text)
    else:
        text = _OUR_ONE.sub(
            lambda m: (
                m["name"]
                or _keep_case(m.group(), re.sub(r"(?i)^our(?: proposed)?", "the proposed", m.group()))
            ),
            text,
        )
    referent = subject_of(before, names)
    if _THIS_METHOD.search(text):
        if referent is None or _plural(referent):
            return None
        text = _THIS_METHOD.sub(
            referent if referent in names.own else lambda m: f"{m.group()} [{referent}]", text, count=1
        )
    for name in names.own:
        text = re.sub(rf"\b[Oo]ur (?={re.escape(name)}(?!\w))", "", text)
    text = _first_person(text, method)
    placed = _with_place(text, place) if place else text
    if placed is None:
        return None
    text = capitalised(placed)
    if _DANGLING_OBJECT.search(text):
        return None
    if _DANGLING.search(text) and not _DANGLING_OK.match(text):
        return None
    return text


def _keep_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _first_word(text: str, before: str, names: PaperNames) -> str:
    """A sentence that opens with a pronoun, with the subject of the sentence before in its place."""
    match = _PRONOUN.match(text)
    if match is None or _DANGLING_OK.match(text) or not _ACTS.match(text, match.end() + 1):
        return text
    pronoun, rest = match["pronoun"], text[match.end() :]
    if pronoun in ("It", "They"):
        subject = subject_of(before, names)
        if subject and (pronoun == "They") == _plural(subject):
            return f"[{subject}]{rest}" if subject not in names.own else f"{subject}{rest}"
    if (
        pronoun == "This"
        and names.method
        and names.mentions(before)
        and re.match(
            r" (?:results? in|leads? to|yields?|allows|enables|improves|outperforms|reduces|accelerates)",
            rest,
        )
    ):
        return f"[{names.named_in(before) or names.method}]{rest}"
    return text


def subject_of(sentence: str, names: PaperNames) -> str | None:
    """The subject of a sentence, if it is a short noun phrase that needs no resolving itself.

    >>> subject_of("However, Cluster-GCN has a comparable runtime.", PaperNames())
    'Cluster-GCN'
    """
    if not sentence:
        return None
    plain = cleaned(sentence)
    if names.method and re.match(rf"{_OUR_ONE.pattern} {_FINITE}\b", plain, re.I):
        return names.method
    match = _SUBJECT.match(plain)
    if match is None or _NO_SUBJECT.search(match["subject"]):
        return None
    subject = match["subject"].strip()
    if LABEL.match(subject) or not subject[0].isupper():
        return None
    return subject if len(subject) > 1 else None


def _plural(subject: str) -> bool:
    last = subject.split()[-1]
    return bool(re.search(r"[a-z]s$", last)) and not re.search(r"(?:ss|us|is)$", last)


def _first_person(text: str, method: str | None) -> str:
    if method and not _BY_DOING.search(text):
        text = _WE_OUTCOME.sub(lambda m: f"{method} {m['adverb']}{_third(m)}", text)
    text = _WE.sub(lambda m: _keep_case(m["we"], "the authors"), text)
    text = _OURS.sub("the proposed one", text)
    return _OUR.sub(lambda m: _keep_case(m.group(), "the authors’"), text)


def _third(match: re.Match[str]) -> str:
    return match["verb"] + match["past"] if match["past"] else _OUTCOMES[match["verb"]]


def _with_place(text: str, place: str) -> str | None:
    """The first "this setting", "these tasks" of the text with the section's title in brackets.

    Unchanged if the noun was named before in the text; None if the title tells nothing.
    """
    match = _THIS_PLACE.search(text)
    if match is None or "[" in text or match["noun"].rstrip("s").lower() in text[: match.start()].lower():
        return text
    if _GENERIC_TITLE.match(place):
        return None
    return f"{text[: match.end()]} [{place}]{text[match.end() :]}"

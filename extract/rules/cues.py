"""Cue words of claims and of what is none: set-ups, background, definitions, plans.

Every cue is a name and a pattern; the scorer learns what each is worth. ``RULED_OUT`` holds those
that by themselves make a sentence no claim of its paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.I)


_SHOW = (
    r"show|find|found|observe|see|saw|notice|demonstrate|prove|establish|verify|confirm|discover|"
    r"conclude|reveal"
)

CUES: Mapping[str, re.Pattern[str]] = {
    "beats": _any(
        r"outperform\w*|surpass\w*|exceed\w*|beats?|superior|state[- ]of[- ]the[- ]art|underperform\w*|"
        r"improv\w+ (?:upon|over)"
    ),
    "achieves": _any(
        r"achiev\w+|reach(?:es|ed)?|obtain(?:s|ed)|attain(?:s|ed)?|match(?:es|ed)|yield(?:s|ed)"
    ),
    "improves": _any(
        r"improv(?:es?|ed|ements?|ing)|gains?|boost(?:s|ed)?|enhanc\w+|benefi(?:ts?|cial|ted)|helps?"
    ),
    "lowers": _any(
        r"reduc(?:es?|ed|tions?|ing)|decreas\w+|drops?|dropped|lowers?|declin\w+|degrad\w+|deteriorat\w+"
    ),
    "raises": _any(r"increas(?:es?|ed)|grows?|rises?|widens?"),
    "comparative": _any(
        r"(?:better|worse|faster|slower|higher|lower|larger|smaller|fewer|less|more|stronger|"
        r"weaker|shorter|longer|"
        r"cheaper|greater)"
    ),
    "superlative": _any(r"best|worst|fastest|highest|lowest|largest|smallest|most"),
    "than": _any(r"than"),
    "compared": _any(
        r"compared (?:to|with)|versus|vs|relative to|over the (?:baseline|previous|next)|"
        r"in contrast to|unlike"
    ),
    "comparable": _any(
        r"comparable|similar|competitive|on par|equivalent|identical|as (?:well|good|fast) as|close to"
    ),
    "we_find": re.compile(
        rf"\bwe\s+(?:\w+\s+)?(?:{_SHOW})\b|\bwe have (?:also )?(?:shown|found|proved|proven|demonstrated)\b",
        re.I,
    ),
    "we_prove": re.compile(
        r"\bwe (?:\w+ )?(?:prove|establish|show|derive|guarantee)\b|\bprovabl[ey]\b", re.I
    ),
    "results_show": re.compile(
        r"\b(?:results?|experiments?|analys[ei]s|evaluations?|findings?|figures?|tables?|"
        r"plots?|curves?|study|studies|"
        r"we|this|these|ablations?)\s+(?:\w+\s+){0,3}?(?:shows?|suggests?|indicates?|demonstrates?|"
        r"reveals?|confirms?|"
        r"validates?|highlights?|illustrates?)\s+(?:that|how|the|a)\b",
        re.I,
    ),
    "seen": re.compile(
        r"\b(?:can be (?:seen|observed)|is (?:seen|observed|evident|clear)|as (?:seen|shown|expected))\b",
        re.I,
    ),
    "show_that": re.compile(rf"\b(?:(?:{_SHOW}|suggest|indicate)\w*|shown|proven)\s+that\b", re.I),
    "intensity": _any(
        r"significant(?:ly)?|substantial(?:ly)?|dramatic(?:ally)?|considerabl[ey]|notabl[ey]|"
        r"marked(?:ly)?|clearly|much|"
        r"slight(?:ly)?|roughly|drastic(?:ally)?|far|remarkabl[ey]|noticeabl[ey]"
    ),
    "universal": _any(r"all|every|always|consistent(?:ly)?|across|any|regardless|uniform(?:ly)?|both|never"),
    "partial": _any(r"some|often|usually|typically|mostly|in general|generally|tends?|sometimes|most"),
    "negative": re.compile(
        r"\b(?:not|no|cannot|fails?|failed|without|never|neither|unable|hurts?)\b|n['’]t\b", re.I
    ),
    "except": _any(r"except|only|even|despite|although"),
    "trend": re.compile(
        r"\b(?:as|when|with)\b[^.]{0,40}\b(?:increas|decreas|grow|larger|smaller|more|fewer|higher)\w*", re.I
    ),
    "ablation": _any(
        r"remov\w+|ablation\w*|without|replac\w+|adding|variants?|effect of|impact of|sensitiv\w+|robust\w*"
    ),
    "quality": _any(
        r"accurac\w+|performance|error|loss|f1|precision|recall|auc|scores?|quality|rewards?|"
        r"wer|bleu|perplexity|regret|fid|"
        r"generali[sz]ation|forgetting"
    ),
    "resource": _any(
        r"time|times|memory|runtime|speed\w*|cost|costs|latency|throughput|parameters|flops|"
        r"epochs?|iterations?|steps|"
        r"communication|samples?|gpus?|hours?|seconds?"
    ),
    "theory": _any(
        r"bound\w*|converg\w+|rate|optimal\w*|complexity|guarantee\w*|theorem|lemma|corollary|"
        r"proposition|lower bound|"
        r"upper bound|tight|polynomial\w*|linear(?:ly)?|logarithmic\w*|expectation|probability|holds?|implies"
    ),
    "condition": _any(r"under|if|suppose|assum\w+|whenever|provided|given|for (?:any|all|every|each)"),
    "released": _any(r"releas\w+|open[- ]sourc\w+|publicly|available|github"),
    "self": re.compile(r"\b(?:we|our|ours|us)\b", re.I),
    "proposed": _any(
        r"(?:our|the proposed|this|the) (?:method|approach|algorithm|model|framework|system|technique|scheme)"
    ),
    "setup": re.compile(
        r"\b(?:we|are|is|were|was) (?:\w+ )?(?:use|used|train|trained|set|follow|followed|"
        r"adopt|adopted|consider|considered|"
        r"evaluate|evaluated|report|reported|initiali[sz]ed?|compare|compared|split|sample|"
        r"sampled|choose|chosen|select|"
        r"selected|run|conduct|conducted|perform|performed|apply|applied|test|tested|tune|"
        r"tuned|employ|employed|include|"
        r"vary|randomly|implement|implemented|fix|measure|study|plot|repeat)\b",
        re.I,
    ),
    "method": re.compile(
        r"\bwe (?:\w+ )?(?:propose|introduce|present|describe|define|denote|call|refer|develop|"
        r"design|construct|formulate|"
        r"discuss|provide|review|focus|aim|address|note|recall|remark|investigate|explore|"
        r"begin|start|first|now|next)\b",
        re.I,
    ),
    "definition": re.compile(
        r"\b(?:defined (?:as|by)|denot(?:e|es|ed|ing)|is called|we say|refers? to|notation|"
        r"stands for|let us|let [a-zA-Zα-ωΑ-Ω]\b|"
        r"recall that|consists? of|corresponds? to|represents?)",
        re.I,
    ),
    "modal": _any(r"may|might|could|would|should|will|can"),
    "hypothesis": _any(
        r"hypothesi\w+|conjectur\w+|believe|suspect|speculate|intuiti\w+|expect(?:ed)?|presumably|"
        r"likely|perhaps|possibl[ey]|"
        r"plausible|interpret\w*|explain\w*|because|due to|reason"
    ),
    "future": re.compile(
        r"\bfuture (?:work|research|direction)|\bwe leave\b|\bwe (?:plan|hope|intend)\b|"
        r"\bopen (?:question|problem)|"
        r"\binteresting (?:direction|to|avenue)|\bremains? (?:to be|open|unclear|a)\b|\bwould "
        r"be (?:interesting|useful)|\bit is unclear",
        re.I,
    ),
    "motivation": re.compile(
        r"\b(?:is|are|has been|have been|become) (?:\w+ )?(?:important|crucial|essential|"
        r"popular|widely|common(?:ly)?|"
        r"challenging|difficult|necessary|used|studied|needed|desirable|critical)\b|\bin "
        r"(?:recent years|practice|real)|"
        r"\b(?:recent(?:ly)?|traditional(?:ly)?|existing|conventional|prior work|previous work|literature)\b",
        re.I,
    ),
    "foreign_verb": re.compile(
        r"\bet al\.?[^.]{0,25}(?:show|prov|propos|find|found|report|use|introduc|demonstrat|stud|consider)",
        re.I,
    ),
    "citation": re.compile(r"\[\d+(?:[,;–\- ]+\d+)*\]|\((?:[^()]*\b)?(?:19|20)\d\d[a-z]?\)|\bet al\b"),
    "example": re.compile(
        r"\b(?:for example|for instance|e\.g\.|i\.e\.|such as|namely|in other words)", re.I
    ),
    "float": re.compile(r"\b(?:Tables?|Tab\.|Fig(?:ure|\.)s?|Figs\.)\s?\(?\d", re.I),
    "float_subject": re.compile(
        r"^\W*(?:Tables?|Tab\.|Fig(?:ure|\.)s?|Figs\.|Section|Algorithm|Appendix)\s?\(?[A-Z]?\d[\w().,]*\s+(?:\w+\s+)?"
        r"(?:shows?|presents?|depicts?|illustrates?|plots?|reports?|summari[sz]es?|displays?|"
        r"compares?|lists?|gives?|contains?)\b(?! that)",
        re.I,
    ),
    "pointer": re.compile(
        r"\b(?:see|in|of|cf\.?) (?:the )?(?:Sec(?:tion|\.)|Append(?:ix|ices)|Equation|Eq\.|§)", re.I
    ),
    "section_talk": re.compile(
        r"\b(?:in this|the (?:next|following|rest|remainder|previous)|this) (?:section|subsection|"
        r"paragraph|appendix)|\bbelow\b|\bas follows\b",
        re.I,
    ),
    "opens_result": re.compile(
        r"^\W*(?:overall|interestingly|surprisingly|notably|importantly|in particular|specifically|"
        r"remarkably|more impressively|"
        r"finally|in summary|further(?:more)?|moreover|additionally|also|as expected|empirically)\b",
        re.I,
    ),
    "opens_contrast": re.compile(
        r"^\W*(?:however|in contrast|on the other hand|conversely|nevertheless|yet|but|while|although)\b",
        re.I,
    ),
    "opens_consequence": re.compile(
        r"^\W*(?:thus|therefore|hence|consequently|as a result|so|then|in this case)\b", re.I
    ),
    "opens_pronoun": re.compile(r"^\W*(?:this|these|it|they|that|those|such|here)\b", re.I),
    "opens_setup": re.compile(
        r"^\W*(?:let|consider|recall|note|given|assume|suppose|to\s|first|next|for (?:this|"
        r"our|these|each))\b",
        re.I,
    ),
    "opens_setting": re.compile(r"^\W*(?:on|in|for|with|when|at|after|under|among|by|compared)\b", re.I),
    "question": re.compile(r"\?\W*$"),
    "colon_end": re.compile(r":\W*$"),
    "past": _any(r"was|were|had|did"),
    "math": re.compile(r"[=≤≥∈∑∫√‖∥⟨⟩∇→×∂∀∃]"),
    "first_ever": re.compile(r"\bfirst\b[^.]{0,30}\b(?:to|that|result|algorithm|method|work|which)\b", re.I),
    "contribution": _any(r"contributions?|main result|key (?:finding|insight|result)s?"),
    "limitation": _any(r"limitations?|drawback|caveat|disadvantage|beyond the scope"),
}
"""Patterns whose presence is a feature of the scorer, by name."""

RULED_OUT: Mapping[str, re.Pattern[str]] = {
    "question": CUES["question"],
    "future work": CUES["future"],
    "lead-in": re.compile(r"(?:\bas follows|\bthe following\b[^.]{0,60})\W*$|:\s*$", re.I),
    "definition": re.compile(
        r"^\W*(?:let\b|recall\b|definition\b|denote\b|we (?:define|denote|write|recall|call|"
        r"let|refer)\b|consider\b)|"
        r"\bis defined (?:as|by)\b|\bwe say that\b",
        re.I,
    ),
    "hypothesis": re.compile(
        r"\bwe (?:\w+ )?(?:hypothesi[sz]e|conjecture|suspect|speculate|believe|hope|expect)\b|"
        r"\bour (?:hypothesis|conjecture|intuition)\b",
        re.I,
    ),
    "cited work": re.compile(
        r"^\W*(?:[A-Z][\w’'-]+ (?:et al\.?|and [A-Z][\w’'-]+|& [A-Z][\w’'-]+)|[A-Z][\w’'-]+),? "
        r"?(?:\[[\d, ]+\]|\((?:19|20)\d\d[a-z]?\))"
        r"(?:’s|'s)? (?:\w+ ){0,2}?(?:show|prov|propos|find|found|report|use|introduc|demonstrat|"
        r"stud|consider|develop|observ|present|give|"
        r"obtain|establish|suggest|extend|investigat|describ|analy|argu|design|combin|appl|"
        r"train|generat|claim|explor)",
    ),
    "own plan": re.compile(r"^\W*(?:in (?:this|the next|the following) (?:section|subsection|"
    "paper),? )?we (?:now|first|next|then|begin|start|turn)\b", re.I),
    "proof": re.compile(r"\bthe proof\b|\bproof of\b", re.I),
    "prior work": re.compile(
        r"^\W*(?:[A-Z][\w’'-]+(?: et al\.?|(?:,? (?:and|&) [A-Z][\w’'-]+)+)?) ?(?:\((?:19|"
        r"20)\d\d[^()]*\)|\[\d[\d, ]*\]) (?!variant|baseline|decoder|encoder|model)[a-z]+"
    ),
    "step of a derivation": re.compile(r"^\W*(?:Then\b|To see why\b)|\blet \W?[A-Za-z]\w?\b be\b"),
    "pointer to a float": CUES["float_subject"],
    "outline": re.compile(
        r"^\W*In (?:this|the (?:next|following)) (?:section|subsection|appendix|paragraph)\b", re.I
    ),
    "state of the field": re.compile(
        r"\bbody of (?:research|work|literature)\b|\b(?:previous|prior|existing|earlier) (?:[\w-]+ ){0,3}"
        r"(?:works?|methods?|algorithms?|approach(?:es)?|techniques)\b (?:\w+ ){0,2}"
        r"(?:assumes?|selects?|chooses?|ignores?|fails?|focus(?:es)?|requires?|rel(?:y|ies)|"
        r"needs?|suffers?|uses?|mostly|either|"
        r"typically|usually)\b",
        re.I,
    ),
    "list of numbers": re.compile(r"(?:(?<!\S)\d+\.\d+%?\s+){2}\d|(?:(?<!\S)\d+(?:\.\d+)?%?\s+){4}"),
    "proof step": re.compile(r"^\W*(?:proof\b|combining (?:this|these|the|\()|plugging|"
    "substituting|by (?:the )?(?:triangle|definition|induction|Jensen|Markov|Cauchy))", re.I),
}  # fmt: skip
"""A sentence that shows one of these makes no claim; the name says why."""


def ruled_out(sentence: str) -> str | None:
    """Why the sentence cannot be a claim of its paper; None if nothing speaks against it.

    >>> ruled_out("We leave the extension to graphs for future work.")
    'future work'
    """
    return next((name for name, pattern in RULED_OUT.items() if pattern.search(sentence)), None)

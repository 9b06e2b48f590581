"""A sentence of a paper without what only ties it to its neighbours: openers, frames, citations, pointers.

Nothing that commits the sentence is dropped: hedges ("results suggest that"), bounds and conditions stay.
"""

from __future__ import annotations

import re

from claimdex.text import normalise

_SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᵈᵏᵐⁿᵖᵗ", "0123456789+-()abdkmnpt", strict=True))
_SUPERS = f"[{''.join(map(re.escape, _SUPER))}]+"
_SUPER_RUN = re.compile(rf"(?P<base>\S?)(?P<run>{_SUPERS}(?:/{_SUPERS})*)")
_SUBSCRIPT = re.compile(r"(?<![^\W\d_])(?P<base>[^\W\d_])(?P<run>[₀-₉]+)")

_CITATION = re.compile(
    r"\s?\[\s?[\d⁰-⁹]+(?:\s?[,;–-]\s?\d+)*\s?\]"
    r"|\s?\((?:see |cf\.? |e\.g\.,? |also )?(?:[A-Z][^()]*?,? ?(?:19|20)\d\d[a-z]?(?:[;,] ?)?)+\)"
    r"|\s?\[[^\[\]]*(?:19|20)\d\d[a-z]?\]"
)
_POINTED = (
    r"(?:(?:Tab(?:le|\.)|Fig(?:ure|\.)|Sec(?:tion|\.)|App(?:endix|\.)|Alg(?:orithm|\.)|Eq(?:uation|"
    r"\.)|Theorem|Thm\.|Lemma|"
    r"Proposition|Corollary)s?~?\s?\(?[A-Z]?[\d.]*[a-z]?\)?)"
)
_POINTER = re.compile(
    rf"\s?\((?:see|see also|cf\.?|as shown in|shown in|also|refer to|in|compare)?\s*(?:the )?{_POINTED}"
    rf"(?:(?:,? and|,|;|-|–|&| in(?: the)?)\s?(?:see )?(?:{_POINTED}|[A-Z]?[\d.]+[a-z]?|[Aa]ppendix))*(?:,? "
    rf"(?:left|right|top|bottom|middle|below|above|for details))*\)"
    r"|\s?\((?:the )?(?:blue|red|green|orange|gray|grey|black|purple|dashed|solid|top|bottom|"
    r"left|right)[\w ,-]{0,30}\)"
    rf"|,? as (?:can be )?(?:shown|seen|illustrated|reported|presented|depicted|demonstrated) "
    rf"(?:in|by|from) {_POINTED}(?:(?:,| and| or) ?(?:{_POINTED}|\d+))*(?=[.,;]|$)"
)
_BULLET = re.compile(r"^\s*(?:[•◦▪∙·*–-]\s+|\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)]\s+(?=\S))+")
_CAPTION_LABEL = re.compile(
    r"^\s*(?:Supplementary\s+)?(?:Table|Figure|Fig\.|Tab\.)\s?[A-Z]?[\d.]+[a-z]?\s?[:.|]\s*"
)

_OPENER = re.compile(
    r"^(?:(?:Moreover|Furthermore|In addition|Additionally|Also|However|Interestingly|Notably|"
    r"Importantly|Surprisingly|Finally|"
    r"First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Last(?:ly)?|Next|Thus|Hence|Therefore|Consequently|"
    r"As a (?:result|consequence)|"
    r"In comparison|Despite (?:this|that)|Because of this|In particular|"
    r"Specifically|Indeed|In fact|On the other "
    r"hand|On the one "
    r"hand|Conversely|Similarly|Likewise|Nevertheless|"
    r"Nonetheless|More impressively|More importantly|Remarkably|Most notably|In summary|"
    r"In short|To summari[sz]e|In conclusion|"
    r"As expected|Perhaps(?: as| not)? (?:expected|surprisingly|unsurprisingly)|Unsurprisingly|"
    r"Accordingly|Meanwhile|"
    r"In other words|That is|Put differently|Of note|Concretely|More (?:precisely|concretely|"
    r"specifically|generally)|Still|"
    r"At the same time|Besides|Again|Crucially|Strikingly|For example|For instance|By contrast|"
    r"In contrast|In turn|As such|"
    r"Further|Then|Now|Yet|In this (?:paper|work)|As a side note|To our surprise|Even more surprisingly),\s*"
    r"|(?:But|And|So|Also|Thus|Hence|Therefore|Moreover|Furthermore)\s+(?=\w))",
    re.I,
)
_AS_SHOWN = re.compile(
    rf"^(?:As|From|In|According to|Based on|Looking at)\s+(?:(?:can be |is |we )?(?:shown|"
    rf"seen|see|observed|illustrated|reported|presented|depicted|demonstrated|expected)"
    rf"\s+(?:in|from|by)\s+)?(?:the )?(?:results? (?:in|of) )?{_POINTED}(?:(?:,? and|,|&) "
    rf"?(?:{_POINTED}|\d+[a-z]?))*(?: \([^()]*\))?,\s*"
)
_ADVERB = (
    r"(?:(?:also|further|then|thus|therefore|hence|again|empirically|experimentally|formally|"
    r"theoretically|consistently|clearly|first|additionally|numerically|rigorously|now|even|"
    r"can|could|next)\s+)*"
)
_SAY = (
    r"(?:show|find|found|observe|observed|see|saw|note|notice|noticed|prove|proved|demonstrate|"
    r"demonstrated|establish|established|verify|verified|confirm|confirmed|report|discovered|"
    r"discover|conclude|remark|emphasize|highlight|validate)"
)
_SAYS = (
    r"(?:shows?|showed|demonstrates?|demonstrated|reveals?|revealed|reveal|confirms?|confirmed|"
    r"proves?|establish(?:es)?|validates?|verif(?:y|ies)|illustrates?|highlights?)"
)
_WHERE = (
    rf"(?:\s*(?:,\s*)?(?:in|from|by|through|on|via|with) (?:the |our |these )?(?:{_POINTED}|(?:extensive "
    rf"|empirical |numerical |additional )?(?:results|experiments|simulations|plots?|figures?|"
    rf"tables?))(?:(?:,? and|,) ?{_POINTED})*)?,?"
)
_FRAME = re.compile(
    rf"^(?:(?:In (?:{_POINTED}|this (?:paper|work)),? )?we {_ADVERB}(?:have (?:also |further "
    rf")?(?:shown|found|observed|proved|proven|demonstrated|seen|established|verified|confirmed)|"
    rf"{_SAY})(?: \w+ly)?{_WHERE}(?:\s*,?\s*however)?\s*,?\s*that,?\s+"
    rf"|It (?:can (?:also )?be|is|was) (?:also )?(?:clearly )?(?:seen|observed|found|shown|"
    rf"noted|evident|clear|worth noting|noteworthy){_WHERE}\s*that,?\s+"
    rf"|(?:It|This) (?:turns|turned) out that\s+|It is (?:important|worth|interesting) (?:to "
    rf")?(?:remark|not|mention|emphasi[sz]|observ)\w* that\s+|One can (?:see|observe|note)(?: "
    rf"from {_POINTED})? that\s+|Note(?:,? (?:however|also))?,? that,?\s+"
    rf"|(?:(?:Our|The|These|This|All|Extensive|Both|Empirical|Experimental|Numerical|Further|"
    rf"Additional|Comprehensive)\s+)?(?:[\w-]+\s+){{0,3}}?(?:results?|experiments?|analys[ei]s|"
    rf"evaluations?|findings?|plots?|study|studies|ablations?|observations?|simulations?)"
    rf"(?: (?:in|of|from|on|reported in|presented in|shown in) [^,.;]{{0,50}}?)?\s+(?:also "
    rf"|further |clearly |empirically )?{_SAYS}\s+that,?\s+"
    rf"|{_POINTED}(?:\s*\([^()]*\))?(?: and {_POINTED})?(?: (?:in|of) the Appendix)?\s+(?:also "
    rf"|further |clearly )?{_SAYS}\s+that,?\s+"
    rf"|(?:The (?:next|following|above) (?:theorem|lemma|result|proposition|corollary)s?(?: "
    rf"\([^()]*\))?|This|These)\s+(?:thus |also )?(?:{_SAYS}|implies|imply)\s+that,?\s+)",
    re.I,
)
_BY_EXPERIMENT = re.compile(
    r"^we (?:also )?(?:conduct|perform|run|present|provide) "
    r"(?:extensive |thorough |comprehensive |numerical |several |empirical |an? )*"
    r"(?:experiments?|evaluations?|simulations?|study|analys[ei]s)"
    r"(?: to show| showing| demonstrating|,? and show| which show) that ",
    re.I,
)
_SUGGESTED = re.compile(r"^(?:This|It|These)(?: thus| also)? (?P<verb>suggest|indicate)s? that,? ")
_SETTING_FRAME = re.compile(
    rf"^(?P<lead>(?:On|In|For|With|When|At|Under|Compared|Among|Across|By|After|As)\b[^,;]{{3,90}}?),? "
    rf"we {_ADVERB}{_SAY}(?: \w+ly)? that,? ",
    re.I,
)
_BARE_POINTER = re.compile(
    rf",\s+{_POINTED}(?<!\))(?=,)|\s+\({_POINTED}\b[^()]*\bin the Appendix\)|\(\s*[,;\s]*\)"
)


def plain_math(text: str) -> str:
    """Normalised text that keeps powers and indices: "10⁻⁴" is "10^-4", "d₀" is "d_0"; footnote marks go.

    >>> plain_math("online³ at 10⁻⁴ in Rᵈ")
    'online at 10^-4 in R^d'
    """
    text = _SUPER_RUN.sub(_power, text)
    text = _SUBSCRIPT.sub(lambda m: f"{m['base']}_{normalise(m['run'])}", text)
    return normalise(text)


def _power(match: re.Match[str]) -> str:
    base, run = match["base"], "".join(_SUPER.get(c, c) for c in match["run"])
    word = re.search(r"[^\W\d_]*$", match.string[: match.start("run")])
    in_word = (
        word is not None
        and sum(c.islower() for c in word.group()) > 1
        and word.group() not in ("ln", "log", "exp", "sin", "cos")
    )
    if run.startswith("-") and base:
        in_word = False
    if not base or in_word or base in ".,;:!?”’\"'" or run.startswith(")"):
        return base
    return f"{base}^{run}" if re.fullmatch(r"[-+]?\w+", run) else f"{base}^({run.strip('()')})"


def cleaned(text: str) -> str:
    """The sentence without bullets, caption labels, citation marks, bracketed pointers, openers and frames.

    >>> cleaned("Moreover, we find that Swift is 3x faster than Adam [12] (see Table 2).")
    'Swift is 3x faster than Adam.'
    """
    text = plain_math(text)
    text = _CAPTION_LABEL.sub("", _BULLET.sub("", text))
    text = _POINTER.sub("", _CITATION.sub("", text))
    text = _BARE_POINTER.sub("", re.sub(r"^\d{1,2}(?=[A-Z][a-z])", "", text))
    text = re.sub(r"\s+([.,;:)])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
    for _ in range(4):
        shorter = _BY_EXPERIMENT.sub("", text)
        shorter = _FRAME.sub("", _AS_SHOWN.sub("", _OPENER.sub("", shorter)))
        if shorter == text:
            break
        text = capitalised(shorter)
    text = _SUGGESTED.sub(lambda m: f"The results {m['verb']} that ", text)
    text = _SETTING_FRAME.sub(lambda m: f"{m['lead']}, ", text)
    return finished(text)


def capitalised(text: str) -> str:
    """The text with its first letter in upper case, unless its first word has own capitals (iPhone)."""
    first = re.match(r"[\w-]+", text)
    if not text or (first and (re.search(r"[A-Z]", first.group()) or re.match(r"[a-z]+-?\d", first.group()))):
        return text
    return text[0].upper() + text[1:]


def finished(text: str) -> str:
    """The text with one full stop at its end."""
    text = text.strip().rstrip(",;: ")
    return text if text.endswith((".", "!", "?", ".”", '."')) else f"{text}."

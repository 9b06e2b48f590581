"""Under which conditions a claim holds, as far as its sentence and its section say."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimdex.claim import Scope

_SEEDS = re.compile(
    r"\b(?:averag\w+ (?:over|of|across)|mean (?:over|of)|over|across|of|with|for)\s+(?:the "
    r")?(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\s+"
    r"(?:\w+ ){0,2}?(?P<what>(?:random )?(?:seeds|runs|trials|repetitions|initiali[sz]ations|"
    r"splits|restarts))\b",
    re.I,
)
_HARDWARE = re.compile(
    r"\b(?:\d+ ?x? |an? |one |single )?(?:NVIDIA |Nvidia |AMD |Intel )(?:GeForce |Tesla "
    r"|Quadro |Xeon )?[A-Z]?[\w-]*\d\w*(?: Ti| GPUs?| CPUs?)*\b"
)
_ASSUMPTIONS = re.compile(
    r"\b(?:under|assuming|given|with) (?:the )?(?:Assumptions?|Conditions?) [A-Z]?\d[\w.]*(?:(?:,|"
    r" and|, and) [A-Z]?\d[\w.]*)*",
    re.I,
)
_SETTINGS = re.compile(
    r"\b(?:(?:at|with|for|using) (?:a |an |the )?(?:same |fixed |similar |comparable |constant "
    r"|identical )?(?:batch size|learning rate|memory budget|GPU memory|budget|accuracy|"
    r"parameters?|compute)"
    r"(?: of)?(?: [\d.e^-]+(?: ?[KMGT]B)?)?|without (?:any )?(?:hyper-?parameter tuning|"
    r"fine-?tuning|data augmentation|extra data|pre-?training)|"
    r"in (?:expectation|the limit)|with (?:high )?probability(?: at least [^,.;]{1,20})?|"
    r"zero-shot|few-shot|\d+-shot)\b",
    re.I,
)
_MODELS = re.compile(
    r"\b(?:ResNet|WideResNet|VGG|BERT|RoBERTa|GPT|LLaMA|Llama|T5|ViT|CLIP|EfficientNet|DenseNet|"
    r"MobileNet|Inception|Pythia|Mistral|Qwen|OPT|BLOOM|LSTM|GCN|GAT|GraphSAGE)"
    r"(?:[- ]?(?:v?\d[\w.-]*|base|large|small|xl|Base|Large|Small|tiny|[A-Z]/?\d+))*\b"
)
_QUANTIFIER = re.compile(
    r"\b(?:for (?:all|every|any|each) [^,.;]{1,40}|(?:on|in|across) (?:all|every|most|some|"
    r"each|both)(?: (?:of )?[\w-]+){1,4}|on average|in general|up to)(?=\b|[,.;])",
    re.I,
)
_AVERAGE = re.compile(
    r"\b(?:on average|averaged? (?:over|across) [^,.;()]{3,40}|mean (?:over|across) [^,.;()]{3,40}|median)\b",
    re.I,
)
_WORDS = {
    w: i
    for i, w in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
} | {"twenty": 20}


def conditions_of(sentence: str, section: Iterable[str]) -> tuple[str, ...]:
    """Short phrases from the sentence, and the seeds of its section, in the paper's words."""
    found = [
        m.group().strip(" .,;")
        for p in (_ASSUMPTIONS, _SETTINGS, _SEEDS, _AVERAGE)
        for m in p.finditer(sentence)
    ]
    if not _SEEDS.search(sentence):
        found += [m.group() for m in (_SEEDS.search(t) for t in section) if m][:1]
    return tuple(dict.fromkeys(found))


def scope_of(sentence: str, section: Iterable[str], datasets: tuple[str, ...]) -> Scope:
    """Quantifier, models, data sets, seeds, hardware, averaging; of the section only seeds and hardware."""
    around = list(section)
    quantifier = _QUANTIFIER.search(sentence)
    seeds = next((m for m in (_SEEDS.search(t) for t in (sentence, *around)) if m), None)
    hardware = next((m for m in (_HARDWARE.search(t) for t in (sentence, *around)) if m), None)
    average = _AVERAGE.search(sentence)
    return Scope(
        quantifier=quantifier.group() if quantifier else None,
        models=tuple(dict.fromkeys(m.group() for m in _MODELS.finditer(sentence))),
        datasets=datasets,
        seeds=_number(seeds["n"]) if seeds else None,
        hardware=hardware.group() if hardware else None,
        averaging=average.group() if average else None,
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else _WORDS.get(text.lower())

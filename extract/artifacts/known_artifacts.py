"""Names of data sets, benchmarks, simulators, models and software that are in common use.

Facts of the field, kept short in ``known_artifacts.json``: a name that is missing there is
still found by the paper's own words. Names are compared by :func:`key`, so "CIFAR 10", "Cifar-10"
and "CIFAR10" are one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from claimdex.text import normalise

_FACTS = json.loads(Path(__file__).with_name("known_artifacts.json").read_text("utf-8"))


def key(name: str) -> str:
    """A name for comparison: letters, digits and plus signs only, lower case, without footnote marks.

    >>> key("MS-COCO"), key("Penn Tree Bank")
    ('mscoco', 'penntreebank')
    """
    bare = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", "", name)
    return re.sub(r"[^\w+]|_", "", normalise(bare).casefold())


DATASETS: frozenset[str] = frozenset(map(key, _FACTS["datasets"]))
BENCHMARKS: frozenset[str] = frozenset(map(key, _FACTS["benchmarks"]))
SOFTWARE: frozenset[str] = frozenset(map(key, _FACTS["software"]))

COMMON_WORDS: frozenset[str] = frozenset(_FACTS["not_data_names"])
"""Words that stand before "data set" without being its name, lower case."""

ENVIRONMENTS: dict[str, str] = _FACTS["environment_patterns"]
"""Simulators: the name they go by, and a pattern of how papers write it."""

MODELS: str = "|".join(_FACTS["model_patterns"])
"""Families of models whose weights can be had, as an alternation."""

APIS: str = "|".join(_FACTS["api_patterns"])
"""Models behind an interface, without weights to be had, as an alternation."""

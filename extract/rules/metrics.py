"""Names of quality metrics in running text and headers, and which way is better."""

from __future__ import annotations

import re

_METRIC = re.compile(
    r"\b(?:(?:[Tt]op-?\d|[Tt]est|[Vv]alidation|[Mm]ean|[Aa]verage|[Mm]edian|incremental|"
    r"human[- ]normali[sz]ed|"
    r"micro|macro|excess|word|character|"
    r"classification|relative|final|absolute|out-of-distribution|OOD)[ -])*"
    r"(?:accurac(?:y|ies)|Accuracy|micro-F_?1|F_?1(?:[- ]scores?)?|precision(?: \(AP\))?|"
    r"recall(?:@\d+)?|AUC|AUROC|mAP|"
    r"Hits@\d+|MRR|BLEU(?:-\d)?|ROUGE(?:-\w)?|perplexity|WER|CER|error(?: rate)?|FID|regret|"
    r"win rate|rewards?|scores?|loss|DSC|RMSE|MSE|MAE|"
    r"PSNR|SSIM|IoU|forgetting|return)\b"
)
_LOWER = re.compile(r"error|WER|CER|perplexity|loss|FID|regret|MSE|MAE|RMSE|forgetting", re.I)
_HIGHER = re.compile(
    r"accurac|F_?1|precision|recall|AUC|AUROC|mAP|Hits@|MRR|BLEU|ROUGE|win rate|reward|score|"
    r"DSC|PSNR|SSIM|IoU|return",
    re.I,
)


def metric_in(text: str) -> str | None:
    """The first quality metric named in the text; its first letter small unless it is an abbreviation.

    >>> metric_in("Average top-1 accuracy with three numbers of states")
    'average top-1 accuracy'
    """
    match = _METRIC.search(text)
    return _lower_first(match.group()) if match else None


def _lower_first(name: str) -> str:
    return name[0].lower() + name[1:] if name[1:2].islower() else name


def lower_is_better(metric: str) -> bool | None:
    """Which way the metric is better; None if its name does not tell.

    >>> lower_is_better("word error rate"), lower_is_better("accuracy"), lower_is_better("depth")
    (True, False, None)
    """
    if metric == "performance":
        return False
    if _LOWER.search(metric):
        return True
    return False if _HIGHER.search(metric) else None

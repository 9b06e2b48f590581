"""Shared fixtures: the sample papers, parsed once a session, and golden files."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from claimdex.paper import Paper, PaperRef
from claimdex.settings import Settings

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data" / "papers"
SHARED = ROOT.parent / "shared"


@cache
def _parsed(stem: str) -> Paper:
    from claimdex.extract.pdf.parser import EmbeddedParser

    return EmbeddedParser(Settings()).parse(SAMPLES / f"{stem}.pdf", PaperRef())


@pytest.fixture
def sample() -> Callable[[str], Paper]:
    """A parsed sample paper by its file stem."""
    return _parsed


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with ``tests/golden/NAME``; ``CLAIMDEX_REGEN=1 pytest`` writes them anew."""

    def check(name: str, text: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if os.environ.get("CLAIMDEX_REGEN"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def shared() -> Path:
    """The folder of real papers and gold beside the checkout; skips where there is none."""
    if not SHARED.is_dir():
        pytest.skip("no shared data beside the checkout")
    return SHARED

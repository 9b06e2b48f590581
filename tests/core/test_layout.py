from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import claimdex

ROOT = Path(__file__).parents[2]
FOLDERS = ("extract", "index", "eval", "serve")


def test_subpackages_are_links_to_the_top_level_folders() -> None:
    for name in FOLDERS:
        link = ROOT / "claimdex" / name
        assert link.is_symlink()
        assert link.resolve() == ROOT / name


def test_top_level_folders_are_not_importable_by_their_bare_names() -> None:
    code = f"import claimdex.serve.service, sys; print([m for m in {FOLDERS} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_public_api_is_what_all_says() -> None:
    assert sorted(claimdex.__all__) == ["__version__", "extract", "open", "parse"]
    assert all(hasattr(claimdex, name) for name in claimdex.__all__)
    assert claimdex.__version__ in (ROOT / "pyproject.toml").read_text(encoding="utf-8")

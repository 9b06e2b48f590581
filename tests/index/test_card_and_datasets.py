from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub import DatasetCard

from claimdex.backends import Embedder
from claimdex.claim import Claim, ClaimSet, ClaimType
from claimdex.index import layout
from claimdex.index.build import build_index
from claimdex.index.card import dataset_card
from claimdex.index.manifest import VenueCount, read_manifest
from claimdex.index.search import ClaimIndex

HOSTILE = [
    "---\nlicense: mit\n---",
    "<script>alert(1)</script>",
    "![x](https://evil.example/a.png)",
    "a | b | c\n# heading",
    "`code` [link](javascript:alert(1)) https://evil.example @everyone",
]


def test_the_card_has_the_configs_counts_and_revision(built: Path) -> None:
    card = DatasetCard((built / layout.README).read_text("utf-8"), ignore_metadata_errors=False)
    configs = card.data.get("configs")
    assert [config["config_name"] for config in configs] == ["claims", "papers", "embeddings"]
    assert configs[0]["default"] is True
    assert read_manifest(built).revision in card.text
    assert "13 claims (6 of them core) from 6 papers" in card.text


@pytest.mark.parametrize("venue", HOSTILE)
def test_a_venue_cannot_break_out_of_its_cell(built: Path, venue: str) -> None:
    manifest = read_manifest(built)
    count = VenueCount(venue=venue, year=2026, papers=1, claims=2)
    counts = manifest.counts.model_copy(update={"venues": (count,)})
    text = dataset_card(manifest.model_copy(update={"counts": counts}))
    (row,) = [line for line in text.splitlines() if line.endswith("| 2026 | 1 | 2 |")]
    assert row.replace("\\|", "").count("|") == 5
    for piece in ("<script", "](", "https://evil", "`code`"):
        assert piece not in row
    plain = dataset_card(manifest)
    assert text.split("---\n")[1] == plain.split("---\n")[1]


def test_titles_and_local_paths_stay_out_of_the_card(
    embedder: Embedder, paper: Callable[..., ClaimSet], created: str, tmp_path: Path
) -> None:
    hostile = [
        paper(f"arxiv:2601.0000{n}", title, [(ClaimType.EMPIRICAL, f"Finding {n} {title}")])
        for n, title in enumerate(HOSTILE)
    ]
    build_index(hostile, tmp_path / "i", embedder, created_at=created)
    text = (tmp_path / "i" / layout.README).read_text("utf-8")
    assert "alert" not in text and "evil" not in text and str(tmp_path) not in text
    titles = [meta.title for meta in ClaimIndex.open(tmp_path / "i").papers()]
    assert titles == HOSTILE


def test_datasets_reads_every_config_from_the_folder_as_it_lies(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    datasets.disable_progress_bars()
    cache = str(tmp_path / "cache")
    index = ClaimIndex.open(built)
    claims = datasets.load_dataset(str(built), "claims", split="train", cache_dir=cache)
    assert [Claim.model_validate_json(row) for row in claims["record"]] == [
        index.claim(claim_id) for claim_id in claims["claim_id"]
    ]
    assert datasets.load_dataset(str(built), split="train", cache_dir=cache).features == claims.features
    papers = datasets.load_dataset(str(built), "papers", split="train", cache_dir=cache)
    assert sorted(set(papers["status"])) == ["failed", "ok", "partial"]
    stored = datasets.load_dataset(str(built), "embeddings", split="train", cache_dir=cache)
    assert stored["claim_id"] == claims["claim_id"]
    vectors = np.array(stored.with_format("numpy")["embedding"], dtype=np.float32)
    assert np.array_equal(vectors, index._vectors.matrix)


def test_datasets_streams_an_empty_index(
    embedder: Embedder, created: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    build_index([], tmp_path / "i", embedder, created_at=created)
    # Only streaming: `datasets` refuses to make a table of a split without rows.
    claims = datasets.load_dataset(str(tmp_path / "i"), "claims", split="train", streaming=True)
    assert list(claims) == []
    assert "record" in claims.features


def test_datasets_searches_with_the_published_vector_index(built: Path, tmp_path: Path) -> None:
    import datasets

    stored = datasets.load_dataset(str(built), "embeddings", split="train", cache_dir=str(tmp_path / "c"))
    stored.load_faiss_index("embedding", str(built / layout.VECTORS))
    matrix = ClaimIndex.open(built)._vectors.matrix
    _, rows = stored.get_nearest_examples("embedding", matrix[5], k=1)
    assert rows["claim_id"] == [stored["claim_id"][5]]

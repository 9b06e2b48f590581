from __future__ import annotations

import multiprocessing
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimdex.backends import Embedder
from claimdex.claim import Claim, ClaimSet, ClaimType
from claimdex.errors import BadInput, IndexMismatch, NotFound
from claimdex.index import layout, stored
from claimdex.index.build import build_index, rebuild
from claimdex.index.manifest import order_sha256, read_manifest
from claimdex.index.search import ClaimIndex
from claimdex.index.tables import PaperStatus
from claimdex.index.verify import verify
from claimdex.paper import PaperMeta

Make = Callable[..., Any]


def contents(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def test_two_builds_give_the_same_bytes_whatever_the_order_of_the_papers(
    library: list[ClaimSet],
    built: Path,
    failures: list[PaperStatus],
    tmp_path: Path,
    created: str,
    words: Make,
) -> None:
    again = tmp_path / "again"
    build_index(reversed(library), again, words(), created_at=created, failures=failures[::-1])
    assert contents(again) == contents(built)


def test_rows_stand_by_paper_then_core_and_rank_then_id(library: list[ClaimSet], built: Path) -> None:
    manifest = read_manifest(built)
    table = stored.read_claims(built, manifest)
    claims = [Claim.model_validate_json(record) for record in table["record"].to_pylist()]
    assert claims == sorted(claims, key=lambda c: (c.paper_id, not c.core, c.rank, c.claim_id))
    assert order_sha256(claim.claim_id for claim in claims) == manifest.order_sha256


def test_nothing_of_a_claim_or_paper_is_lost(library: list[ClaimSet], built: Path) -> None:
    index = ClaimIndex.open(built)
    for claim_set in library:
        assert index.paper(claim_set.paper.paper_id) == claim_set.paper
        assert set(index.claims(claim_set.paper.paper_id)) == set(claim_set.claims)


def test_flat_columns_say_what_the_record_says(built: Path) -> None:
    manifest = read_manifest(built)
    row = next(
        r for r in stored.read_claims(built, manifest).to_pylist() if r["text"].startswith("MossNet reaches")
    )
    assert (row["title"], row["venue"], row["year"]) == (
        "MossNet: Reading Ponds from Above",
        "TestConf",
        2026,
    )
    assert (row["type"], row["core"], row["page"], row["anchor"]) == ("benchmark", True, 1, "Table 1")
    assert (row["method"], row["dataset"], row["value"], row["factor"]) == (
        "MossNet",
        "PondBench",
        81.4,
        None,
    )
    assert row["needs"] == ["code: pond-code (unspecified) <https://example.org/pond>"]
    papers = {r["paper_id"]: r for r in stored.read_papers(built, manifest).to_pylist()}
    assert papers["openreview:moss000001"]["speedup"] == 1
    assert papers["openreview:twin000004"]["status"] == "partial"
    assert papers["openreview:dark000009"]["code"] == "no_text"
    assert papers["openreview:dark000009"]["record"] is None
    assert PaperMeta.model_validate_json(papers["openreview:moss000001"]["record"]).source.pages == 9


def test_no_claims_give_an_index_that_opens(
    embedder: Embedder, paper: Make, tmp_path: Path, created: str
) -> None:
    for name, claim_sets in (("none", []), ("empty", [paper("arxiv:2601.00001", "Nothing", [])])):
        manifest = build_index(claim_sets, tmp_path / name, embedder, created_at=created)
        assert (manifest.counts.claims, manifest.counts.papers) == (0, len(claim_sets))
        index = ClaimIndex.open(tmp_path / name, embedder=embedder)
        assert index.search("anything") == []
        assert verify(tmp_path / name) == []
        assert rebuild(tmp_path / name) == manifest


def test_ids_that_occur_twice_are_refused(
    library: list[ClaimSet], embedder: Embedder, paper: Make, tmp_path: Path, created: str
) -> None:
    with pytest.raises(BadInput, match=r"openreview:moss000001 is given twice"):
        build_index([*library, library[0]], tmp_path / "i", embedder, created_at=created)
    stolen = library[0].claims[0]
    other = paper("arxiv:2601.00001", "Thief", [])
    foreign = other.model_copy(update={"claims": (stolen,)})
    with pytest.raises(BadInput, match=f"claim {stolen.claim_id} of openreview:moss000001 stands in"):
        build_index([foreign], tmp_path / "i", embedder, created_at=created)
    twin = stolen.model_copy(update={"paper_id": "arxiv:2601.00001"})
    doubled = other.model_copy(update={"claims": (twin,)})
    with pytest.raises(BadInput, match=f"claim id {stolen.claim_id} occurs in"):
        build_index([*library, doubled], tmp_path / "i", embedder, created_at=created)
    assert list((tmp_path / "i").iterdir()) == []


def test_text_that_cannot_be_stored_names_its_paper(
    embedder: Embedder, paper: Make, tmp_path: Path, created: str
) -> None:
    broken = paper("arxiv:2601.00001", "A title with \ud800 half a character", [])
    with pytest.raises(BadInput, match=r"paper arxiv:2601\.00001 has text that cannot be stored"):
        build_index([broken], tmp_path / "i", embedder, created_at=created)


def test_a_second_build_embeds_only_new_claims(
    library: list[ClaimSet], built: Path, failures: list[PaperStatus], paper: Make, created: str, words: Make
) -> None:
    embedder = words()
    before = contents(built)
    build_index(library, built, embedder, created_at=created, failures=failures)
    assert embedder.texts == 0
    assert contents(built) == before
    new = paper("arxiv:2603.00001", "More", [(ClaimType.EMPIRICAL, "Frogs sing louder after rain")])
    build_index([*library, new], built, embedder, created_at=created)
    assert embedder.texts == 1
    other = words(salt="other")
    build_index(library, built, other, created_at=created)
    assert other.texts == 13


def test_a_damaged_index_gives_no_vectors_to_the_next(
    library: list[ClaimSet], built: Path, created: str, words: Make
) -> None:
    path = next((built / layout.EMBEDDINGS).iterdir())
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    embedder = words()
    build_index(library, built, embedder, created_at=created)
    assert embedder.texts == 13
    assert verify(built) == []


def test_the_run_folder_and_verdicts_outlive_a_build(
    library: list[ClaimSet], built: Path, embedder: Embedder, created: str
) -> None:
    for name in ("run/journal.sqlite", f"{layout.VERDICTS}/verdicts.parquet"):
        (built / name).parent.mkdir()
        (built / name).write_bytes(b"keep me")
    build_index(library, built, embedder, created_at=created)
    rebuild(built)
    assert (built / "run/journal.sqlite").read_bytes() == b"keep me"
    assert (built / layout.VERDICTS / "verdicts.parquet").read_bytes() == b"keep me"
    assert "config_name: verdicts" in (built / layout.README).read_text("utf-8")
    assert verify(built) == []


def test_a_folder_with_other_files_is_not_overwritten(
    library: list[ClaimSet], embedder: Embedder, tmp_path: Path, created: str
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "thesis.txt").write_text("years of work", "utf-8")
    with pytest.raises(BadInput, match="will not be overwritten"):
        build_index(library, tmp_path, embedder, created_at=created)
    assert (tmp_path / "data" / "thesis.txt").read_text("utf-8") == "years of work"


def test_a_build_that_dies_leaves_the_old_index_as_it_was(
    library: list[ClaimSet], built: Path, created: str, words: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(texts: list[str]) -> None:
        raise KeyboardInterrupt

    before = contents(built)
    embedder = words(salt="new")
    monkeypatch.setattr(embedder, "encode", die)
    with pytest.raises(KeyboardInterrupt):
        build_index(library, built, embedder, created_at=created)
    assert contents(built) == before


@pytest.mark.parametrize("steps", range(4))
def test_a_swap_that_dies_is_finished_by_rebuild(
    library: list[ClaimSet], built: Path, tmp_path: Path, steps: int, created: str, words: Make
) -> None:
    new = tmp_path / "new"
    build_index(library[:2], new, words(), created_at=created)
    shutil.copytree(new, built / layout.STAGE)
    (built / layout.MANIFEST).unlink()
    for name in ("data", "index", "README.md")[:steps]:
        target = built / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
        (built / layout.STAGE / name).rename(target)
    with pytest.raises(IndexMismatch, match="half replaced"):
        ClaimIndex.open(built)
    rebuild(built)
    assert contents(built) == contents(new)


def hold(root: Path, held: object, release: object) -> None:
    with layout.writing(root):
        held.set()  # type: ignore[attr-defined]
        release.wait(60)  # type: ignore[attr-defined]


def test_a_second_writer_is_turned_away(
    library: list[ClaimSet], built: Path, embedder: Embedder, created: str
) -> None:
    context = multiprocessing.get_context("fork")
    held, release = context.Event(), context.Event()
    process = context.Process(target=hold, args=(built, held, release))
    process.start()
    try:
        assert held.wait(60)
        with pytest.raises(BadInput, match="being written by another process"):
            build_index(library, built, embedder, created_at=created)
    finally:
        release.set()
        process.join()
    build_index(library, built, embedder, created_at=created)


def test_rebuild_restores_a_damaged_index_byte_for_byte(built: Path) -> None:
    before = contents(built)
    (built / layout.VECTORS).write_bytes(b"gone")
    shutil.rmtree(built / layout.LEXICAL)
    (built / layout.README).unlink()
    rebuild(built)
    assert contents(built) == before


def test_rebuild_refuses_damaged_tables_and_missing_indexes(built: Path, tmp_path: Path) -> None:
    path = next((built / layout.CLAIMS).iterdir())
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(IndexMismatch, match="the manifest says"):
        rebuild(built)
    with pytest.raises(NotFound, match="no index in"):
        rebuild(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()

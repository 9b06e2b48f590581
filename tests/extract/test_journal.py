from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from claimdex.errors import BadInput, ClaimdexError, LimitReached, NotFound, WorkerDied
from claimdex.extract.bulk.journal import Journal, Listed, Row, State, packed_claim_sets, paper_key
from claimdex.extract.bulk.reading import Reading
from claimdex.paper import PaperRef
from claimdex.settings import ExtractSettings, Limits, RunSettings, Settings


def listed(*names: str) -> list[Listed]:
    return [Listed(name, f"{name}.pdf", PaperRef(title=name)) for name in names]


def reading(paper_id: str, loss: tuple[str, str] | None = None) -> Reading:
    return Reading(paper_id, loss, {"theorem": 2}, paper_id.encode())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "journal.sqlite"


def states(path: Path) -> dict[str, State]:
    with Journal(path) as journal:
        return {row.key: row.state for row in journal.rows()}


def test_papers_wait_in_the_order_they_were_enlisted(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("b", "a", "c"))
        rows = journal.rows()
    assert [row.key for row in rows] == ["b", "a", "c"]
    assert rows[0] == Row(
        "b", "b.pdf", PaperRef(title="b"), State.QUEUED, 0, None, "", "", "", "", None, None, {}
    )


def test_a_finished_paper_keeps_its_claims_and_figures(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("a", "b"))
        journal.start("a")
        journal.finish("a", reading("doi:1"), 1.5, 80.0)
        journal.finish("b", reading("doi:2", ("page_failed", "page 2 could not be read")), 1.0, None)
        a, b = journal.rows()
    assert (a.state, a.paper_id, a.claims, a.seconds, a.peak_mb) == (
        State.OK,
        "doi:1",
        {"theorem": 2},
        1.5,
        80,
    )
    assert (b.state, b.code, b.message) == (State.PARTIAL, "page_failed", "page 2 could not be read")
    assert list(packed_claim_sets(path)) == [b"doi:1", b"doi:2"]


def test_each_failed_attempt_is_counted_and_a_success_clears_the_error(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("a"))
        journal.fail("a", WorkerDied("died", hint="wait"), State.QUEUED, budget="120 s")
        journal.fail("a", LimitReached("too long"), State.FAILED, budget="120 s")
        (row,) = journal.rows()
        assert (row.state, row.tries, row.code, row.hint) == (State.FAILED, 2, "limit_reached", "")
        assert (row.message, row.budget) == ("too long", "120 s")
        journal.requeue(["a"])
        assert (journal.rows()[0].state, journal.rows()[0].tries) == (State.QUEUED, 0)
        journal.finish("a", reading("doi:1"), 1.0, 1.0)
        (row,) = journal.rows()
    assert (row.state, row.code, row.message, row.budget) == (State.OK, "", "", "")


def test_what_a_dead_run_was_reading_waits_again(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("a", "b"))
        journal.start("a")
        journal.finish("b", reading("doi:2"), 1.0, 1.0)
    assert states(path) == {"a": State.QUEUED, "b": State.OK}


def test_papers_no_longer_enlisted_stay_but_are_not_exported(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("a", "b"))
        journal.finish("a", reading("doi:1"), 1.0, 1.0)
        journal.finish("b", reading("doi:2"), 1.0, 1.0)
        journal.enlist(listed("b"))
        assert journal.left_out() == 1
        assert [row.key for row in journal.rows()] == ["b"]
        assert list(packed_claim_sets(path)) == [b"doi:2"]
        journal.enlist(listed("a", "b"))
        assert journal.left_out() == 0
    assert states(path) == {"a": State.OK, "b": State.OK}


def test_claim_sets_come_by_paper_id_and_the_first_enlisted_has_the_id(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("x", "y", "z"))
        for key, packed in (("z", b"third"), ("y", b"second"), ("x", b"first")):
            journal.finish(key, Reading("doi:2" if key != "z" else "doi:1", None, {}, packed), 1.0, 1.0)
    assert list(packed_claim_sets(path)) == [b"third", b"first"]


def test_a_file_is_known_by_path_size_and_time(path: Path, tmp_path: Path) -> None:
    odd = tmp_path / "\udcff.pdf"
    with Journal(path) as journal:
        journal.note_file(odd, 10, 99, "abc")
        journal.enlist([])
    with Journal(path) as journal:
        assert journal.file_sha256(odd, 10, 99) == "abc"
        assert journal.file_sha256(odd, 11, 99) is None
        assert journal.file_sha256(odd, 10, 98) is None


def test_a_second_writer_is_turned_away_even_within_one_process(path: Path) -> None:
    with Journal(path), pytest.raises(BadInput, match="is being written by another run"):
        Journal(path)
    Journal(path).close()


def test_a_second_process_is_turned_away(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from claimdex.extract.bulk.journal import Journal; "
        "Journal(Path(sys.argv[1]))"
    )
    with Journal(path):
        done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "is being written by another run" in done.stderr


def test_a_foreign_file_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(BadInput, match="not a usable journal") as caught:
        Journal(path)
    assert caught.value.hint == "move it away to start anew"
    assert path.read_bytes() == b"this is no database" * 100


def test_a_journal_of_another_version_is_refused(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(BadInput, match="another version"):
        Journal(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="cannot be written"):
        Journal(tmp_path / "file" / "run" / "journal.sqlite")


def test_a_full_disk_is_a_typed_error_and_loses_nothing(path: Path) -> None:
    with Journal(path) as journal:
        journal.enlist(listed("a", "b"))
        journal.finish("a", reading("doi:1"), 1.0, 1.0)
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        large = Reading("doi:2", None, {}, b"x" * 1_000_000)
        with pytest.raises(ClaimdexError, match="full") as caught:
            journal.finish("b", large, 1.0, 1.0)
        assert "free some space" in caught.value.hint
    assert states(path) == {"a": State.OK, "b": State.QUEUED}


def test_there_is_nothing_to_export_without_a_journal(path: Path) -> None:
    with pytest.raises(NotFound, match="no such journal"):
        list(packed_claim_sets(path))


def test_a_key_changes_with_all_that_may_change_the_claims_and_nothing_else() -> None:
    base = paper_key("abc", PaperRef(), Settings())
    others = {
        paper_key("abd", PaperRef(), Settings()),
        paper_key("abc", PaperRef(paper_id="doi:10.1/x"), Settings()),
        paper_key("abc", PaperRef(title="T"), Settings()),
        paper_key("abc", PaperRef(), Settings(extract=ExtractSettings(extractor="llm"))),
        paper_key("abc", PaperRef(), Settings(limits=Limits(pages=3))),
    }
    assert len(others | {base}) == 6
    assert base == paper_key(
        "abc", PaperRef(), Settings(run=RunSettings(workers=7), limits=Limits(seconds=9))
    )

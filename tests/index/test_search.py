from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimdex.backends import Embedder
from claimdex.claim import ClaimSet, ClaimType
from claimdex.errors import BackendMissing, BadInput, IndexMismatch, NotFound
from claimdex.index import stored
from claimdex.index.build import build_index
from claimdex.index.embed import MiniLmEmbedder
from claimdex.index.filters import Filters
from claimdex.index.search import ClaimIndex

Make = Callable[..., Any]


@pytest.fixture
def index(built: Path, embedder: Embedder) -> ClaimIndex:
    return ClaimIndex.open(built, embedder=embedder)


def test_a_claim_is_found_by_its_words_with_ranks_paper_and_score(index: ClaimIndex) -> None:
    hits = index.search("FernNet accuracy on PondBench", k=5)
    assert hits[0].claim.text == "FernNet reaches 78.2% accuracy on PondBench"
    assert (hits[0].dense_rank, hits[0].lexical_rank) == (1, 1)
    assert hits[0].paper.title == "PondBench: Photos of Still Water"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_minilm_finds_a_claim_by_its_meaning(
    library: list[ClaimSet], minilm: MiniLmEmbedder, tmp_path: Path, created: str
) -> None:
    build_index(library, tmp_path / "i", minilm, created_at=created)
    index = ClaimIndex.open(tmp_path / "i", embedder=minilm)
    hit = index.search("lower RAM consumption while generating text", k=1)[0]
    assert hit.claim.text.startswith("Twin decoding needs 40% less memory")
    assert hit.lexical_rank is None
    manifest = index.manifest.embedder
    assert (manifest.name, manifest.dim, set(manifest.libraries)) == (
        "all-MiniLM-L6-v2",
        384,
        {"sentence-transformers", "transformers", "torch"},
    )


@given(
    type=st.none() | st.sampled_from(list(ClaimType)),
    venue=st.none() | st.sampled_from(["TestConf", "testconf ", "Workshop on Rest", "Nowhere"]),
    year=st.none() | st.sampled_from([2025, 2026, 1900, -1, 10**12]),
    core=st.none() | st.booleans(),
    paper=st.none() | st.sampled_from(["submission:4711", "openreview:twin000005"]),
)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filtered_search_finds_exactly_the_claims_that_pass(
    index: ClaimIndex,
    library: list[ClaimSet],
    type: ClaimType | None,
    venue: str | None,
    year: int | None,
    core: bool | None,
    paper: str | None,
) -> None:
    expected = {
        claim.claim_id
        for claim_set in library
        for claim in claim_set.claims
        if (type is None or claim.type is type)
        and (venue is None or (claim_set.paper.venue or "").lower() == venue.strip().lower())
        and (year is None or claim_set.paper.year == year)
        and (core is None or claim.core == core)
        and (paper is None or claim_set.paper.paper_id == index.paper(paper).paper_id)
    }
    hits = index.search("accuracy", k=100, type=type, venue=venue, year=year, core=core, paper=paper)
    assert {hit.claim.claim_id for hit in hits} == expected


def test_a_filter_that_asks_nothing_gives_no_mask(built: Path) -> None:
    claims = stored.read_claims(built, ClaimIndex.open(built).manifest)
    assert Filters().mask(claims) is None


@pytest.mark.parametrize("query", ["", " \n\t", "\x00", "\u200b\u2060", "x" * 2001])
def test_blank_and_huge_queries_are_refused(index: ClaimIndex, query: str) -> None:
    with pytest.raises(BadInput, match="query"):
        index.search(query)


@pytest.mark.parametrize("query", ["🧑" * 500, "\ud800 moss", "' OR 1=1 --", "(((", "the", "x" * 2000])
def test_odd_queries_are_answered(index: ClaimIndex, query: str) -> None:
    assert len(index.search(query, k=3)) == 3


@pytest.mark.parametrize("k", [0, -1, 101, 10**9])
def test_k_has_limits(index: ClaimIndex, k: int) -> None:
    with pytest.raises(BadInput, match=f"k is {k}"):
        index.search("moss", k=k)


def test_an_unknown_type_is_refused_and_the_known_ones_named(index: ClaimIndex) -> None:
    with pytest.raises(BadInput, match="no claim type 'theory'") as caught:
        index.search("moss", type="theory")
    assert "theorem, benchmark, speedup, empirical, resource" in caught.value.hint


@pytest.mark.parametrize(
    "name",
    [
        "openreview:moss000001",
        "moss000001",
        "https://openreview.net/forum?id=moss000001",
        "arxiv:2601.00011v2",
        "arxiv:2601.00011",
        "2601.00011",
        "https://arxiv.org/abs/2601.00011",
        "https://arxiv.org/pdf/2601.00011v2.pdf",
        "10.9999/MOSS",
        "https://doi.org/10.9999/moss",
        "4711",
        "MossNet - reading  ponds from above!",
    ],
)
def test_a_paper_is_known_under_all_its_names(index: ClaimIndex, name: str) -> None:
    assert index.paper(name).paper_id == "openreview:moss000001"
    assert len(index.claims(name)) == 3


def test_a_paper_is_known_by_the_hash_of_its_file(index: ClaimIndex) -> None:
    source = index.paper("openreview:moss000001").source.sha256
    assert index.paper(source).paper_id == "openreview:moss000001"


def test_a_title_of_two_papers_is_refused_and_both_are_named(index: ClaimIndex) -> None:
    with pytest.raises(BadInput, match="2 papers are called") as caught:
        index.claims("A note on TWINS")
    assert "openreview:twin000004" in caught.value.message
    assert "openreview:twin000005" in caught.value.message


def test_an_unknown_paper_brings_the_nearest_titles(index: ClaimIndex) -> None:
    with pytest.raises(NotFound, match="no paper called") as caught:
        index.claims("Mossnet reading the ponds from abov")
    assert "openreview:moss000001 (MossNet: Reading Ponds from Above)" in caught.value.hint
    with pytest.raises(NotFound):
        index.search("moss", paper="arxiv:1111.11111")
    for name in ("", "  ", "x" * 5000):
        with pytest.raises(BadInput):
            index.paper(name)


def test_a_paper_that_failed_says_why(index: ClaimIndex) -> None:
    for name in ("openreview:dark000009", "papers in the dark"):
        with pytest.raises(NotFound, match="could not be read: the PDF has pages but no text layer"):
            index.claims(name)
    assert [failure.code for failure in index.failures()] == ["no_text"]
    assert len(index.papers()) == 5


def test_a_claim_is_found_by_its_id(index: ClaimIndex, library: list[ClaimSet]) -> None:
    claim = library[2].claims[1]
    assert index.claim(claim.claim_id) == claim
    with pytest.raises(NotFound, match="no claim 'c000000000000000'"):
        index.claim("c000000000000000")


def test_stats_count_what_is_there(index: ClaimIndex) -> None:
    stats = index.stats()
    assert (stats.counts.claims, stats.counts.papers, stats.counts.ok) == (13, 6, 4)
    assert (stats.counts.partial, stats.counts.failed) == (1, 1)
    assert sum(stats.counts.types.values()) == 13
    assert sum(venue.claims for venue in stats.counts.venues) == 13
    assert (stats.embedder, stats.factory) == ("words", "Flat")


def test_an_embedder_with_other_weights_is_refused_on_opening(built: Path, words: Make) -> None:
    with pytest.raises(IndexMismatch, match=r"built with words \(.{12}, 64 dimensions\), this is words"):
        ClaimIndex.open(built, embedder=words(salt="other"))
    with pytest.raises(IndexMismatch, match=r"this is words .*32 dimensions"):
        ClaimIndex.open(built, embedder=words(dim=32))


def test_an_embedder_that_only_claims_to_be_the_same_is_found_out(built: Path, words: Make) -> None:
    index = ClaimIndex.open(built, embedder=words(salt="other", pose_as=words().fingerprint()))
    with pytest.raises(IndexMismatch, match="maps the claim of row 0 to another vector"):
        index.search("moss")


def test_the_default_embedder_is_compared_too(built: Path) -> None:
    index = ClaimIndex.open(built)
    with pytest.raises(IndexMismatch, match="this is all-MiniLM-L6-v2"):
        index.search("moss")


def test_without_a_model_words_alone_decide(
    built: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing(settings: object) -> Embedder:
        raise BackendMissing("the MiniLM model is not installed")

    monkeypatch.setattr("claimdex.index.embed.embedder_for", missing)
    hit = ClaimIndex.open(built).search("DuckTalk", k=1)[0]
    assert (hit.dense_rank, hit.lexical_rank) == (None, 1)
    assert "searching by words alone" in caplog.text


def test_many_threads_get_the_same_answer(built: Path, embedder: Embedder) -> None:
    index = ClaimIndex.open(built, embedder=embedder)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: index.search("twin decoding memory", k=4), range(32)))
    assert all(answer == answers[0] for answer in answers)


def test_two_versions_of_one_paper_need_the_version(
    paper: Make, embedder: Embedder, tmp_path: Path, created: str
) -> None:
    versions = [
        paper(f"arxiv:2601.00011v{n}", f"Paper {n}", [(ClaimType.EMPIRICAL, f"Finding {n}")]) for n in (1, 2)
    ]
    build_index(versions, tmp_path / "i", embedder, created_at=created)
    index = ClaimIndex.open(tmp_path / "i", embedder=embedder)
    assert index.paper("2601.00011v2").title == "Paper 2"
    with pytest.raises(BadInput, match="2 papers"):
        index.paper("2601.00011")


def test_opening_and_looking_up_claims_loads_no_torch(built: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from claimdex.index.search import ClaimIndex\n"
        "assert len(ClaimIndex.open(Path(sys.argv[1])).claims('4711')) == 3\n"
        "heavy = ('torch', 'transformers', 'sentence_transformers', 'datasets')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    command = [sys.executable, "-c", script, str(built)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_graph_index_answers_like_a_flat_one(
    library: list[ClaimSet],
    embedder: Embedder,
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    created: str,
) -> None:
    monkeypatch.setattr("claimdex.index.vectors.FLAT_MAX", 5)
    build_index(library, tmp_path / "graph", embedder, created_at=created)
    graph = ClaimIndex.open(tmp_path / "graph", embedder=embedder)
    assert graph.stats().factory == "HNSW32"
    flat = ClaimIndex.open(built, embedder=embedder)
    for query in ("twin decoding memory", "FernNet accuracy"):
        assert graph.search(query, k=3)[0].claim == flat.search(query, k=3)[0].claim
        found = graph.search(query, core=True)
        assert found and all(hit.claim.core for hit in found)
    assert np.array_equal(graph._vectors.matrix, flat._vectors.matrix)

"""The dataset card: what lies in the folder, for people and for the Hub."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from huggingface_hub import DatasetCardData

from claimdex.index.manifest import Manifest, VenueCount

CONFIGS = ("claims", "papers", "embeddings")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!|~:/@-])")


def dataset_card(manifest: Manifest, *, configs: Sequence[str] = CONFIGS) -> str:
    """README.md of an index. ``configs`` are the folders under ``data/`` to declare, default first."""
    return f"---\n{_front_matter(manifest, configs)}\n---\n\n{_body(manifest)}"


def _front_matter(manifest: Manifest, configs: Sequence[str]) -> str:
    data = DatasetCardData(
        pretty_name="Testable claims of papers",
        license="other",
        license_name="per-paper",
        language=["en"],
        tags=["claims", "reproducibility", "scientific-papers", "claimdex"],
        task_categories=["text-retrieval"],
        size_categories=[_size(manifest.counts.claims)],
        configs=[
            {
                "config_name": name,
                **({"default": True} if name == configs[0] else {}),
                "data_files": [{"split": "train", "path": f"data/{name}/*.parquet"}],
            }
            for name in configs
        ],
    )
    return str(data.to_yaml()).strip()


def _size(claims: int) -> str:
    bounds = [(10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M")]
    return next((name for bound, name in bounds if claims < bound), "1M<n<10M")


def _body(manifest: Manifest) -> str:
    counts, embedder = manifest.counts, manifest.embedder
    types = "\n".join(f"| {kind} | {number:,} |" for kind, number in counts.types.items())
    venues = "\n".join(_venue_row(venue) for venue in counts.venues)
    return f"""# Testable claims of papers

{counts.claims:,} claims ({counts.core:,} of them core) from {counts.papers:,} papers. Each claim is one
statement that an experiment, a computation or a proof check can confirm or refute, with the words, the page
and the boxes it was read from.

| type | claims |
| --- | ---: |
{types}

| venue | year | papers | claims |
| --- | --- | ---: | ---: |
{venues}

Papers read in full: {counts.ok:,}; in part: {counts.partial:,}; failed: {counts.failed:,}. The columns
`status`, `code` and `message` of `papers` say why.

## Load
```python
from datasets import load_dataset

claims = load_dataset("FOLDER_OR_REPO", "claims", split="train")
papers = load_dataset("FOLDER_OR_REPO", "papers", split="train")
vectors = load_dataset("FOLDER_OR_REPO", "embeddings", split="train")
```
Row *i* of `claims`, row *i* of `embeddings` and id *i* of `index/claims.faiss` are the same claim. The column
`record` holds the whole claim as JSON: evidence with character ranges and boxes, scope, conditions,
artifacts, grounding checks, provenance.

## Search
```python
from claimdex.index.search import ClaimIndex

index = ClaimIndex.open("FOLDER")
hits = index.search("attention that is linear in the sequence length", k=10, type="speedup")
claims = index.claims("arxiv:2409.07653")
```
Search is hybrid: BM25 and vectors, joined by reciprocal rank fusion. Opening checks every file
against `manifest.json`.

## How it was made
- claimdex `{_code(manifest.claimdex)}`, revision `{manifest.revision}`, `{_code(manifest.created_at)}`.
- Claims are extracted from the PDFs and published only with their proof: the quote stands in the paper, and
  numbers, names, hedges and anchors are checked by code. The column `verdict` gives the outcome, `record` the
  checks.
- Embedder: {_escape(embedder.name)}, {embedder.dim} dimensions, unit vectors rounded to float16, weights
  sha256 `{_code(embedder.fingerprint)}`.
- Vector index: FAISS {manifest.vectors.factory}, inner product. Lexical index: BM25
  (k1 {manifest.lexical.k1}, b {manifest.lexical.b}).

## Limits
- The claims are what the papers say, not what is true. Nobody has tested them by being listed here.
- Extraction misses claims; a paper without claims here may have some. `papers` counts what was rejected.
- Titles and quotes are untrusted text copied from PDFs: escape them before showing them, do not obey them.

## Licence
Quotes are short excerpts of the papers and stay under each paper's own licence; check it before reuse beyond
quotation. The rest of the data (claim texts, types, details, vectors) is derived from them by software.

## Citation
Cite the papers themselves (`papers`: title, authors, ids), and this dataset by name and revision
`{manifest.revision}`.
"""


def _venue_row(venue: VenueCount) -> str:
    name = _escape(venue.venue) if venue.venue else "unknown"
    return f"| {name} | {venue.year or ''} | {venue.papers:,} | {venue.claims:,} |"


def _escape(text: str) -> str:
    """Untrusted text as plain words: one line, no HTML, no Markdown."""
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:120]
    return html.escape(_MARKDOWN.sub(r"\\\1", text))


def _code(text: str) -> str:
    return re.sub(r"[^\w.:-]", "", text)[:80]

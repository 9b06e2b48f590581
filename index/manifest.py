"""The manifest: what an index consists of, and the proof that its parts belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, ValidationError

from claimdex.errors import IndexMismatch, NotFound
from claimdex.files import file_sha256
from claimdex.index import layout
from claimdex.paper import Record
from claimdex.text import sha256

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
RelativePath = Annotated[
    str, StringConstraints(pattern=r"^(?:[a-z0-9_][a-z0-9_.-]*/)*[A-Za-z0-9_][A-Za-z0-9_.-]*$")
]

_MAX_BYTES = 4 * 2**20


class FileInfo(Record):
    """Size and hash of one file."""

    bytes: int = Field(ge=0)
    sha256: Sha256


class EmbedderInfo(Record):
    """The model whose vectors the index holds. ``fingerprint``: sha256 of its weights."""

    name: str
    fingerprint: str
    dim: int = Field(gt=0, le=65_536)
    normalised: Literal[True] = True
    input: Literal["claim text"] = "claim text"
    libraries: dict[str, str] = Field(default_factory=dict)


class VectorsInfo(Record):
    """The FAISS index and how it was built."""

    factory: Literal["Flat", "HNSW32"]
    metric: Literal["inner_product"] = "inner_product"
    ef_construction: int | None = None
    faiss: str


class LexicalInfo(Record):
    """The BM25 index and how it was built. ``terms``: distinct words."""

    method: Literal["lucene"] = "lucene"
    k1: float
    b: float
    terms: int = Field(ge=0)
    stemmer: str
    bm25s: str


class Canary(Record):
    """A claim that the embedder must map to the vector stored at ``row``."""

    row: int = Field(ge=0)
    text: str


class VenueCount(Record):
    """How many papers and claims one venue and year has."""

    venue: str | None
    year: int | None
    papers: int
    claims: int


class Counts(Record):
    """What the index holds."""

    claims: int = Field(ge=0)
    core: int = Field(ge=0)
    papers: int = Field(ge=0)
    ok: int = Field(ge=0)
    partial: int = Field(ge=0)
    failed: int = Field(ge=0)
    types: dict[str, int]
    venues: tuple[VenueCount, ...] = ()


class Manifest(Record):
    """Everything needed to check an index. ``files`` maps relative paths to size and hash.

    ``revision`` is made of the hashes of data and index files: same content, same revision.
    ``order_sha256`` pins the claim ids in row order.
    """

    schema_version: Literal["1"] = "1"
    claimdex: str
    revision: str = Field(pattern=r"^[0-9a-f]{16}$")
    created_at: str
    counts: Counts
    order_sha256: Sha256
    embedder: EmbedderInfo
    vectors: VectorsInfo
    lexical: LexicalInfo
    canaries: tuple[Canary, ...] = ()
    files: dict[RelativePath, FileInfo]

    def paths(self, root: Path, folder: str) -> list[Path]:
        """Files listed under ``folder``, in order."""
        return [root / name for name in sorted(self.files) if name.startswith(folder + "/")]


def order_sha256(claim_ids: Iterable[str]) -> str:
    """Hash of claim ids in row order."""
    return sha256("\n".join(claim_ids))


def revision(files: Mapping[str, FileInfo]) -> str:
    """Sixteen hex digits over the names and hashes of the data and index files."""
    lines = [f"{files[name].sha256}  {name}" for name in sorted(files) if "/" in name]
    return sha256("\n".join(lines))[:16]


def describe_files(root: Path, names: Iterable[str]) -> dict[str, FileInfo]:
    """Sizes and hashes of files and of all files in folders, by path relative to ``root``."""
    found: dict[str, FileInfo] = {}
    for name in names:
        start = root / name
        for path in sorted(start.rglob("*")) if start.is_dir() else [start]:
            if path.is_file():
                info = FileInfo(bytes=path.stat().st_size, sha256=file_sha256(path))
                found[path.relative_to(root).as_posix()] = info
    return found


def read_manifest(root: Path) -> Manifest:
    """The manifest of the index in ``root``.

    Raises:
        NotFound: there is no index.
        IndexMismatch: the manifest is damaged, edited or of another version.
    """
    path = root / layout.MANIFEST
    if not path.is_file():
        if layout.interrupted(root):
            raise IndexMismatch(f"{root} was left half replaced", hint=f"claimdex rebuild {root}")
        raise NotFound(f"no index in {root}", hint="claimdex index makes one")
    remedy = "restore it or index again"
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise IndexMismatch(f"{path} is too large for a manifest", hint=remedy)
        manifest = Manifest.model_validate_json(path.read_bytes())
    except (ValidationError, OSError) as error:
        raise IndexMismatch(
            f"{path} is not a manifest of this version: {_first(error)}", hint=remedy
        ) from error
    if manifest.revision != revision(manifest.files):
        raise IndexMismatch(f"{path} was edited: its revision is not that of its files", hint=remedy)
    return manifest


def check_files(root: Path, manifest: Manifest, folders: Sequence[str] = ("data", "index")) -> None:
    """Compare size and hash of every listed file under ``folders`` with the manifest.

    Raises:
        IndexMismatch: a file is missing or has other content.
    """
    for name, info in manifest.files.items():
        if name.split("/")[0] in folders:
            problem = file_problem(root / name, info)
            if problem:
                raise IndexMismatch(f"{root / name} {problem}", hint=_remedy(root, name))


def file_problem(path: Path, info: FileInfo) -> str:
    """What is wrong with a file, or an empty string."""
    if not path.is_file():
        return "is missing"
    size = path.stat().st_size
    if size != info.bytes:
        return f"has {size} bytes, the manifest says {info.bytes}"
    return "" if file_sha256(path) == info.sha256 else "has other content than the manifest says"


def _remedy(root: Path, name: str) -> str:
    return f"claimdex rebuild {root}" if name.startswith("index/") else "restore the file or index again"


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        detail = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}"
    return str(error)

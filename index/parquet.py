"""Parquet files written to the same bytes each time, and read without trust.

No column is dictionary-coded: zstd packs repeats as well, the sizes in the footer then bound what
decoding costs, and a small file that would decode to gigabytes can be refused unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from claimdex.errors import IndexMismatch

ROWS_PER_FILE = 100_000
MAX_BYTES = 16 * 2**30
"""Decoded size, in bytes, above which a table is not read."""

_ENCODINGS = {"PLAIN", "RLE", "BIT_PACKED", "BYTE_STREAM_SPLIT"}
_REMEDY = "restore the file or index again"


def write_table(
    table: pa.Table, folder: Path, *, group_rows: int, split_bytes: Sequence[str] = ()
) -> list[Path]:
    """Write ``train-00000-of-0000N.parquet`` files into ``folder``, at least one.

    ``group_rows`` rows make a row group (the unit a viewer loads). ``split_bytes`` names float
    leaf columns to store byte plane by byte plane, which packs better.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = max(1, -(-table.num_rows // ROWS_PER_FILE))
    paths = []
    for number in range(count):
        path = folder / f"train-{number:05d}-of-{count:05d}.parquet"
        part = table.slice(number * ROWS_PER_FILE, ROWS_PER_FILE)
        with pq.ParquetWriter(
            path,
            table.schema,
            compression="zstd",
            compression_level=6,
            use_dictionary=False,
            column_encoding=dict.fromkeys(split_bytes, "BYTE_STREAM_SPLIT") or None,
            write_page_index=True,
            use_content_defined_chunking=True,
        ) as writer:
            # An empty table has no row group at all: `datasets` fails on a group without rows.
            if part.num_rows:
                writer.write_table(part, row_group_size=group_rows)
        paths.append(path)
    return paths


def read_table(
    paths: Sequence[Path], schema: pa.Schema, *, rows: int, columns: Sequence[str] | None = None
) -> pa.Table:
    """Read ``columns`` (all, if None) of ``paths`` in order.

    Raises:
        IndexMismatch: a file is missing, damaged or not one of ours, or the rows are not ``rows``.
    """
    names = list(columns) if columns is not None else None
    try:
        with ExitStack() as opened:
            files = [opened.enter_context(pq.ParquetFile(path)) for path in paths]
            for path, file in zip(paths, files, strict=True):
                _check(path, file, schema)
            found = sum(file.metadata.num_rows for file in files)
            if found != rows or not files:
                raise IndexMismatch(
                    f"{_where(paths)} has {found} rows, the manifest says {rows}", hint=_REMEDY
                )
            return pa.concat_tables([file.read(columns=names) for file in files])
    except (OSError, pa.ArrowException) as error:
        raise IndexMismatch(f"{_where(paths)} cannot be read: {_line(error)}", hint=_REMEDY) from error


def _check(path: Path, file: pq.ParquetFile, schema: pa.Schema) -> None:
    if not file.schema_arrow.equals(schema):
        raise IndexMismatch(f"{path} has other columns than this version writes", hint=_REMEDY)
    size = 0
    for group in range(file.metadata.num_row_groups):
        for leaf in range(file.metadata.num_columns):
            column = file.metadata.row_group(group).column(leaf)
            size += column.total_uncompressed_size
            if not _ENCODINGS.issuperset(column.encodings):
                raise IndexMismatch(f"{path} was not written by claimdex (coded columns)", hint=_REMEDY)
    if size > MAX_BYTES:
        raise IndexMismatch(f"{path} would take {size} bytes in memory", hint=f"at most {MAX_BYTES}")


def _where(paths: Sequence[Path]) -> str:
    return str(paths[0].parent) if paths else "the table"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]

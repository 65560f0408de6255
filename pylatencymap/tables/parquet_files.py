"""Which files are Parquet, without reading more of them than their beginning: asked of every input."""

from __future__ import annotations

import os

from .parquet_schema import DAY

MAGIC = b"PAR1"
"""The first and the last bytes of a Parquet file."""
_SUFFIX = ".parquet"


def is_parquet(head: bytes) -> bool:
    """Whether a file that begins with these bytes is Parquet."""
    return head.startswith(MAGIC)


def files_within(folder: str) -> list[str]:
    """The Parquet files in a folder and in its folders ``day=...``, in the order of days; empty if there are none.
    Raises OSError.
    """
    found = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(_SUFFIX)]
    for name in os.listdir(folder):
        if name.startswith(f"{DAY}=") and os.path.isdir(inside := os.path.join(folder, name)):
            found += [os.path.join(inside, file) for file in os.listdir(inside) if file.endswith(_SUFFIX)]
    return sorted(found)

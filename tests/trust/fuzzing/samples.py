"""The texts that are damaged: every collector's own samples, the examples, generated ones, and captures if there."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .generated import FORMS, generated

ROOT = Path(__file__).parents[3]
FOLDERS = (ROOT / "tests" / "collectors" / "samples", ROOT / "examples")
ENDINGS = (".txt", ".log", ".lmap", ".gz", ".jsonl", ".json", ".hlog", ".trc", ".prom")
MOST_BYTES = 8_000
"""Longer samples are cut at the end of a line."""
MADE_OF_EACH = 4
"""How many texts of each generated form there are."""


class Sample(NamedTuple):
    """A text without damage."""

    name: str
    data: bytes


def samples(shared: Path | None = None) -> list[Sample]:
    """All samples. ``shared``: the folder with captures, whose samples come last."""
    found = [*_made(), *_files(FOLDERS)]
    return (
        found
        if shared is None
        else [*found, *_files((shared / "data" / "captures", shared / "data" / "earlier-tools"))]
    )


def shared_folder() -> Path | None:
    """The folder with captures; None if there is none."""
    folder = Path(os.environ.get("PYLATENCYMAP_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "data" / "captures").is_dir() else None


def _made() -> Iterator[Sample]:
    for form in FORMS:
        for number in range(MADE_OF_EACH):
            yield Sample(f"generated/{form} {number}", generated(form, number))


def _files(folders: Iterable[Path]) -> Iterator[Sample]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in ENDINGS and ".truth." not in path.name and path.is_file():
                data = path.read_bytes()
                whole = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
                yield Sample(f"{folder.name}/{path.relative_to(folder)}", cut(whole, MOST_BYTES))


def cut(data: bytes, size: int) -> bytes:
    """The beginning of a text, of whole lines."""
    if len(data) <= size:
        return data
    return data[: data.rfind(b"\n", 0, size) + 1] or data[:size]

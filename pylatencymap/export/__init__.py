"""Writes pictures to files, with one module per format, chosen by the file's extension, and intervals as JSON lines."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ..errors import SourceError, UsageError
from ..lazily import lazily

if TYPE_CHECKING:
    from ..view.paint import Cells
    from ..view.style import ViewOptions
    from .jsonl import join_continued as join_continued, json_line as json_line, ranges_on_grid as ranges_on_grid
    from .svg import render_svg as render_svg
else:
    __getattr__ = lazily(__name__, {"jsonl": "join_continued json_line ranges_on_grid", "svg": "render_svg"})

Exporter: TypeAlias = "Callable[[Cells, ViewOptions], bytes]"


def _svg(cells: Cells, options: ViewOptions) -> bytes:
    from .svg import render_svg

    return render_svg(cells, options).encode()


def _png(cells: Cells, options: ViewOptions) -> bytes:
    from .png import render_png

    return render_png(cells, options)


EXPORTERS: dict[str, Exporter] = {".svg": _svg, ".png": _png}
"""The exporter for each extension, in lower case. The modules are imported on first use."""


def exporter_for(path: str) -> Exporter:
    """The exporter for a file name; raises UsageError if no picture format has its extension."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in EXPORTERS:
        known = " ".join(EXPORTERS)
        raise UsageError(f"{path}: no picture format has the extension {extension or '(none)'!r}; known are {known}")
    return EXPORTERS[extension]


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the bytes that an exporter returned. An older file is replaced once the new one is whole; raises
    SourceError, and leaves the older one as it was, if the file cannot be written.
    """
    from ..files import replace_file

    try:
        replace_file(path, data)
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {error.strerror or error}") from error

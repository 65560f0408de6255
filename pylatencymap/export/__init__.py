"""Writes files that other tools open: pictures of cells, films of them, and the intervals themselves as data.

A format is a module, chosen by the extension of a file or by ``--to``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from ..errors import SourceError, UsageError
from ..lazily import lazily
from .data import (
    DATA_FORMATS as DATA_FORMATS,
    DataOptions as DataOptions,
    DataWriter as DataWriter,
    data_writer_for as data_writer_for,
)

if TYPE_CHECKING:
    from ..view.paint import Cells
    from ..view.style import ViewOptions
    from .cast import render_cast as render_cast
    from .data.estimates import with_best_estimates as with_best_estimates
    from .data.json_lines import json_line as json_line
    from .page import PageContent
    from .svg import render_svg as render_svg
else:
    __getattr__ = lazily(
        __name__,
        {
            "cast": "render_cast",
            "data.estimates": "with_best_estimates",
            "data.json_lines": "json_line",
            "svg": "render_svg",
        },
    )

Exporter: TypeAlias = "Callable[[Cells, ViewOptions], bytes]"
PageExporter: TypeAlias = "Callable[[PageContent, float | None], bytes]"
"""Of all series, perhaps in steps of so many seconds, whatever the size."""
CAST = ".cast"


def _svg(cells: Cells, options: ViewOptions) -> bytes:
    from .svg import render_svg

    return render_svg(cells, options).encode()


def _png(cells: Cells, options: ViewOptions) -> bytes:
    from .png import render_png

    return render_png(cells, options)


def _text(cells: Cells, options: ViewOptions) -> bytes:
    from .text_picture import render_text

    return render_text(cells, options)


def _ansi(cells: Cells, options: ViewOptions) -> bytes:
    from .text_picture import render_ansi

    return render_ansi(cells, options)


def _html(content: PageContent, finest: float | None) -> bytes:
    from .page import render_page

    return render_page(content, finest).encode()


EXPORTERS: dict[str, Exporter] = {".svg": _svg, ".png": _png, ".txt": _text, ".ans": _ansi}
"""The exporter of pictures for each extension, in lower case. The modules are imported on first use."""
PAGES: dict[str, PageExporter] = {".html": _html}
"""The same of pages that are explored."""


def exporter_for(path: str) -> Exporter:
    """The exporter for a file name; raises UsageError if no picture format has its extension."""
    extension = os.path.splitext(path)[1].lower()
    if extension not in EXPORTERS:
        known = " ".join(EXPORTERS)
        raise UsageError(f"{path}: no picture format has the extension {extension or '(none)'!r}; known are {known}")
    return EXPORTERS[extension]


EXTENSIONS = (*EXPORTERS, *PAGES, CAST, *DATA_FORMATS)
FORMATS = tuple(one[1:] for one in EXTENSIONS)
"""The names of all formats."""


def extension_for(path: str, name: str | None = None) -> str:
    """The extension of the format for a file name, or of the one that is called ``name``, as in ``--to csv``. Raises
    UsageError if there is none.
    """
    if name is not None:
        return f".{name}"
    if path == "-":
        raise UsageError(f"-o -: --to names the format: {' '.join(FORMATS)}")
    lowered = os.path.basename(path).lower()
    found = [one for one in EXTENSIONS if lowered.endswith(one) and lowered != one]
    if not found:
        extension = os.path.splitext(path)[1].lower() or "(none)"
        raise UsageError(f"{path}: no format has the extension {extension!r}; known are {' '.join(EXTENSIONS)}")
    return max(found, key=len)


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the bytes that an exporter returned; see ``write_pieces``."""
    write_pieces(path, [data])


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write a file. An older one is replaced once the new one is whole; raises SourceError, and leaves the older one as
    it was, if the file cannot be written.
    """
    with written_whole(path) as write:
        for piece in pieces:
            write(piece)


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Callable[[bytes], object]]:
    """As ``write_pieces``, for pieces that come with time: what writes them."""
    from ..files import replacing

    try:
        with replacing(path) as file:
            yield file.write
    except OSError as error:
        raise SourceError(f"{path}: cannot be written: {error.strerror or error}") from error

"""What a run is taken away as: files, and tables of other libraries."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..export import (
    CAST,
    DATA_FORMATS,
    EXPORTERS,
    PAGES,
    DataOptions,
    data_writer_for,
    extension_for,
    render_cast,
    with_best_estimates,
    write_pieces,
)
from ..session import Picture, TerminalSize, Viewpoint, files_name, page_content
from ..view.layout import END
from ..view.style import ViewOptions
from .film import film_of, in_time
from .options import Moment, checked, page_options, picture_of
from .run_window import RunWindow

if TYPE_CHECKING:
    from ..export.page import PageContent
    from ..interval import Interval
    from ..view.paint import Cells


class RunExports(RunWindow):
    """The part of a run that leaves it."""

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        series: str | None = None,
        size: tuple[int, int] | str | None = None,
        map: str | None = None,  # noqa: A002 - as the option is called
        scale: str | None = None,
        palette: str | None = None,
        background: str | None = None,
        depth: str | None = None,
        resolution: int | None = None,
        columns: int | None = None,
        rows: int | None = None,
        min_latency: float | str | None = None,
        max_latency: float | str | None = None,
        frequency_max: float | None = None,
        intensity_max: float | str | None = None,
        slo: float | str | None = None,
        finest: float | None = None,
    ) -> None:
        """Write the file that ``pylatencymap export`` writes, as its extension says: a picture (.svg, .txt, .ans; .png
        with Pillow), a page (.html), a film (.cast), or the intervals (.csv, .jsonl, .hlog, .lmap; .parquet with
        pyarrow). For these, only ``series`` and ``resolution`` are meant; without ``series``, all are written.

        ``series``: the one that is drawn; the others are listed below. ``size``: characters and lines; default: (120,
        40). The newest columns that fit are drawn, at most ``columns``; ``interval`` of ``read`` makes longer ones.
        ``map``: "frequency", "intensity" or "both"; ``scale``, ``palette``, ``background`` ("dark", "light"),
        ``depth``, ``resolution`` and ``rows`` as on the command line. Latencies are seconds, or texts as "10ms";
        ``frequency_max`` and ``intensity_max`` pin the colour scales, in events and seconds waited per second.

        A page has all series; ``series`` is shown at first. It has no ``size``, ``map``, ``columns``, ``rows`` and
        ``depth``. ``finest``: its finest step in seconds, whatever its size; default: as fine as 1.5 MB allow.

        Raises UsageError for another extension or a wrong option, SourceError where the file cannot be written.
        """
        given = {option: value for option, value in locals().items() if option not in ("self", "path")}
        write_pieces(path, self._pieces(extension_for(os.fspath(path)), given))

    def _repr_html_(self) -> str:
        """The page, in a notebook; of large runs in longer steps than in a file."""
        from ..export.page import framed_page

        return framed_page(self._page({}))

    def _repr_svg_(self) -> str:
        """The picture, in a notebook."""
        from ..export import render_svg

        return render_svg(*self._drawn({}))

    def to_pandas(self, name: str | None = None, *, resolution: int | None = None) -> Any:
        """The rows that ``save("x.parquet")`` writes, of a series or of all (None), as a DataFrame of pandas: one per
        bucket of an interval; docs/aggregate.md explains the columns. ``resolution``: buckets per doubling; None: the
        ranges of the source. Raises MissingPackage without pandas, UsageError for an unknown name.
        """
        from .tables import pandas_frame, table_columns

        return pandas_frame(table_columns(*self._table(name, resolution)))

    def to_polars(self, name: str | None = None, *, resolution: int | None = None) -> Any:
        """As ``to_pandas``, as a DataFrame of polars."""
        from .tables import polars_frame, table_columns

        return polars_frame(table_columns(*self._table(name, resolution)))

    def to_xarray(
        self,
        name: str | None = None,
        *,
        columns: int | None = None,
        resolution: int = 1,
        start: Moment | None = None,
        end: Moment | None = None,
    ) -> Any:
        """The matrix of a series as a Dataset of xarray: ``counts`` (events) and ``waited`` (seconds) by ``latency``,
        the upper bound of each row in seconds, and ``time``, the end of each column in UTC; besides ``lower``,
        ``seconds`` and ``gap``. The arguments are those of ``matrix``. Raises MissingPackage without xarray.
        """
        from .tables import xarray_dataset

        matrix = self.matrix(name, columns=columns, resolution=resolution, start=start, end=end)
        return xarray_dataset(matrix, self._named(name))

    def _table(self, name: str | None, resolution: int | None) -> tuple[Iterable[Interval], int | None]:
        names = self.series if name is None else [self._named(name)]
        intervals = with_best_estimates(in_time(self._window, names))
        return intervals, checked({"resolution": resolution})["resolution"]

    def _page(self, given: dict[str, object]) -> PageContent:
        """What a page shows. The series that is shown at first is chosen by its whole name."""
        name = given.pop("series", None)
        chosen = page_options(given, self._tz).viewpoint
        at = chosen._replace(series=None if name is None else self._named(str(name)))
        return page_content(self._window, self._marks, at, self._tz, files=self._files, bad=self.bad)

    def _drawn(self, given: dict[str, object]) -> tuple[Cells, ViewOptions]:
        """The picture and how it looks."""
        picture, size, at = self._picture(given)
        return picture.final(size, END, at).cells, at.view

    def _picture(self, given: dict[str, object]) -> tuple[Picture, TerminalSize, Viewpoint]:
        """All there is, the size and the viewpoint of a picture. A series is chosen here by its whole name."""
        name = given.pop("series", None)
        chosen, size = picture_of(given, self._tz)
        at = chosen.viewpoint._replace(series=None if name is None else self._named(str(name)))
        picture = Picture(chosen._replace(file=files_name(self._files), viewpoint=at), lambda: self.bad)
        picture.window, picture.marks = self._window, self._marks
        return picture, size, at

    def _pieces(self, extension: str, given: dict[str, object]) -> Iterable[bytes]:
        """The bytes of a file."""
        finest = checked({"finest": given.pop("finest", None)})["finest"]
        if extension in PAGES:
            return [PAGES[extension](self._page(given), finest)]
        if finest is not None:
            raise UsageError(f"finest is for pages, and {extension} is none; write .html")
        if extension in DATA_FORMATS:
            return self._data_pieces(extension, given)
        if extension == CAST:
            picture, size, at = self._picture(given)
            title, frames = film_of(picture, size)
            return render_cast(frames, at.view, size, title)
        return [EXPORTERS[extension](*self._drawn(given))]

    def _data_pieces(self, extension: str, given: dict[str, object]) -> Iterable[bytes]:
        foolish = [name for name, value in given.items() if value is not None and name not in ("series", "resolution")]
        if foolish:
            raise UsageError(f"{foolish[0]} is for pictures, and {extension} has data")
        name, resolution = given["series"], checked({"resolution": given["resolution"]})["resolution"]
        names = self.series if name is None else [self._named(str(name))]
        marks = [*self._marks, *self._marks.named.values()]
        intervals = in_time(self._window, names)
        return data_writer_for(extension)(intervals, DataOptions(resolution, marks))

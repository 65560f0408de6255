"""What large screens have room for besides the maps: a table of all series, brought up to date in short steps."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .series_table import SeriesTable as SeriesTable
else:
    __getattr__ = lazily(__name__, {"series_table": "SeriesTable"})

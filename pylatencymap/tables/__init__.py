"""Intervals as columns: as a table that others can query, in Parquet files, and as bytes between processes."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .grid import on_grid_of as on_grid_of, ranges_on_grid as ranges_on_grid
    from .interval_columns import (
        CLOCK as CLOCK,
        ESTIMATED as ESTIMATED,
        FLAGS as FLAGS,
        GAP as GAP,
        IntervalColumns as IntervalColumns,
        TableSeries as TableSeries,
        columns_of_batches as columns_of_batches,
        columns_of_intervals as columns_of_intervals,
        joined as joined,
        series_of as series_of,
    )
    from .parquet_files import files_within as files_within, is_parquet as is_parquet
    from .parquet_reader import read_parquet as read_parquet
    from .parquet_schema import COLUMNS as COLUMNS
    from .parquet_writer import (
        ParquetWriter as ParquetWriter,
        check_parquet as check_parquet,
        days_of as days_of,
        rows_of as rows_of,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "grid": "on_grid_of ranges_on_grid",
            "interval_columns": (
                "CLOCK ESTIMATED FLAGS GAP IntervalColumns TableSeries columns_of_batches columns_of_intervals joined "
                "series_of"
            ),
            "parquet_files": "files_within is_parquet",
            "parquet_reader": "read_parquet",
            "parquet_schema": "COLUMNS",
            "parquet_writer": "ParquetWriter check_parquet days_of rows_of",
        },
    )

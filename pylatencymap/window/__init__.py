"""Keeps intervals per series, and turns them into time x latency matrices and statistics."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .column_zoom import (
        COLUMN_SECONDS as COLUMN_SECONDS,
        ZoomCache as ZoomCache,
        fitting_width as fitting_width,
        next_narrower as next_narrower,
        next_wider as next_wider,
    )
    from .history import History as History, Incident as Incident, kept_intervals as kept_intervals
    from .joined_selections import added_up as added_up, join_selections as join_selections
    from .matrix import (
        BoolArray as BoolArray,
        FloatArray as FloatArray,
        IntArray as IntArray,
        Matrix as Matrix,
        row_bounds as row_bounds,
    )
    from .overview import (
        Overview as Overview,
        WaitCurve as WaitCurve,
        costliest_minute as costliest_minute,
        overview_of as overview_of,
    )
    from .selection import (
        Selection as Selection,
        finest_resolution as finest_resolution,
        select_between as select_between,
        select_columns as select_columns,
    )
    from .series_sum import SeriesSum as SeriesSum
    from .statistics import (
        Quantity as Quantity,
        SlowShare as SlowShare,
        Summary as Summary,
        WorstColumn as WorstColumn,
        low_middle as low_middle,
        means_of_ranges as means_of_ranges,
        percentiles_over_time as percentiles_over_time,
    )
    from .store import (
        ESTIMATED_BIT as ESTIMATED_BIT,
        GAP_BIT as GAP_BIT,
        RESET_BIT as RESET_BIT,
        UNCLOCKED_BIT as UNCLOCKED_BIT,
        RangeKey as RangeKey,
    )
    from .window import DEFAULT_MB as DEFAULT_MB, OTHER_SERIES as OTHER_SERIES, Window as Window, rank_of as rank_of
else:
    __getattr__ = lazily(
        __name__,
        {
            "column_zoom": "COLUMN_SECONDS ZoomCache fitting_width next_narrower next_wider",
            "history": "History Incident kept_intervals",
            "joined_selections": "added_up join_selections",
            "matrix": "BoolArray FloatArray IntArray Matrix row_bounds",
            "overview": "Overview WaitCurve costliest_minute overview_of",
            "selection": "Selection finest_resolution select_between select_columns",
            "series_sum": "SeriesSum",
            "statistics": "Quantity SlowShare Summary WorstColumn low_middle means_of_ranges percentiles_over_time",
            "store": "ESTIMATED_BIT GAP_BIT RESET_BIT UNCLOCKED_BIT RangeKey",
            "window": "DEFAULT_MB OTHER_SERIES Window rank_of",
        },
    )

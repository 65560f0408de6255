"""What distributions of latency say: modes, percentiles, time waited; whether two differ, and what changed. Arrays in,
small values out; no text, no clock.

A histogram over time is ``counts`` float64 [buckets, columns], ``edges`` float64 [buckets + 1] in seconds, ascending,
the first perhaps 0 and the last perhaps infinity, and ``seconds`` float64 [columns], how long each column lasted. A gap
has counts of 0 and lasts 0 seconds.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .bunching import bunching_of as bunching_of
    from .changes.bands import (
        BandChange as BandChange,
        BandChangeKind as BandChangeKind,
        BandShift as BandShift,
        BurstBand as BurstBand,
    )
    from .changes.change_points import ChangePoint as ChangePoint
    from .changes.costs import (
        Changes as Changes,
        Episode as Episode,
        changes_in_steps as changes_in_steps,
        find_changes as find_changes,
    )
    from .changes.sharp_ends import likeliest_turn as likeliest_turn
    from .changes.spans import EpisodeKind as EpisodeKind, Level as Level, Zigzag as Zigzag
    from .comparison.mode_changes import ModeChange as ModeChange, mode_changes as mode_changes
    from .comparison.permutation import (
        Comparison as Comparison,
        LatencyVerdict as LatencyVerdict,
        ShareChange as ShareChange,
        compare as compare,
        compare_in_steps as compare_in_steps,
    )
    from .comparison.picture_arrays import (
        RunColumns as RunColumns,
        SideBySide as SideBySide,
        picture_places as picture_places,
        side_by_side as side_by_side,
        with_empty_rows as with_empty_rows,
    )
    from .comparison.quantiles import QuantileChange as QuantileChange
    from .comparison.rates import RateChange as RateChange, rate_change as rate_change
    from .comparison.short_sides import PlainDifference as PlainDifference, plain_difference as plain_difference
    from .comparison.sides import TimedCounts as TimedCounts
    from .density import (
        Estimate as Estimate,
        row_of_ranges as row_of_ranges,
        source_rows as source_rows,
        tick_of as tick_of,
    )
    from .modes import (
        ENOUGH as ENOUGH,
        LatencyPart as LatencyPart,
        Mode as Mode,
        Modes as Modes,
        ShownCount as ShownCount,
        Tail as Tail,
        find_modes as find_modes,
    )
    from .octaves import rows_between as rows_between
    from .percentiles import (
        ColumnPercentiles as ColumnPercentiles,
        ShareAbove as ShareAbove,
        half_of_time_above as half_of_time_above,
        percentile as percentile,
        percentiles_of as percentiles_of,
        share_above_threshold as share_above_threshold,
    )
    from .ranks import ranks_of as ranks_of
    from .recurrences import (
        Recurrence as Recurrence,
        RecurrenceKind as RecurrenceKind,
        find_recurrences as find_recurrences,
    )
    from .together import (
        Correlation as Correlation,
        correlation as correlation,
        shared_columns as shared_columns,
    )
    from .waited import (
        column_times as column_times,
        row_mean_bands as row_mean_bands,
        row_means as row_means,
        time_waited as time_waited,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "changes.bands": "BandChange BandChangeKind BandShift BurstBand",
            "changes.change_points": "ChangePoint",
            "changes.sharp_ends": "likeliest_turn",
            "changes.costs": "Changes Episode changes_in_steps find_changes",
            "changes.spans": "EpisodeKind Level Zigzag",
            "comparison.mode_changes": "ModeChange mode_changes",
            "comparison.rates": "RateChange rate_change",
            "comparison.permutation": "Comparison ShareChange LatencyVerdict compare compare_in_steps",
            "comparison.picture_arrays": "RunColumns SideBySide picture_places side_by_side with_empty_rows",
            "comparison.quantiles": "QuantileChange",
            "comparison.short_sides": "PlainDifference plain_difference",
            "comparison.sides": "TimedCounts",
            "bunching": "bunching_of",
            "density": "Estimate row_of_ranges source_rows tick_of",
            "modes": "ENOUGH LatencyPart Mode Modes ShownCount Tail find_modes",
            "octaves": "rows_between",
            "percentiles": (
                "ColumnPercentiles ShareAbove half_of_time_above percentile percentiles_of share_above_threshold"
            ),
            "ranks": "ranks_of",
            "recurrences": "Recurrence RecurrenceKind find_recurrences",
            "together": "Correlation correlation shared_columns",
            "waited": "column_times row_mean_bands row_means time_waited",
        },
    )

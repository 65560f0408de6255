"""Turns records into intervals: gives them times, adds idle series, and subtracts cumulative counters."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .batch import (
        Batch as Batch,
        Batches as Batches,
        BatchRanges as BatchRanges,
        BatchSeries as BatchSeries,
        TakeBatch as TakeBatch,
        batch_events as batch_events,
        one_by_one as one_by_one,
        only_wanted as only_wanted,
    )
    from .difference import new_name as new_name
    from .event_bins import (
        EVENT_RESOLUTION as EVENT_RESOLUTION,
        BinCounts as BinCounts,
        BinPrinter as BinPrinter,
        EventBins as EventBins,
        bin_width as bin_width,
        on_one_clock as on_one_clock,
    )
    from .idle.schedule import (
        IdleSchedule as IdleSchedule,
        ScheduledIntervals as ScheduledIntervals,
        concatenated_schedules as concatenated_schedules,
    )
    from .keyed.division import (
        DEFAULT_TOP as DEFAULT_TOP,
        LONGEST_KEPT as LONGEST_KEPT,
        NO_EVENTS as NO_EVENTS,
        OTHERS as OTHERS,
        ChosenValues as ChosenValues,
        DividedBy as DividedBy,
        Dividing as Dividing,
        Division as Division,
        LatestValues as LatestValues,
        Summing as Summing,
        divided as divided,
        names_of_key as names_of_key,
        sum_values as sum_values,
    )
    from .keyed.value_sums import (
        Pair as Pair,
        ValueSums as ValueSums,
        half_nanos as half_nanos,
        half_nanos_of as half_nanos_of,
    )
    from .keyed.waits_apart import is_apart as is_apart, is_between_calls as is_between_calls
    from .merge import (
        join_continued as join_continued,
        join_intervals as join_intervals,
        merge_intervals as merge_intervals,
    )
    from .nominal import GAP_FACTOR as GAP_FACTOR, STEPS_REMEMBERED as STEPS_REMEMBERED, low_median as low_median
    from .options import (
        BURST_SECONDS as BURST_SECONDS,
        DEFAULT_INTERVAL as DEFAULT_INTERVAL,
        LEAST_INTERVAL as LEAST_INTERVAL,
        NextPulse as NextPulse,
        Pauses as Pauses,
        Pulse as Pulse,
        TimeOptions as TimeOptions,
    )
    from .possible import within_limits as within_limits
    from .runs.growth import before_of as before_of, entries_of as entries_of, growth_of as growth_of
    from .runs.run import (
        MOST_KINDS as MOST_KINDS,
        NOTHING as NOTHING,
        RecordRun as RecordRun,
        apart as apart,
        in_snapshots as in_snapshots,
    )
    from .stages import (
        StageContext as StageContext,
        as_wanted as as_wanted,
        decoded as decoded,
        differences as differences,
        placed as placed,
        resolve_times as resolve_times,
        with_ticks as with_ticks,
    )
    from .timing.dating import (
        days_before as days_before,
        epoch_of as epoch_of,
        nearest_day as nearest_day,
        survey_midnights as survey_midnights,
    )
    from .timing.event_times import (
        MOST_ASTRAY as MOST_ASTRAY,
        REACH as REACH,
        Counted as Counted,
        EventJudge as EventJudge,
        long_away as long_away,
    )
    from .totals import is_possible_sum as is_possible_sum
else:
    __getattr__ = lazily(
        __name__,
        {
            "batch": "Batch BatchRanges BatchSeries Batches TakeBatch batch_events one_by_one only_wanted",
            "timing.event_times": "Counted EventJudge MOST_ASTRAY REACH long_away",
            "timing.dating": "days_before epoch_of nearest_day survey_midnights",
            "difference": "new_name",
            "event_bins": "BinCounts BinPrinter EVENT_RESOLUTION EventBins bin_width on_one_clock",
            "idle.schedule": "IdleSchedule ScheduledIntervals concatenated_schedules",
            "keyed.division": (
                "ChosenValues DEFAULT_TOP DividedBy Dividing Division LONGEST_KEPT LatestValues NO_EVENTS OTHERS "
                "Summing divided names_of_key sum_values"
            ),
            "keyed.value_sums": "Pair ValueSums half_nanos half_nanos_of",
            "keyed.waits_apart": "is_apart is_between_calls",
            "merge": "join_continued join_intervals merge_intervals",
            "nominal": "GAP_FACTOR STEPS_REMEMBERED low_median",
            "options": "BURST_SECONDS DEFAULT_INTERVAL LEAST_INTERVAL NextPulse Pauses Pulse TimeOptions",
            "possible": "within_limits",
            "runs.growth": "before_of entries_of growth_of",
            "runs.run": "MOST_KINDS NOTHING RecordRun apart in_snapshots",
            "totals": "is_possible_sum",
            "stages": "StageContext as_wanted decoded differences placed resolve_times with_ticks",
        },
    )

"""What a run says, in words and figures: its modes and percentiles, what changed, in which series, and what follows.

Numbers are those of ``analysis/``; here they become sentences, each with its evidence, and pages: text for a screen,
Markdown, JSON.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .changes import (
        FEWEST as FEWEST,
        Change as Change,
        cost_words as cost_words,
        mode_only_during as mode_only_during,
        told_changes as told_changes,
        when_words as when_words,
        with_exact_ends as with_exact_ends,
    )
    from .comparison.compared import (
        SeriesComparison as SeriesComparison,
        compare_series_in_steps as compare_series_in_steps,
    )
    from .comparison.one_sided import SideNames as SideNames
    from .comparison.pages import (
        notes as notes,
        table_lines as table_lines,
        verdict_lines as verdict_lines,
    )
    from .comparison.pairs import SeriesPair as SeriesPair, SeriesRun as SeriesRun
    from .comparison.side_facts import (
        cut_to as cut_to,
        files_words as files_words,
        limits_of as limits_of,
        short_verdict as short_verdict,
        times_of as times_of,
    )
    from .comparison.side_findings import SideFindings as SideFindings, compare_sides as compare_sides
    from .comparison.table import TableRow as TableRow, share_row as share_row, table_rows as table_rows
    from .comparison.verdict import verdict_words as verdict_words
    from .evidence import Finding as Finding, SeriesData as SeriesData, series_data as series_data
    from .facts import only_words as only_words, shares_of as shares_of
    from .figures import SeriesFigures as SeriesFigures, figures_of as figures_of
    from .pages.opening_command import series_glob as series_glob
    from .recurring import (
        ToldRecurrences as ToldRecurrences,
        recurring_findings as recurring_findings,
        without_swings as without_swings,
    )
    from .run_findings import RunFindings as RunFindings, find_all as find_all
    from .stalls import (
        MOST_WAITING as MOST_WAITING,
        is_filled as is_filled,
        is_stall as is_stall,
        waiting_in_stalls as waiting_in_stalls,
    )
    from .stragglers import SlowTasks as SlowTasks, StageTask as StageTask, slow_tasks as slow_tasks
    from .trace_profile import (
        ProfileCalls as ProfileCalls,
        ProfileEvent as ProfileEvent,
        TraceProfile as TraceProfile,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "changes": "FEWEST Change cost_words mode_only_during told_changes when_words with_exact_ends",
            "comparison.compared": "SeriesComparison compare_series_in_steps",
            "comparison.one_sided": "SideNames",
            "comparison.pages": "notes table_lines verdict_lines",
            "comparison.pairs": "SeriesPair SeriesRun",
            "comparison.side_facts": "cut_to files_words limits_of short_verdict times_of",
            "comparison.table": "TableRow share_row table_rows",
            "comparison.verdict": "verdict_words",
            "comparison.side_findings": "SideFindings compare_sides",
            "evidence": "Finding SeriesData series_data",
            "facts": "only_words shares_of",
            "figures": "SeriesFigures figures_of",
            "pages.opening_command": "series_glob",
            "recurring": "ToldRecurrences recurring_findings without_swings",
            "run_findings": "RunFindings find_all",
            "stalls": "MOST_WAITING is_filled is_stall waiting_in_stalls",
            "stragglers": "SlowTasks StageTask slow_tasks",
            "trace_profile": "ProfileCalls ProfileEvent TraceProfile",
        },
    )

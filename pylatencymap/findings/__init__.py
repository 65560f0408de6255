"""What a run says, in words and figures: its modes and percentiles, what changed, in which series, and what follows.

Numbers are those of ``analysis/``; here they become sentences, each with its evidence, and pages: text for a screen,
Markdown, JSON.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .changes import Change as Change
    from .evidence import Finding as Finding, SeriesData as SeriesData, series_data as series_data
    from .figures import SeriesFigures as SeriesFigures
    from .run_findings import RunFindings as RunFindings, find_all as find_all
else:
    __getattr__ = lazily(
        __name__,
        {
            "changes": "Change",
            "evidence": "Finding SeriesData series_data",
            "figures": "SeriesFigures",
            "run_findings": "RunFindings find_all",
        },
    )

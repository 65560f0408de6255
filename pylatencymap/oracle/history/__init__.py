"""Reads the history of wait events from the snapshots of AWR or Statspack, and makes records of them."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .reading import HistoryReader as HistoryReader, KeptHistory as KeptHistory
    from .snapshots import history_records as history_records
    from .sources import (
        PERFSTAT as PERFSTAT,
        HistoryViews as HistoryViews,
        awr_views as awr_views,
        missing_history_loss as missing_history_loss,
        statspack_views as statspack_views,
    )
    from .span import (
        HistorySpan as HistorySpan,
        Period as Period,
        earlier as earlier,
        parse_period as parse_period,
        span_of as span_of,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "reading": "HistoryReader KeptHistory",
            "snapshots": "history_records",
            "sources": "HistoryViews PERFSTAT awr_views missing_history_loss statspack_views",
            "span": "HistorySpan Period earlier parse_period span_of",
        },
    )

"""Offers intervals to Prometheus: totals of each series as histograms, their text and protobuf forms, and a server."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .grids import ClassicGrid as ClassicGrid
    from .served_totals import ServedTotals as ServedTotals
    from .server import MetricsServer as MetricsServer, address_of as address_of
    from .text_form import text_of as text_of
else:
    __getattr__ = lazily(
        __name__,
        {
            "grids": "ClassicGrid",
            "served_totals": "ServedTotals",
            "server": "MetricsServer address_of",
            "text_form": "text_of",
        },
    )

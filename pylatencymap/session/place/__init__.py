"""Where a viewpoint leads in the data."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .shown_series import SUM_SERIES as SUM_SERIES, ShownSeries as ShownSeries, TerminalSize as TerminalSize
else:
    __getattr__ = lazily(__name__, {"shown_series": "SUM_SERIES ShownSeries TerminalSize"})

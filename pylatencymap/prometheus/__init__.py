"""Histograms of a Prometheus server through its HTTP API: what is asked, how it is read, what an outage costs."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .access import ServerAccess as ServerAccess, checked_url as checked_url, header_of as header_of
    from .client import ApiClient as ApiClient, ServerTrouble as ServerTrouble
    from .exemplars import Exemplars as Exemplars, NamedSeries as NamedSeries
    from .expression import ExpressionReader as ExpressionReader, rate_of as rate_of
    from .polling import PollingLoop as PollingLoop
    from .raw_samples import RawReader as RawReader
    from .selector import Selector as Selector, parse_selector as parse_selector
else:
    __getattr__ = lazily(
        __name__,
        {
            "access": "ServerAccess checked_url header_of",
            "client": "ApiClient ServerTrouble",
            "exemplars": "Exemplars NamedSeries",
            "expression": "ExpressionReader rate_of",
            "polling": "PollingLoop",
            "raw_samples": "RawReader",
            "selector": "Selector parse_selector",
        },
    )

"""Finds out whether counts are totals or per interval where the text does not say, and watches what it does say."""

from .doubts import warn_of_growth as warn_of_growth
from .settling import settle_semantics as settle_semantics

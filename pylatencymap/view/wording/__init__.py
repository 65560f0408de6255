"""Writes the words and numbers around the maps."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .footer import slo_shares as slo_shares
    from .reading import modes_of as modes_of
else:
    __getattr__ = lazily(__name__, {"footer": "slo_shares", "reading": "modes_of"})

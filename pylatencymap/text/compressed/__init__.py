"""Decompresses what a file or a pipe holds, as it comes, and says why a text breaks off."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .breaks import (
        CUT_OFF as CUT_OFF,
        DAMAGED as DAMAGED,
        TORN as TORN,
        WRONG_SUM as WRONG_SUM,
        Break as Break,
        Broken as Broken,
    )
    from .decompression import MAGICS as MAGICS, gunzip as gunzip, readable_text as readable_text
else:
    __getattr__ = lazily(
        __name__,
        {"breaks": "CUT_OFF DAMAGED TORN WRONG_SUM Break Broken", "decompression": "MAGICS gunzip readable_text"},
    )

"""``.html``: a page to be explored, with all series, levels of zoom and figures in one file."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .content import (
        PageContent as PageContent,
        PageMode as PageMode,
        PageMoment as PageMoment,
        PageSeries as PageSeries,
    )
    from .document import framed_page as framed_page, render_page as render_page
    from .levels import MOST_BYTES as MOST_BYTES, checked_step as checked_step
else:
    __getattr__ = lazily(
        __name__,
        {
            "content": "PageContent PageMode PageMoment PageSeries",
            "document": "framed_page render_page",
            "levels": "MOST_BYTES checked_step",
        },
    )

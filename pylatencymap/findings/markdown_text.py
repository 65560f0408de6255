"""Text in Markdown: names from outside cannot become markup, and pictures lie beside the page."""

from __future__ import annotations

import re
from urllib.parse import quote

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~!])")


def plain(text: str) -> str:
    """The text as it is, whatever it contains."""
    return _SPECIAL.sub(r"\\\1", text)


def picture_link(path: str, of: str) -> str:
    """Shows the picture in a file; ``of``: what it is a picture of."""
    return f"![Heat maps of {plain(of)}]({quote(path)})"

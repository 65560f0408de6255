"""The lines above a histogram: which of them name its series, and what they reveal about its unit."""

import re
from functools import lru_cache

from ...text import mentions_duration, unit_named
from ...text.clean import is_noise, printable
from ...units import Unit
from .forms import ToolForm

MOST_TITLES, MAX_ALIKE = 1_000, 8
"""At most this many titles are kept apart, and at most this many of one name."""
MAX_PENDING = 64
"""At most this many lines above a histogram are kept: a key that is a stack can have that many."""

_BANNER = re.compile(
    r"(?:Tracing|Sampling|Measuring|Collecting|Profiling|Monitoring|Recording|Gathering|Starting|Press|Hit)\b"
    r"|.*\b(?:Ctrl-?C|press )",
    re.IGNORECASE,
)
"""Lines that scripts print when they start."""
_STATISTICS = re.compile(
    r"\b(?:count|total|sum|avg|average|mean|min|max)\b\W{0,3}-?[0-9]"
    r"|\b(?:samples|events|probes)\s*[:=]\s*-?[0-9]"
    r"|[0-9]\s+(?:samples|events|records|probes|errors)\b",
    re.IGNORECASE,
)
"""Numbers next to a histogram: they differ in every snapshot and name nothing."""
_NUMBER = re.compile(r"(?<!\w)[0-9]")


class HeadingLines:
    """Collects lines until a heading comes, and keeps a title that applies to several histograms."""

    def __init__(self, form: ToolForm) -> None:
        self._form = form
        self._pending: list[str] = []
        self._spaced = False
        self._title = ""
        self._plain: str | None = None
        self._printed: dict[str, list[str]] = {}
        self.unit: Unit | None = None

    def add(self, text: str) -> None:
        """Add a line that is not a row, a heading or a moment."""
        self._spaced = False
        self.mention(text)
        if self._names_nothing(text) or len(self._pending) >= MAX_PENDING:
            return
        self._pending.append(text)

    @staticmethod
    def _names_nothing(text: str) -> bool:
        """Whether a line is no title: a banner, noise, or a value. DTrace indents its keys: they are no values."""
        if _BANNER.match(text.strip()) or is_noise(text) or _STATISTICS.search(text):
            return True
        return not text.startswith("  ") and mentions_duration(text)

    def mention(self, text: str) -> None:
        """Add a line that can name the unit of the next histogram, but no series."""
        self.unit = unit_named(text) or self.unit

    def blank(self) -> None:
        """An empty line."""
        self._spaced = True

    def fresh(self) -> None:
        """A new snapshot begins: titles of the last one no longer apply."""
        self._pending, self._spaced, self._title = [], False, ""

    def take(self) -> tuple[list[str], str]:
        """Keys and title of the histogram whose heading was just read; if it has no keys, the title names it."""
        pending, spaced = self._pending, self._spaced
        self._pending, self._spaced = [], False
        keys, used = self._form.keys(pending, spaced)
        above = reversed(pending[: len(pending) - used])
        printed = next((text for text in above if _is_title(text)), "")
        title = self._told_apart(trimmed(printed), printed)
        if used and len(keys) == 1:
            keys = [self._told_apart(keys[0], pending[-1])]
        self._title = (title or self._title) if keys else title
        return keys, self._title

    def _told_apart(self, name: str, printed: str) -> str:
        """The name of a title. Of two titles that differ, such as ``== read ==`` and ``-- read --``, both stay."""
        known = self._printed.setdefault(name, []) if len(self._printed) < MOST_TITLES else [printed]
        if printed not in known and len(known) < MAX_ALIKE:
            known.append(printed)
        place = known.index(printed) + 1 if printed in known else 1
        return name if place == 1 else f"{name}#{place}"

    def series(self, keys: list[str], title: str) -> str:
        """The name of a series. Below a second title something else is measured, so the title becomes part of it."""
        name = ",".join(key for key in keys if key)
        if not name:
            return title or "all"
        if self._plain is None:
            self._plain = title
        return printable(name if title == self._plain else f"{title},{name}") if title else printable(name)


def _is_title(text: str) -> bool:
    """Whether a line names what is below it. One with numbers does so if it names a unit: ``CPU 3, latency (us)``."""
    return not _NUMBER.search(text) or unit_named(text) is not None


@lru_cache(maxsize=4096)
def trimmed(text: str) -> str:
    """A line as a name: without surrounding punctuation, safe to print."""
    return printable(text.strip(" \t\r=-*#:,"))

"""Recognition: finds the collector for a text by its content, after as few lines as possible."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from . import registry
from .collector import NOT_MINE, Collector, Likelihood
from .errors import NothingMeasured, NotRecognised, PluginError
from .text import moment_of
from .text.clean import line_of_file, printable
from .text.lines import Line, Lines

# Line prefixes: other programs put host names, unit names, container names and times in front of each line.


LEAST_LINES = 3
"""With fewer lines than this, nobody can tell whether all lines share a prefix."""


class Prefix(NamedTuple):
    """A prefix that all lines of a text share.

    ``example``: the prefix of the first line. ``advice``: how the user can get the text without prefixes.
    ``text``: the lines without their prefixes.
    """

    example: str
    advice: str
    text: str


_SYSLOG_TIME = (
    r"(?:[A-Z][a-z]{2} [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]|[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9:.,+Z-]{8,24})"
)
_FORMS = (
    (rf"{_SYSLOG_TIME} \S{{1,80}} \S{{1,80}}?(?:\[[0-9]{{1,10}}\])?:(?: |$)", "journalctl -o cat"),
    (rf"{_SYSLOG_TIME}(?: |$)", "the text without ts"),
    (r"[\w.-]{1,80} +\|(?: |$)", "docker compose logs --no-log-prefix"),
    (r"\[[\w./:-]{1,200}\](?: |$)", "kubectl logs without --prefix, or sed 's/^[^ ]* //'"),
    (r"[\w.@-]{1,80}:(?: |$)", "pdsh -N, or sed 's/^[^:]*: //' where each line is of one host"),
)
_COMPILED = tuple((re.compile(form), advice) for form, advice in _FORMS)


def prefixes_of(text: str) -> Iterator[Prefix]:
    """The prefixes that all lines of a text could share; empty lines need none."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    if len(full) < LEAST_LINES:
        return
    for form, advice in _COMPILED:
        first = form.match(full[0])
        if first and all(map(form.match, full)):
            yield Prefix(first[0], advice, "\n".join(form.sub("", line, count=1) for line in lines))


KNOWN_FORMATS = "Known formats: "
"""Begins the list of all formats, at the end of a message."""
OWN_FORMAT = "records"
"""The collector of our own record stream, which is asked first."""
SURE = 0.9
"""A likelihood that ends recognition at once."""
LIKELY = 0.5
"""The least likelihood with which a collector is chosen when the whole head has been read."""
MAX_LINES = 300
MAX_CHARACTERS = 64 * 1024
LINE_LOOKED_AT = 1_000
"""Characters of each line that collectors see."""
EACH_LINE_UP_TO = 60
"""The collectors are asked after each of the first 60 lines, then after every tenth line and at each pause."""
OWN_LINES = 20
"""If a text begins like our own format, the other collectors are asked only after this many lines: loading them all
takes as long as drawing a picture.
"""
FOREIGN_FROM = 20
"""Collectors from other packages are asked if no built-in collector recognises this many lines, or the text before a
pause: finding them takes as long as recognising most texts.
"""

_NO_TEXT = "\ufffd"
"""The replacement character for undecodable bytes; a line that contains it is not worth showing."""


MOST_IDLE = 400
"""Times, blank lines and pauses that are kept of the beginning of a text; of more, only the newest."""
BLANK_TOGETHER = 2
"""Blank lines in a row that are kept; more of them mean nothing in any format."""
_BANNER = re.compile(
    r"(?:Attach(?:ing|ed) [0-9]{1,9} probes?"
    r"|(?:Tracing|Sampling|Measuring|Collecting|Profiling|Monitoring|Recording|Gathering)\b.{0,200}"
    r"(?:\.\.|[Cc]trl-C\b.{0,40}))\.*"
)
"""The first line of a program that measures."""


def recognise(
    lines: Lines,
    name: str,
    on_notice: Callable[[str], object] = lambda _: None,
    again: Callable[[], Lines] | None = None,
) -> tuple[Collector, Lines]:
    """The collector that recognises a text, and the text again from its first line.

    Reads no more lines than recognition needs, so that a live source is drawn from its first histogram on. Blank lines
    and lone times are what a source prints while nothing happens: they do not use up the limits, and after a long idle
    time only the newest are given back, unless ``again`` reads the text once more. ``name`` is the name of the input,
    for messages; ``on_notice`` receives a message about each broken collector. Raises NotRecognised, with advice, if no
    collector recognises the text or if the text is empty, and NothingMeasured if it holds only times and banners.
    """
    rest = iter(lines)
    candidates = _Candidates(on_notice)
    head = _Head()

    def whole() -> Lines:
        return again() if again is not None and head.is_cut else chain(head.lines, rest)

    for text in head.grown(rest):
        waits = head.lines[-1] is None  # the source has paused, and may never print more
        if len(head.lines) < OWN_LINES and not waits and candidates.own_has_begun(text):
            continue
        found, likelihood = candidates.best(text, foreign=waits or len(head.lines) >= FOREIGN_FROM)
        if likelihood.value >= SURE:
            return registry.load_collector(found), whole()
    if not head.has_text:
        raise NotRecognised(f"{name} is empty: there is nothing to draw", "")
    found, likelihood = candidates.best(head.text(), foreign=True)
    if likelihood.value >= LIKELY:
        return registry.load_collector(found), whole()
    if head.is_idle:
        raise NothingMeasured(name)
    raise _not_recognised(head, name, candidates)


class _Head:
    """The beginning of a text. Its size is limited, however long the source prints only times and blank lines.

    ``has_text``: not all lines were blank. ``is_idle``: there was nothing but times, banners and blank lines.
    ``is_cut``: lines without content were left out.
    """

    def __init__(self) -> None:
        self.lines: list[Line | None] = []
        self.has_text = False
        self.is_idle = True
        self.is_cut = False
        self._count = 0
        self._size = 0
        self._blank = 0
        self._idle = 0
        self._times = 0

    def text(self) -> str:
        """The beginning of each line, as the collectors see it."""
        return "\n".join(line.text[:LINE_LOOKED_AT] for line in self.lines if line is not None)

    def grown(self, rest: Iterator[Line | None]) -> Iterator[str]:
        """The growing text, at the points at which the collectors are asked."""
        seen = 0
        for line in rest:
            if line is None:
                due = bool(self.lines) and self.lines[-1] is not None
                if due:  # otherwise the source is still silent
                    self._add_idle(None)
            elif _is_empty(line):
                self._add_blank(line)
                continue
            else:
                due = self._add(line)
            # Further times of an idle source could not change an answer.
            known = self._count + min(self._times, EACH_LINE_UP_TO)
            if due and known > seen:
                seen = known
                yield self.text()
            if self._count >= MAX_LINES or self._size >= MAX_CHARACTERS:
                break

    def _add(self, line: Line) -> bool:
        """Add a line that is not blank. Returns whether the collectors should be asked now."""
        self.has_text, self._blank = True, 0
        if _is_time(line):
            self._times += 1
            self._add_idle(line)
            return True
        self.lines.append(line)
        self.is_idle = self.is_idle and bool(_BANNER.fullmatch(line.text[:LINE_LOOKED_AT].strip()))
        self._count += 1
        self._size += len(line.text)
        return self._count <= EACH_LINE_UP_TO or self._count % 10 == 0

    def _add_blank(self, line: Line) -> None:
        self._blank += 1
        if self._blank > BLANK_TOGETHER:
            self.is_cut = True
        else:
            self._add_idle(line if len(line.text) <= LINE_LOOKED_AT else line._replace(text=""))

    def _add_idle(self, line: Line | None) -> None:
        self.lines.append(line)
        self._idle += 1
        if self._idle > MOST_IDLE:
            self._forget_oldest(MOST_IDLE // 2)

    def _forget_oldest(self, count: int) -> None:
        """Leave out the oldest times, blank lines and pauses."""
        idle = [place for place, line in enumerate(self.lines) if line is None or _is_empty(line) or _is_time(line)]
        dropped = set(idle[:count])
        self.lines = [line for place, line in enumerate(self.lines) if place not in dropped]
        self._idle -= len(dropped)
        self.is_cut = True


def _is_empty(line: Line) -> bool:
    return not line.text or line.text.isspace()


def _is_time(line: Line) -> bool:
    return moment_of(line.text) is not None


class _Candidates:
    """All collectors in the order in which they are asked: our own format, the other built-in ones, the plug-ins."""

    def __init__(self, on_notice: Callable[[str], object]) -> None:
        self._names = sorted(registry.collector_names(), key=lambda known: known != OWN_FORMAT)
        self._broken: set[str] = set()
        self._on_notice = on_notice

    def best(self, text: str, *, foreign: bool) -> tuple[str, Likelihood]:
        """The most likely collector. As soon as one is sure, it wins, and the rest are not even loaded."""
        judged: dict[str, Likelihood] = {}
        for known in chain(self._names, registry.foreign_names() if foreign else ()):
            judged[known] = self._judged(known, text)
            if judged[known].value >= SURE:
                break
        return max(judged.items(), key=lambda item: item[1].value)

    def own_has_begun(self, text: str) -> bool:
        """Whether the text is likely to be our own format, so that another line or two will decide."""
        return LIKELY <= self._judged(OWN_FORMAT, text).value < SURE

    def _judged(self, known: str, text: str) -> Likelihood:
        """A collector's likelihood for a text. A collector that fails is reported once and not asked again."""
        if known in self._broken:
            return NOT_MINE
        try:
            return registry.load_collector(known).detect(text)
        except PluginError as error:
            self._broken.add(known)
            self._on_notice(f"{error}; it is passed over")
            return NOT_MINE


def _prefixed(text: str, candidates: _Candidates) -> str:
    """A hint for a text that some collector would recognise without its line prefixes; empty for any other text."""

    for prefix in prefixes_of(text):
        found, likelihood = candidates.best(prefix.text, foreign=False)
        if likelihood.value >= LIKELY:
            return f"{found} text with {prefix.example!r} in front of each line; what would work is {prefix.advice}"
    return ""


def _not_recognised(head: _Head, name: str, candidates: _Candidates) -> NotRecognised:
    from .hints import hint_of

    first = next(line for line in head.lines if line is not None and line.text.strip())
    known = sorted([*registry.collector_names(), *registry.foreign_names()])
    hint = _prefixed(head.text(), candidates) or hint_of(head.text())
    what = f"this looks like {hint}" if hint else "this is no text that any collector knows"
    text = "" if _NO_TEXT in first.text else repr(printable(first.text.strip(), 80))
    where, beginning = line_of_file(name, first.number), f"; it begins with {text}" if text else ""
    return NotRecognised(
        f"{where}: {what}{beginning}. "
        f"{KNOWN_FORMATS}{', '.join(known)}. Name one with --format NAME, or see 'pylatencymap collectors'.",
        f"{where}: {what}{beginning}" if hint else f"{name} had printed no histogram yet, only {text or 'other text'}",
    )

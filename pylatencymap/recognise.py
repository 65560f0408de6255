"""Recognition: finds the collector for a text by its content, after as few lines as possible."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from . import registry
from .collector import NOT_MINE, Collector, Likelihood
from .errors import PluginError, SourceError
from .text.clean import printable
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


_SYSLOG_TIME = r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.,+Z-]{8,24})"
_FORMS = (
    (rf"{_SYSLOG_TIME} \S{{1,80}} \S{{1,80}}?(?:\[\d{{1,10}}\])?:(?: |$)", "journalctl -o cat"),
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


def recognise(lines: Lines, name: str, on_notice: Callable[[str], object] = lambda _: None) -> tuple[Collector, Lines]:
    """The collector that recognises a text, and the text again from its first line.

    Reads no more lines than recognition needs, so that a live source is drawn from its first histogram on. ``name`` is
    the name of the input, for messages; ``on_notice`` receives a message about each broken collector. Raises
    SourceError, with advice, if no collector recognises the text or if the text is empty.
    """
    rest = iter(lines)
    candidates = _Candidates(on_notice)
    head: list[Line | None] = []
    for text in _heads(rest, head):
        waits = head[-1] is None  # the source has paused, and may never print more
        if len(head) < OWN_LINES and not waits and candidates.own_has_begun(text):
            continue
        found, likelihood = candidates.best(text, foreign=waits or len(head) >= FOREIGN_FROM)
        if likelihood.value >= SURE:
            return registry.load_collector(found), chain(head, rest)
    text = _text(head)
    if not text.strip():
        raise SourceError(f"{name} is empty: there is nothing to draw")
    found, likelihood = candidates.best(text, foreign=True)
    if likelihood.value >= LIKELY:
        return registry.load_collector(found), chain(head, rest)
    raise SourceError(_not_recognised(head, name, candidates))


def _heads(rest: Iterator[Line | None], head: list[Line | None]) -> Iterator[str]:
    """Growing heads of the text, at the points at which the collectors are asked; puts all lines read into ``head``."""
    size = count = seen = 0
    for line in rest:
        if line is None and (not head or head[-1] is None):
            continue  # the source is still silent
        head.append(line)
        if line is not None:
            count += 1
            size += len(line.text)
            if not line.text.strip():
                continue
        due = line is None or count <= EACH_LINE_UP_TO or count % 10 == 0
        if due and size and count > seen:
            seen = count
            yield _text(head)
        if count >= MAX_LINES or size >= MAX_CHARACTERS:
            break


def _text(head: list[Line | None]) -> str:
    return "\n".join(line.text[:LINE_LOOKED_AT] for line in head if line is not None)


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


def _not_recognised(head: list[Line | None], name: str, candidates: _Candidates) -> str:
    from .hints import hint_of

    first = next(line for line in head if line is not None and line.text.strip())
    known = sorted([*registry.collector_names(), *registry.foreign_names()])
    hint = _prefixed(_text(head), candidates) or hint_of(_text(head))
    what = f"this looks like {hint}" if hint else "this is no text that any collector knows"
    beginning = "" if _NO_TEXT in first.text else f"; it begins with {printable(first.text.strip(), 80)!r}"
    return (
        f"{name}:{first.number}: {what}{beginning}. "
        f"Known formats: {', '.join(known)}. Name one with --format NAME, or see 'pylatencymap collectors'."
    )

"""Whose text is this? Recognition by content, as early as the text allows."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from . import registry
from .collector import NOT_MINE, Collector, Likelihood
from .errors import PluginError, SourceError
from .text.clean import printable
from .text.lines import Line, Lines

# What other programs put in front of each line: names of hosts, of units, of containers, and times.


LEAST_LINES = 3
"""With fewer lines nothing can be said to be in front of each."""


class Prefix(NamedTuple):
    """``example`` is what stands in front of the first line; ``advice``: how to get ``text``, the lines without it."""

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
    """What may stand in front of each line of a text; empty lines do not need it."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip()]
    if len(full) < LEAST_LINES:
        return
    for form, advice in _COMPILED:
        first = form.match(full[0])
        if first and all(map(form.match, full)):
            yield Prefix(first[0], advice, "\n".join(form.sub("", line, count=1) for line in lines))


OWN_FORMAT = "records"
"""Asked first: recordings are ours."""
SURE = 0.9
LIKELY = 0.5
MAX_LINES = 300
MAX_CHARACTERS = 64 * 1024
LINE_LOOKED_AT = 1_000
EACH_LINE_UP_TO = 60
"""So many lines are looked at one by one; after them every tenth, and at each pause."""
OWN_LINES = 20
"""Where our own format has begun, others are asked only after so many lines: to load them all takes as long as to draw.
"""
FOREIGN_FROM = 20
"""Collectors of other packages are asked when no built-in one has known so many lines, or what came before a pause: to
find them takes as long as most texts take to be known.
"""

_NO_TEXT = "\ufffd"
"""Stands for bytes that are none: what has them is not worth showing."""


def recognise(lines: Lines, name: str, say: Callable[[str], object] = lambda _: None) -> tuple[Collector, Lines]:
    """The collector that knows a text, and the text again from its first line.

    Reads no more than recognition takes, so that a live source is drawn from its first histogram on. ``name`` is the
    input's, for messages; ``say`` is told of collectors that are broken. Raises SourceError, with what to do, where
    nobody knows the text or where there is none.
    """
    rest = iter(lines)
    candidates = _Candidates(say)
    head: list[Line | None] = []
    for text in _heads(rest, head):
        waits = head[-1] is None  # more may never come
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
    """Growing heads of the text, each worth a look; fills ``head`` with all that was read."""
    size = count = seen = 0
    for line in rest:
        if line is None and (not head or head[-1] is None):
            continue  # a source that is silent for long
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
    """All collectors: the built-in ones first, and before all of them that of our own format."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._names = sorted(registry.collector_names(), key=lambda known: known != OWN_FORMAT)
        self._broken: set[str] = set()
        self._say = say

    def best(self, text: str, *, foreign: bool) -> tuple[str, Likelihood]:
        """The most likely collector. The first that is sure has it, and the others are not even loaded."""
        judged: dict[str, Likelihood] = {}
        for known in chain(self._names, registry.foreign_names() if foreign else ()):
            judged[known] = self._judged(known, text)
            if judged[known].value >= SURE:
                break
        return max(judged.items(), key=lambda item: item[1].value)

    def own_has_begun(self, text: str) -> bool:
        """Whether our own format is likely, and a line or two more will show it."""
        return LIKELY <= self._judged(OWN_FORMAT, text).value < SURE

    def _judged(self, known: str, text: str) -> Likelihood:
        """What a collector says; one that fails is told of once, and not asked again."""
        if known in self._broken:
            return NOT_MINE
        try:
            return registry.load_collector(known).detect(text)
        except PluginError as error:
            self._broken.add(known)
            self._say(f"{error}; it is passed over")
            return NOT_MINE


def _prefixed(text: str, candidates: _Candidates) -> str:
    """That a text would be known without what stands in front of each line; empty where it would not."""

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

"""Which series are stacked: those that the user named, the source's natural pair, or those that waited most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import combinations, pairwise
from typing import NamedTuple

from ...text.clean import printable
from ...window import Window

LEAST_LINES = {2: 30, 3: 44}
"""How many lines of a terminal so many series take."""
MOST = max(LEAST_LINES)
NUMBERS = {2: "two", 3: "three"}


class NaturalPair(NamedTuple):
    """Two series that explain each other: a wait, and what it waits for. ``first`` and ``second`` match the whole name,
    ``about`` the label or source of the second one; groups of ``first`` can stand in ``second``, as in ``{device}``.
    """

    first: str
    second: str
    about: str = ""


_BLOCK_IO = r"block i/o|biolatency|biosnoop|biotop|blk|iosnoop|bitesize|disk"
PAIRS = (
    NaturalPair(r"(?P<device>.+)", "{device},queue"),
    NaturalPair(r"log file sync(?P<instance>@\d+(/.+)?)?", "log file parallel write{instance}"),
    NaturalPair(r"(db file .+ (read|write)|direct path (read|write)( temp)?)(@\d+(/.+)?)?", ".+", _BLOCK_IO),
)
"""The table of pairs, tried in this order: block I/O and its queue, a commit and the write of the log, the waits of a
database for blocks and the block I/O.
"""


class StackChoice(NamedTuple):
    """``names``: the series from top to bottom, none or at least two. ``why_not``: what is said to the user if fewer
    are stacked than were asked for.
    """

    names: tuple[str, ...] = ()
    why_not: str = ""


def chosen_stack(wanted: tuple[str, ...], window: Window, lines: int) -> StackChoice:
    """The series of a stack on a terminal of so many lines, as far as they are there. ``wanted``: their names, or words
    of the option ``--stack``.
    """
    if not wanted:
        return StackChoice()
    names, missing = named_series(wanted, window)
    if missing:
        return StackChoice((), f"--stack: there is no series {printable(missing)}; / lists them")
    if len(names) < 2:
        return StackChoice((), "a stack takes two series or three")
    names = names[:MOST]
    room = most_series(lines)
    if room >= len(names):
        return StackChoice(names)
    words = f"a stack of {NUMBERS[len(names)]} series takes {LEAST_LINES[len(names)]} lines"
    words = f"{words}; this terminal has {lines}"
    return StackChoice(names[:room], words if not room else f"{words}: {NUMBERS[room]} are shown")


def most_series(lines: int) -> int:
    """How many series fit on so many lines; 0 if not even two do."""
    return max((count for count, least in LEAST_LINES.items() if lines >= least), default=0)


def named_series(words: Iterable[str], window: Window) -> tuple[tuple[str, ...], str]:
    """The series that words name, and the first word that names none. A word can be several names with commas between
    them, of which some can have commas themselves; a name can be a pattern, as in ``sda*``.
    """
    found: list[str] = []
    for word in words:
        parts = next((parts for parts in _partings(word) if all(_matching(part, window) for part in parts)), None)
        if parts is None:
            return tuple(found), next((part for part in word.split(",") if not _matching(part, window)), word)
        for part in parts:
            found += [name for name in _matching(part, window) if name not in found]
    return tuple(found), ""


def _partings(word: str) -> Iterator[list[str]]:
    """The ways to cut a word at some of its commas, beginning with the fewest cuts; of very many only whole or all."""
    pieces = word.split(",")
    places = range(1, len(pieces))
    if len(pieces) > 2 * MOST:
        yield [word]
        yield pieces
        return
    for count in range(len(pieces)):
        for cuts in combinations(places, count):
            edges = [0, *cuts, len(pieces)]
            yield [",".join(pieces[start:stop]).strip() for start, stop in pairwise(edges)]


def _matching(word: str, window: Window) -> list[str]:
    """The series that a word names: the one of this name, else those that it matches as a pattern, at most MOST."""
    if word in window:
        return [word]
    if not word:
        return []
    folded = word.lower()
    found = (name for name in window.by_time_waited() if fnmatchcase(name.lower(), folded))
    return [name for name, _ in zip(found, range(MOST), strict=False)]


def usual_stack(window: Window, shown: str | None) -> tuple[str, ...]:
    """The series to stack if the user has named none: the natural pair of the series shown, else another natural pair
    of the source, else the two with the most time waited; empty if there is only one series.
    """
    names = window.by_time_waited()
    if len(names) < 2:
        return ()
    pairs = list(natural_pairs(names, window))
    its = next((pair for pair in pairs if shown in pair), None)
    return its or (pairs[0] if pairs else (names[0], names[1]))


def natural_pairs(names: Sequence[str], window: Window) -> Iterator[tuple[str, str]]:
    """All natural pairs among series, in the order of the table and of the names."""
    for pair in PAIRS:
        first = re.compile(pair.first)
        others = _about(pair.about, names, window) if pair.about else []
        for name in names:
            match = first.fullmatch(name)
            if match is None:
                continue
            if pair.about:
                other = next((one for one in others if one != name), None)
            else:
                wanted = pair.second.format(**{key: value or "" for key, value in match.groupdict().items()})
                other = wanted if wanted in window else None
            if other is not None:
                yield name, other


def _about(pattern: str, names: Sequence[str], window: Window) -> list[str]:
    """The series whose label or source says what they are about."""
    about = re.compile(pattern, re.IGNORECASE)
    return [name for name in names if about.search(f"{window[name].label}\n{window[name].source}")]

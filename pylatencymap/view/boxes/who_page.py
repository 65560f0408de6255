"""The panel that says who is in a cell: the shares of the series, the values of each key, the longest lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...number_text import count_words, events_words, share_text, waiting_words
from ...text import fit, text_width
from ...text.clean import printable
from ..paint.legend import bar_text
from ..style.glyphs import Glyphs, glyphs_of
from ..style.options import ViewOptions
from ..style.styled_text import StyledSpan, StyledText, fitted, padded, width_of, wrap
from ..style.styles import DIM, REVERSE_BIT, STRONG, TEXT, Ink, style

_EVENTS, _WAITED, _NOTICE = style(Ink.FREQUENCY), style(Ink.INTENSITY), style(Ink.GAP)
_NUMBERS = 28
"""Columns of the numbers behind a value: events, time waited, share."""
_LEAST_VALUE, _MOST_VALUE, _LEAST_BAR, _MOST_BAR = 14, 40, 6, 40
VALUES_SHOWN = (20, 10, 7, 5, 4, 3, 2, 1)
"""How many values of each key are shown, from many to few."""
FEW_LINES = 3
LONGEST_REMARK = 1_000
"""Characters: a remark has the name of a file, and what to do at its end."""
_KEPT = ((22, FEW_LINES), (12, 1))
"""Where not even one value of each key has room: how many of the longest lines stay in a panel of so many lines."""
_SAID_ONCE = 12
"""Characters; the longest lines are said without what all of them begin with, if that is as long."""
_MORE = "{} more: + shows them"
_SINGLES = "one value each"


class WhoValue(NamedTuple):
    """A value of a key, with its events and the seconds that they waited; ``note`` explains it."""

    value: str
    events: float
    waited: float
    note: str = ""


class WhoKey(NamedTuple):
    """A key with its values, most time waited first. ``others``: the rest in words, with its events and seconds
    waited. ``is_flat``: it has a value for nearly each event, of which few are shown. ``total``: of a key whose shares
    are not of what is in the cell, the seconds that they are of.
    """

    name: str
    values: tuple[WhoValue, ...]
    others: tuple[WhoValue, ...] = ()
    is_flat: bool = False
    remark: str = ""
    total: float | None = None

    @property
    def is_series(self) -> bool:
        """Whether it is no key of the events: its values are series of the picture."""
        return self.total is not None

    def shown(self, most: int) -> tuple[WhoValue, ...]:
        """The values that are shown, if at most so many are; a single one more takes no more room than to say so."""
        number = min(most, 3) if self.is_flat else most
        return self.values if len(self.values) == number + 1 else self.values[:number]


class WhoLine(NamedTuple):
    """An event with its line in the file; ``file`` is empty if there is only one."""

    number: int
    waited: float
    text: str
    file: str = ""


class WhoPage(NamedTuple):
    """What the panel says. ``when``, ``where``: the cell; ``events`` and seconds ``waited`` in it. ``remarks``: what is
    not known, or how far the reading is; ``place`` is what is asked about. ``sampled``: keys and lines are those of a
    sample, which waited so many seconds.
    """

    when: str
    where: str
    noun: str
    events: float
    waited: float
    keys: tuple[WhoKey, ...] = ()
    lines: tuple[WhoLine, ...] = ()
    remarks: tuple[str, ...] = ()
    place: str = "this cell"
    sampled: float | None = None


class WhoChoice(NamedTuple):
    """A value that the user can choose, by the numbers of its key and of itself, and its line in the text."""

    key: int
    value: int
    line: int


class WhoText(NamedTuple):
    """The lines of the panel, and what can be chosen on them, from top to bottom; ``chosen`` is the number of that
    which is marked. ``end``: lines that stay below whatever part of these is shown.
    """

    lines: tuple[StyledText, ...]
    choices: tuple[WhoChoice, ...] = ()
    chosen: int = 0
    end: tuple[StyledText, ...] = ()


def who_title(page: WhoPage, columns: int, corner: str) -> StyledText:
    """The title of the panel, ``columns`` wide; what finds no room is left out, ``corner`` first."""
    heads: list[StyledText] = [((f"Who is in {page.place}", STRONG), ("   ", TEXT)), (("Who  ", STRONG),), ()]
    where: StyledText = ((f"{page.when}  {page.where}".rstrip(), STRONG),)
    sums: StyledText = (
        (f"   {events_words(page.events, page.noun)}", _EVENTS),
        (f"   {waiting_words(page.waited)} waited", _WAITED),
    )
    if not page.events and page.remarks:  # it is being read, or cannot be: there is no sum yet
        sums = ()
    end: StyledText = ((f"   {corner}", DIM),)
    for head in heads:
        for rest in (end, ()):
            line = (*head, *where, *sums)
            if width_of((*line, *rest)) <= columns:
                return (*padded(line, columns - width_of(rest)), *rest)
    return padded(fitted((*where, *sums), columns), columns)


def _is_telling(key: WhoKey, page: WhoPage) -> bool:
    """Whether it puts events together, and does not only tell them apart."""
    return bool(key.values) and not key.is_flat and (key.values[0].events > 1 or page.events <= 1)


def _is_single(key: WhoKey) -> bool:
    return len(key.values) == 1 and not key.others


def _names(page: WhoPage) -> Iterator[str]:
    """What stands before the numbers."""
    for key in page.keys:
        yield from (f"{key.name} {value.value}" if _is_single(key) else value.value for value in key.values)


class _Columns:
    """How wide the columns of the tables are."""

    def __init__(self, page: WhoPage, columns: int, look: Glyphs) -> None:
        longest = max((text_width(name) for name in (*_names(page), _MORE.format(20))), default=0)
        room = columns - _NUMBERS - 2
        self.value = max(min(max(longest, _LEAST_VALUE), _MOST_VALUE, room - _LEAST_BAR - 2), min(room, _LEAST_VALUE))
        self.bar = min(max(room - self.value - 2, 0), _MOST_BAR)
        self.look = look
        self.total = page.waited if page.sampled is None else page.sampled

    def heading(self, name: str, page: WhoPage, *, is_first: bool) -> StyledText:
        if not is_first:
            return ((fit(name, self.value + 2), STRONG),)
        figures = f"{fit(page.noun if page.sampled is None else 'seen', 8):>9}{'waited':>11}{'share':>8}"
        about = f"  of the time {'waited' if page.sampled is None else 'seen'}" if self.bar >= 18 else ""
        return (*padded(((fit(name, self.value + 2), STRONG),), self.value + 2), (figures + about, DIM))

    def row(self, value: WhoValue, key: WhoKey, ink: int = TEXT) -> StyledText:
        total = self.total if key.total is None else key.total
        share = value.waited / total if total else 0.0
        numbers: list[StyledSpan] = [
            (f"{count_words(value.events):>9}", ink),
            (f"{waiting_words(value.waited):>11}", _WAITED if ink == TEXT else ink),
            (f"{share_text(share, '0 %'):>8}", DIM),
        ]
        bar = bar_text(min(share, 1.0), 1.0, self.bar, self.look) if self.bar >= _LEAST_BAR else ""
        name = padded(((f"  {fit(value.value, self.value)}", ink),), self.value + 2)
        return (*name, *numbers, ("  ", TEXT), (bar, _WAITED))


class _Extent(NamedTuple):
    """How much is shown: values of each key, longest lines, keys with one value and no note."""

    most: int
    lines: int
    singles: int = 1_000


_EXTENTS = (
    *(_Extent(most, FEW_LINES) for most in VALUES_SHOWN[:-2]),
    *(_Extent(most, lines, 2) for most in VALUES_SHOWN[-3:] for lines in (FEW_LINES, 1)),
    _Extent(1, 1, 1),
    _Extent(1, 1, 0),
    _Extent(1, 0, 2),
)
"""The first one with which all fits is taken, or else the last one."""


def who_text(
    page: WhoPage, chosen: tuple[str, str], options: ViewOptions, room: tuple[int, int], most: int = 0
) -> WhoText:
    """The text for a room (columns, lines), of which the panel shows a part if it is longer; see ``who_part``.

    ``chosen``: the name of a key and its value; if that is not there, the first one that divides the events. ``most``:
    so many values of each key, 0: as many as fit.
    """
    columns, lines = room
    there = [(key.name, value.value) for key in page.keys for value in key.values]
    if chosen not in there:
        telling = [(key.name, key.values[0].value) for key in page.keys if _is_telling(key, page)]
        named = [(key.name, key.values[0].value) for key in page.keys if key.values and not key.is_series]
        best = next((one for one in telling if one in named), None)
        chosen = best or next(iter([*telling, *named]), ("", ""))
    if most:
        return _text(page, chosen, options, columns, _Extent(most, FEW_LINES))
    for extent in _EXTENTS:
        text = _text(page, chosen, options, columns, extent)
        if len(text.lines) <= lines:
            return text
    longest = next((number for least, number in _KEPT if lines >= least), 0)
    return text._replace(end=((), *who_lines(page.lines[:longest], columns)) if page.lines and longest else ())


def _text(page: WhoPage, chosen: tuple[str, str], options: ViewOptions, columns: int, extent: _Extent) -> WhoText:
    table = _Table(page, chosen, columns, glyphs_of(options))
    several = [place for place, key in enumerate(page.keys) if not _is_single(key)]
    if page.sampled is not None and several:  # in the order of the keys: one statement alone is what says most
        several = list(range(len(page.keys)))
    single = [place for place in range(len(page.keys)) if place not in several]
    left_out = _hardly_telling(page, single, extent.singles)
    for place in several:
        table.put_key(place, extent.most)
    if single:
        table.begin(_SINGLES)
    for place in single:
        if place not in left_out:
            table.put_single(place)
    if left_out:
        table.lines.append(((f"  {len(left_out)} more keys: + shows them", DIM),))
    if page.lines and extent.lines:
        table.lines.append(())
        table.lines.extend(who_lines(page.lines[: extent.lines], columns))
    return WhoText(tuple(fitted(line, columns) for line in table.lines), tuple(table.choices), table.marked)


class _Table:
    """The lines about the keys, from top to bottom."""

    def __init__(self, page: WhoPage, chosen: tuple[str, str], columns: int, look: Glyphs) -> None:
        self._page, self._chosen, self._width, self._look = page, chosen, columns, look
        self._columns = _Columns(page, columns, look)
        self.lines: list[StyledText] = []
        self.choices: list[WhoChoice] = []
        self.marked = 0
        self._said: set[str] = set()

    def begin(self, name: str) -> None:
        """A heading; the first one names the columns too."""
        if self.lines:
            self.lines.append(())
        self.lines.append(self._columns.heading(name, self._page, is_first=not self.choices))

    def put_key(self, place: int, most: int) -> None:
        """A key with several values, of which at most so many are shown."""
        key = self._page.keys[place]
        self.begin(key.name)
        for number, value in enumerate(key.shown(most)):
            self._put(place, number, value)
        self.lines.extend(self._columns.row(one, key, DIM) for one in _rest(key, most))
        if key.remark:
            self.lines.append(((f"  {key.remark}", DIM),))

    def put_single(self, place: int) -> None:
        """A key with one value."""
        key = self._page.keys[place]
        self._put(place, 0, key.values[0]._replace(value=f"{key.name} {key.values[0].value}"))

    def _put(self, place: int, number: int, value: WhoValue) -> None:
        key = self._page.keys[place]
        row = self._columns.row(value, key)
        is_chosen = (key.name, key.values[number].value) == self._chosen
        if is_chosen:
            self.marked = len(self.choices)
        self.choices.append(WhoChoice(place, number, len(self.lines)))
        self.lines.append(_marked(row, self._width, self._look) if is_chosen else row)
        if value.note and value.note not in self._said:  # a cursor has the text of its statement, too
            self._said.add(value.note)
            self.lines.append(fitted(((f"    {printable(value.note)}", DIM),), self._width))


def _hardly_telling(page: WhoPage, single: list[int], most: int) -> set[int]:
    """Those keys with one value that are left out if at most so many are shown; those with a note stay."""
    plain = [place for place in single if not page.keys[place].values[0].note]
    return set(plain[most:]) if len(plain) > most + 1 else set()


def _rest(key: WhoKey, most: int) -> Iterator[WhoValue]:
    """All that is not shown of a key, added up."""
    hidden = key.values[len(key.shown(most)) :]
    if hidden:
        events, waited = sum(one.events for one in hidden), sum(one.waited for one in hidden)
        yield WhoValue(_MORE.format(len(hidden)), events, waited)
    yield from key.others


def _marked(line: StyledText, columns: int, look: Glyphs) -> StyledText:
    """The chosen line: in reverse up to its bar, and with an arrow."""
    (name, _), *rest = line
    arrow = ">" if look.ascii_only else "▸"
    bar = rest.pop()
    lit = ((arrow + name[1:], TEXT | REVERSE_BIT), *((text, TEXT | REVERSE_BIT) for text, _ in rest))
    return fitted((*lit, bar), columns)


def who_lines(lines: Sequence[WhoLine], columns: int) -> list[StyledText]:
    """The longest lines under a heading. What all of them begin with is said once, in the heading. What has no number
    was not read on a line.
    """
    common = _common_beginning([line.text for line in lines]) if len(lines) > 1 else ""
    if text_width(common) < _SAID_ONCE:
        common = ""
    are_lines = any(line.number for line in lines)
    heading: StyledText = (("Longest lines" if are_lines else "Longest waits seen", STRONG),)
    if common:
        heading = (*heading, (f"  each begins  {common.rstrip()}", DIM))
    names = [f"{line.file}:{line.number}" if line.file else str(line.number or "") for line in lines]
    width = max(map(text_width, names), default=0)
    made = [heading]
    for name, line in zip(names, lines, strict=True):
        text = line.text[len(common) :]
        made.append(((f"  {name:>{width}}", DIM), (f"  {waiting_words(line.waited):>8}", STRONG), (f"  {text}", TEXT)))
    return [fitted(line, columns) for line in made]


def _common_beginning(texts: Sequence[str]) -> str:
    """The whole words that all texts begin with."""
    first, last = min(texts), max(texts)
    length = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[: first.rfind(" ", 0, length) + 1]


def who_hints(keys: Sequence[tuple[str, str]], columns: int) -> StyledText:
    """The keys of the panel, as many as fit."""
    line: StyledText = ()
    for key, word in keys:
        longer = (*line, (f" {key} ", STRONG), (f"{word}  ", DIM))
        if width_of(longer) > columns:
            break
        line = longer
    return line


def who_remarks(page: WhoPage, columns: int) -> list[StyledText]:
    """What is not known, or how far the reading is: at the bottom of the panel, where a line is kept for it."""
    texts = (printable(remark, LONGEST_REMARK) for remark in page.remarks)
    made = [line for text in texts for line in wrap(((text, _NOTICE),), columns)]
    return made or [()]


def who_part(text: WhoText, lines: int) -> tuple[StyledText, ...]:
    """So many lines of a longer text, with the chosen one among them, and with its end."""
    if text.end:
        return (*who_part(text._replace(end=()), lines - len(text.end)), *text.end)
    if len(text.lines) <= lines:
        return text.lines
    here = text.choices[text.chosen].line if text.choices else 0
    is_last = text.chosen == len(text.choices) - 1 and len(text.lines) - here <= lines
    first = len(text.lines) if is_last else here - lines // 2
    first = max(0, min(first, len(text.lines) - lines))
    return text.lines[first : first + lines]

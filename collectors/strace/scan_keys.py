"""The twin of ``line.call_keys`` for large files: looks at one of all calls that begin alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...scan import (
    Chunk,
    Flags,
    KeysOfLines,
    NotScannable,
    Places,
    first_of_words,
    keys_alike,
    lines_at,
    matching_places,
    value_named,
)
from ...text.lines import line_of
from .line import call_keys, is_told_by_first_word, parse_line

MESSAGE = b"strace: "
"""Begins a message of strace itself. It can cut a call in two; the next line shows whether it did."""
NO_PID = -1
_ERROR = b"-1 E"
_MINUS, _BLANK = np.uint8(ord("-")), np.uint8(ord(" "))


class CallParts(NamedTuple):
    """Where the parts of lines are in the chunk that was scanned last, and which lines are as usual. ``pids`` are
    NO_PID in lines without one.
    """

    text: Chunk
    sure: Flags
    pids: Places
    calls: Places


def keys_of(text: Chunk, names: Sequence[str], lines: Places, parts: CallParts | None) -> KeysOfLines:
    """See ``scan.HasKeys``. ``parts`` if they are known."""
    usual = lines[:0]
    alike = usual, usual
    if parts is not None:
        usual = parts.sure[lines].nonzero()[0]
        usual, alike = _alike(parts, names, lines, usual)
    return keys_alike(lines, usual, alike, lambda line: _value(text.line(line), names))


def _alike(
    parts: CallParts, names: Sequence[str], lines: Places, usual: Places
) -> tuple[Places, tuple[Places, Places]]:
    """Those of the usual lines that need not be looked at one by one, and which of them are alike."""
    text, about = parts.text, lines[usual]
    if "error" in names:  # nearly all calls have none, and are alike in that
        kept = np.isin(about, _with_error(text), invert=True)
        none = np.zeros(int(kept.sum()), np.int64)
        return usual[kept], (none[:1], none)
    if "pid" in names:
        begins = parts.pids[about]
        return usual, _alike_where(begins != NO_PID, lambda which: first_of_words(text, begins[which]))
    begins = parts.calls[about]
    first, same = first_of_words(text, begins)
    told = [
        is_told_by_first_word(_from(text, int(about[place]), int(begins[place])), names) for place in first.tolist()
    ]
    kept = np.array(told, np.bool_)[same]
    _, first, same = np.unique(same[kept], return_index=True, return_inverse=True)
    return usual[kept], (first, same)


def _alike_where(differ: Flags, alike: Callable[[Places], tuple[Places, Places]]) -> tuple[Places, Places]:
    """Which are alike: those that do not differ all are."""
    others, rest = differ.nonzero()[0], (~differ).nonzero()[0]
    first, same = alike(others)
    numbers = np.full(differ.size, first.size)
    numbers[others] = same
    return np.concatenate((others[first], rest[:1])), numbers


def _with_error(text: Chunk) -> Places:
    """The lines that can say an error."""
    minus = matching_places(text, lambda chars: (chars[1:] == _MINUS) & (chars[:-1] == _BLANK), few=True)
    return lines_at(text, minus[text.holds(minus, _ERROR)])


def _from(text: Chunk, line: int, place: int) -> str:
    return line_of(text.line(line)[place - int(text.starts[line]) :])


def _value(line: bytes, names: Sequence[str]) -> str | None:
    """What the decoder says of a line. Raises NotScannable where an earlier line, or the next one, is needed."""
    text = line_of(line)
    found = parse_line(text)
    if found is None or MESSAGE in line or (found.resumed and not {"pid", "error"} & {*names}):
        raise NotScannable
    return value_named(names, [(key.name, key.value) for key in call_keys(text, found, None)])

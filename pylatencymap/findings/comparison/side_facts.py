"""All that two sides differ in, and the words that its pages have in common."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

import numpy as np

from ...moment_text import TimeWords
from ...number_text import count_words, length_words
from ...record import Mark
from ...text.clean import printable
from ...window import GAP_BIT, RESET_BIT, Selection
from ..evidence import Finding, SeriesData, filter_words
from .compared import SeriesComparison
from .verdict import short_words, verdict_words


@dataclass(frozen=True)
class SideFacts:
    """What AFTER differs in from BEFORE.

    ``series``: those that both sides have, most time waited first. ``limits``: what cannot be compared. ``files``: what
    each side was read from. ``bad``: records left out, of both sides. ``marks``: those of each side, oldest first.
    ``only``: what all events of each side have in common, if a filter left others out.
    """

    series: tuple[SeriesComparison, ...]
    limits: tuple[Finding, ...]
    files: tuple[tuple[str, ...], tuple[str, ...]]
    tz: tzinfo
    bad: int = 0
    marks: tuple[tuple[Mark, ...], tuple[Mark, ...]] = ((), ())
    only: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def marks_within(self, side: int, one: SeriesComparison) -> tuple[Mark, ...]:
        """The marks within the time of one side of a series."""
        times = times_of(one.pair.own[side], self.tz)
        return tuple(mark for mark in self.marks[side] if times.begin < mark.stamp.micros <= times.end)

    def mark_lines(self, one: SeriesComparison) -> list[str]:
        """A sentence about the marks within the time of each side that has any."""
        said = []
        for side, name in enumerate(one.names[:2]):
            times, found = times_of(one.pair.own[side], self.tz), self.marks_within(side, one)
            each = [f'{times.moment(mark.stamp.micros)} "{printable(mark.note)}"' for mark in found]
            said += [f"Marks in {name}: {', '.join(each)}."] if each else []
        return said

    @property
    def verdict(self) -> str:
        """All sentences of the verdict about the first series."""
        return full_verdict(self.series[0])

    def side_words(self, side: int, one: SeriesComparison, *, named: bool = True) -> str:
        """``steady.lmap.gz, 2026-11-21 11:13:04 to 11:14:04 UTC, 60 intervals of 1 s``; ``named``: with the file."""
        data, runs = one.pair.own[side], (one.pair.before, one.pair.after)[side]
        times = times_of(data, self.tz)
        columns = one.found.columns[side]
        length = length_words(data.width) if (one.before, one.after)[side].timed else "unknown length"
        many = f"{count_words(columns)} interval{'' if columns == 1 else 's'} of {length}" if columns else "no data"
        held = f"{len(runs)} runs, {many}" if len(runs) > 1 else many
        file = files_words(self.files[side]) if named else ""
        return ", ".join(filter(None, (file, times.whole(), held))) + filter_words(self.only[side])


def times_of(data: SeriesData, tz: tzinfo) -> TimeWords:
    """How the moments of a side are written."""
    return TimeWords(int(data.starts.min()), int(data.ends.max()), tz, data.width, data.clock)


def files_words(files: Sequence[str]) -> str:
    """``steady.lmap.gz``; ``monday.lmap and 3 more``."""
    names = [printable(os.path.basename(file) or file) for file in files]
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "") if names else ""


def full_verdict(one: SeriesComparison) -> str:
    """All sentences of the verdict about a series."""
    return " ".join(f"{head} {rest}".strip() for head, rest in verdict_words(one))


def short_verdict(one: SeriesComparison) -> str:
    """The sentences of a series that is one of several, with its name: of latencies, and of a rate that differs."""
    return f"{one.pair.shown}: " + " ".join(f"{head} {rest}".strip() for head, rest in short_words(one))


# Sides that are parts of one recording: cut out of all its columns, and what limits a comparison of them.


GAPS = 1.5
"""Columns that a side must lack for that to be told."""
Bounds = tuple[int | None, int | None]
"""When a side begins and ends, epoch microseconds; None: with its data."""


def cut_to(selection: Selection, begin: int | None) -> Selection:
    """Columns that were chosen by their ends, as if nothing else had been read: a gap at their beginning begins where
    they do, and ranges in which nothing happened are left out. ``begin``: epoch microseconds.
    """
    columns = selection.columns.copy()
    if begin is not None and len(columns) and columns["flags"][0] & GAP_BIT:
        columns["start"][0] = max(int(columns["start"][0]), begin)
    used = np.flatnonzero(selection.counts.sum(axis=0) > 0)
    ranges = [selection.ranges[place] for place in used.tolist()]
    return replace(selection, columns=columns, counts=selection.counts[:, used], ranges=ranges)


def limits_of(one: SeriesComparison, bounds: tuple[Bounds, Bounds]) -> list[str]:
    """What in the data of both sides limits their comparison: gaps, resets, ranges that differ."""
    found = []
    for name, runs, its in zip(one.names[:2], (one.pair.before, one.pair.after), bounds, strict=True):
        found += _gaps_and_resets(name, runs[0].selection, its)
    if one.pair.lost_bounds:
        found.append("Both sides count in different ranges; they are compared where both have a bound.")
    if not one.timed:
        found.append("Nothing is told per second: an interval has no known length.")
    return found


def _gaps_and_resets(name: str, selection: Selection, bounds: Bounds) -> list[str]:
    columns, found = selection.columns, []
    begin = int(columns["start"].min()) if bounds[0] is None else bounds[0]
    whole = (int(columns["end"].max()) if bounds[1] is None else bounds[1]) - begin
    known = columns[columns["flags"] & GAP_BIT == 0]
    silent = whole - int((known["end"] - np.maximum(known["start"], begin)).sum())
    if known.size and silent > GAPS * selection.width * 1e6:
        lasted = f"{length_words(silent / 1e6)} of {length_words(whole / 1e6)}"
        found.append(f"{name} has no data for {lasted}: its rates are those of the rest.")
    if resets := int(np.count_nonzero(columns["flags"] & RESET_BIT)):
        found.append(f"{name} has {resets} reset{'' if resets == 1 else 's'} of the source's counters.")
    return found

"""What must hold of every reading, however damaged its input was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import inf, isfinite
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from pylatencymap.export import json_line, render_svg
from pylatencymap.interval import Interval
from pylatencymap.intervals import join_continued
from pylatencymap.report import SHOWN, Report
from pylatencymap.session.input.pipeline import ReadPlan, intervals_of
from pylatencymap.session.picture import Picture
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.text.clean import printable
from pylatencymap.view.frame import compose_frame
from pylatencymap.view.layout import END, ScaleMemory, Status
from pylatencymap.view.style import ViewOptions
from pylatencymap.view.terminal import final_picture, plain_picture

from .reading import Reading, Way, read

INVARIANT, UNSAFE, RECORDING = "invariant", "unsafe text", "recording"
SIZES = ((80, 24), (100, 30), (60, 20), (120, 40))
_COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
CLOSE = 1e-6
"""Floating-point sums may differ by this share."""


class Broken(NamedTuple):
    """Something that does not hold: its kind and what it is."""

    kind: str
    what: str


def broken_intervals(found: Reading) -> Iterator[Broken]:
    """What is wrong with the intervals, the JSON lines and the messages of a reading."""
    ends: dict[str, int] = {}
    for interval in found.intervals:
        for what in (*_times(interval, ends.get(interval.series)), *_counts(interval)):
            yield Broken(INVARIANT, f"{what} in {_short(interval)}")
        ends[interval.series] = interval.end
    for text in (found.ended, *found.said):
        if not text.isprintable():
            yield Broken(UNSAFE, f"message {printable(text)}")
    for line in map(json_line, join_continued(found.intervals)):
        yield from _wrong_in_json(line)


def _short(interval: Interval) -> str:
    return repr(interval)[:400]


def _times(interval: Interval, last: int | None) -> Iterator[str]:
    if interval.end <= interval.start:
        yield "no end after the start"
    if last is not None and interval.end < last and interval.ranges:
        yield f"end before that of the interval before ({last})"
    if not (isfinite(interval.seconds) and interval.seconds > 0):
        yield f"{interval.seconds} seconds"
    waited = interval.waited
    if waited is not None and not (isfinite(waited) and waited >= 0):
        yield f"time waited {waited}"
    if (waited is None) != interval.gap:
        yield f"time waited {waited} and gap {interval.gap}"


def _counts(interval: Interval) -> Iterator[str]:
    last: tuple[float, float] = (-inf, -inf)
    for lower, upper, count in interval.ranges:
        if not (count > 0 and count < inf):
            yield f"count {count}"
        if not (0 <= lower < inf and (upper is None or lower < upper < inf)):
            yield f"range [{lower}, {upper})"
        if (lower, inf if upper is None else upper) <= last:
            yield f"ranges not in order at {lower}"
        last = (lower, inf if upper is None else upper)


def _wrong_in_json(line: str) -> Iterator[Broken]:
    def refused(constant: str) -> float:
        raise ValueError(f"{constant} is not JSON")

    try:
        fields = json.loads(line, parse_constant=refused)
    except ValueError as error:
        yield Broken(INVARIANT, f"JSON lines: {error}")
        return
    for key in ("series", "label", "source", "note"):
        if not str(fields.get(key, "")).isprintable():
            yield Broken(UNSAFE, f"{key} in JSON lines {line[:200]}")


def broken_picture(found: Reading, size: tuple[int, int], svg: bool) -> Iterator[Broken]:
    """What is wrong with the window, the frame, the cells and the SVG of a reading that has intervals."""
    picture, options = found.picture, ViewOptions()
    if not len(picture):
        return
    yield from _wrong_in_window(picture, found.intervals)
    yield from _wrong_in_frame(picture, size)
    cells = picture.final(size, END).cells
    for what, text in (("text", plain_picture(cells)), ("picture", _COLOURS.sub("", final_picture(cells, options)))):
        if not text.replace("\n", "").isprintable():
            yield Broken(UNSAFE, f"{what} at {size}")
    if svg:
        drawn = render_svg(cells, options)
        ElementTree.fromstring(drawn)
        if not drawn.replace("\n", "").isprintable():
            yield Broken(UNSAFE, "SVG")


def _wrong_in_window(picture: Picture, intervals: list[Interval]) -> Iterator[Broken]:
    counted = sum(float(interval.events) for interval in intervals)
    kept = picture.window.total_of_all().events
    if not abs(kept - counted) <= CLOSE * counted:
        yield Broken(INVARIANT, f"the window counts {kept} events, the intervals {counted}")


def _wrong_in_frame(picture: Picture, size: tuple[int, int]) -> Iterator[Broken]:
    viewpoint = picture.options.viewpoint
    scene = picture.scene(viewpoint, size, Status(label="fuzz", state=END))
    matrix, selection = scene.matrix, picture.selection(viewpoint, picture.columns_at(size))
    for name, values in (
        ("counts", matrix.counts),
        ("frequency", matrix.frequency()),
        ("intensity", matrix.intensity()),
    ):
        if not (np.isfinite(values).all() and (values >= 0).all()):
            yield Broken(INVARIANT, f"{name} of the matrix are not all finite and positive")
    if not (np.diff(matrix.bounds) > 0).all():
        yield Broken(INVARIANT, f"bounds of the matrix do not ascend: {matrix.bounds}")
    drawn, selected = float(matrix.counts.sum()), float(selection.counts.sum())
    if not abs(drawn - selected) <= CLOSE * selected:
        yield Broken(INVARIANT, f"the matrix counts {drawn} events, the selection {selected}")
    frame = compose_frame(scene, picture.view(viewpoint), size, ScaleMemory()).frame
    if not all(text.isprintable() for text in frame.labels):
        yield Broken(UNSAFE, "labels of the frame")


def broken_recording(found: Reading, *, live: bool = False) -> Iterator[Broken]:
    """What is lost if the reading is recorded and the recording is read. ``live``: it was read as it came."""
    texts: list[str] = []
    writer = StreamWriter(texts.append)
    for event in found.events:
        writer.event(event)
    writer.end()
    if not found.intervals:
        return
    again = read("".join(texts).encode(), Way(format="records"))
    found = _judged_as_file(found) if live else found
    news = [text for text in _texts(again) if text not in _texts(found)] if len(found.said) <= SHOWN else []
    if again.ended or news or again.bad > found.bad:
        yield Broken(
            RECORDING, f"our own recording is not read without a new word: {again.ended or news or again.said[:1]}"
        )
    elif _by_series(again.intervals) != _by_series(found.intervals):
        difference = first_difference(_by_series(found.intervals), _by_series(again.intervals))
        yield Broken(RECORDING, f"differs when read again: {difference}")


def _by_series(intervals: list[Interval]) -> list[Interval]:
    """The intervals of one series after the other: those of two series can be held for other times."""
    return sorted(intervals, key=lambda one: one.series)


def _judged_as_file(found: Reading) -> Reading:
    """The reading of a live source, with the intervals that its records and ticks give to who has all of them.

    A live view cannot wait for the record that shows that one is damaged; the recording holds both as they came.
    """
    said = list(found.said)
    report = Report("input", say=said.append)
    events = iter(found.events)
    intervals = list(intervals_of(events, ReadPlan(), lambda _: None, report=report))
    return found._replace(intervals=intervals, said=said, bad=report.bad_count)


def _texts(found: Reading) -> set[str]:
    """What was said, without the numbers of lines. A damaged record is recorded as it came, so it is told again."""
    return {text.partition(": ")[2] for text in found.said}


def first_difference(one: list[Interval], other: list[Interval]) -> str:
    """The first interval that differs, for a message."""
    for first, second in zip(one, other, strict=False):
        if first != second:
            return f"{_short(first)} became {_short(second)}"
    return f"{len(one)} intervals became {len(other)}"

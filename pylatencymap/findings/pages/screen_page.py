"""Findings as lines of text: one screen, without colours, for somebody who has never seen the tool."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from ...analysis import LatencyPart, Tail
from ...number_text import (
    LEAST_IN_TAIL,
    NO_MODE,
    band_words,
    count_words,
    events_words,
    length_words,
    listed,
    number_word,
    percent_text,
    range_words,
    sum_words,
    tail_words,
    typical_words,
)
from ...text import text_width, wrap
from ...text.clean import printable
from ...units import format_latency, format_measured
from ..facts import (
    RunFacts,
    beyond_words,
    few_words,
    half_words,
    mode_words,
    modes_words,
    only_words,
    title_of,
)
from ..figures import SeriesFigures
from ..stragglers import HEADING as SLOW_TASKS, slow_sentences
from ..trace_profile import CPU, HEADING, MOST_ROWS, TOP_SQL, UNACCOUNTED, TraceProfile, profile_sentence, profile_table
from .opening_command import opening_words
from .what_changed import change_rows
from .what_it_means import meaning_sentences

INDENT = 2
CONTINUES = " \\"
"""The end of a line of a command that goes on in the next one."""
LEAST_COLUMNS = 40
MOST_SERIES = 8
"""Series with lines of their own."""


class _Item(NamedTuple):
    """A sentence in lines, or a blank line. If there is not room for all, those of the highest ``worth`` go first, and
    a heading with the last sentence below it (``heads``). ``figures``: the name of the series whose figures it begins.
    ``is_row``: it says where a part of the time went.
    """

    worth: int
    lines: tuple[str, ...]
    heads: bool = False
    figures: str | None = None
    is_row: bool = False


def screen_page(run: RunFacts, columns: int, lines: int | None) -> str:
    """The page; with ``lines`` None, all of it."""
    columns = max(columns, LEAST_COLUMNS)
    kept = list(_page(run, columns))
    if lines is not None and _height(kept) > lines:
        kept = _with_chances(kept, lines)
        note = _full(run, kept, columns)
        while _height([*kept, note]) > lines and len(kept) > 1:
            worst = max(item.worth for item in kept)
            del kept[max(place for place, item in enumerate(kept) if item.worth == worst)]
            kept = [item for place, item in enumerate(kept) if not item.heads or _has_text_below(kept, place)]
            note = _full(run, kept, columns)
        kept.append(note)
    return "\n".join(line for item in kept for line in item.lines).rstrip("\n") + "\n"


def _with_chances(items: list[_Item], lines: int) -> list[_Item]:
    """Without what goes in any case, because as many lines as there is room for precede it and are worth as much: a
    thousand series have thousands of sentences.
    """
    before: dict[int, int] = {}
    kept = []
    for item in items:
        if item.heads or before.get(item.worth, 0) < lines:
            kept.append(item)
        before[item.worth] = before.get(item.worth, 0) + (0 if item.heads else len(item.lines))
    return kept


def _full(run: RunFacts, kept: list[_Item], columns: int) -> _Item:
    """The last line of a shortened page."""
    return _Item(0, tuple(wrap(f"--full shows {_left_out(run, kept)}", columns, INDENT, INDENT)))


def _has_text_below(items: list[_Item], heading: int) -> bool:
    """Whether a sentence follows a heading, and no blank line or other heading."""
    following = items[heading + 1 : heading + 2]
    return bool(following) and not following[0].heads and following[0].lines[0] != ""


def _height(items: list[_Item]) -> int:
    return sum(len(item.lines) for item in items)


def _left_out(run: RunFacts, kept: list[_Item]) -> str:
    """What the last line of a shortened page says."""
    told = {item.figures for item in kept}
    missing = len(run.series) - sum(one.name in told for one in run.series)
    heads = [item.lines[0] for item in kept if item.heads]
    chapters = [
        head
        for head, has in (
            ("What changed", run.changes),
            ("What recurs", run.recurring),
            ("Marks", run.marks),
            ("What it means", run.who or run.meaning),
        )
        if has and not any(line.startswith(head) for line in heads)
    ]
    many = f"{missing} of {len(run.series)} series" if missing else ""
    rows = 0 if run.profile is None else len(profile_table(run.profile, MOST_ROWS)) - sum(one.is_row for one in kept)
    some = f"{events_words(rows, 'rows')} of where the time went" if rows else ""
    if missing or chapters or rows:
        verb = "is" if missing + len(chapters) + rows == 1 else "are"
        return f"all; {listed(list(filter(None, (some, many, *chapters))))} {verb} left out here"
    return "what is left out here"


def _page(run: RunFacts, columns: int) -> Iterator[_Item]:
    yield from _wrapped(0, _head(run), columns)
    yield from _wrapped(0, run.verdict, columns)
    for limit in run.limits:
        if limit.kind != "few-columns":
            yield from _wrapped(2, limit.text, columns)
    yield _Item(7, ("",))
    if run.profile is not None:
        yield from _profile(run.profile, columns)
    if run.stragglers:
        yield from _stragglers(run, columns)
    yield from _series(run, run.series[0], columns, 0)
    yield from _changes(run, columns)
    if run.recurring:
        yield _Item(7, ("",))
        yield _Item(3, ("What recurs",), heads=True)
        for finding in run.recurring:
            yield from _wrapped(3, finding.text, columns, INDENT, INDENT + 2)
    yield from _marks(run, columns)
    yield from _others(run, columns)
    if sentences := meaning_sentences(run):
        yield _Item(7, ("",))
        yield _Item(4, ("What it means",), heads=True)
        for place, sentence in enumerate(sentences):
            yield from _wrapped(4 + min(place, 2), sentence, columns, INDENT, INDENT + 2)
    yield from _see_it(run, columns)


def _head(run: RunFacts) -> str:
    parts = [title_of(run), run.times.whole(), f"every {length_words(run.times.width)}"]
    if run.bad:
        parts.append(f"{count_words(run.bad)} bad record{'' if run.bad == 1 else 's'} left out")
    return "; ".join(filter(None, parts))


def events_line(one: SeriesFigures) -> str:
    """``136M reads, 530/s; waited 59.2 h (55.1-63.0), 834 ms/s, avg 1.57 ms``; exact time waited has no band."""
    rate = f", {count_words(one.rate)}/s" if one.timed else ""
    said = f"{events_words(one.events, one.noun)}{rate}"
    if not one.events:
        return said
    per_second = f", {format_measured(one.in_flight)}/s" if one.timed else ""
    return f"{said}; waited {sum_words(one.waited)}{per_second}, avg {format_measured(one.average or 0.0)}"


def percentile_words(one: SeriesFigures) -> list[str]:
    """``p99 10.3 ms (8.19-16.4)``; none where so few events say nothing about one of them."""
    if any(value.low <= 0 and value.high == inf for value in one.percentiles.values()):
        return []
    return [f"{key} {band_words(value)}" for key, value in one.percentiles.items()]


def _events_and_percentiles(run: RunFacts, one: SeriesFigures, columns: int, worth: int) -> Iterator[_Item]:
    head = wrap(f"{run.names[one.name]}  {events_line(one)}", columns, 0, INDENT)
    yield _Item(worth, tuple(head), figures=one.name)
    if figures := "  ".join(percentile_words(one)):
        yield from _wrapped(worth + 1, figures, columns, INDENT, INDENT)


def _series(run: RunFacts, one: SeriesFigures, columns: int, worth: int) -> Iterator[_Item]:
    yield from _events_and_percentiles(run, one, columns, worth)
    if not one.events:
        return
    if half := half_words(one):
        yield from _wrapped(worth + 4, half, columns, INDENT, INDENT + 2)
    yield from _modes(run, one, columns, worth + 1)


def _modes(run: RunFacts, one: SeriesFigures, columns: int, worth: int) -> Iterator[_Item]:
    found = one.modes
    if found.too_few and run.says_little:
        return
    if found.too_few:
        yield from _wrapped(worth, few_words(one), columns, INDENT, INDENT + 2)
        return
    rows = []
    for number, mode in enumerate(found.modes):
        change = run.passing.get((one.name, number), ())
        typical = only_words(change, run.times) if change else f"typically {typical_words(mode.median)}"
        rows.append((range_words(mode.lower, mode.upper), typical, mode_words(found, number, one.noun)))
    if found.beyond:
        rows.append((beyond_words(found), NO_MODE, _shares(found.beyond, one.noun)))
    if tail := found.tail:
        rows.append((f"above {format_latency(tail.bound)}", tail_words(tail.events), _shares(tail, one.noun)))
    widths = [max(len(row[place]) for row in rows) for place in (0, 1)]
    if INDENT + sum(widths) + 4 + max(len(row[2]) for row in rows) > columns:
        rows = [(*row[:2], row[2].replace(" of the wait", " of wait")) for row in rows]
    for row in rows:
        yield from _wrapped(
            worth, f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}", columns, INDENT, INDENT + widths[0] + 2
        )
    if found.possible > found.sure:
        sure = f"{number_word(found.sure)} {'is' if found.sure == 1 else 'are'} sure"
        extra = f"{number_word(found.possible)} modes are possible, {sure}"
        yield from _wrapped(worth + 5, extra, columns, INDENT, INDENT + 2)


def _shares(one: LatencyPart | Tail, noun: str) -> str:
    return f"{percent_text(one.share.value)} of {noun}, {percent_text(one.wait.value)} of the wait"


def _changes(run: RunFacts, columns: int) -> Iterator[_Item]:
    if not run.changes:
        return
    yield _Item(7, ("",))
    saved = any((change.cost or 0.0) < 0 for change in run.changes)
    order = ", largest cost or saving first" if saved else ", most costly first"
    rows = change_rows(run)
    heading = "What changed" + (order if len(rows) > 1 else "")
    yield _Item(1, tuple(wrap(heading, columns, 0, INDENT)), heads=True)
    width = max(len(row.when) for row in rows)
    for place, row in enumerate(rows):
        worth = 1 if place == 0 else 2 if place < 3 else 4 if place < 6 else 8
        yield from _wrapped(
            worth, f"{row.when:{width}}  {row.text}", columns, INDENT, INDENT + min(width + 2, columns // 3)
        )


def _marks(run: RunFacts, columns: int) -> Iterator[_Item]:
    if not run.marks:
        return
    yield _Item(7, ("",))
    yield _Item(5, ("Marks",), heads=True)
    lines = run.mark_lines()
    width = max(len(when) for when, _ in lines)
    for when, text in lines:
        yield from _wrapped(5, f"{when:{width}}  {text}", columns, INDENT, INDENT + min(width + 2, columns // 3))


def _others(run: RunFacts, columns: int) -> Iterator[_Item]:
    """The other series, and all together, more briefly."""
    for place, one in enumerate(run.series[1:MOST_SERIES]):
        yield _Item(7, ("",))
        worth = 3 if place == 0 else 6
        yield from _events_and_percentiles(run, one, columns, worth)
        if not one.events:
            continue
        modes = few_words(one) if one.modes.too_few else modes_words(one.modes)
        tail = one.modes.tail
        more = ""
        if tail:
            what = tail_words(tail.events) if tail.events < LEAST_IN_TAIL else "a tail"
            more = f"; {what} above {format_latency(tail.bound)}, {percent_text(tail.wait.value)} of the wait"
        yield from _wrapped(worth + 2, modes + more, columns, INDENT, INDENT + 2)
    if len(run.series) > MOST_SERIES:
        yield _Item(5, (f"and {len(run.series) - MOST_SERIES} more series",))
    if run.all is not None:
        yield _Item(7, ("",))
        yield from _wrapped(6, f"all together  {events_line(run.all)}", columns, 0, INDENT)
        yield from _wrapped(7, "  ".join(percentile_words(run.all)), columns, INDENT, INDENT)


def _see_it(run: RunFacts, columns: int) -> Iterator[_Item]:
    """The command that shows the costliest change."""
    if words := opening_words(run):
        yield _Item(7, ("",))
        yield _Item(6, tuple(_command([f"see it: {words[0]}", *words[1:]], columns)))


def _command(words: list[str], columns: int) -> list[str]:
    """A command in lines that a shell joins again; only a word that is longer makes one longer than ``columns``."""
    lines = [words[0]]
    for word in words[1:]:
        if text_width(lines[-1]) + 1 + text_width(word) > columns - len(CONTINUES):
            lines[-1] += CONTINUES
            lines.append(" " * INDENT + word)
        else:
            lines[-1] += f" {word}"
    return lines


def _wrapped(worth: int, text: str, columns: int, first: int = 0, rest: int = 0) -> Iterator[_Item]:
    """The text in lines of at most so many columns, with indents."""
    yield _Item(worth, tuple(wrap(text, columns, first, rest)))


def _stragglers(run: RunFacts, columns: int) -> Iterator[_Item]:
    """What is slow in each stage, and why."""
    yield _Item(1, (SLOW_TASKS,), heads=True)
    for place, one in enumerate(run.stragglers):
        first, *more = slow_sentences(one)
        yield from _wrapped(1 + place, first, columns, INDENT, INDENT + 2)
        for text in more:
            yield from _wrapped(1 + place, text, columns, INDENT + 2, INDENT + 4)
    yield _Item(7, ("",))


def _profile(profile: TraceProfile, columns: int) -> Iterator[_Item]:
    """Where the time of a trace went, and the statements that waited most."""
    heading = f"{HEADING}: {profile_sentence(profile)}"
    yield from _wrapped(1, heading, columns, 0, INDENT)
    apart = next((printable(one.name, 60) for one in profile.events if one.is_apart), CPU)
    for place, row in enumerate(profile_table(profile, MOST_ROWS)):
        worth = 1 if row.endswith((CPU, UNACCOUNTED, apart)) else 1 + place // 2
        yield _Item(worth, tuple(wrap(row, columns, INDENT, INDENT + 2)), is_row=True)
    if profile.sql:
        yield _Item(1, (TOP_SQL,), heads=True)
    for place, one in enumerate(profile.sql):
        said, modes = sql_lines(one)
        yield from _wrapped(2 + place if place else 1, said, columns, INDENT, INDENT + 2)
        yield from _wrapped(3 + place, modes, columns, INDENT + 2, INDENT + 2)
    yield _Item(7, ("",))


def sql_lines(one: SeriesFigures) -> tuple[str, str]:
    """A statement: what it waited, and its modes."""
    waited, average = format_measured(one.waited.value), format_measured(one.average or 0.0)
    said = f"{waited} in {count_words(one.events)} waits, avg {average}"
    modes = few_words(one) if one.modes.too_few else modes_words(one.modes)
    return f"{printable(one.name, 100)}: {said}", modes

"""Findings as Markdown, for a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..number_text import band_words, count_words, length_words, percent_text, range_words
from ..units import format_latency, format_measured
from .changes import when_words
from .facts import RunFacts, few_words, half_words, only_words, shares_of, title_of
from .figures import SeriesFigures
from .screen_page import change_sentence, events_line

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~!])")


def markdown_page(run: RunFacts, conditions: Sequence[str] = ()) -> str:
    """All findings, and sentences about ``conditions``; names from outside cannot become markup."""
    lines = [*_page(run)]
    if conditions:
        lines += ["", "### Conditions", "", *(f"- {_plain(sentence)}" for sentence in conditions)]
    return "\n".join(lines) + "\n"


def _page(run: RunFacts) -> Iterator[str]:
    yield f"## {_plain(title_of(run))}"
    yield ""
    about = [run.times.whole(), f"every {length_words(run.times.width)}"]
    if run.bad:
        about.append(f"{count_words(run.bad)} bad records left out")
    yield "; ".join(filter(None, about))
    yield ""
    yield f"**{_plain(run.verdict)}**"
    yield from (line for limit in run.limits if limit.kind != "few-columns" for line in ("", _plain(limit.text)))
    if run.changes:
        yield from ("", "### What changed", "", "| when | what |", "| --- | --- |")
        for change in run.changes:
            yield f"| {when_words(change, run.times)} | {_plain(change_sentence(run, change))} |"
    if run.marks:
        yield from ("", "### Marks", "", "| when | what |", "| --- | --- |")
        yield from (f"| {when} | {_plain(text)} |" for when, text in run.mark_lines())
    for one in run.series:
        yield from _series(run, one)
    if run.all is not None:
        yield from ("", "### All together", "", _plain(events_line(run.all)), "", _percentiles(run.all))
    sentences = ([run.who] if run.who else []) + list(run.meaning)
    if sentences:
        yield from ("", "### What it means", "")
        yield from (f"- {_plain(finding.text)}" for finding in sentences)


def _series(run: RunFacts, one: SeriesFigures) -> Iterator[str]:
    yield from ("", f"### {_plain(run.names[one.name])}", "", _plain(events_line(one)))
    if not one.events:
        return
    yield from ("", _percentiles(one))
    if half := half_words(one):
        yield from ("", f"{half[0].upper()}{half[1:]}")
    yield ""
    if one.modes.too_few:
        yield _plain(few_words(one))
        return
    yield from (f"| mode | typical | {_plain(one.noun)} | wait | |", "| --- | --- | --- | --- | --- |")
    for number, mode in enumerate(one.modes.modes):
        changes = run.passing.get((one.name, number), ())
        note = only_words(changes, run.times) if changes else ""
        shares = " | ".join(map(percent_text, shares_of(one.modes, number)))
        yield f"| {range_words(mode.lower, mode.upper)} | {format_measured(mode.typical)} | {shares} | {note} |"
    if tail := one.modes.tail:
        shares = f"{percent_text(tail.share.value)} | {percent_text(tail.wait.value)}"
        yield f"| above {format_latency(tail.bound)} | | {shares} | a tail of {count_words(tail.events)} |"


def _percentiles(one: SeriesFigures) -> str:
    return ", ".join(f"{key} {band_words(value)}" for key, value in one.percentiles.items())


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)

"""Findings as Markdown, for a ticket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis import LatencyPart, Tail
from ...number_text import NO_MODE, count_words, length_words, percent_text, range_words, tail_words, typical_words
from ...units import format_latency
from ..facts import RunFacts, beyond_words, few_words, half_words, only_words, shares_of, title_of
from ..figures import SeriesFigures
from ..markdown_text import picture_link, plain
from ..stragglers import HEADING as SLOW_TASKS, slow_sentences
from ..trace_profile import HEADING, TOP_SQL, TraceProfile, profile_rows, profile_sentence
from .screen_page import events_line, percentile_words, sql_lines
from .what_changed import change_rows
from .what_it_means import meaning_sentences


def markdown_page(run: RunFacts, conditions: Sequence[str] = (), picture: str | None = None) -> str:
    """All findings, and sentences about ``conditions``; names from outside cannot become markup. ``picture``: the name
    of one, which is shown below the verdict.
    """
    lines = [*_page(run, picture)]
    if conditions:
        lines += ["", "### Conditions", "", *(f"- {plain(sentence)}" for sentence in conditions)]
    return "\n".join(lines) + "\n"


def _page(run: RunFacts, picture: str | None) -> Iterator[str]:
    yield f"## {plain(title_of(run))}"
    yield ""
    about = [run.times.whole(), f"every {length_words(run.times.width)}"]
    if run.bad:
        about.append(f"{count_words(run.bad)} bad records left out")
    yield "; ".join(filter(None, about))
    yield ""
    yield f"**{plain(run.verdict)}**"
    if picture is not None:
        yield from ("", picture_link(picture, title_of(run)))
    yield from (line for limit in run.limits if limit.kind != "few-columns" for line in ("", plain(limit.text)))
    if run.changes:
        yield from ("", "### What changed", "", "| when | what |", "| --- | --- |")
        yield from (f"| {row.when} | {plain(row.text)} |" for row in change_rows(run))
    if run.recurring:
        yield from ("", "### What recurs", "", *(f"- {plain(finding.text)}" for finding in run.recurring))
    if run.profile is not None:
        yield from _profile(run.profile)
    if run.stragglers:
        yield from ("", f"### {SLOW_TASKS}", "")
        yield from (f"- {plain('; '.join(slow_sentences(one)))}" for one in run.stragglers)
    if run.marks:
        yield from ("", "### Marks", "", "| when | what |", "| --- | --- |")
        yield from (f"| {when} | {plain(text)} |" for when, text in run.mark_lines())
    for one in run.series:
        yield from _series(run, one)
    if run.all is not None:
        yield from ("", "### All together", "", plain(events_line(run.all)), "", _percentiles(run.all))
    if sentences := meaning_sentences(run):
        yield from ("", "### What it means", "")
        yield from (f"- {plain(sentence)}" for sentence in sentences)


def _series(run: RunFacts, one: SeriesFigures) -> Iterator[str]:
    yield from ("", f"### {plain(run.names[one.name])}", "", plain(events_line(one)))
    if not one.events:
        return
    yield from ("", _percentiles(one))
    if half := half_words(one):
        yield from ("", f"{half[0].upper()}{half[1:]}")
    yield ""
    if one.modes.too_few:
        yield plain(few_words(one))
        return
    yield from (f"| mode | typical | {plain(one.noun)} | wait | |", "| --- | --- | --- | --- | --- |")
    for number, mode in enumerate(one.modes.modes):
        changes = run.passing.get((one.name, number), ())
        note = only_words(changes, run.times) if changes else ""
        shares = " | ".join(map(percent_text, shares_of(one.modes, number)))
        yield f"| {range_words(mode.lower, mode.upper)} | {typical_words(mode.median)} | {shares} | {note} |"
    if beyond := one.modes.beyond:
        yield f"| {beyond_words(one.modes)} | | {_shares(beyond)} | {NO_MODE} |"
    if tail := one.modes.tail:
        yield f"| above {format_latency(tail.bound)} | | {_shares(tail)} | {tail_words(tail.events)} |"


def _shares(one: LatencyPart | Tail) -> str:
    return f"{percent_text(one.share.value)} | {percent_text(one.wait.value)}"


def _percentiles(one: SeriesFigures) -> str:
    return ", ".join(percentile_words(one))


def _profile(profile: TraceProfile) -> Iterator[str]:
    """Both tables for a ticket."""
    yield from ("", f"### {HEADING}", "", plain(f"{profile_sentence(profile)}."), "")
    yield from ("| time | share | waits | |", "| ---: | ---: | ---: | --- |")
    yield from (f"| {time} | {share} | {waits} | {plain(what)} |" for time, share, waits, what in profile_rows(profile))
    if profile.sql:
        yield from ("", f"### {TOP_SQL}", "", "| statement | modes |", "| --- | --- |")
        yield from (f"| {plain(said)} | {plain(modes)} |" for said, modes in map(sql_lines, profile.sql))

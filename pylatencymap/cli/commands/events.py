"""``pylatencymap events FILE``: who is in a part of the time and of the latencies, event by event."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from ...errors import Exit, SourceError, UsageError
from ..arguments import Parser, add_excerpt_options, add_filter_option, add_text_options, parser
from ..option_values import file_range, interval, latency, whole_number
from ..setup import plan_of, text_size
from ..standard_streams import print_notice, print_text, show_progress, write_output, write_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from ...events import EventFile, EventQuestion, EventsFound
    from ...session.input import ReadPlan, ReadProgress
    from ...units import Unit

DESCRIPTION = (
    "Says who is in a part of the time and of the latencies of a trace: which object, statement,\n"
    "process or path waited, and the lines of the longest events."
)
EPILOG = """The file is a trace, a table or a log of single events. A recording holds counts, and no events, but of
oralatencymap what samples have seen of the sessions.
A part of it: FILE@FROM..TO, as in trace.trc@12:42:03..12:42:05; either end may be missing.

exit status:
  0 done   1 no event there   2 wrong command line   3 a source that cannot be read, or that holds counts and no events
  4 a bad line, with --strict   130 Ctrl-C"""
STDIN = "-"
LINES = 10
NAMES_SHOWN = 10
FALLBACK = (100, 40)


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("events", DESCRIPTION, EPILOG)
    made.add_argument("file", metavar="FILE[@FROM..TO]", help="a file of single events, compressed or not")
    made.add_argument("others", metavar="FILE", nargs="*", help=argparse.SUPPRESS)  # to say that it takes one
    made.add_argument("--by", dest="key", action="append", default=[], metavar="KEY", help="only this key (repeatable)")
    made.add_argument(
        "--lines",
        type=whole_number,
        default=LINES,
        metavar="N",
        help=f"lines of the longest events, at most 1000; default: {LINES}",
    )
    made.add_argument("--json", action="store_true", help="all of it as JSON, for programs")
    group = made.add_argument_group("data")
    group.add_argument("--min-latency", type=latency, metavar="L", help="only events of L or more, e.g. 8.192ms")
    group.add_argument("--max-latency", type=latency, metavar="L", help="only events of less than L, e.g. 16.384ms")
    group.add_argument("--series", metavar="GLOB", action="append", default=[], help="only these series (repeatable)")
    group.add_argument("--interval", type=interval, metavar="S", help="the intervals of the picture, if not of 1 s")
    group.add_argument(
        "--jobs", type=whole_number, default=2, metavar="N", help="processes that scan large files; default: 2"
    )
    group.add_argument("--tz", metavar="ZONE", help="time zone of stamps and of the clock; default: local")
    add_excerpt_options(made, last=False)
    add_filter_option(made)
    add_text_options(made, by="--series-by")
    made.set_defaults(count=None, duration=None)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    _take_range(options)
    _check(options)
    return _answered(options, plan_of(options))


def _take_range(options: argparse.Namespace) -> None:
    """Use the range that stands behind the file as ``--from`` and ``--to``. Raises UsageError."""
    given = file_range(options.file)
    options.file = given.path
    if given.has_range and (options.since, options.until) != (None, None):
        raise UsageError(f"{given.word}: write the range behind the file or as --from and --to, not both")
    if given.has_range:
        options.since, options.until = given.since, given.until


def _check(options: argparse.Namespace) -> None:
    """Raise UsageError for what cannot be answered."""
    low, high = options.min_latency, options.max_latency
    if low is not None and high is not None and low >= high:
        raise UsageError("--min-latency must be less than --max-latency")
    if options.others:
        raise UsageError("events reads one file; who is in several: pylatencymap FILE... --by KEY, and report FILE...")
    if options.file == STDIN:
        raise UsageError("events reads a file, and again for each question; save standard input to a file first")


def _answered(options: argparse.Namespace, plan: ReadPlan) -> int:
    """Read the file and print the answer; returns the exit status."""
    from ...events import EventFile
    from ...report import Report
    from ...session.input import ReadProgress
    from ...text.clean import printable

    progress = ReadProgress(show_progress)
    report = Report(printable(options.file), strict=bool(options.strict), say=print_notice)
    try:
        opened = EventFile(options.file, plan, report, on_progress=progress.read)
    except SourceError as refusal:
        return _answered_by_samples(options, plan, progress, refusal)
    with opened as file:
        question = _question(options, plan, file)
        try:
            found = _asked(lambda question: deque(file.read(question), 1).pop(), question)
        finally:
            progress.over()
        return _shown(options, plan, question, found, file.report.bad_count)


def _answered_by_samples(
    options: argparse.Namespace, plan: ReadPlan, progress: ReadProgress, refusal: SourceError
) -> int:
    """Answer from what a recording, a file or a folder, keeps of sampled sessions. Raises ``refusal``, why there are no
    events, if it keeps nothing.
    """
    from ...events.sampled import RecordedWaits, is_recording
    from ...session.input import StopRequest

    waits, stop = RecordedWaits([options.file], _zone(options)), StopRequest()
    begin = waits.first_end(stop) if is_recording(options.file) else None
    if begin is None:
        raise refusal
    question = _question_of(options, plan, begin, 0)
    try:
        found = _asked(lambda question: waits.all_of(question, stop, progress.read), question)
    finally:
        progress.over()
    return _shown(options, plan, question, found, 0)


def _asked(ask: Callable[[EventQuestion], EventsFound], question: EventQuestion) -> EventsFound:
    """The answer to a question. Where a filter leaves no event, another question tells whether there is such a key.
    Raises UsageError if there is none.
    """
    found = ask(question)
    if question.only and not found.total.events:
        every = ask(question._replace(only=(), by=()))
        _check_keys(every, [name for name, _ in question.only], "--only")
    return found


def _shown(
    options: argparse.Namespace, plan: ReadPlan, question: EventQuestion, found: EventsFound, bad_lines: int
) -> int:
    """Print what was found; the exit status."""
    _check_keys(found, options.key, "--by")
    if not found.total.events:
        print_notice(_why_empty(options, plan, found))
        return Exit.NO_INTERVAL
    _print(options, question, found, bad_lines)
    return Exit.OK


def _question(options: argparse.Namespace, plan: ReadPlan, file: EventFile) -> EventQuestion:
    shift = _shift(options, file)
    return _question_of(options, plan, None if file.begin is None else file.begin + shift, shift)


def _question_of(options: argparse.Namespace, plan: ReadPlan, begin: int | None, shift: int) -> EventQuestion:
    from ...events import EventQuestion, parse_only

    first, last = (None, None) if plan.excerpt is None else plan.excerpt.bounds(begin)
    by = tuple(key.lower() for key in options.key)
    low, high = options.min_latency or 0.0, options.max_latency
    return EventQuestion(first, last, low, high, _wants(plan), by, shift, parse_only(options.only))


def _wants(plan: ReadPlan) -> Callable[[str, Unit], bool]:
    return lambda series, _unit: plan.wants(series)


def _shift(options: argparse.Namespace, file: EventFile) -> int:
    """What ``--start`` adds to the times of the file: whole bins, as for a picture."""
    from ..inputs import starts_of

    if not options.start or file.begin is None:
        return 0
    start = starts_of(options.start, [options.file], _zone(options))[options.file]
    return (start - file.begin // file.width * file.width) // file.width * file.width


def _zone(options: argparse.Namespace) -> tzinfo:
    from ...text import zone_named

    return zone_named(options.tz)


def _check_keys(found: EventsFound, keys: Sequence[str], option: str) -> None:
    """Raise UsageError if no event has one of the keys that an option names."""
    there = sorted({*(key.name for key in found.keys), *found.not_asked})
    missing = [key for key in keys if key.lower() not in map(str.lower, there)]
    if missing and found.total.events:
        known = ", ".join(there) or "none"
        raise UsageError(f"{option} {missing[0]}: no event there has such a key; there are: {known}")


def _why_empty(options: argparse.Namespace, plan: ReadPlan, found: EventsFound) -> str:
    """The message if there is no event."""
    from ...text import moment_text

    if found.span is None:
        return f"{options.file} holds no event that can be read"
    zone = _zone(options)
    first, last = (moment_text(one, zone) for one in found.span)
    others = sorted(plan.skipped_series)[:NAMES_SHOWN]
    series = f" of the series {' or '.join(options.series)}" if options.series else ""
    series += f" with {' and '.join(options.only)}" if options.only else ""
    there = f"; other series there: {'; '.join(others)}" if others else ""
    return f"{options.file} has no event there{series}{there}; all its events are from {first} to {last}"


def _print(options: argparse.Namespace, question: EventQuestion, found: EventsFound, bad_lines: int) -> None:
    from ...events import PageOptions, events_page

    if not options.json:
        is_free = not (sys.stdout.isatty() or os.environ.get("COLUMNS"))  # a pipe cuts nothing off
        columns = None if is_free else text_size(FALLBACK, sys.stdout, os.environ)[0]
        print_text(events_page(options.file, question, found, PageOptions(columns, _zone(options), options.lines)))
        return
    import json

    write_utf8()
    write_output(
        json.dumps(_as_json(options, question, found, bad_lines), indent=2) + "\n"
    )  # escapes what does not print


def _plain(seconds: float) -> float:
    """A latency as it was written: 9 ms is not 9.000000000000001 ms."""
    return float(f"{seconds:.12g}")


def _as_json(
    options: argparse.Namespace, question: EventQuestion, found: EventsFound, bad_lines: int
) -> dict[str, Any]:
    from ...events import SCHEMA, VERSION

    first, last = (None if one is None else one / 1e6 for one in (question.first, question.last))
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "file": options.file,
        "asked": {
            "from": first,
            "to": last,
            "min_latency": _plain(question.low),
            "max_latency": None if question.high is None else _plain(question.high),
            "series": options.series,
            "keys": options.key,
            "only": options.only,
        },
        **found.as_dict(),
        "bad_lines": bad_lines,
        "sampled": found.seen is not None,
    }

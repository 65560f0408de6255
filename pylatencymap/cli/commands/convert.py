"""``pylatencymap convert``: convert any recognised text to the record stream or to JSON lines."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ...errors import Exit
from ..arguments import (
    Parser,
    add_data_options,
    add_excerpt_options,
    add_filter_option,
    add_record_options,
    add_text_options,
    parser,
)
from ..option_values import output_format, resolution
from ..setup import plan_of
from ..standard_streams import notice_or_raise, print_notice, write_output, write_utf8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..inputs import Inputs


def arguments() -> Parser:
    """The parser of this command."""
    made = parser(
        "convert", "Converts text of any supported format to the record stream or JSON lines, on standard output."
    )
    made.add_argument("files", metavar="FILE", nargs="*", help="saved text; none or -: standard input")
    made.add_argument(
        "--to",
        type=output_format,
        default="lmap",
        metavar="{lmap,jsonl}",
        help="output format; default: lmap, the record stream. A part of the time ends with --until",
    )
    made.add_argument(
        "--resolution", type=resolution, metavar="N", help="for JSON lines: buckets per doubling, 1 to 64"
    )
    add_data_options(made)
    add_excerpt_options(made, until=["--until"])
    add_filter_option(made)
    add_text_options(made)
    add_record_options(made.add_argument_group("recording"))
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    return _written(arguments().parsed(argv))


def _written(options: argparse.Namespace) -> int:
    """Write the inputs that the options name; returns the exit status."""
    from ...session.input import ReadProgress, ignore_progress
    from ..inputs import Inputs

    inputs = Inputs(options, plan_of(options))
    if sys.stdout.isatty():
        inputs.progress = ReadProgress(ignore_progress)  # the output itself shows the progress
    inputs.open(options.files)
    write_utf8()
    return write_all(lambda: text_of(options, inputs), inputs, options.duration, inputs.plan.why_empty)


def write_all(
    produce: Callable[[], Iterator[str]], inputs: Inputs, seconds: float | None, why_empty: Callable[[], str]
) -> int:
    """Write everything as it arrives, from a program for at most ``seconds``; returns the exit status. ``why_empty``
    returns the message if there was nothing to write.
    """
    from ...session import Feed
    from ..reading import run_inputs

    feed: Feed[str] = Feed(produce)
    written = False

    def write(texts: list[str]) -> None:
        nonlocal written
        written = written or bool(texts)
        write_output("".join(texts))

    ending = run_inputs(feed, write, inputs, seconds)
    notice_or_raise(feed.error, interrupted=ending.by_signal)
    if written or ending.by_signal:
        return ending.status
    print_notice(why_empty())
    return Exit.NO_INTERVAL


def text_of(options: argparse.Namespace, inputs: Inputs) -> Iterator[str]:
    """The data of the inputs in the output format of the options."""
    return _json_lines(options, inputs) if options.to == "jsonl" else _record_stream(inputs)


def _json_lines(options: argparse.Namespace, inputs: Inputs) -> Iterator[str]:
    from ...export import json_line
    from ...intervals import NextPulse, join_continued
    from ...session.input import with_pulses

    pulse, found = NextPulse(), inputs.intervals(lambda _: None)
    pauses = inputs.sources[0] if len(inputs.sources) == 1 else None
    awaited = with_pulses(found, pulse, pauses=pauses) if inputs.live else found
    doubts = _Doubts()
    for interval in join_continued(awaited, pulse if inputs.live else None):
        doubts.note(interval.doubtful)
        yield json_line(interval, options.resolution)
    doubts.tell()


def _record_stream(inputs: Inputs) -> Iterator[str]:
    from ...record import DOUBTFUL, Record
    from ...stream import StreamWriter

    texts: list[str] = []
    writer, doubts = StreamWriter(texts.append), _Doubts()
    for event in inputs.events():
        if not isinstance(event, Record) or inputs.plan.wants_result(event.series):
            doubts.note(isinstance(event, Record) and DOUBTFUL in event.flags)
            writer.event(event)
            yield from texts
            texts.clear()
    writer.end()
    yield from texts
    doubts.tell()


class _Doubts:
    """Counts what was written but rests on a record that no other one confirms."""

    def __init__(self) -> None:
        self._number = 0

    def note(self, doubtful: bool) -> None:
        """One more interval or record."""
        self._number += doubtful

    def tell(self) -> None:
        """Say how many there were, at the end."""
        if self._number:
            what = "interval rests on a record" if self._number == 1 else "intervals rest on records"
            print_notice(f"{self._number} {what} that no other record confirms: marked as doubtful")

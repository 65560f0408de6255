"""``pylatencymap convert``: any recognised text as record stream, or as JSON lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from ..errors import Exit
from ..record import Record
from ..session.ending import Ending
from ..session.feed import Feed
from ..session.once import CHECK_SECONDS
from ..session.signals import Signals
from ..stream.writer import Writer
from .arguments import add_data_options, add_text_options, parser
from .inputs import Inputs
from .setup import plan_of
from .values import resolution


def arguments() -> argparse.ArgumentParser:
    """The parser of this command."""
    made = parser("convert", "Any recognised text as record stream, or as JSON lines, on standard output.")
    made.add_argument("files", metavar="FILE", nargs="*", help="saved text; none or -: standard input")
    made.add_argument("--to", choices=("lmap", "jsonl"), default="lmap", help="lmap, the record stream, is the default")
    made.add_argument("--resolution", type=resolution, metavar="N", help="of JSON lines: buckets per doubling, 1 to 64")
    add_data_options(made)
    add_text_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parse_args(argv)
    inputs = Inputs(options, plan_of(options))
    inputs.open(options.files)
    feed: Feed[str] = Feed(lambda: _text(options, inputs))
    with Signals(feed.wake) as signals:
        ending = Ending(signals, pipe=inputs.live, seconds=options.duration if inputs.live else None)
        try:
            written = _copy(feed, ending)
        finally:
            inputs.stop.set()
            feed.abandon()
            inputs.close()
    if feed.error is not None:
        raise feed.error
    if ending.status is not Exit.OK:
        return ending.status
    if not written:
        print("pylatencymap: the source was read, but there was no interval in it", file=sys.stderr)
        return Exit.NO_INTERVAL
    return Exit.OK


def _copy(feed: Feed[str], ending: Ending) -> bool:
    """Write what comes as it comes; whether there was anything."""
    feed.start()
    written = False
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        written = _write(feed) or written
    return _write(feed) or written


def _write(feed: Feed[str]) -> bool:
    texts = feed.take()
    if texts:
        sys.stdout.write("".join(texts))
        sys.stdout.flush()
    return bool(texts)


def _text(options: argparse.Namespace, inputs: Inputs) -> Iterator[str]:
    return _json_lines(options, inputs) if options.to == "jsonl" else _record_stream(inputs)


def _json_lines(options: argparse.Namespace, inputs: Inputs) -> Iterator[str]:
    from ..export.jsonl import line

    for interval in inputs.intervals(lambda _: None):
        yield line(interval, options.resolution)


def _record_stream(inputs: Inputs) -> Iterator[str]:
    texts: list[str] = []
    writer = Writer(texts.append)
    for event in inputs.events():
        if not isinstance(event, Record) or inputs.plan.wants(event.series):
            writer.event(event)
            yield from texts
            texts.clear()

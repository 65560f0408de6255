"""``pylatencymap serve COLLECTOR`` and ``... | pylatencymap serve --pipe``: a source as histograms for Prometheus."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING

from ....collectors._metrics.estimated_sums import OWN_METRIC
from ....errors import Exit, UsageError
from ....registry import all_probe_names
from ....text.clean import printable
from ....units import format_latency
from ...arguments import Parser, add_data_options, add_text_options, parser
from ...option_values import latency, seconds, whole_number
from ...probe_choice import chosen_probe, probe_parser, without_server
from ...setup import plan_of
from ...standard_streams import notice_or_raise, print_notice

if TYPE_CHECKING:
    from ....interval import Interval
    from ...inputs import Inputs

DESCRIPTION = """\
Offers the latencies of a collector, or of a program in a pipe, to Prometheus: as classic histograms in text, and as
native ones to a server that asks for them."""
PIPE = "--pipe"
USAGE = f"%(prog)s COLLECTOR [options]\n       ... | %(prog)s {PIPE} [options]"
LISTEN = "127.0.0.1:9464"
MOST_SERIES = 100
LINGER = 15.0
LEAST_LONGEST = 2e-6
"""Seconds that the last classic bound has at least: the first one is 1 us."""
_METRIC = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*_seconds", re.ASCII)


def arguments(argv: list[str]) -> Parser:
    """The parser of this command: for a pipe, or with the options of the probe that ``argv`` names."""
    if PIPE in argv:
        made = parser("serve", DESCRIPTION)
        made.add_argument(PIPE, action="store_true", help="read what a program prints on standard input")
        add_data_options(made)
        add_text_options(made)
        _add_options(made)
        return made
    made = probe_parser("serve", f"{DESCRIPTION} pylatencymap serve {PIPE} --help has the options of a pipe.", argv)
    if not set(argv) & set(all_probe_names()):
        made.usage = USAGE
    _add_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    if PIPE not in argv and without_server(argv) is not None:
        raise UsageError("a Prometheus server is no source for Prometheus: name a collector, or --pipe")
    options = arguments(argv).parsed(argv)
    return _served_pipe(options) if PIPE in argv else _served_probe(options)


def _add_options(made: Parser) -> None:
    group = made.add_argument_group("server")
    group.add_argument("--listen", metavar="HOST:PORT", default=LISTEN, help=f"where; default: {LISTEN}")
    told = f"name of the histogram, which ends with _seconds; default: {OWN_METRIC}"
    group.add_argument("--metric", metavar="NAME", default=OWN_METRIC, help=told)
    told = "classic buckets to each doubling; native ones are 8; default: 1"
    group.add_argument("--per-doubling", type=int, choices=(1, 2, 4, 8), default=1, metavar="N", help=told)
    told = "the last classic bound, where the ranges of the source end; default: 134s"
    group.add_argument("--max-latency", type=latency, default=inf, metavar="L", help=told)
    told = f"so many series have a name, the others are series other; default: {MOST_SERIES}"
    group.add_argument("--most-series", type=whole_number, default=MOST_SERIES, metavar="N", help=told)
    told = f"serve so many seconds longer than the source lasts; default: {LINGER:g}"
    group.add_argument("--linger", type=seconds, default=LINGER, metavar="S", help=told)


def _served_pipe(options: argparse.Namespace) -> int:
    from ...inputs import Inputs

    with_server = _opened(options)
    inputs = Inputs(options, plan_of(options))
    try:
        inputs.open([])
        return _served(options, inputs, with_server, lambda: inputs.intervals(lambda _: None), inputs.plan.why_empty)
    finally:
        with_server.close()


def _served_probe(options: argparse.Namespace) -> int:
    from ...inputs import Inputs

    probe = chosen_probe(options)
    with_server = _opened(options)
    inputs = Inputs(options, probe.plan(options))
    try:
        launched = probe.launch(options.duration)
        try:
            inputs.attach(launched.name, launched.output, launched.ask_to_end)
            return _served(
                options,
                inputs,
                with_server,
                lambda: launched.watch_output(inputs.intervals(lambda _: None)),
                lambda: probe.why_empty(inputs.plan),
            )
        finally:
            launched.close()
    finally:
        with_server.close()


class _OpenServer:
    """A server and the totals that it serves."""

    def __init__(self, options: argparse.Namespace) -> None:
        from ....exposition import ClassicGrid, MetricsServer, ServedTotals, address_of

        if not _METRIC.fullmatch(options.metric):
            raise UsageError(f"--metric {options.metric}: a name of letters, digits and _, that ends with _seconds")
        if options.max_latency < LEAST_LONGEST:
            raise UsageError(f"--max-latency {format_latency(options.max_latency)}: must be at least 2us")
        self.totals = ServedTotals(ClassicGrid(options.per_doubling, options.max_latency), options.most_series)
        self._said_open = False
        self._server = MetricsServer(self.totals, options.metric, address_of(options.listen))
        print_notice(f"serving {options.metric} at {self._server.address}")
        self.close = self._server.close

    def add(self, interval: Interval) -> None:
        """Add an interval to the totals. What is open in it is said once: bounds stay as they are."""
        self.totals.add(interval)
        found = None if self._said_open else self.totals.first_open()
        if found is not None:
            self._said_open = True
            begin, last = format_latency(found[1]), format_latency(self.totals.grid.bounds[-1])
            what = f"{printable(found[0])}: the source does not tell how long events above {begin} are"
            told = f"they are in the last bucket, which begins at {last}, and quantiles say so"
            print_notice(f"{what}: {told}; --max-latency {found[1] * 1e6:.12g}us lets it begin there")


def _opened(options: argparse.Namespace) -> _OpenServer:
    return _OpenServer(options)


def _served(
    options: argparse.Namespace,
    inputs: Inputs,
    opened: _OpenServer,
    produce: Callable[[], Iterator[Interval]],
    why_empty: Callable[[], str],
) -> int:
    """Add up all intervals as they come, until the source ends; the exit status."""
    from ....session import Feed
    from ...reading import run_inputs

    feed: Feed[Interval] = Feed(produce)

    def use(arrived: list[Interval]) -> None:
        for interval in arrived:
            opened.add(interval)

    ending = run_inputs(feed, use, inputs, options.duration)
    opened.totals.up = False
    if opened.totals.has_any and not ending.by_signal:
        print_notice(f"the source has ended; its totals are served for {options.linger:g} s more")
        _linger(options.linger)
    notice_or_raise(feed.error, interrupted=ending.by_signal)
    if opened.totals.has_any or ending.by_signal:
        return ending.status
    print_notice(why_empty())
    return Exit.NO_INTERVAL


def _linger(seconds: float) -> None:
    from threading import Event

    Event().wait(seconds)

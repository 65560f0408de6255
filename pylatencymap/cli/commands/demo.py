"""``pylatencymap demo``: a simulated cache in front of a spindle."""

from __future__ import annotations

import time
from itertools import takewhile
from typing import TYPE_CHECKING

from ..alerts import Alerts, add_alert_options
from ..arguments import Parser, add_data_options, add_run_options, add_view_options, parser
from ..option_values import integer
from ..setup import check_picture, has_live_view, plan_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from ...interval import Interval
    from ...intervals import TakeBatch
    from ...record import Event
    from ...session import Picture

PAST_SECONDS = 60
"""The history with which the live view opens, so that there is something to see from the first second."""


def arguments() -> Parser:
    """The parser of this command."""
    made = parser(
        "demo",
        "Draws a simulated disk with a cache: the cache fills, a scan evicts it, the machine restarts.\n"
        "In a terminal it runs live until q; otherwise it runs at full speed and prints one picture.",
    )
    made.add_argument("--seed", type=integer, default=1, metavar="N", help="seed of the simulation; default: 1")
    add_data_options(made, draws=True)
    add_view_options(made)
    add_run_options(made)
    add_alert_options(made)
    made.set_defaults(format=None, unit=None, tim_unit="", semantics=None, date=None, strict=False)
    made.set_defaults(time_column="", latency_column="", by=[], regex=None)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    check_picture(options)
    return _drawn(options, Alerts(options))


def _drawn(options: argparse.Namespace, alerts: Alerts) -> int:
    """Run the simulation and draw it; returns the exit status."""
    from ...demo import SCENE_SECONDS, simulated_events
    from ...intervals import resolve_times
    from ...report import Report
    from ...session.input import StopRequest, intervals_of, limit_events
    from ...view.layout import DEMO
    from ..recording import OwnRecording
    from ..session import CommandSession

    live = has_live_view(options)
    stop = StopRequest()
    recording = OwnRecording(options, live=live)
    plan = plan_of(options)
    begin = int(time.time()) - (PAST_SECONDS if live else SCENE_SECONDS)

    def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
        story = resolve_times(simulated_events(begin, options.seed), plan.time, Report("demo"))
        scene = story if live else _until(story, begin + SCENE_SECONDS)
        time_options = plan.time._replace(started=0.0) if live else plan.time
        limited = limit_events(scene, plan.count, plan.duration)
        found = intervals_of(limited, plan, picture.mark, recording.tee, time_options)
        return _as_they_happen(found, stop.pause) if live else found

    return CommandSession(
        options,
        produce,
        stop,
        plan.why_empty,
        state=DEMO,
        final_state=DEMO,
        keep=recording.keep,
        current_notice=recording.current_notice,
        close=recording.close,
        flags=recording.flags,
        alerts=alerts,
    ).run(live)


def _until(story: Iterable[Event], end: float) -> Iterator[Event]:
    from ...record import Tick

    return takewhile(
        lambda event: not (isinstance(event, Tick) and event.stamp and event.stamp.micros > end * 1e6), story
    )


def _as_they_happen(
    intervals: Iterable[Interval], sleep: Callable[[float], object], now: Callable[[], float] = time.time
) -> Iterator[Interval]:
    """Past intervals at once, the others when they end."""
    for interval in intervals:
        sleep(interval.end / 1e6 - now())
        yield interval

"""Two periods of the history compared, such as this Monday with the last: the page of ``pylatencymap compare``."""

from __future__ import annotations

import argparse

from ...api import Run, compare
from ...errors import Exit
from ...intervals import resolve_times
from ...report import Report
from ...session import Picture, PictureOptions
from ...session.input import intervals_of, limit_events
from ...text import zone_named
from ..acceptance import Acceptance
from ..commands.compare import show_comparison
from ..standard_streams import print_notice
from .history import PeriodRead, read_periods, read_plan


def show_comparison_of_periods(options: argparse.Namespace, acceptance: Acceptance) -> int:
    """Print in what the period of the options differs from the one of --against; the exit status."""
    read = read_periods(options)
    runs = [_run(options, period, read.report) for period in read.periods]
    for period, run in zip(read.periods, runs, strict=True):
        if not run.series:
            print_notice(f"{period_words(period)}: there is no interval: each takes two snapshots of an instance")
            return Exit.NO_INTERVAL
    after, before = runs
    words = [[period_words(period)] for period in read.periods]
    return show_comparison(compare([before], [after], files=(words[1], words[0])), options, acceptance)


def period_words(period: PeriodRead) -> str:
    """A period as a side of the comparison is named."""
    since, until = (f"{one:%Y-%m-%d %H:%M}" for one in (period.span.since, period.span.until))
    return f"{since} to {until if until[:10] != since[:10] else until[11:]}"


def _run(options: argparse.Namespace, period: PeriodRead, report: Report) -> Run:
    plan = read_plan(options)
    picture = Picture(PictureOptions(history_mb=options.history_mb))
    timed = limit_events(resolve_times(period.records, plan.time, report), options.count, options.duration)
    picture.extend(list(intervals_of(timed, plan, picture.mark, report=report)))
    return Run(picture.window, picture.marks, report.bad_count, (), zone_named(options.tz))

"""What a report reads files once more for: calls and statements of Oracle SQL traces, and single tasks of Spark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import registry
from ..errors import LatencyMapError, SourceError
from ..findings import (
    ProfileCalls,
    ProfileEvent,
    SeriesFigures,
    SlowTasks,
    StageTask,
    TraceProfile,
    figures_of,
    series_data,
    slow_tasks,
)
from ..intervals import is_apart, is_between_calls
from ..report import Report
from ..session import Picture, PictureOptions
from ..session.input import ReadPlan, Source, Sources, chunks_of, fit_of, open_path, open_source, recognised
from ..window import Window

if TYPE_CHECKING:
    from ..collectors.oracle_trace.scan_calls import TraceAccount

TRACE = "oracle_trace"
SQL = "sql_id"
MOST_SQL = 5
SPARK = "spark"
MOST_STAGES = 5
LEAST_SHARE = 0.02
"""Stages with less of the run time of all are left out."""


def profile_of(files: Sequence[str], plan: ReadPlan, window: Window) -> TraceProfile | None:
    """The profile of files that have been read as a whole, with the series of their events, into the window; None if
    one of them is no Oracle SQL trace.
    """
    is_whole = plan.excerpt is None and plan.last is None and plan.takes_all
    if not is_whole or plan.series or plan.by or plan.known.calls or not all(map(os.path.isfile, files)):
        return None
    from ..collectors.oracle_trace.scan_calls import TraceAccount

    account = TraceAccount({})
    sources = Sources(plan.afresh(), lambda _: None)
    try:
        for file in files:
            source = open_source(file, sources.stop)
            sources.add(source)
            text = recognised(source, plan.afresh(), Report(""))
            if text is None or not registry.is_collector(text.collector, TRACE):
                return None
            account = account.plus(_account(source, plan))
    except LatencyMapError:
        return None
    finally:
        sources.close_all()
    calls = [ProfileCalls(name, depth, *times) for (name, depth), times in account.calls.items()]
    calls.sort(key=lambda one: (one.depth, -one.elapsed))
    return TraceProfile(tuple(calls), tuple(_events(window)), tuple(_statements(files, plan)), account.unfinished)


def _account(source: Source, plan: ReadPlan) -> TraceAccount:
    from ..collectors.oracle_trace.scan_calls import account_of_chunks, account_of_lines
    from ..scan import NotScannable

    collector = registry.load_collector(TRACE)
    if (fit := fit_of(source, collector, plan.known)) is not None:
        try:
            return account_of_chunks(chunks_of(source, plan.jobs), plan.known, fit.scan)
        except NotScannable:
            pass  # of an old release, or not sure what is quoted: the lines tell
    return account_of_lines(source.lines(), plan.known)


def _events(window: Window) -> list[ProfileEvent]:
    """The waits by event."""
    found = [
        ProfileEvent(name, window[name].events, window[name].waited, is_between_calls(name), is_apart(name))
        for name in window.names()
    ]
    return sorted(found, key=lambda one: (one.is_apart, -one.waited))


def _statements(files: Sequence[str], plan: ReadPlan) -> list[SeriesFigures]:
    """The figures of the statements that waited most, whatever they waited for; none if the trace names none."""
    sources = Sources(replace(plan.afresh(), by=SQL, top=MOST_SQL, across=True), lambda _: None)
    picture = Picture(PictureOptions())
    try:
        for file in files:
            sources.add(open_source(file, sources.stop))
        picture.extend(sources.read(lambda _: None, lambda one: picture.extend([one])))
    except SourceError:
        return []  # no wait belongs to a statement that the trace names
    finally:
        sources.close_all()
    window = picture.window
    named = [name for name in window.by_time_waited() if name.startswith(f"{SQL}=") and window[name].events]
    return [figures_of(series_data(name, "waits", "", window.between(name, None, None))) for name in named]


def stragglers_of(files: Sequence[str], plan: ReadPlan, window: Window) -> tuple[SlowTasks, ...]:
    """What is slow in the stages that took most time, of one log that has been read as a whole into the window; nothing
    for any other text.
    """
    if len(files) != 1 or plan.excerpt is not None or plan.last is not None or not plan.takes_all or plan.by:
        return ()
    sources = Sources(plan.afresh(), lambda _: None)
    try:
        source = open_path(files[0], sources.stop)
        sources.add(source)
        if source.live:
            return ()
        text = recognised(source, plan.afresh(), Report(""))
        if text is None or not registry.is_collector(text.collector, SPARK):
            return ()
        from ..collectors.spark.task_times import stage_times

        stages = [one for one in stage_times(source.lines()) if f"stage {one.stage} run time" in window.names()]
    except LatencyMapError:
        return ()
    finally:
        sources.close_all()
    found = [slow_tasks(one.stage, one.name, [StageTask(*task) for task in one.tasks]) for one in stages]
    slow = sorted((one for one in found if one is not None), key=lambda one: -one.waited)
    least = sum(task.millis for one in stages for task in one.tasks) / 1000 * LEAST_SHARE
    return tuple(one for one in slow[:MOST_STAGES] if one.waited >= least)

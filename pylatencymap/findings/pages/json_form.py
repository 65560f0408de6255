"""Findings for programs: plain values that become JSON. docs/report.md describes every field."""

from __future__ import annotations

from typing import Any

from ...analysis import LatencyPart, Level, Mode
from ...record import Mark
from ..changes import Change
from ..evidence import estimate_json, finite
from ..facts import RunFacts, part_of
from ..figures import SeriesFigures
from ..stragglers import SlowTasks
from ..trace_profile import TraceProfile

VERSION = 1
"""Of the schema: raised if a field changes its meaning or goes; new fields do not raise it."""

MOST_TASKS = 100
"""Slow tasks of a stage that are listed."""


def json_form(run: RunFacts) -> dict[str, Any]:
    """The findings; times of day are ISO 8601, all other times seconds, and shares 0 to 1."""
    return {
        "schema": "pylatencymap-report",
        "version": VERSION,
        "files": list(run.files),
        "only": list(run.only),
        "begin": run.times.iso(run.times.begin) if run.times.clock else None,
        "end": run.times.iso(run.times.end) if run.times.clock else None,
        "seconds": (run.times.end - run.times.begin) / 1e6,
        "interval": run.times.width,
        "bad_records": run.bad,
        "verdict": run.verdict,
        "series": [_series(run, one) for one in run.series],
        "all": None if run.all is None else _series(run, run.all),
        "changes": [_change(run, change) for change in run.changes],
        "recurring": [one.as_dict() for one in run.recurring],
        "marks": [_mark(run, mark) for mark in run.marks],
        "who": None if run.who is None else run.who.as_dict(),
        "meaning": [one.as_dict() for one in run.meaning],
        "limits": [one.as_dict() for one in run.limits],
        "profile": None if run.profile is None else _profile(run.profile),
        "stragglers": [_straggler(one) for one in run.stragglers],
    }


def _series(run: RunFacts, one: SeriesFigures) -> dict[str, Any]:
    tail = one.modes.tail
    return {
        "name": one.name,
        "noun": one.noun,
        "events": one.events,
        "seconds": one.seconds,
        "rate": one.rate if one.timed else None,
        "waited": {**estimate_json(one.waited), "exact": one.exact},
        "average": one.average,
        "percentiles": {key: estimate_json(value) for key, value in one.percentiles.items()},
        "half_of_wait_above": None if one.half is None else estimate_json(one.half),
        "too_few": one.modes.too_few,
        "bunching": one.modes.bunch,
        "tick": one.modes.tick,
        "modes_possible": one.modes.possible,
        "modes": [_mode(run, one, number, mode) for number, mode in enumerate(one.modes.modes)],
        "tail": None
        if tail is None
        else {
            "bound": tail.bound,
            "events": tail.events,
            "share": estimate_json(tail.share),
            "wait": estimate_json(tail.wait),
        },
        "beyond": None if one.modes.beyond is None else _part(one.modes.beyond),
    }


def _part(one: LatencyPart) -> dict[str, Any]:
    return {
        "lower": one.lower,
        "upper": finite(one.upper),
        "events": one.events,
        "share": estimate_json(one.share),
        "wait": estimate_json(one.wait),
    }


def _mode(run: RunFacts, one: SeriesFigures, number: int, mode: Mode) -> dict[str, Any]:
    changes = run.passing.get((one.name, number), ())
    part = part_of(one.modes, number)
    rate = None if mode.rate is None or not one.timed else mode.rate * part.events / mode.events
    return {
        "lower": mode.lower,
        "upper": finite(mode.upper),
        "typical": mode.typical,
        "typical_low": mode.typical_band[0],
        "typical_high": finite(mode.typical_band[1]),
        "events": part.events,
        "rate": rate,
        "share": estimate_json(part.share),
        "waited": estimate_json(part.waited),
        "wait": estimate_json(part.wait),
        "only_in_change": run.changes.index(changes[0]) if changes else None,
        "only_in_changes": [run.changes.index(change) for change in changes],
    }


def _change(run: RunFacts, change: Change) -> dict[str, Any]:
    clock = run.times.clock
    return {
        "kind": change.kind.value,
        "begin": run.times.iso(change.begin) if clock else None,
        "end": run.times.iso(change.end) if clock else None,
        "begin_seconds": (change.begin - run.times.begin) / 1e6,
        "end_seconds": (change.end - run.times.begin) / 1e6,
        "series": list(change.series),
        "alone": change.alone,
        "lower": change.low,
        "upper": None if change.high is None else finite(change.high),
        "before": _level(change.before),
        "inside": _level(change.inside),
        "after": _level(change.after),
        "cost": change.cost,
        "text": change.text,
    }


def _mark(run: RunFacts, mark: Mark) -> dict[str, Any]:
    at = mark.stamp.micros
    return {
        "at": run.times.iso(at) if run.times.clock else None,
        "at_seconds": (at - run.times.begin) / 1e6,
        "text": mark.note,
    }


def _level(level: Level | None) -> dict[str, float] | None:
    if level is None:
        return None
    return {
        "events": level.events,
        "share": level.share,
        "wait": level.time_share,
        "rate": level.rate,
        "waited_per_second": level.waited,
    }


def _straggler(one: SlowTasks) -> dict[str, Any]:
    executor = None if one.executor is None else dict(zip(("name", "slow", "tasks"), one.executor, strict=True))
    return {
        "stage": one.stage,
        "name": one.name,
        "tasks": one.tasks,
        "waited": one.waited,
        "bound": one.bound,
        "share": one.share,
        "slow": [
            {
                "task": task.place,
                "executor": task.executor,
                "seconds": task.millis / 1000,
                "bytes": task.size,
                "records": task.records,
            }
            for task in one.slow[:MOST_TASKS]
        ],
        "slow_tasks": len(one.slow),
        "executor": executor,
        "median_bytes": one.usual,
        "median_records": one.usual_records,
        "skewed": len(one.skewed),
    }


def _profile(profile: TraceProfile) -> dict[str, Any]:
    known = profile.has_calls
    return {
        "elapsed": profile.elapsed if known else None,
        "cpu": profile.cpu if known else None,
        "waited": profile.waited,
        "unaccounted": profile.unaccounted if known else None,
        "unfinished": profile.unfinished,
        "calls": [vars(one) for one in profile.calls],
        "events": [
            {
                "name": one.name,
                "waits": one.waits,
                "waited": one.waited,
                "between": one.is_between,
                "idle": one.is_apart,
            }
            for one in profile.events
        ],
        "sql": [_sql_json(one) for one in profile.sql],
    }


def _sql_json(one: SeriesFigures) -> dict[str, Any]:
    return {
        "name": one.name,
        "waits": one.events,
        "waited": one.waited.value,
        "average": one.average,
        "percentiles": {key: estimate_json(value) for key, value in one.percentiles.items()},
        "modes": [
            {
                "lower": mode.lower,
                "upper": finite(mode.upper),
                "typical": mode.typical,
                "wait": estimate_json(mode.wait),
            }
            for mode in one.modes.modes
        ],
    }

"""Values of options: what is taken, and what is said of what is not."""

from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pylatencymap as lm
from pylatencymap.api.options import READERS, checked, moment_of
from pylatencymap.errors import UsageError
from pylatencymap.record import Semantics
from pylatencymap.units import Unit


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("interval", 10, 10.0),
        ("interval", np.float32(0.5), 0.5),
        ("count", np.int64(3), 3),
        ("series", "sd*", ("sd*",)),
        ("series", ["a", "b"], ("a", "b")),
        ("date", "2026-01-31", date(2026, 1, 31)),
        ("date", datetime(2026, 1, 31, 5), date(2026, 1, 31)),
        ("tz", "UTC", timezone.utc),
        ("tz", timezone.utc, timezone.utc),
        ("semantics", "rate", Semantics.RATE),
        ("semantics", "auto", None),
        ("unit", "usecs", Unit.US),
        ("unit", "sec", "s"),
        ("slo", "10ms", 0.01),
        ("slo", 0.01, 0.01),
        ("size", "120x40", (120, 40)),
        ("size", [80, 24], (80, 24)),
        ("resolution", 4, 4),
    ],
)
def test_values_are_read(name: str, given: Any, value: Any) -> None:
    assert checked({name: given}) == {name: value}
    assert checked({name: None}) == {name: None}


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("interval", 0.0001, "interval=0.0001: must be a number of seconds, at least 0.001"),
        ("interval", "1", "interval='1': must be a number of seconds, at least 0.001"),
        ("interval", float("nan"), "interval=nan: must be a number of seconds, at least 0.001"),
        ("interval", float("inf"), "interval=inf: must be a number of seconds, at least 0.001"),
        ("duration", 0, "duration=0: must be a number of seconds above 0"),
        ("duration", True, "duration=True: must be a number of seconds above 0"),
        ("count", 0, "count=0: must be a whole number, at least 1"),
        ("count", 1.5, "count=1.5: must be a whole number, at least 1"),
        ("jobs", True, "jobs=True: must be a whole number, at least 1"),
        ("series", 7, "series=7: must be a text, or several"),
        ("series", ["a", 7], "series=['a', 7]: must be a text, or several"),
        ("format", 7, "format=7: must be a text"),
        ("date", "31.1.2026", "date='31.1.2026': must be a date, as a text as in '2026-01-31'"),
        ("date", 7, "date=7: must be a date, as a text as in '2026-01-31'"),
        ("tz", "Mars/Base", "tz: --tz Mars/Base: no such time zone; write a name as in Europe/Zurich or UTC"),
        ("tz", 1, "tz=1: must be the name of a time zone, or a tzinfo"),
        ("semantics", "sum", "semantics: 'sum' is none of auto, cumulative, interval, rate"),
        ("unit", "miles", "unit: 'miles' is none of ns, us, ms, and of tables s"),
        ("tim_unit", "s", "tim_unit='s': must be one of us, ns/1024, cs"),
        ("regex", "(", "regex: '(' is no regular expression"),
        ("regex", "(?P<time>x)", "regex: '(?P<time>x)' lacks the group (?P<latency>...)"),
        ("regex", 7, "regex=7: must be a text"),
        ("slo", "10", "slo: '10' is no latency; write a number and a unit"),
        ("slo", -1, "slo=-1: must be a number of seconds above 0, or a text as '10ms'"),
        ("resolution", 3, "resolution: resolution 3 is none of 1, 2, 4, 8, 16, 32, 64"),
        ("resolution", 1.0, "resolution=1.0: must be a whole number"),
        ("palette", "pink", "palette='pink': must be one of cool-warm, "),
        ("depth", "8", "depth='8': must be one of truecolor, "),
        ("size", (10, 10), "size=(10, 10): must be columns and lines as in (120, 40), from (60, 20) to (400, 200)"),
        ("size", "large", "size='large': must be columns and lines"),
        ("size", 120, "size=120: must be columns and lines"),
    ],
)
def test_what_is_wrong_is_said(name: str, given: Any, says: str) -> None:
    with pytest.raises(UsageError) as raised:
        checked({name: given})
    assert str(raised.value).startswith(says)


def test_every_option_can_be_read() -> None:
    import inspect

    of_read = {*inspect.signature(lm.read).parameters} - {"source", "start", "strict", "ranked_with"}
    of_save = {*inspect.signature(lm.Run.save).parameters} - {"self", "path"}
    assert of_read | of_save == {*READERS}


def test_moments() -> None:
    east = timezone(timedelta(hours=2))
    expected = 1_769_853_600_250_000
    utc = datetime(2026, 1, 31, 10, 0, 0, 250_000, tzinfo=timezone.utc)
    for given in (expected, np.int64(expected), utc, utc.replace(hour=12, tzinfo=None), "2026-01-31 12:00:00.25"):
        assert moment_of("start", given, east) == expected
    assert moment_of("start", None, east) is None
    for wrong in ("noon", 1.5, b"x"):
        with pytest.raises(UsageError, match=r"start=.*: must be a date and time, or epoch microseconds"):
            moment_of("start", wrong, east)  # type: ignore[arg-type]


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(UsageError, match="are for tables, and not for --format bpf"):
        lm.read("x", format="bpf", time="1")
    with pytest.raises(UsageError, match="--regex has the groups time and latency"):
        lm.read("x", regex="(?P<time>x)(?P<latency>y)", latency="1")
    with pytest.raises(UsageError, match="--regex has the groups time and latency"):
        lm.read("x", regex="(?P<latency>y)", time="1")
    with pytest.raises(UsageError, match=r"lacks the group .*time.*; lines without a time: --time none"):
        lm.read("x", regex="(?P<latency>y)")


def test_an_expression_needs_no_time_where_there_is_none(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("17 took 5\n18 took 7\n")
    for expression in (".* took (?P<latency>.*)", "(?P<time>.*) took (?P<latency>.*)"):
        (interval,) = lm.read(text, regex=expression, time="none", unit="us").intervals()
        assert (interval.events, interval.clock) == (2, False)

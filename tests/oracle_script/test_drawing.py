"""What the maps of oralatencymap.sql say beside their colours, and how it leaves SQL*Plus behind."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyte
import pytest

from pylatencymap.number_text import count_text, open_label, share_text
from pylatencymap.oracle_script import script
from pylatencymap.units import Unit, format_latency, format_measured
from pylatencymap.window.statistics import mean_latencies, summarise
from tests.oracle_script.conftest import FRAMES

READS, SYNC = "db file sequential read", "log file sync"
SMALL = ("3", READS, "12", "20")
SECONDS = 3 * FRAMES
Run = Callable[..., tuple[str, list[str]]]
SqlPlus = Callable[..., Any]


def frames_of(text: str) -> list[list[str]]:
    """The lines of each frame as a wide terminal shows them."""
    return [_lines(frame) for frame in text.split("\x1b[?7l")[1:]]


def last_frame(text: str) -> list[str]:
    return _lines(text.split("\x1b[?7l")[-1])


def _lines(frame: str) -> list[str]:
    screen = pyte.Screen(130, 20 + frame.count("|"))
    pyte.Stream(screen).feed(frame.replace("\n", "\r\n"))
    return [line.rstrip() for line in screen.display]


def numbers_of(lines: list[str], name: str) -> dict[str, tuple[str, str]]:
    """Label: number and share of the newest column, of one map."""
    first = next(number for number, line in enumerate(lines) if line.startswith(f" {name}"))
    found = {}
    for line in lines[first + 1 :]:
        label, rest = line[:7].strip(), line[29:]
        if label:
            found[label] = (rest[:8].strip(), rest[8:].strip())
        if label == "total":
            break
    return found


def waits_of(rates: dict[int, float], seconds: int) -> dict[int, float]:
    """Milliseconds waited per second in each bucket, as the analysis estimates them from so many seconds."""
    bounds = sorted(rates)
    ranges = [(bound // 2, bound) for bound in bounds]
    means = mean_latencies(ranges, np.array([rates[bound] * seconds for bound in bounds]), Unit.US)
    return {bound: rates[bound] * float(mean) * 1000 for bound, mean in zip(bounds, means, strict=True)}


@pytest.mark.parametrize(("event", "number"), [(READS, 1), (SYNC, 2), ("cell single block physical read", 1)])
def test_the_numbers_are_the_true_rates(still: Callable[..., Any], run: Run, event: str, number: int) -> None:
    mock = still()
    mock.hide_view("gv$system_event")
    text, errors = run("3", event.upper().replace(" ", "_"), "12", "20", f"and inst_id={number}", mock=mock)
    assert not errors
    rates = mock.rates[event][number]
    for number_of_columns, frame in enumerate(frames_of(text)[1:], 1):
        waits = waits_of(rates, 3 * number_of_columns)
        for name, truth in (("FREQUENCY", rates), ("INTENSITY", waits)):
            total = sum(truth.values())
            expected = {
                format_latency(bound * 1e-6): (count_text(value, "."), share_text(value / total))
                for bound, value in truth.items()
            }
            found = numbers_of(frame, name)
            assert found.pop("total") == (count_text(total), "/s" if name == "FREQUENCY" else "ms/s")
            assert found == expected


@pytest.mark.parametrize("only", ["", "and inst_id = 2", "AND INST_ID=2"])
def test_averages_and_totals_are_exact(still: Callable[..., Any], run: Run, only: str) -> None:
    mock = still()
    begin = mock.clock.now
    frame = last_frame(run(*SMALL, only, mock=mock)[0])
    instances = (2,) if only else (1, 2)
    waits, micros = (sum(grown) for grown in zip(*(_grown(mock, one, begin) for one in instances), strict=True))
    average = format_measured(micros / waits / 1e6)
    assert f" window {SECONDS} s   avg {average} " in "\n".join(frame)
    assert "waited/s est." not in "\n".join(frame)
    found = numbers_of(frame, "INTENSITY")
    latest = [_grown(mock, one, mock.clock.now - timedelta(seconds=3))[1] for one in instances]
    assert found.pop("total") == (count_text(sum(latest) / 3 / 1000), "ms/s")


def _grown(mock: Any, instance: int, since: Any) -> tuple[int, int]:
    """Waits and microseconds of an instance since a moment."""
    now, before = (mock.exact(READS, instance=instance, at=at) for at in (mock.clock.now, since))
    return now[0] - before[0], now[1] - before[1]


@pytest.mark.parametrize("only", ["and inst_id in (1, 2)", "and wait_count >= 0", "and inst_id=1 or inst_id=2"])
def test_what_another_view_may_not_have_is_not_asked_of_it(still: Callable[..., Any], run: Run, only: str) -> None:
    text, errors = run(*SMALL, only, mock=still())
    assert not errors
    assert "waited/s est." in "\n".join(last_frame(text))


@pytest.mark.parametrize("skew", [0.3, -0.3])
def test_sums_that_are_a_moment_apart_are_exact_over_the_window(
    still: Callable[..., Any], run: Run, skew: float
) -> None:
    mock = still(rates={READS: {1: {512: 3, 16384: 1}}})
    mock.system_event_skew = skew
    begin = mock.clock.now
    frames = frames_of(run(*SMALL, mock=mock)[0])[1:]
    shift = timedelta(seconds=skew)
    micros = [mock.exact(READS, instance=1, at=at + shift)[1] for at in (begin, mock.clock.now)]
    waits = [mock.exact(READS, instance=1, at=at)[0] for at in (begin, mock.clock.now)]
    average = re.search(rf"window {SECONDS} s   avg ([\d.]+) ms", "\n".join(frames[-1]))
    assert average is not None
    assert float(average[1]) == pytest.approx((micros[1] - micros[0]) / (waits[1] - waits[0]) / 1000, rel=0.03)
    for frame in frames:
        assert "-" not in "".join(number for number, _ in numbers_of(frame, "INTENSITY").values())


@pytest.mark.thorough
def test_200_frames(still: Callable[..., Any], run: Run, tmp_path: Path) -> None:
    path, mock = tmp_path / "oralatencymap.sql", still()
    path.write_text(script(200 * 3 / 3600))
    text, errors = run("3", SYNC, "12", "20", mock=mock, path=path)
    assert not errors
    frames = frames_of(text)[1:]
    assert len(frames) == 200
    rates = mock.true_rates(SYNC)
    expected = {format_latency(bound * 1e-6): count_text(rate, ".") for bound, rate in rates.items()}
    expected["total"] = count_text(sum(rates.values()))
    for frame in frames:
        assert {label: number for label, (number, _) in numbers_of(frame, "FREQUENCY").items()} == expected


def test_an_event_with_capitals(still: Callable[..., Any], run: Run) -> None:
    mock = still(rates={"Disk file I/O Calibration": {1: {512: 5}}})
    frame = last_frame(run("3", "DISK_file_i/o_calibration", "12", "20", mock=mock)[0])
    assert numbers_of(frame, "FREQUENCY")["512 us"] == ("5", "100 %")


def test_all_instances_are_added_up(still: Callable[..., Any], run: Run) -> None:
    mock = still(con_ids=(1, 3))
    frame = last_frame(run(*SMALL, mock=mock)[0])
    found = numbers_of(frame, "FREQUENCY")
    assert found["512 us"][0] == str(mock.true_rate(READS, 512))
    assert found["total"] == (count_text(sum(mock.true_rates(READS).values())), "/s")


def test_a_restart_of_one_instance_lets_the_others_stand(still: Callable[..., Any], run: Run) -> None:
    mock, sleeps = still(), iter(range(100))
    sleep = mock.clock.sleep

    def sleep_and_restart(seconds: float) -> None:
        if next(sleeps) == 3:
            mock.restart_instance(1)
        sleep(seconds)

    mock.clock.sleep = sleep_and_restart
    text, errors = run(*SMALL, mock=mock)
    assert not errors
    for frame in frames_of(text)[1:]:
        assert numbers_of(frame, "FREQUENCY")["512 us"][0] == str(mock.true_rate(READS, 512))
        assert "-" not in "".join(number for number, _ in numbers_of(frame, "INTENSITY").values())
    axis = next(line for line in last_frame(text) if line.startswith("        +"))
    assert axis.count("R") == 1
    assert axis.index("R") == 9 + 20 - FRAMES + 3


def test_the_overflow_row_stands_apart(still: Callable[..., Any], run: Run) -> None:
    mock = still()
    mock.add_overflow(READS)
    mock.hide_view("gv$system_event")
    frame = last_frame(run("3", READS, "40", "20", mock=mock)[0])
    top = next(number for number, line in enumerate(frame) if line.startswith(" FREQUENCY"))
    label = open_label(2**31 * 1e-6)
    assert frame[top + 1].startswith(f"{label:>7} |")
    assert frame[top + 2].replace("/", "").strip() == "|"
    assert numbers_of(frame, "FREQUENCY")[label] == ("1", "<1 %")
    assert "avg >= " in "".join(frame)
    assert "max > 2147 s" in "".join(frame)


def test_rows_merge_at_the_edges(still: Callable[..., Any], run: Run) -> None:
    mock = still()
    mock.add_overflow(READS)
    found = numbers_of(last_frame(run("3", READS, "3", "20", mock=mock)[0]), "FREQUENCY")
    uppers = {format_latency(2**k * 1e-6): 2**k for k in range(33)}
    top, *others = list(found)[:-1]
    middle, bottom = (uppers[label] for label in others)
    rates = mock.true_rates(READS)
    assert top == open_label(middle * 1e-6)
    assert [found[label][0] for label in (top, *others)] == [
        count_text(sum(rate for bound, rate in rates.items() if low < bound <= high), ".")
        for low, high in ((middle, 2**33), (bottom, middle), (0, bottom))
    ]


@pytest.mark.parametrize("label", [2**32, 2**33])
def test_a_power_of_two_is_no_overflow(still: Callable[..., Any], run: Run, label: int) -> None:
    mock = still(overflow_micro=label)
    mock.add_overflow(READS)
    found = numbers_of(last_frame(run("3", READS, "40", "20", mock=mock)[0]), "FREQUENCY")
    assert found[format_latency(label * 1e-6)] == ("1", "<1 %")


def test_it_sleeps_first_and_samples_after(still: Callable[..., Any], run: Run) -> None:
    """The earlier script drew each frame one interval late: a change shows in the frame after its sleep here."""
    mock, sleeps = still(), iter(range(100))
    sleep, counters = mock.clock.sleep, mock.counters
    extra = {512: 0}

    def sleep_and_wait(seconds: float) -> None:
        sleep(seconds)
        extra[512] += 300_000 if next(sleeps) == 4 else 0

    def counters_and_extra(now: Any) -> Any:
        return ((*row[:2], row[2], row[3] + extra.get(row[2], 0), row[4]) for row in counters(now))

    mock.clock.sleep, mock.counters = sleep_and_wait, counters_and_extra
    text, _ = run(*SMALL, "and inst_id=1", mock=mock)
    seen = [numbers_of(frame, "FREQUENCY")["512 us"][0] for frame in frames_of(text)[1:7]]
    assert seen == ["600"] * 4 + ["101k", "600"]


def test_frames_over_midnight(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(clock=rig.SimClock.before_midnight(16, tick=0), uptime=1000)
    frames = frames_of(run(*SMALL, mock=mock)[0])
    assert [re.search(r"(\d\d:\d\d:\d\d) \+00:00", frame[0]).group(1) for frame in frames[5:8]] == [  # type: ignore[union-attr]
        "23:59:59",
        "00:00:02",
        "00:00:05",
    ]
    for frame in frames[1:]:
        assert numbers_of(frame, "FREQUENCY")["total"][0] == count_text(sum(mock.true_rates(READS).values()))


def test_statistics_are_those_of_the_buckets(still: Callable[..., Any], run: Run) -> None:
    mock = still(rates={SYNC: {1: {1024: 50, 2048: 40, 8192: 10}}})
    mock.hide_view("gv$system_event")
    frame = last_frame(run("3", SYNC, "12", "20", mock=mock)[0])
    ranges = [(512, 1024), (1024, 2048), (4096, 8192)]
    counts = SECONDS * np.array([50.0, 40.0, 10.0])
    about = summarise(ranges, counts, Unit.US, span=SECONDS, waited=None, estimated=True)
    assert about.average is not None
    assert about.p99 is not None
    average, p99 = (format_measured(one.seconds) for one in (about.average, about.p99))
    figures = f"avg {average}   p50 1.02 ms   p90 2.05 ms   p99 {p99}   max < 8.19 ms"
    assert f" window {SECONDS} s   {figures}" in frame
    assert f" latest 3 s    {figures}" in frame


@pytest.mark.parametrize(
    ("args", "event", "seconds"),
    [
        ((), READS, "3"),
        (("", "", "", "", ""), READS, "3"),
        (("2",), READS, "2"),
        (("log_file_sync",), SYNC, "3"),
        (("Log File Sync", "0.5"), SYNC, "0.50"),
        ((".5", "LOG FILE SYNC"), SYNC, "0.50"),
        (("10", "log_file_sync", "5", "30"), SYNC, "10"),
    ],
)
def test_arguments_in_either_order(
    still: Callable[..., Any], run: Run, args: tuple[str, ...], event: str, seconds: str
) -> None:
    text, errors = run(*args, mock=still(), frames=3)
    assert not errors
    title = last_frame(text)[0]
    assert f"{event}   LIVE   every {seconds} s" in title


@pytest.mark.parametrize(
    ("rows", "columns", "drawn"), [("4", "25", (4, 25)), ("40", "100", (11, 100)), ("", "", (11, 90))]
)
def test_buckets_and_columns(
    still: Callable[..., Any], run: Run, rows: str, columns: str, drawn: tuple[int, int]
) -> None:
    frame = last_frame(run("3", READS, rows, columns, mock=still(), frames=3)[0])
    assert len(numbers_of(frame, "FREQUENCY")) == drawn[0] + 1
    assert max(len(line) for line in frame if "|" in line) == 9 + drawn[1] + 14
    axis = next(line for line in frame if line.startswith("        +"))
    assert len(axis) == 9 + drawn[1]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("3", "no such event"), 'no waits for the event "no such event"'),
        (("soon", "later"), "not soon"),
        (("3", READS, "many"), "number of buckets is a whole number, not many"),
        (("3", READS, "1"), "number of buckets is from 2 to 40"),
        (("3", READS, "12", "500"), "number of columns is from 20 to 200"),
    ],
)
def test_bad_arguments_are_told_in_the_picture(
    still: Callable[..., Any], run: Run, args: tuple[str, ...], told: str
) -> None:
    text, errors = run(*args, mock=still(), frames=3)
    assert not errors
    assert told in "\n".join(last_frame(text))


def test_an_event_that_begins_later_is_drawn_then(still: Callable[..., Any], run: Run) -> None:
    mock = still(rates={SYNC: {1: {}}, READS: {1: {512: 5}}})
    sleeps, sleep = iter(range(100)), mock.clock.sleep

    def sleep_and_begin(seconds: float) -> None:
        sleep(seconds)
        if next(sleeps) == 5:
            mock.rates[SYNC][1] = {2048: 10}

    mock.clock.sleep = sleep_and_begin
    frames = frames_of(run("3", SYNC, "12", "20", mock=mock)[0])
    assert ["WAITING" in frame[0] for frame in frames] == [True] * 7 + [False] * (FRAMES - 6)
    assert ["no waits for the event" in "".join(frame) for frame in frames] == [True] * 6 + [False] * (FRAMES - 5)
    assert numbers_of(frames[-1], "FREQUENCY") == {"2.05 ms": ("10", "100 %"), "total": ("10", "/s")}


@pytest.mark.parametrize("code", [1013, 942, 3113])
def test_no_error_ends_the_session(still: Callable[..., Any], sqlplus: SqlPlus, code: int) -> None:
    """Ctrl-C is ORA-01013. What is drawn next is of the whole time since the last sample."""
    mock = still()
    mock.fail_next(code, times=2, match="GROUP BY inst_id")
    session = sqlplus(*SMALL, mock=mock)
    assert (session.exited, session.on_error) == (None, None)
    assert [f"ORA-{code:05}" in error for error in session.errors] == [True] * 2
    assert " LIVE " in last_frame(session.out.getvalue())[0]


@pytest.mark.parametrize(
    ("version", "hidden", "may_lock", "said"),
    [
        ("19.12.0.0.0", ("gv$event_histogram_micro", "gv$event_histogram"), True, "ORA-00942"),
        ("12.1.0.2.0", (), False, "PLS-00"),
    ],
)
def test_what_is_missing_is_said_once_and_nothing_is_drawn(
    still: Callable[..., Any], sqlplus: SqlPlus, version: str, hidden: tuple[str, ...], may_lock: bool, said: str
) -> None:
    mock = still(version=version)
    mock.may_lock = may_lock
    for view in hidden:
        mock.hide_view(view)
    began = mock.clock()
    session = sqlplus(*SMALL, mock=mock)
    assert [said in error for error in session.errors] == [True]
    assert "Nothing can be drawn: see the error above, and the privileges" in session.out.getvalue()
    assert "\x1b" not in session.out.getvalue()
    assert (session.exited, session.defs, session.newval, session.on_error) == (None, {}, {}, None)
    assert session.set["termout"] == "on"
    assert mock.clock() == began, "it does not wait either"


def test_sqlplus_is_left_as_it_was(still: Callable[..., Any], sqlplus: SqlPlus) -> None:
    session = sqlplus(*SMALL, "and inst_id=1", mock=still())
    assert (session.exited, session.errors) == (None, [])
    # 6 is what FEEDBACK is by itself; the emulation calls it on.
    assert session.set == session.begun_with | {"feedback": "6", "timing": "off", "flush": "on", "longchunksize": "80"}
    assert (session.defs, session.newval, session.on_error) == ({}, {}, None)


def test_the_end_says_how_to_go_on(still: Callable[..., Any], run: Run) -> None:
    last = run("2", SYNC, "8", "30", "and inst_id=2", mock=still())[0].splitlines()[-2:]
    assert last == [
        f'Those were {FRAMES} frames. To go on: @oralatencymap 2 "{SYNC}" 8 30 "and inst_id=2"',
        "For a script with more of them: oralatencymap --print-sql --hours 8 > oralatencymap.sql",
    ]


@pytest.mark.parametrize("version", ["11.2.0.4.0", "12.1.0.1.0"])
def test_before_12_1_0_2_the_rows_are_of_milliseconds(still: Callable[..., Any], run: Run, version: str) -> None:
    mock = still(version=version)
    mock.hide_view("gv$system_event")
    frame = last_frame(run(*SMALL, "and inst_id=1", mock=mock)[0])
    found = numbers_of(frame, "FREQUENCY")
    assert [found[label][0] for label in ("1 ms", "2 ms", "4 ms", "8 ms", "16 ms")] == ["1.10k", "30", "12", "40", "75"]
    waited = numbers_of(frame, "INTENSITY")
    assert waited["1 ms"][0] == str(1102 // 2)
    assert 75 * 8 < int(waited["16 ms"][0]) < 75 * 12, "there are fewer and fewer events from 4 ms on"


def test_the_oldest_columns_leave(still: Callable[..., Any], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "oralatencymap.sql"
    path.write_text(script(22 * 3 / 3600))
    frame = last_frame(run(*SMALL, mock=still(), path=path)[0])
    assert "/" not in "".join(line[8:29] for line in frame if line[8:9] == "|")
    assert " window 60 s" in "\n".join(frame)

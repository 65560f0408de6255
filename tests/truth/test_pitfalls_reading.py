"""What the earlier tool got wrong in reading and counting, each shown right here.

The numbers are those of the list of its failures; its words are ours. The screen's failures are in the module beside.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
HOUR = 3600 * SECOND

Run = Callable[..., Any]
Stream = Callable[..., str]


def jsonl(run: Run, text: str, *options: str) -> list[dict[str, Any]]:
    """The intervals of a text that must read without a complaint, but for the number of those that are doubtful."""
    answer = run("convert", "--to", "jsonl", *options, given=text)
    doubts = sum(one.get("doubtful", False) for one in answer.objects)
    told = re.fullmatch(r"(?:pylatencymap: (\d+) intervals? rests? on .* as doubtful\n)?", answer.err)
    assert (answer.status, told and int(told[1] or 0)) == (0, doubts), answer.err
    return list(answer.objects)


def counts(intervals: list[dict[str, Any]]) -> list[list[list[float]]]:
    return [one["counts"] for one in intervals]


def test_1_a_reset_of_the_counters(run: Run, stream: Stream) -> None:
    """Counters that all fell ended it with a division by zero, counters of which some fell with a KeyError."""
    for after in ({64: 5, 128: 3}, {64: 200, 128: 3}):
        text = stream(
            *((START, {64: 100, 128: 90}), (START + SECOND, {64: 110, 128: 95}), (START + 2 * SECOND, after)),
            (START + 3 * SECOND, {64: after[64] + 7, 128: 3}),
        )
        told = jsonl(run, text)
        if after[64] == 5:
            assert counts(told) == [[[64, 128, 10], [128, 256, 5]], [[64, 128, 5], [128, 256, 3]], [[64, 128, 7]]]
        assert [one["reset"] for one in told] == [False, True, False]
        assert all(count > 0 for one in told for _, _, count in one["counts"])
        picture = run("--once", "--depth", "ascii", given=text)
        assert (picture.status, picture.err) == (0, "")
        assert "R" in picture.out.splitlines()[-12:][0] or "counters began anew" in picture.out


def test_2_commas_fractions_and_noise(run: Run, stream: Stream) -> None:
    """A comma in a label or a date, a fraction in a stamp, any other line within a record ended it with an error."""
    text = stream(
        *((f"{START}.25", {64: 1}), (f"{START + SECOND}.25", {64: 3})),
        label='reads, 8 KB, "fast"',
        date="26-AUG-13 04.26.51,653754 PM",
    )
    told = jsonl(run, text)
    assert counts(told) == [[[64, 128, 2]]]
    assert told[0]["label"] == 'reads, 8 KB, "fast"'
    noisy = run("convert", "--to", "jsonl", given=text.replace("64, 3", "31 rows selected.\n64, 3"))
    assert (noisy.status, counts(noisy.objects)) == (0, [[[64, 128, 2]]])
    assert noisy.err.count("\n") == 1
    assert "<stdin>:13: noise within a record: '31 rows selected.'" in noisy.err


def test_3_buckets_that_are_no_powers_of_two(run: Run, stream: Stream) -> None:
    """Bucket 0, the overflow row 4294967295 and 19c's fractions of a millisecond were errors, or were filtered out."""
    micro = stream((START, {0: 1, 4294967295: 1}), (START + SECOND, {0: 5, 4294967295: 2}), source="oracle")
    assert counts(jsonl(run, micro)) == [[[0, 1, 4], [2**31, None, 1]]]
    milli = stream(
        *((START, {".000976563": 1, "1.8014E+16": 0}), (START + SECOND, {".000976563": 7, "1.8014E+16": 1})),
        unit="millisec",
        source="oracle",
    )
    fraction, overflow = counts(jsonl(run, milli))[0]
    assert fraction == [2**-11, 2**-10, 6]
    assert overflow == [2**53, None, 1]


def test_3_a_zero_row_of_dtrace(run: Run, stream: Stream) -> None:
    """DTrace's row for 0 ended it even with count 0."""
    text = stream((START, {0: 0, 64: 1}), (START + SECOND, {0: 0, 64: 2}), source="dtrace", unit="nanosec")
    assert counts(jsonl(run, text)) == [[[64, 128, 1]]]


def test_4_no_datasource(run: Run, stream: Stream, shared: Path) -> None:
    """Without the line it took Oracle's upper bounds for lower ones: 23 ms where 10.3 ms is right. An empty line was an
    error.
    """
    label = "log file sync latency data from gv$event_histogram"
    for source in (None, ""):
        prints = ((START, {8: 1, 16: 1}), (START + SECOND, {8: 2, 16: 2}))
        assert counts(jsonl(run, stream(*prints, label=label, source=source))) == [[[4, 8, 1], [8, 16, 1]]]
        assert counts(jsonl(run, stream(*prints, source=source))) == [[[8, 16, 1], [16, 32, 1]]]
    picture = run(shared / "data" / "earlier-tools" / "example_latency_data.txt", "--once")
    assert "avg 10.3 ms" in picture.out


def test_6_midnight(run: Run, stream: Stream) -> None:
    """Stamps of the day wrapped at midnight: it printed a delta of -86396 s and took 1 s, 100 a second instead of 25.
    Intervals of more than an hour were wrong.
    """
    day = 24 * HOUR
    text = stream((day - 2 * SECOND, {64: 100}), (2 * SECOND, {64: 200}), (2 * HOUR, {64: 7400}))
    told = jsonl(run, text, "--date", "2026-01-31")
    assert [(one["seconds"], one["counts"][0][2]) for one in told if not one["gap"]] == [(4.0, 100), (7198.0, 7200)]
    assert told[0]["start"] == pytest.approx(told[0]["end"] - 4)


def test_6_no_stamps(run: Run, stream: Stream) -> None:
    """Without stamps it silently took one second."""
    text = stream(*((0, {64: n * 100}) for n in range(3)))
    unstamped = "\n".join(line for line in text.splitlines() if not line.startswith("timestamp"))
    told = jsonl(run, unstamped + "\n", "--interval", "4")
    assert [(one["seconds"], one["clock"]) for one in told] == [(4.0, False), (4.0, False)]


def test_7_a_bucket_that_vanishes(run: Run, stream: Stream) -> None:
    """A row that was absent once was counted from 0: its whole history as the events of one interval."""
    text = stream(
        *((START, {64: 90_000, 128: 5}), (START + SECOND, {128: 6}), (START + 2 * SECOND, {64: 90_010, 128: 7}))
    )
    assert counts(jsonl(run, text)) == [[[128, 256, 1]], [[64, 128, 10], [128, 256, 1]]]


def test_7_an_instance_that_leaves_and_joins(run: Run, stream: Stream) -> None:
    """An instance that left or joined made the sum fall or leap; instances are series of their own."""
    first, second = "log file sync@1", "log file sync@2"
    text = "".join(
        stream((START + n * SECOND, {64: 10 * n}), label=first, source="oracle")
        + (stream((START + n * SECOND, {64: 90_000 + n}), label=second, source="oracle") if n not in (3, 4) else "")
        for n in range(7)
    )
    told = jsonl(run, text)
    events = {series: [one["counts"] for one in told if one["series"] == series] for series in (first, second)}
    assert events[first] == [[[32, 64, 10]]] * 6
    assert sum(count for some in events[second] for _, _, count in some) == 6
    assert max(count for some in events[second] for _, _, count in some) <= 3


def test_9_a_unit_or_a_label_that_changes(run: Run, stream: Stream) -> None:
    """The last unit relabelled what was on the screen, and two labels in a stream were taken for one series."""
    text = "".join(
        stream((START + n * SECOND, {64: 100 + n}), label="disk")
        + stream((START + n * SECOND, {64: 7000 + 2 * n}), label="tape")
        for n in range(3)
    )
    told = jsonl(run, text)
    assert {one["series"]: one["counts"] for one in told} == {"disk": [[64, 128, 1]], "tape": [[64, 128, 2]]}
    assert len(told) == 4
    later = "".join(stream((START + n * SECOND, {64: 50 + n}), unit="nanosec") for n in (3, 4))
    units = [(one["unit"], one["counts"]) for one in jsonl(run, text + later) if one["series"].startswith("disk")]
    assert units == [("us", [[64, 128, 1]])] * 2 + [("ns", [[64, 128, 1]])]


def test_13_a_record_that_is_cut_off(run: Run, stream: Stream) -> None:
    """A last record that was cut off vanished silently, and a bad one ended the session instead of costing itself."""
    good = [stream((START + n * SECOND, {64: n})) for n in range(4)]
    cut = run("convert", "--to", "jsonl", given="".join(good[:3]) + good[3].split("64, 3")[0])
    assert (cut.status, counts(cut.objects)) == (0, [[[64, 128, 1]]] * 2)
    assert cut.err == "pylatencymap: <stdin>:22: the input ends within a record; it is dropped\n"
    bad = good[0] + good[1] + "<begin record>\n" + good[2] + good[3].replace("64, 3", "64, three\n64, 3")
    answer = run("convert", "--to", "jsonl", given=bad)
    assert (answer.status, counts(answer.objects)) == (0, [[[64, 128, 1]]] * 3)
    assert [line.split(":")[2] for line in answer.err.splitlines()] == ["15", "28"]
    assert run("convert", "--strict", given=bad).status == 4


def test_15_idle_time_and_the_end_of_an_interval(run: Run, stream: Stream) -> None:
    """Idle windows were left out, and a stamp was the start of its window."""
    told = jsonl(run, stream(*((START + n * SECOND, {64: 5}) for n in range(4))))
    assert [(one["start"], one["end"], one["counts"]) for one in told] == [
        (START / SECOND + n, START / SECOND + n + 1, []) for n in range(3)
    ]


def test_16_words_in_a_label_and_foreign_text(run: Run, stream: Stream, shared: Path) -> None:
    """Lines that held the word "value" were dropped, and noise of DTrace was passed on as data."""
    told = jsonl(run, stream((START, {64: 1}), (START + SECOND, {64: 2}), label="value of myhistogram"))
    assert told[0]["label"] == "value of myhistogram"
    for name, unit in (("test_DTrace_data.txt", "ns"), ("test_SystemTap_data.txt", "us")):
        path = shared / "data" / "earlier-tools" / name
        answer = run("convert", path, "--to", "jsonl")
        assert (answer.status, answer.err.count("\n")) == (0, 1)
        assert "taken as totals" in answer.err
        told = list(answer.objects)
        assert len(told) == path.read_text().count("<end record>") - 1
        assert {one["unit"] for one in told} == {unit}
        assert all(upper == 2 * lower for one in told for lower, upper, _ in one["counts"])

"""``read``: files, several of them, file objects and text come to what the command line makes of them."""

import gzip
import io
import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import BadInput, NoInterval, Refused, SourceError, UsageError
from pylatencymap.session.input import large_files
from pylatencymap.window import Window
from tests.examples.test_example_recordings import NAMES, recording

Lines = Callable[..., list[dict[str, Any]]]
SAMPLES = (
    "bpf/disks-stamped.txt",
    "records/two.txt",
    "oracle_trace/waits.txt",
    "columns/json-lines.txt",
    "strace/*.txt",
    "hdr/*",
    "prometheus/*.txt",
    "fio_log/*.log",
)


def told(run: lm.Run) -> list[dict[str, Any]]:
    """All intervals of all series, with the keys of the JSON lines."""
    return [
        {
            "series": one.series,
            "unit": one.unit.value,
            "start": one.start / 1e6,
            "end": one.end / 1e6,
            "seconds": one.seconds,
            "counts": [[*counts] for counts in one.ranges],
            "time": one.waited,
            "estimated": one.estimated,
            "reset": one.reset,
            "gap": one.gap,
            "clock": one.clock,
        }
        for name in run.series
        for one in run.intervals(name)
    ]


def alike(run: lm.Run, lines: list[dict[str, Any]]) -> None:
    """The same intervals, which both have in the order of time."""
    found = told(run)
    keys = found[0].keys()
    expected = [{key: line[key] for key in keys} for name in run.series for line in lines if line["series"] == name]
    for one in (*found, *expected):
        one["time"] = pytest.approx(one["time"], rel=1e-9) if one["time"] is not None else None
    assert {line["series"] for line in lines} == {*run.series}
    assert len(found) == len(expected)
    assert found == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_holds_what_its_text_holds(examples: Path, name: str) -> None:
    run = lm.read(examples / f"{name}.lmap.gz")
    for series in ("loop0", "vda"):
        found = [(one.end / 1e6, {low: count for low, _, count in one.ranges}) for one in run.intervals(series)]
        assert found == recording(name, series)
    assert (run.bad, run.messages) == (0, ())


def sample_files(samples: Path) -> list[Path]:
    return sorted(path for pattern in SAMPLES for path in samples.glob(pattern))


def test_intervals_are_those_of_the_json_lines(samples: Path, json_lines: Lines) -> None:
    compared = 0
    for path in sample_files(samples):
        try:
            run = lm.read(path, tz="UTC")
        except (Refused, NoInterval):
            continue
        compared += 1
        alike(run, json_lines(path))
    assert compared > 6


def test_options_mean_what_they_mean_on_the_command_line(samples: Path, examples: Path, json_lines: Lines) -> None:
    steady, disks = examples / "steady.lmap.gz", samples / "bpf/disks-stamped.txt"
    alike(lm.read(steady, series="LOOP*"), json_lines(steady, "--series", "LOOP*"))
    alike(lm.read(steady, series=["v*", "loop0"]), json_lines(steady, "--series", "v*", "--series", "loop0"))
    alike(lm.read(steady, interval=10), json_lines(steady, "--interval", "10"))
    alike(lm.read(steady, count=5), json_lines(steady, "--count", "5"))
    alike(lm.read(steady, duration=7.5), json_lines(steady, "--duration", "7.5"))
    alike(lm.read(disks, date="2026-01-31", tz="UTC"), json_lines(disks, "--date", "2026-01-31"))
    alike(
        lm.read(disks, format="bpf", semantics="cumulative", date=datetime(2026, 1, 31, 12), tz=timezone.utc),
        json_lines(disks, "--format", "bpf", "--semantics", "cumulative", "--date", "2026-01-31"),
    )


def test_columns_of_tables_are_named(tmp_path: Path, json_lines: Lines) -> None:
    path = tmp_path / "table.csv"
    path.write_text("when,what,took\n" + "".join(f"{1_700_000_000 + n},q{n % 2},{n + 1}\n" for n in range(9)))
    words = ("--time", "when", "--latency", "took:ms", "--by", "what")
    run = lm.read(path, time="when", latency="took:ms", by="what")
    alike(run, json_lines(path, *words))
    assert run.summary(run.series[0]).events + run.summary(run.series[1]).events == 9
    words = ("--time", "1", "--latency", "3", "--unit", "s")
    alike(lm.read(path, time="1", latency="3", unit="s"), json_lines(path, *words))
    given = r"(?P<time>\d+),(?P<series>\w+),(?P<latency>\d+)"
    alike(lm.read(path, regex=given, unit="ms"), json_lines(path, "--regex", given, "--unit", "ms"))


def test_several_files_are_put_on_one_axis(samples: Path, examples: Path, json_lines: Lines) -> None:
    files = [examples / "steady.lmap.gz", examples / "cold-start.lmap.gz", examples / "spindle.lmap.gz"]
    alike(lm.read(files), json_lines(*files))
    files = [examples / "steady.lmap.gz", samples / "bpf/disks-unstamped.txt"]
    run = lm.read(map(str, files), tz="UTC")
    alike(run, json_lines(*files, "--tz", "UTC"))
    assert any("has no real clock: it is taken to begin where" in message for message in run.messages)


def test_a_file_begins_when_it_is_said_to(samples: Path, json_lines: Lines) -> None:
    path = samples / "bpf/disks-unstamped.txt"
    expected = json_lines(path, "--start", f"{path}=2026-01-31 10:00:00", "--tz", "UTC")
    moment = datetime(2026, 1, 31, 10, tzinfo=timezone.utc)
    for given in ("2026-01-31 10:00:00", moment, moment.replace(tzinfo=None), round(moment.timestamp() * 1e6)):
        alike(lm.read(path, start={path.name: given}, tz="UTC"), expected)


def test_text_is_read_as_its_file_is(samples: Path, tmp_path: Path) -> None:
    path = samples / "bpf/disks-stamped.txt"
    text = path.read_text()
    expected = told(lm.read(path, date="2026-01-31"))
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(text.encode()))
    with path.open() as as_text, path.open("rb") as as_bytes, gzip.open(packed) as unpacked, packed.open("rb") as raw:
        every = (text, text.encode(), packed.read_bytes(), str(path), io.StringIO(text), io.BytesIO(text.encode()))
        for source in (*every, as_text, as_bytes, unpacked, raw, packed, [path]):
            assert told(lm.read(source, date="2026-01-31")) == expected
        assert not as_text.closed


def test_a_file_object_of_a_file_is_of_its_day(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes((samples / "bpf/disks-stamped.txt").read_bytes())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    with path.open() as file:
        assert told(lm.read(file)) == told(lm.read(path))


def test_a_file_object_is_read_from_where_it_is(samples: Path) -> None:
    text = "this is no histogram\n" * 400 + (samples / "records/two.txt").read_text()
    file = io.StringIO(text)
    for _ in range(400):
        file.readline()
    assert told(lm.read(file)) == told(lm.read(samples / "records/two.txt"))


def test_texts_are_told_apart(samples: Path) -> None:
    text = (samples / "records/two.txt").read_text()
    one, two = lm.read(text), lm.read([text, text])
    assert two.series == tuple(f"{name} ({file})" for name in one.series for file in ("<text>", "<text> 2"))
    assert sum(two.summary(name).events for name in two.series) == 2 * sum(one.summary(n).events for n in one.series)


def test_a_bad_record_costs_itself(samples: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (samples / "records/two.txt").read_text()
    whole = lm.read(text)
    damaged = text.replace("8192, 1\n", "8192, 1\n1, x\n")
    line = damaged.splitlines().index("1, x") + 1
    run = lm.read(damaged)
    assert told(run) == told(whole)
    assert (run.bad, len(run.messages)) == (1, 1)
    assert run.messages == (f"<text>:{line}: no count of 0 or more: '1, x'; the line is skipped",)
    assert "1 bad record>" in repr(run)
    with pytest.raises(BadInput, match="<text>:"):
        lm.read(damaged, strict=True)
    assert capfd.readouterr() == ("", "")


def trace(waits: int) -> bytes:
    return b"".join(
        b"WAIT #1: nam='log file sync' ela= %d p1=1 obj#=8 tim=%d\n" % (n % 5000 + 1, 1_769_850_000_000_000 + n * 9973)
        for n in range(waits)
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_large_trace_is_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    path, taken = tmp_path / "x.trc", list[str]()
    path.write_bytes(trace(5000))
    by_line = told(lm.read(path))
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1)
    take = Window.extend
    monkeypatch.setattr(Window, "extend", lambda self, batch: (taken.append(batch.series), take(self, batch)))
    assert told(lm.read(path, jobs=jobs)) == by_line
    assert set(taken) == {"log file sync"}
    assert sum(count for one in by_line for _, _, count in one["counts"]) == 5000
    assert told(lm.read(trace(5000), jobs=jobs)) == by_line


def test_nothing_is_merged_unless_memory_is_limited() -> None:
    text = trace(60_000).decode()
    few = lm.read(text, history_mb=0.05)
    every = lm.read(text, interval=0.1)
    assert few.summary().events == every.summary().events == 60_000
    assert sum(1 for _ in few.intervals()) < 599 == round(60_000 * 9973 / 1e6) + 1


def test_descriptors_are_given_back(samples: Path, tmp_path: Path) -> None:
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("descriptors of a process are listed in /proc only")
    before = len(list(folder.iterdir()))
    for _ in range(3):
        lm.read([samples / "records/two.txt", (samples / "bpf/disks-stamped.txt").read_text()])
        for wrong in (tmp_path, tmp_path / "none", [samples / "records/two.txt", tmp_path], "x\ny\n"):
            with pytest.raises(SourceError):
                lm.read(wrong)
    assert len(list(folder.iterdir())) == before


@pytest.mark.parametrize(
    ("source", "error", "says"),
    [
        ("none.lmap", SourceError, "none.lmap: no such file"),
        ("", SourceError, "no such file"),
        ("a\0b", SourceError, "cannot be opened"),
        ("no histogram\n" * 30, SourceError, "<text>"),
        (b"", SourceError, "<text> is empty"),
        (io.StringIO(), SourceError, "<text> is empty"),
        (7, UsageError, "source=7: must be a path, text, a file object, or a list of these"),
        ([], UsageError, "there is nothing in the list"),
        ([7], UsageError, "7 is neither a path nor text nor a file object"),
    ],
)
def test_what_cannot_be_read_is_said(source: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as raised:
        lm.read(source)
    assert says in str(raised.value)
    assert isinstance(raised.value, lm.LatencyMapError)


def test_a_dataframe_is_told_apart_from_a_list_of_paths() -> None:
    rows = {"time": [1795000000.1, 1795000000.2, 1795000000.4], "latency_us": [120, None, 90]}
    pandas, polars = pytest.importorskip("pandas").DataFrame(rows), pytest.importorskip("polars").DataFrame(rows)
    for frame, text in ((pandas, pandas.to_csv(index=False)), (polars, polars.write_csv())):
        with pytest.raises(UsageError, match=r"a DataFrame is a table, not a text: lm\.read\(frame\..*csv\("):
            lm.read(frame)
        run = lm.read(text)
        assert (run.summary().events, run.bad) == (2, 1)


def test_text_without_a_distribution_over_time_is_refused(samples: Path) -> None:
    with pytest.raises(Refused):
        lm.read(samples / "bpf/sizes-refused.txt")


def test_a_recording_without_an_interval_says_why(samples: Path) -> None:
    with pytest.raises(NoInterval, match=r"no series is called x\*; there are: "):
        lm.read(samples / "records/two.txt", series="x*")


def test_a_file_that_begins_must_be_one_of_the_files(samples: Path) -> None:
    path = samples / "records/two.txt"
    for start in ({"other": 0}, {path.name: None}):
        with pytest.raises(UsageError, match="must be one of the files, and when it begins"):
            lm.read(path, start=start)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="must be a date and time, or epoch microseconds"):
        lm.read(path, start={path.name: "noon"})


def test_a_named_pipe_is_read_to_its_end(samples: Path, tmp_path: Path) -> None:
    pipe, text = tmp_path / "pipe", (samples / "records/two.txt").read_bytes()
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(text,), daemon=True)
    writer.start()
    found = told(lm.read(pipe))
    writer.join()
    assert found == told(lm.read(text))

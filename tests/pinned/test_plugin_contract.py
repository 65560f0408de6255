"""Plug-ins that were written for version 0.1.0 run as they are: its example, and others that use the whole contract."""

import hashlib
import importlib
import inspect
import json
import os
import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from tests.pinned.runner import ROOT, Ran, Runner, run_alone

HERE = Path(__file__).parent
FROZEN = {
    "plugin-0.1/README.md": "daeb8e2849247545a5b871bb99b8ce1d5ca507c876bbb362ff9b77eab3314c1d",
    "plugin-0.1/latencymap_buckets.py": "bba0b6b68f3ee78cc75ed38b33b3159d769ccbc9d2fa43a546c35a66ae9eb78b",
    "plugin-0.1/latencymap_nginx.py": "a188ee6b1de6173aa746eefcb4d47b4b82528309343cfc2fe99ba41d91dcfca3",
    "plugin-0.1/pyproject.toml": "1235467936b4719970179e34eb63d239f77e3529f88e8fd86b71901f3e413af7",
    "more-0.1/entry_points.txt": "a49978e72696016947101cfde568ae614af6a601e6457c4ac172d688e1f1ef72",
    "more-0.1/latencymap_jobs.py": "a65570e01da47f373c82af81dc903b67bcb9d3c647ab804fcd2aaa8e4c488d48",
    "more-0.1/latencymap_ledger.py": "251afaf93f8bec168be66e0d26c12696fbfb0955a3409eb714010be4f0da4f7c",
    "more-0.1/pylatencymap-till": "e79ae638076dc345296cd918d676227341fc27fd24739d87eb737d78a267e8e3",
}
TABLE = {
    "pylatencymap.collector": "Likelihood NOT_MINE Known NOTHING_KNOWN",
    "pylatencymap.record": "Sample EventKey Pause Tick Record Mark Stamp Clock Semantics tidy_ranges",
    "pylatencymap.units": "Unit",
    "pylatencymap.errors": "Refused",
    "pylatencymap.report": "Report",
    "pylatencymap.text.lines": "Line Lines",
    "pylatencymap.text.clean": "printable",
}
"""The table of docs/collectors.md."""
ALSO = {"pylatencymap.record": "Decoded Range"}
"""What the example imports for its annotations."""
SIGNATURES = {
    "pylatencymap.collector.Likelihood": "(value, reason='')",
    "pylatencymap.collector.Known": (
        "(unit=None, live=False, tz=None, tim_unit='us', columns=None, keys=False, wall_offset=None, undated=False, "
        "tim_unit_given=False, by='', calls='')"
    ),
    "pylatencymap.record.Sample": (
        "(series, unit, latency, micros, clock=<Clock.EPOCH: 'epoch'>, text='', label='', source='', line=0, "
        "arrival=None, step=0, keys=())"
    ),
    "pylatencymap.record.Pause": "()",
    "pylatencymap.record.Tick": (
        "(stamp=None, arrival=None, line=0, start=None, silent_since=None, silent_until=None, implied=False, "
        "joins=False, kept=False)"
    ),
    "pylatencymap.record.Record": (
        "(series, unit, ranges, semantics, stamp=None, start=None, seconds=None, waited=None, label='', source='', "
        "flags=frozenset(), note='', arrival=None, line=0)"
    ),
    "pylatencymap.record.Mark": "(stamp, note, series='')",
    "pylatencymap.record.Stamp": "(micros, clock=<Clock.EPOCH: 'epoch'>, whole=False, text='')",
    "pylatencymap.record.tidy_ranges": "(ranges)",
    "pylatencymap.errors.Refused": "(reason)",
    "pylatencymap.report.Report": "(name, *, strict=False, say=None)",
    "pylatencymap.report.Report.where": "(self, line)",
    "pylatencymap.report.Report.bad": "(self, line, what)",
    "pylatencymap.report.Report.note": "(self, line, what)",
    "pylatencymap.report.Report.say": "(self, what)",
    "pylatencymap.text.lines.Line": "(number, text, arrival=None)",
    "pylatencymap.text.clean.printable": "(text, limit=200)",
}
MEMBERS = {
    "pylatencymap.record.Clock": {"EPOCH": "epoch", "DAY": "day", "FREE": "free", "COUNTED": "counted"},
    "pylatencymap.record.Semantics": {
        "CUMULATIVE": "cumulative",
        "INTERVAL": "interval",
        "RATE": "rate",
        "OPEN": "open",
    },
    "pylatencymap.units.Unit": {"NS": "ns", "US": "us", "MS": "ms"},
}

Run = Callable[..., Ran]
Objects = list[dict[str, Any]]


@pytest.fixture
def run(runner: Runner, tmp_path: Path) -> Run:
    """Run a command line where the plug-ins are installed; texts become files by their names."""

    def call(line: str, given: str | None = None, **files: str) -> Ran:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return runner.run(line, tmp_path, given)

    return call


@pytest.fixture
def objects(run: Run) -> Callable[..., Objects]:
    """The JSON lines of a text, which is read without a word."""

    def call(text: str, options: str = "", told: str = "") -> Objects:
        ran = run(f"pylatencymap convert --to jsonl {options} input", input=text)
        assert (ran.status, ran.err) == (0, told)
        return [json.loads(line) for line in ran.out.splitlines()]

    return call


def found(name: str) -> Any:
    """What a dotted name means, imported from the place that it names."""
    module = max((one for one in TABLE if name.startswith(f"{one}.")), key=len)
    value: Any = importlib.import_module(module)
    for part in name.removeprefix(f"{module}.").split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(("file", "checksum"), FROZEN.items())
def test_the_plugins_are_those_of_version_0_1(file: str, checksum: str) -> None:
    assert hashlib.sha256((HERE / file).read_bytes()).hexdigest() == checksum, "never edit these: see README.md"


def test_the_documented_table_is_this_one() -> None:
    text = (ROOT / "docs/collectors.md").read_text()
    rows = text.partition("| module | names |\n| --- | --- |\n")[2].partition("\n\n")[0]
    documented: dict[str, str] = {}
    for row in rows.splitlines():
        modules, names = (re.findall(r"`([\w.]+)`(;?)", cell) for cell in row.strip("|").split("|"))
        for module, _ in modules:
            taken: list[str] = []
            while names:
                name, ends = names.pop(0)
                taken.append(name)
                if ends:
                    break
            documented[module] = " ".join(taken)
    assert documented == TABLE


@pytest.mark.parametrize(
    "name", [f"{module}.{name}" for table in (TABLE, ALSO) for module, names in table.items() for name in names.split()]
)
def test_each_name_is_where_it_was(name: str) -> None:
    assert found(name) is not None


@pytest.mark.parametrize(("name", "signature"), SIGNATURES.items())
def test_it_is_called_as_it_was(name: str, signature: str) -> None:
    what = found(name)
    if issubclass(what, Exception) if inspect.isclass(what) else False:
        assert str(what("a reason")) == "a reason"
        return
    own = inspect.signature(what)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in own.parameters.values()]
    assert str(own.replace(parameters=bare, return_annotation=inspect.Signature.empty)) == signature


@pytest.mark.parametrize(("name", "members"), MEMBERS.items())
def test_words_have_their_values(name: str, members: dict[str, str]) -> None:
    kind: type[Enum] = found(name)
    assert {one.name: one.value for one in kind} == members


def test_constants_and_fields_are_what_they_were() -> None:
    collector = importlib.import_module("pylatencymap.collector")
    assert collector.Likelihood(0.0, "") == collector.NOT_MINE
    assert collector.Known() == collector.NOTHING_KNOWN
    unit = found("pylatencymap.units.Unit")
    assert [(one.seconds, one.stream_name) for one in unit] == [
        (1e-9, "nanosec"),
        (1e-6, "microsec"),
        (1e-3, "millisec"),
    ]
    report = found("pylatencymap.report.Report")("a file")
    report.bad(3, "wrong")
    assert (report.name, report.strict, report.bad_count) == ("a file", False, 1)
    tidy = found("pylatencymap.record.tidy_ranges")([(8, None, 1), (4, 8, 2), (0, 4, 0), (4, 8, 3)])
    assert tidy == ((4, 8, 5), (8, None, 1))


ACCESS = """\
10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 612 "-" "curl/8" rt=0.003
10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /big HTTP/1.1" 200 612 "-" "curl/8" rt=0.250
10.0.0.2 - - [21/Nov/2026:12:00:01 +0200] "POST /x HTTP/1.1" 500 0 "-" "curl/8" rt=1.004
"""
BUCKETS = """\
requests until 1763719201
GET <= 250 us 17
GET <= 1000 us 4
GET > 1000 us 1
PUT <= 250 us 2
requests until 1763719202
GET <= 250 us 3
"""


def test_the_example_for_single_events(objects: Callable[..., Objects]) -> None:
    told = {(one["series"], one["start"]): one for one in objects(ACCESS)}
    begin = 1795255200.0  # 2026-11-21 10:00 UTC
    get, post = told["GET", begin], told["POST", begin + 1]
    assert (get["counts"], get["time"], get["unit"]) == ([[3, 4, 1], [248, 256, 1]], 0.253, "ms")
    assert (post["counts"], post["time"], post["estimated"]) == ([[992, 1024, 1]], 1.004, False)
    assert (post["label"], post["source"], post["clock"]) == ("nginx requests", "nginx", True)
    assert told["GET", begin + 1]["counts"] == []


def test_the_example_for_histograms(run: Run, objects: Callable[..., Objects]) -> None:
    told = {(one["series"], one["end"]): one["counts"] for one in objects(BUCKETS)}
    assert told == {
        ("GET", 1763719201.0): [[0, 251, 17], [251, 1001, 4], [1001, None, 1]],
        ("PUT", 1763719201.0): [[0, 251, 2]],
        ("GET", 1763719202.0): [[0, 251, 3]],
        ("PUT", 1763719202.0): [],
    }
    ran = run("pylatencymap convert --to jsonl whole", whole="requests in total\nGET <= 250 us 17\n")
    assert ran == (3, "", "pylatencymap: whole:1: totals of a whole run; what would work is --every-second\n")


def test_all_are_listed_with_their_packages(run: Run) -> None:
    ran = run("pylatencymap collectors")
    listed = {line.split()[0]: line for line in ran.out.splitlines() if "(latencymap-" in line}
    assert listed.keys() == {"nginx", "buckets", "ledger", "jobs"}
    assert listed["nginx"].endswith(" nginx access logs with rt=$request_time (latencymap-nginx 1.0)")
    assert listed["jobs"].endswith(" job logs (latencymap-more 1.0)")
    assert [line.split()[0] for line in ran.out.splitlines() if line.endswith("can run here")][-1:] == ["till"]


def test_a_plugin_is_drawn_and_exported(run: Run, tmp_path: Path) -> None:
    ran = run("pylatencymap --once --depth ascii access", access=ACCESS)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(" access  nginx requests  POST ")
    assert run("pylatencymap export --format nginx access -o out.svg").status == 0
    assert ">POST</text>" in (tmp_path / "out.svg").read_text()


def test_a_record_with_all_that_it_can_say(objects: Callable[..., Objects]) -> None:
    (one,) = objects(
        "ledger a shop with a name of more than twenty signs\n"
        "at 1700000001000000\n"
        "rows read\x07s interval us 1024:=2,64:128=5,64:128=1,128:256=0 waited=0.25 start=1700000000000000 seconds=0.5"
        " note=warm flags=estimated\n"
    )
    assert one == {
        "series": "read\\x07s",
        "label": "a shop with a name …",
        "source": "ledger",
        "unit": "us",
        "start": 1700000000.0,
        "end": 1700000001.0,
        "seconds": 0.5,
        "counts": [[64, 128, 6], [1024, None, 2]],
        "time": 0.25,
        "estimated": True,
        "reset": False,
        "gap": False,
        "resampled": False,
        "clock": True,
        "note": "warm",
    }


MEANINGS = """\
ledger shop
at 1700000000000000
rows summed cumulative us 64:128=10 waited=1.0
rows rated rate ms 4:8=2.5
rows found open ns 512:1024=10
at 1700000002000000
rows summed cumulative us 64:128=17,256:512=1 waited=1.001
rows rated rate ms 4:8=2.5
rows found open ns 512:1024=4
at 1700000004000000
rows summed cumulative us 64:128=3 waited=0.00025
rows rated rate ms 4:8=0.5
rows found open ns 512:1024=7
"""


def test_what_counts_mean(objects: Callable[..., Objects]) -> None:
    """Sums are subtracted, and one that fell began anew; rates are of 2 s; what fell and rose is per interval."""
    doubt = "pylatencymap: 1 interval rests on a record that no other record confirms: marked as doubtful\n"
    every = objects(MEANINGS, told=doubt)
    told = {(one["series"], one["end"] - 1700000000): one for one in every if one["end"] > 1700000000}
    assert {key: one["counts"] for key, one in told.items()} == {
        ("summed", 2): [[64, 128, 7], [256, 512, 1]],
        ("summed", 4): [[64, 128, 3]],
        ("rated", 2): [[4, 8, 5]],
        ("rated", 4): [[4, 8, 1]],
        ("found", 2): [[512, 1024, 4]],
        ("found", 4): [[512, 1024, 7]],
    }
    assert [(told["summed", end]["time"], told["summed", end]["reset"]) for end in (2, 4)] == [
        (pytest.approx(0.001), False),
        (0.00025, True),
    ]
    assert {key: one["unit"] for key, one in told.items() if key[1] == 2} == {
        ("summed", 2): "us",
        ("rated", 2): "ms",
        ("found", 2): "ns",
    }
    assert all(one["seconds"] == 2 for one in told.values())


def test_marks_and_records_are_kept_in_the_record_stream(run: Run) -> None:
    text = MEANINGS.replace("rows found", "mark cache dropped\nmark rated: slow\nrows found", 1)
    ran = run("pylatencymap convert input", input=text)
    assert (ran.status, ran.err) == (0, "")
    marks = [json.loads(line[6:]) for line in ran.out.splitlines() if '"mark"' in line]
    assert marks == [
        {"v": 1, "mark": "cache dropped", "at": 1700000000000000},
        {"v": 1, "mark": "slow", "at": 1700000000000000, "series": "rated"},
    ]
    assert ran.out.count("<end record>") >= 9


@pytest.mark.parametrize(
    ("stamp", "options", "end", "clock"),
    [
        ("at 36000000000 day", "--date 2026-01-15 --tz Europe/Zurich", 1768467600, True),
        ("at 36000000000 day date=2026-01-15", "", 1768471200, True),
        ("at 1768471200000000 epoch whole", "", 1768471200, True),
        ("at 36000000000 free", "", 36000, False),
        ("at 36000000000 counted", "", 36000, False),
    ],
)
def test_stamps_of_every_clock(
    objects: Callable[..., Objects], stamp: str, options: str, end: int, clock: bool
) -> None:
    later = stamp.replace("36000000000", "36001000000").replace("1768471200000000", "1768471201000000")
    row = "rows reads interval us 64:128=3"
    told = objects(f"ledger shop\n{stamp}\n{row}\n{later}\n{row}\n", options)
    assert [(one["start"], one["end"], one["clock"]) for one in told] == [
        (end - 1, end, clock),
        (end, end + 1, clock),
    ]


def test_prints_without_a_stamp_are_counted(run: Run) -> None:
    ran = run(
        "pylatencymap convert --to jsonl --interval 5 input", input="ledger shop\nnow\nrows r interval us 1:2=3\n" * 2
    )
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [(one["start"], one["end"], one["clock"], one["counts"]) for one in told] == [
        (0, 5, False, [[1, 2, 3]]),
        (5, 10, False, [[1, 2, 3]]),
    ]


SPOKEN = (
    "ledger shop\nknown\nat 1700000001000000\nrows r interval us 64:128=2000\nnonsense\nknown\nat 1700000002000000\n"
)


def test_what_is_known_and_what_is_reported(run: Run) -> None:
    ran = run("pylatencymap convert --to jsonl --unit ms --tz Europe/Zurich --tim-unit cs input", input=SPOKEN)
    known = "unit millisec, live False, zone Europe/Zurich, tim cs, columns None, arrival False"
    assert ran.err.splitlines() == [
        f"pylatencymap: input:2: {known}, bad 0, strict False",
        "pylatencymap: a ledger says this",
        "pylatencymap: input:3: 2000 events from 0.064 s",
        "pylatencymap: input:5: no line of a ledger: nonsense",
        f"pylatencymap: input:6: {known}, bad 1, strict False",
        "pylatencymap: a ledger says this",
    ]
    assert (ran.status, json.loads(ran.out.splitlines()[0])["unit"]) == (0, "ms")


def test_strict_ends_at_the_first_bad_line(run: Run) -> None:
    ran = run("pylatencymap convert --strict input", input=SPOKEN)
    assert ran.status == 4
    assert ran.err.splitlines()[-1] == "pylatencymap: input:5: no line of a ledger: nonsense"
    assert "strict True" in ran.err


def test_a_pipe_is_timed(run: Run) -> None:
    ran = run("pylatencymap convert --to jsonl", given=SPOKEN)
    assert "<stdin>:2: unit none, live True, zone None, tim us, columns None, arrival True, bad 0" in ran.err
    assert json.loads(ran.out.splitlines()[0])["counts"] == [[64, 128, 2000]]


def test_refused_text_names_its_place(run: Run) -> None:
    ran = run("pylatencymap convert input", input="ledger shop\ntotals\n")
    assert ran == (3, "", "pylatencymap: input:2: totals; what would work is a ledger by the second\n")


def test_samples_with_all_that_they_can_say(objects: Callable[..., Objects]) -> None:
    """The order does not matter; what is cut to whole milliseconds counts in the middle of one, and is an estimate."""
    told = objects(
        "job backup took 40 ms until 1700000000250000\n"
        "job vacuum took 12 ms until 1700000001900000\n"
        "job vacuum took 12 ms until 1700000000900000 in steps of 1\n"
    )
    second = {(one["series"], one["start"]): one for one in told}
    backup, cut, vacuum = (second[key, 1.7e9 + late] for key, late in (("backup", 0), ("vacuum", 0), ("vacuum", 1)))
    assert (backup["counts"], backup["time"], backup["estimated"]) == ([[40, 42, 1]], 0.04, False)
    assert (cut["counts"], cut["time"], cut["estimated"]) == ([[12, 13, 1]], 0.0125, True)
    assert (vacuum["counts"], vacuum["time"], vacuum["estimated"]) == ([[12, 13, 1]], 0.012, False)
    assert (backup["label"], backup["source"], backup["unit"], backup["end"]) == ("jobs", "joblog", "ms", 1700000001.0)


@pytest.mark.parametrize(
    ("clock", "options", "start", "real"),
    [
        ("day on 2026-01-15", "", 1768471200, True),
        ("day", "--date 2026-01-15 --tz Europe/Zurich", 1768467600, True),
        ("free", "", 36000, False),
    ],
)
def test_samples_of_other_clocks(
    objects: Callable[..., Objects], clock: str, options: str, start: int, real: bool
) -> None:
    (one,) = objects(f"job backup took 40 ms until 36000250000 {clock}\n", options)
    assert (one["start"], one["end"], one["clock"], one["counts"]) == (start, start + 1, real, [[40, 42, 1]])


def test_a_sample_from_a_pipe_without_a_time_has_that_of_its_arrival(run: Run) -> None:
    ran = run("pylatencymap convert --to jsonl", given="job backup took 40 ms until 0 counted\n")
    assert (ran.status, json.loads(ran.out)["counts"]) == (0, [[40, 42, 1]])


def test_a_format_by_name_and_a_bad_line(run: Run) -> None:
    text = "???\njob backup took 40 ms until 1700000000250000\n"
    assert run("pylatencymap convert --to jsonl input", input=text).status == 3
    ran = run("pylatencymap convert --to jsonl --format jobs --unit us input")
    assert (ran.status, ran.err) == (0, "pylatencymap: input:1: no job: ???\n")
    assert [(one["unit"], one["time"]) for one in map(json.loads, ran.out.splitlines())] == [
        ("us", pytest.approx(0.00004))
    ]


def test_a_program_in_the_path_measures(installed: Path, tmp_path: Path) -> None:
    def run(line: str) -> Ran:
        return run_alone(line, tmp_path, PATH=f"{installed / 'bin'}:{os.environ['PATH']}")

    ran = run("pylatencymap collect till --to jsonl --interval 2.5 -- 'a till'")
    assert ran.status == 0
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [(one["series"], one["unit"], one["counts"]) for one in told] == [
        ("a till", "ms", [[64, 128, count]]) for count in (10, 20, 30)
    ]
    drawn = run("pylatencymap live till --once --depth ascii -- 'a till'")
    assert (drawn.status, " a till " in drawn.out) == (0, True)
    failed = run("pylatencymap collect till --interval 2.5 -- till 7")
    assert failed.status == 3
    assert "till: words till 7, interval 2.5" in failed.err
    assert run("pylatencymap collectors --check till").status == 0

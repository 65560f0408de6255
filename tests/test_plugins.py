"""Collectors of other packages: used like our own; broken ones cost themselves."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

LOG = """\
10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 512 rt=0.003
10.0.0.2 - ann [21/Nov/2026:10:00:00 +0000] "GET /b HTTP/1.1" 200 512 rt=0.250
10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "POST /c HTTP/1.1" 502 0 rt=1.004
10.0.0.1 - - [21/Nov/2026:10:00:01 +0000] "GET /a HTTP/1.1" 200 512 rt=0.003
"""
BUCKETS = """\
requests until 1763719201
GET <= 250 us 17
GET <= 1000 us 0
GET > 1000 us 1
PUT <= 250 us 2
requests until 1763719202
GET <= 250 us 3
nonsense
"""
BROKEN = {
    "cannot_import": "import nothing_of_this_name\n",
    "ends_itself": "import sys\nsys.exit('not on this machine')\n",
    "no_collector": "DESCRIPTION = 'half of one'\n",
    "fails_to_look": "DESCRIPTION = 'x'\ndef decode(*_): yield\ndef detect(head): return 1 / 0\n",
    "fails_to_decode": (
        "DESCRIPTION = 'x'\ndef detect(head): return (0.95, 'mine') if 'SPECIAL' in head else (0.0, '')\n"
        "def decode(lines, report, known):\n    yield 'no event'\n"
    ),
}
OLD = """
from pylatencymap.record import Sample
from pylatencymap.units import Unit
DESCRIPTION = "written before there were keys"
def detect(head):
    return (0.0, "")
def decode(lines, report, known=None):
    for line in lines:
        if line is not None:
            _, seconds, latency = line.text.split()
            yield Sample("all", Unit.MS, int(latency), int(seconds) * 10**6, line=line.number)
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def example(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the example is installed as users install it."""
    source, folder = tmp_path_factory.mktemp("source") / "plugin", tmp_path_factory.mktemp("example")
    shutil.copytree(root / "examples/plugin", source)  # what is built lies beside it
    install = ["install", "--quiet", "--no-deps", "--target", str(folder), str(source)]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, cwd=folder)
    return folder


@pytest.fixture
def run(root: Path, tmp_path: Path) -> Run:
    def call(*words: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "PYTHONPATH": f"{folder}:{root}", "TZ": "UTC"}
        return subprocess.run(
            [sys.executable, "-m", "pylatencymap", *words],
            input=text,
            capture_output=True,
            text=True,
            env=environ,
            cwd=tmp_path,
            check=False,
        )

    return call


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder with a package whose collectors are all broken; one of them has the name of a built-in one."""
    folder = tmp_path / "site"
    about = folder / "bad_plugins-0.1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-plugins\nVersion: 0.1\n")
    points = "".join(f"{name} = {name}\n" for name in BROKEN)
    (about / "entry_points.txt").write_text(f"[pylatencymap.collectors]\nbpf = no_collector\n{points}")
    for name, text in BROKEN.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_the_example_is_recognised_and_decodes(example: Path, run: Run) -> None:
    done = run("convert", "--to", "jsonl", folder=example, text=LOG)
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    counted = [(one["series"], one["start"], [tuple(count) for count in one["counts"]], one["time"]) for one in found]
    begin = 1795255200.0
    assert sorted(counted) == [
        ("GET", begin, [(3, 4, 1), (248, 256, 1)], 0.253),
        ("GET", begin + 1, [(3, 4, 1)], 0.003),
        ("POST", begin, [(992, 1024, 1)], 1.004),
        ("POST", begin + 1, [], 0.0),
    ]


def test_the_example_says_who_the_events_were(example: Path, run: Run, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(LOG)
    done = run("events", str(log), "--min-latency", "100ms", "--json", folder=example)
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["events"], said["time"]) == (2, 1.254)
    values = {key["key"]: [value["value"] for value in key["values"]] for key in said["keys"]}
    assert values == {"client": ["10.0.0.1", "10.0.0.2"], "path": ["/c", "/b"], "status": ["502", "200"]}


def test_a_collector_without_keys_has_its_lines(broken: Path, run: Run, tmp_path: Path) -> None:
    (broken / "fails_to_look.py").write_text(OLD)
    log = tmp_path / "old.log"
    log.write_text("old 1769850000 7\nold 1769850000 9\n")
    done = run("events", str(log), "--format", "fails_to_look", "--json", folder=broken)
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["events"], said["keys"]) == (2, [])
    assert [(line["line"], line["text"]) for line in said["lines"]] == [
        (2, "old 1769850000 9"),
        (1, "old 1769850000 7"),
    ]


def test_the_example_of_histograms_is_recognised_and_decodes(example: Path, run: Run) -> None:
    done = run("convert", "--to", "jsonl", folder=example, text=BUCKETS)
    assert done.returncode == 0
    assert done.stderr == "pylatencymap: <stdin>:8: no row of this form: nonsense\n"
    found = [json.loads(line) for line in done.stdout.splitlines()]
    counted = [(one["series"], one["end"], [tuple(count) for count in one["counts"]]) for one in found]
    assert sorted(counted) == [
        ("GET", 1763719201.0, [(0, 251, 17), (1001, None, 1)]),
        ("GET", 1763719202.0, [(0, 251, 3)]),
        ("PUT", 1763719201.0, [(0, 251, 2)]),
        ("PUT", 1763719202.0, []),
    ]


def test_the_example_refuses_what_holds_no_time_with_the_name_of_the_input(
    example: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "whole.txt").write_text("requests in total\nGET <= 250 us 17\n")
    done = run("convert", "whole.txt", folder=example)
    assert done.returncode == 3
    assert "whole.txt:1: totals of a whole run; what would work is --every-second" in done.stderr


def test_it_is_listed_with_its_package(example: Path, run: Run) -> None:
    done = run("collectors", folder=example)
    assert "nginx access logs with rt=$request_time (latencymap-nginx 1.0)" in done.stdout


def test_bad_lines_are_counted_by_it_as_by_our_own(example: Path, run: Run) -> None:
    done = run("convert", "--to", "jsonl", "-", folder=example, text=LOG + "nonsense\n")
    assert done.returncode == 0
    assert "<stdin>:5: no line of this log format" in done.stderr
    assert run("convert", "--strict", folder=example, text=LOG + "nonsense\n").returncode == 4


def test_broken_ones_are_named_in_the_list(broken: Path, run: Run) -> None:
    done = run("collectors", folder=broken)
    assert done.returncode == 0
    for name, what in {
        "cannot_import": "cannot be imported: ModuleNotFoundError: No module named 'nothing_of_this_name'",
        "ends_itself": "cannot be imported: SystemExit: not on this machine",
        "no_collector": "is no collector: it has no detect and no decode",
    }.items():
        assert f"the collector {name} of bad-plugins 0.1 {what}" in done.stdout
    assert "histogram text of bcc and libbpf-tools" in done.stdout


def test_broken_ones_do_not_keep_others_from_reading(broken: Path, run: Run) -> None:
    text = (
        "one\n" * 30 + "     usecs               : count     distribution\n         0 -> 1          : 3        |***|\n"
    )
    done = run("convert", "--to", "jsonl", folder=broken, text=text)
    assert done.returncode == 0
    assert json.loads(done.stdout)["counts"] == [[0, 2, 3]]
    for name in ("cannot_import", "ends_itself", "no_collector", "fails_to_look"):
        assert done.stderr.count(f"the collector {name} of bad-plugins 0.1") == 1
    assert "Traceback" not in done.stderr


def test_one_that_fails_to_decode_ends_with_status_5(broken: Path, run: Run) -> None:
    done = run("--once", folder=broken, text="SPECIAL\n" * 40)
    assert done.returncode == 5
    assert (
        "the collector fails_to_decode of bad-plugins 0.1 failed to decode <stdin>: TypeError: it yielded a str"
        in done.stderr
    )
    assert run("--format", "cannot_import", "--once", folder=broken, text="x\n").returncode == 5


def test_an_unknown_name_tells_all_names(example: Path, run: Run) -> None:
    done = run("--format", "nobody", folder=example, text="x\n")
    assert done.returncode == 2
    assert "nginx" in done.stderr

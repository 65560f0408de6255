"""Keys of events: asked for, they come beside the same samples; otherwise nothing has changed."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Columns, Known
from pylatencymap.errors import Refused
from pylatencymap.record import EventKey, Sample
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of

SAMPLES = Path(__file__).parent / "samples"
WITH_KEYS = (
    "oracle_trace",
    "strace",
    "biosnoop",
    "fio_log",
    "blkparse",
    "ftrace",
    "perf_script",
    "perf_trace",
    "columns",
)
OWN = [
    pytest.param(name, path, id=f"{name}/{path.stem}")
    for name in registry.collector_names()
    for path in sorted((SAMPLES / name).glob("*.txt"))
]


def samples_of(name: str, text: str, known: Known) -> list[Sample]:
    found: list[Sample] = []
    with suppress(Refused):
        for event in registry.load_collector(name).decode(lines_of(text), Report("t"), known):
            if isinstance(event, Sample):
                found.append(event)
    return found


def keys_of(name: str, text: str, known: Known | None = None) -> list[dict[str, str]]:
    asked = (known or Known())._replace(keys=True)
    return [{key.name: key.value for key in sample.keys} for sample in samples_of(name, text, asked)]


@pytest.mark.parametrize(("name", "path"), OWN)
def test_keys_change_nothing_else(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    plain, asked = samples_of(name, text, Known()), samples_of(name, text, Known(keys=True))
    assert [sample._replace(keys=()) for sample in asked] == plain
    assert not any(sample.keys for sample in plain)
    for sample in asked:
        names = [key.name for key in sample.keys]
        assert len(names) == len(set(names))
        assert all(isinstance(key, EventKey) and key.name and key.value for key in sample.keys)


@pytest.mark.parametrize("name", WITH_KEYS)
def test_collectors_that_have_keys_have_some_in_their_samples(name: str) -> None:
    def found() -> Iterator[bool]:
        for path in sorted((SAMPLES / name).glob("*.txt")):
            yield any(keys_of(name, path.read_text(encoding="utf-8", errors="replace")))

    assert any(found())


CURSOR = (
    "PARSING IN CURSOR #{} len={} dep=0 uid=84 oct=3 lid=84 tim=1377520823034521 hv=23085 ad='65f' sqlid='{}'\n{}\n{}"
)
WAIT = "WAIT #{}: nam='db file sequential read' ela= 977 file#=7 block#=9 blocks=1 obj#=82 tim=1377520823036634\n"


def test_a_wait_is_of_the_statement_that_its_cursor_has_then() -> None:
    first = CURSOR.format(5, 17, "aaa", "SELECT *\n FROM A", "END OF STMT\n") + WAIT.format(5)
    second = CURSOR.format(5, 8, "bbb", "SELECT B", "END OF STMT\n") + WAIT.format(5) + WAIT.format(6)
    samples = samples_of("oracle_trace", first + second, Known(keys=True))
    keys = [{key.name: (key.value, key.note) for key in sample.keys} for sample in samples]
    assert [one.get("sqlid") for one in keys] == [("aaa", "SELECT * FROM A"), ("bbb", "SELECT B"), None]
    assert [one["cursor"] for one in keys] == [("#5", "SELECT * FROM A"), ("#5", "SELECT B"), ("#6", "")]
    assert [key.name for key in samples[0].keys] == ["obj#", "file#", "sqlid", "cursor", "block#", "blocks"]


def test_a_statement_without_an_end_does_not_swallow_the_waits() -> None:
    text = CURSOR.format(5, 8, "bbb", "SELECT B", "") + WAIT.format(5)
    (sample,) = samples_of("oracle_trace", text, Known(keys=True))
    assert ("sqlid", "bbb", "SELECT B") in sample.keys


def test_the_hash_value_stands_for_an_sql_id_before_there_were_any() -> None:
    text = CURSOR.format(5, 8, "x", "SELECT B", "END OF STMT\n").replace(" sqlid='x'", "") + WAIT.format(5)
    assert keys_of("oracle_trace", text)[0]["hv"] == "23085"


def test_whose_a_wait_is() -> None:
    text = (
        "*** MODULE NAME:(Order (new)) 2013-08-26 14:40:23.035\n*** ACTION NAME:(pay) 2013-08-26 14:40:23.035\n"
        + WAIT.format(5)
        + "*** ACTION NAME:() 2013-08-26 14:40:23.035\n"
        + WAIT.format(5)
        + "APPNAME mod='SQL*Plus' mh=3669949024 act='x' ah=4029777240\n"
        + WAIT.format(5)
    )
    said = [(one.get("module"), one.get("action")) for one in keys_of("oracle_trace", text)]
    assert said == [("Order (new)", "pay"), ("Order (new)", None), ("SQL*Plus", "x")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('7 1769850000.1 read(3, "5, 8", 8) = 8 <0.000100>', {"pid": "7", "fd": "3"}),
        ('7 1769850000.1 read(3</tmp/a b>, "x", 8) = 1 <0.000100>', {"pid": "7", "fd": "3", "path": "/tmp/a b"}),
        (
            '1769850000.1 openat(AT_FDCWD, "/etc/x\\"y", O_RDONLY) = -1 ENOENT (No such file) <0.000100>',
            {"fd": "AT_FDCWD", "path": '/etc/x\\"y', "error": "ENOENT"},
        ),
        ("7 1769850000.1 futex(0x7f12, FUTEX_WAIT, 1) = 0 <0.000100>", {"pid": "7"}),
        ("7 1769850000.1 kill(123, SIGTERM) = 0 <0.000100>", {"pid": "7"}),
        ('7 1769850000.1 write(4, "/not/a/path", 3) = 3 <0.000100>', {"pid": "7", "fd": "4"}),
    ],
)
def test_what_a_call_says(line: str, expected: dict[str, str]) -> None:
    assert keys_of("strace", line + "\n") == [expected]


def test_a_call_in_two_lines_has_the_arguments_of_the_first() -> None:
    text = (
        "7 1769850000.100000 read(3</tmp/x>,  <unfinished ...>\n"
        "8 1769850000.100100 close(5) = 0 <0.000010>\n"
        '7 1769850000.200000 <... read resumed>"x", 8) = 1 <0.100000>\n'
    )
    assert keys_of("strace", text)[1] == {"pid": "7", "fd": "3", "path": "/tmp/x"}


def test_the_fields_of_fio() -> None:
    lines = "".join(f"{n}, 1000, 1, 4096, {n * 4096}, 0x0001\n" for n in range(1, 4))
    expected = {"direction": "write", "size": "4096", "offset": "4096", "priority": "0x0001"}
    assert keys_of("fio_log", lines)[0] == expected
    assert keys_of("fio_log", "1, 1000, 0, 512, 0x2\n" * 3)[0] == {
        "direction": "read",
        "size": "512",
        "priority": "0x2",
    }


def test_a_command_with_a_blank_in_it() -> None:
    text = (
        "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
        "0.000004    tokio rt       123     vda       R 5000       4096       0.30\n"
    )
    assert keys_of("biosnoop", text) == [
        {"comm": "tokio rt", "pid": "123", "device": "vda", "operation": "read", "sector": "5000", "bytes": "4096"}
    ]


@pytest.mark.parametrize("sector", [-1, 2**64 - 1])
def test_a_flush_has_no_sector(sector: int) -> None:
    text = (
        "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)\n"
        f"0.000004    dd             123     vda       F {sector:<10} 0          0.30\n"
    )
    assert keys_of("biosnoop", text) == [
        {"comm": "dd", "pid": "123", "device": "vda", "operation": "flush", "bytes": "0"}
    ]


def test_columns_without_names_are_numbered() -> None:
    known = Known(columns=Columns(time="1", latency="2:us"))
    assert keys_of("columns", "1769850000,5,a,b\n1769850001,6,c,d\n", known) == [
        {"column 3": "a", "column 4": "b"},
        {"column 3": "c", "column 4": "d"},
    ]

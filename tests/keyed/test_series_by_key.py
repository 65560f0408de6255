"""Series by a key: sums over all values are those of the whole, whichever way the text comes."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import pylatencymap as lm
from pylatencymap.intervals import OTHERS, is_apart
from pylatencymap.intervals.keyed import value_sums
from pylatencymap.intervals.keyed.division import ChosenValues, DividedBy, Dividing, LatestValues, divided
from pylatencymap.intervals.keyed.value_sums import ValueSums
from pylatencymap.record import Sample
from pylatencymap.report import Report
from pylatencymap.session.input import large_files
from pylatencymap.units import Unit
from tests.amounts import few_or_many
from tests.keyed.reading import Sums, read_by, sums_of

HEAD = "*** 2026-03-09 09:00:00.000\n*** SESSION ID:({}) 2026-03-09 09:00:00.000\n"
TIM = 1_773_046_800_000_000
SQL = "PARSING IN CURSOR #{0} len=22 dep=0 uid=1 tim={2} hv=1 sqlid='{1}'\nselect '{1}' from dual\nEND OF STMT\n"


def wait(second: float, event: str, took: int, obj: int | None, cursor: int = 7) -> str:
    said = "" if obj is None else f" obj#={obj}"
    return (
        f"WAIT #{cursor}: nam='{event}' ela= {took} file#=1 block#=2 blocks=1{said} tim={TIM + round(second * 1e6)}\n"
    )


def totals(sums: Sums) -> tuple[int, int]:
    return sum(events for events, _ in sums.values()), sum(waited for _, waited in sums.values())


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Objects 1 to 12, of which the higher ones waited more, waits without an object, and think time."""
    path = tmp_path / "a.trc"
    lines = [HEAD.format("1.2"), SQL.format(7, "aaa", TIM), SQL.format(8, "bbb\x07", TIM)]
    for number in range(600):
        obj = number % 12 + 1
        lines.append(wait(number / 10, "db file sequential read", 100 * obj, obj, 7 + number % 2))
    lines += [wait(61, "log file sync", 50, None), wait(62, "SQL*Net message from client", 10**6, 3)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_the_values_that_waited_most_have_a_series_and_the_others_one(trace: Path) -> None:
    found = sums_of(read_by([trace], by="obj#", top=3)[0])
    read = "db file sequential read obj#="
    assert found == {
        f"{read}12": (50, 60_000),
        f"{read}11": (50, 55_000),
        f"{read}10": (50, 50_000),
        OTHERS: (451, 50 * 100 * sum(range(1, 10)) + 50),
        "SQL*Net message from client": (1, 10**6),
    }


def test_of_one_chosen_event_only_the_value_is_named(trace: Path) -> None:
    found = sums_of(read_by([trace], by="OBJ#", top=20, series=("DB file sequential read",))[0])
    assert found == {f"OBJ#={obj}": (50, 5_000 * obj) for obj in range(1, 13)}
    found = sums_of(read_by([trace], by="obj#", series=("SQL*Net message from client",))[0])
    assert found == {"obj#=3": (1, 10**6)}
    found = sums_of(read_by([trace], by="obj#", series=("log file sync", "db file*"), top=20)[0])
    assert found["log file sync without obj#"] == (1, 50)


def test_a_statement_stands_beside_its_number_and_cannot_write_on_the_terminal(trace: Path) -> None:
    found = sums_of(read_by([trace], by="sql_id")[0])
    read = "db file sequential read sql_id="
    assert found[f"{read}aaa select 'aaa' from dual"] == (300, 50 * 100 * 36)
    (other,) = (name for name in found if name.startswith(f"{read}bbb"))
    assert found[other][0] == 300
    assert not any("\x07" in name for name in found)


@pytest.mark.parametrize("ways", few_or_many((0,), (1 << 60,)))
@pytest.mark.parametrize("key", ["obj#", "sql_id", "file#", "p1", "cursor", "dep", "module", "session", "block#"])
def test_sums_of_the_earlier_tools_sample(
    shared: Path, monkeypatch: pytest.MonkeyPatch, key: str, ways: tuple[int, ...]
) -> None:
    """Scanned; of most keys the line decoder, which takes much longer, reads it in make thorough."""
    sample = shared / "data" / "earlier-tools" / "test_10046_tracefile.trc"
    for least in (*ways, *((1 << 60,) if key == "sql_id" and 0 in ways else ())):
        monkeypatch.setattr(large_files, "LEAST_BYTES", least)
        assert totals(sums_of(read_by([sample], by=key)[0])) == (29_340, 174_972_010)
        reads = sums_of(read_by([sample], by=key, series=("db file sequential read",))[0])
        assert totals(reads) == (29_249, 174_948_112)
        assert all("=" in name or name == OTHERS or name.startswith("without ") for name in reads)


def test_a_pipe_has_the_same_sums(shared: Path) -> None:
    sample = shared / "data" / "earlier-tools" / "test_10046_tracefile.trc"
    command = [sys.executable, "-m", "pylatencymap", "convert", "--by", "block#", "--to", "jsonl"]
    with sample.open("rb") as file:
        piped = subprocess.run([*command, "-"], stdin=file, capture_output=True, check=True)
    events, waited = Counter[str](), 0.0
    for line in piped.stdout.splitlines():
        one = json.loads(line)
        events[one["series"]] += sum(count for *_, count in one["counts"])
        waited += one["time"]
    assert (events.total(), round(waited * 1e6)) == (29_340, 174_972_010)
    assert events[OTHERS] > 29_000


def test_the_library_takes_it(trace: Path) -> None:
    run = lm.read(trace, by="obj#", top=2, series="db file sequential read")
    assert run.series == ("obj#=12", "obj#=11", OTHERS)
    assert run.summary(OTHERS).events == 500


def test_an_unknown_key_is_told_with_those_there_are(trace: Path) -> None:
    found, said = read_by([trace], by="sqlld")
    assert not found
    assert all(words in said[0] for words in ("no event of", "the key sqlld", "obj#", "cursor"))


def test_counts_have_no_keys(root: Path) -> None:
    found, said = read_by([root / "examples" / "steady.lmap.gz"], by="pid")
    assert not found
    assert "holds counts and no single events" in said[0]


def test_a_table_is_divided_by_a_column_as_before_and_by_its_best_values_if_asked() -> None:
    text = "time,latency_us,comm\n" + "".join(f"{1_700_000_000 + n},{n},c{n % 4}\n" for n in range(1, 41))
    assert set(lm.read(text, by="comm").series) == {"c0", "c1", "c2", "c3"}
    run = lm.read(text, by="comm", top=1)
    assert run.series == ("comm=c0", OTHERS)
    assert run.summary("comm=c0").waited == pytest.approx(sum(range(4, 41, 4)) / 1e6)


def test_several_traces_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [[HEAD.format(session)] for session in ("1.2", "3.4")]
    for number in range(200):
        lines[number % 2].append(wait(number / 5, "db file sequential read", 10 + number, number % 3))
    paths = [tmp_path / "a.trc", tmp_path / "b.trc"]
    for path, text in zip(paths, lines, strict=True):
        path.write_text("".join(text), encoding="utf-8")
    whole = tmp_path / "whole.trc"
    whole.write_text("".join(lines[0] + lines[1]), encoding="utf-8")
    for least in (1 << 60, 0):
        monkeypatch.setattr(large_files, "LEAST_BYTES", least)
        assert read_by(paths) == read_by([whole])
        assert read_by(paths[::-1], by="obj#") == read_by([whole], by="obj#")
        by_session = sums_of(read_by(paths, by="session")[0])
        assert by_session == {
            "db file sequential read session=1.2": (100, sum(range(10, 210, 2))),
            "db file sequential read session=3.4": (100, sum(range(11, 210, 2))),
        }


def test_think_time_and_idle_waits_come_last(trace: Path) -> None:
    run = lm.read(trace)
    assert run.series == ("db file sequential read", "log file sync", "SQL*Net message from client")
    assert all(map(is_apart, ("SQL*Net message from client (a.trc)", "pmon timer@2")))
    assert not any(map(is_apart, ("SQL*Net message to client", "log file sync")))


def test_values_that_were_dropped_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_sums, "MOST_VALUES", 8)
    sums = ValueSums()
    for number in range(20):
        sums.add(("e", str(number)), 100 if number == 3 else 1)
    sums.add(("e", "late"), 1_000)  # it can have been among those that were dropped
    assert not sums.is_sure
    assert sums.most(5) == []
    many = ValueSums()
    for number in range(30):
        many.add(("e", str(number)), 10_000 if number == 3 else 1)
    assert many.most(5) == [(("e", "3"), "")]


def test_what_explains_a_value_holds_in_all_series() -> None:
    sums = ValueSums()
    sums.add(("e", "1"), 5, "select 1")
    sums.add(("f", "1"), 5)
    sums.add(("f", "1"), 5, "select 1 from t")
    sums.add(("e", None), 5, "nothing")
    assert {sums.note(pair) for pair in (("e", "1"), ("f", "1"), ("g", "1"))} == {"select 1 from t"}
    assert not sums.note(("e", None))
    sums.add(("f", "1"), 5, "delete")
    assert not sums.note(("e", "1"))


def test_a_live_source_gives_places_to_what_waited_most_so_far() -> None:
    division = LatestValues(DividedBy("k", 2))
    first = [division.series_of(("e", value), 10, "") for value in ("a", "b", "c", "c")]
    assert first == ["e k=a", "e k=b", OTHERS, "e k=c"]  # c has waited 20 by now, and a 10
    assert division.series_of(("e", "b"), 1, "") == "e k=b"
    assert division.series_of(("e", "a"), 1, "") == OTHERS
    assert [division.has(name) for name in ("e k=a", OTHERS, "e")] == [True, True, False]


@pytest.mark.parametrize(("live", "said"), [(True, 1), (False, 0)])
def test_only_a_live_source_is_told_that_its_first_events_lack_the_key(live: bool, said: int) -> None:
    asked, told = DividedBy("k"), list[str]()
    report = Report("x", say=told.append)
    division = LatestValues(asked) if live else ChosenValues(asked, ValueSums())
    events = [Sample("e", Unit.US, 5, TIM, line=number) for number in range(1, 300)]
    assert len([*divided(events, Dividing(division, lambda _: True), report)]) == 299
    assert len(told) == said
    assert all("x:200: no event so far has the key k" in one for one in told)


def test_the_choice_does_not_depend_on_the_order() -> None:
    one, other = ValueSums(), ValueSums()
    pairs = [("e", str(number % 7)) for number in range(100)]
    for pair in pairs:
        one.add(pair, 5)
    for pair in reversed(pairs):
        other.add(pair, 5)
    assert one.most(4) == other.most(4)
    assert ChosenValues(DividedBy("k"), one).series_of(("e", "0")) == "e k=0"


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_several_inputs_are_those_of_one(seed: int) -> None:
    numbers, whole = Random(seed), ValueSums()
    parts = [ValueSums() for _ in range(4)]
    for _ in range(400):
        value = numbers.randrange(20)
        note = ("", f"select {value}", f"select {value} from", f"delete {numbers.randrange(2)}")[numbers.randrange(4)]
        one = ("ef"[value % 2], None if value == 3 else str(value)), numbers.randrange(1000), note if value > 5 else ""
        whole.add(*one)
        numbers.choice(parts).add(*one)
    parts[1].undivided.add("idle")
    numbers.shuffle(parts)
    together = ValueSums()
    for part in parts:
        together.take(ValueSums.from_plain(json.loads(json.dumps(part.to_plain()))))
    assert together.most(30) == whole.most(30)
    assert together.is_sure
    assert together.undivided == {"idle"}


@pytest.mark.parametrize("seed", range(40))
def test_sums_of_several_inputs_with_too_many_values_name_only_what_waited_most(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_sums, "MOST_VALUES", 8)
    numbers, truth, together = Random(seed), Counter[tuple[str, str | None]](), ValueSums()
    for _ in range(3):
        part = ValueSums()
        for _ in range(numbers.choice((8, 30))):
            pair, waited = ("e", str(int(numbers.paretovariate(0.6)) % 40)), numbers.randrange(1, 50)
            waited += 2000 * (pair[1] == "1")
            truth[pair] += waited
            part.add(pair, waited)
        together.take(ValueSums.from_plain(json.loads(json.dumps(part.to_plain()))))
    named = [pair for pair, _ in together.most(3)]
    others = [waited for pair, waited in truth.items() if pair not in named]
    assert all(truth[pair] >= max(others) for pair in named)


def test_a_part_of_the_time_has_its_own_best_values(trace: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pylatencymap",
        "convert",
        str(trace),
        "--to",
        "jsonl",
        "--by",
        "obj#",
        "--top",
        "1",
    ]
    part = ["--tz", "UTC", "--from", "2026-03-09T09:00:00.05", "--until", "2026-03-09T09:00:01"]
    done = subprocess.run([*command, *part], capture_output=True, text=True, check=True)
    names = {json.loads(line)["series"] for line in done.stdout.splitlines()}
    assert names == {"db file sequential read obj#=10", OTHERS}

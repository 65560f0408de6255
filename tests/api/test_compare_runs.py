"""``lm.compare``: the same verdicts as the command, as values, pages, pictures and conditions."""

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import pylatencymap as lm
from pylatencymap.cli.commands import compare
from pylatencymap.errors import NoInterval, UsageError


@pytest.fixture(scope="module")
def steady(root: Path) -> lm.Run:
    return lm.read(root / "examples/steady.lmap.gz", tz="UTC")


@pytest.fixture(scope="module")
def spindle(root: Path) -> lm.Run:
    return lm.read(root / "examples/spindle.lmap.gz", tz="UTC")


def test_a_cache_that_is_gone(steady: lm.Run, spindle: lm.Run) -> None:
    found = lm.compare(steady, spindle)
    assert [one.name for one in found.series] == ["loop0", "vda"]
    first = found.series[0]
    assert (first.found.verdict.value, first.direction.value) == ("sure", "slower")
    assert first.stated is not None
    assert (round(first.stated.before.value, 2), round(first.stated.after.value, 2)) == (0.1, 0.24)
    assert [quantile.ratio is None for quantile in first.quantiles] == [False, True, False]
    assert found.verdict in " ".join(str(found).split())
    assert found.verdict == found.as_dict()["verdict"]
    assert "AFTER is slower" in found.markdown()
    assert "AFTER is slower" in repr(found)


def test_a_series_by_name_and_in_what_it_was_read_from(steady: lm.Run, spindle: lm.Run) -> None:
    found = lm.compare(steady, spindle, series="vda", files=(["a.lmap"], ["b.lmap"]))
    assert [one.name for one in found.series] == ["vda"]
    assert "BEFORE  a.lmap, 2026-11-21" in found.text()


def test_conditions_compare_both_sides(steady: lm.Run, spindle: lm.Run) -> None:
    found = lm.compare(steady, spindle)
    assert found.check("p99 > 1.2 * before.p99").holds
    assert found.check("rate < before.rate").sure
    assert found.check("p99 > 2 * before.p99").holds is False
    assert spindle.check("p99 > 1.2 * before.p99", before=steady).checks == found.check("p99 > 1.2 * before.p99").checks


def test_conditions_take_several_runs_as_one(steady: lm.Run, spindle: lm.Run) -> None:
    twice = lm.compare([steady, steady], [spindle, spindle])
    (check,) = twice.check("events > before.events").checks
    once = lm.compare(steady, spindle).check("events > before.events").checks[0]
    assert [one.value for one in check.measures] == [2 * one.value for one in once.measures]
    assert twice.series[0].found.columns == (120, 120)


def test_pictures(steady: lm.Run, spindle: lm.Run, tmp_path: Path) -> None:
    found = lm.compare(steady, spindle)
    found.save(tmp_path / "a.svg", size="160x60", background="light", map="frequency")
    tree = ElementTree.parse(tmp_path / "a.svg")
    said = "".join(tree.getroot().itertext())
    assert "FREQUENCY" in said
    assert "INTENSITY" not in said
    assert "#7202c7" in (tmp_path / "a.svg").read_text()
    with pytest.raises(UsageError, match="no picture format"):
        found.save(tmp_path / "a.gif")
    with pytest.raises(UsageError, match="size"):
        found.save(tmp_path / "a.svg", size="9x9")


def test_what_cannot_be_compared(steady: lm.Run, root: Path) -> None:
    with pytest.raises(UsageError, match="must be a run, as read"):
        lm.compare("a.lmap", steady)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="or several"):
        lm.compare(steady, [])
    with pytest.raises(NoInterval, match="no series in common"):
        lm.compare(steady, lm.read(root / "examples/flags.lmap.gz"))


def test_a_recording_does_not_differ_from_itself(root: Path) -> None:
    whole = lm.read(root / "examples/steady.lmap.gz", series="loop0", tz="UTC")
    assert lm.compare(whole, whole).verdict.startswith("No difference that these data could show")


def a_trace(path: Path, waits: dict[int, int]) -> Path:
    """600 waits for each object, in turn, of so many microseconds."""
    text, tim = "", 1_773_046_800_000_000
    for number in range(600):
        for obj, took in waits.items():
            tim += 100_000
            text += f"WAIT #1: nam='read' ela= {took + number % 7} p1=1 p2=2 p3=3 obj#={obj} tim={tim}\n"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def traces(tmp_path: Path) -> tuple[Path, Path]:
    """Two days with other objects waiting most."""
    before = a_trace(tmp_path / "a.trc", {1: 9_000, 2: 5_000, 3: 100, 4: 90})
    return before, a_trace(tmp_path / "b.trc", {1: 9_500, 2: 80, 3: 5_500, 4: 95})


def test_values_that_are_ranked_together_are_those_of_the_command(
    traces: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = traces
    runs = [
        lm.read(one, by="obj#", top=3, ranked_with=other, tz="UTC") for one, other in ((before, after), (after, before))
    ]
    assert runs[0].values == runs[1].values == {("read", "1"), ("read", "2"), ("read", "3")}
    found = lm.compare(*runs)
    assert compare.run([str(before), str(after), "--by", "obj#", "--top", "3", "--tz", "UTC", "--json"]) == 0
    by_command = json.loads(capsys.readouterr().out)
    ours = json.loads(json.dumps(found.as_dict()))
    assert {one["name"] for one in ours["series"]} == {"others", *(f"read obj#={number}" for number in (1, 2, 3))}
    assert ours["series"] == by_command["series"]
    assert ours["limits"] == by_command["limits"] == []


def test_others_of_values_that_were_ranked_apart_are_not_compared(traces: tuple[Path, Path]) -> None:
    found = lm.compare(*(lm.read(one, by="obj#", top=2, tz="UTC") for one in traces))
    assert [one.name for one in found.series] == ["read obj#=1"]
    assert "Not compared: others, which are other values on each side" in " ".join(found.text().split())
    assert {name for one in found.as_dict()["limits"] for name in one["series"]} == {
        "read obj#=2",
        "read obj#=3",
        "others",
    }


def test_what_cannot_be_ranked_is_said(traces: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match="name the key with by="):
        lm.read(traces[0], ranked_with=traces[1])
    with pytest.raises(UsageError, match="can be read only once"):
        lm.read(traces[0], by="obj#", ranked_with=io.StringIO("x"))

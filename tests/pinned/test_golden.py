"""Recordings and saved text give the pictures, JSON lines and record streams that version 0.1.0 gave.

Where one changes on purpose, tests/pinned/golden.py says how to pin the new one.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.pinned.cases import GROUPS, lay_out
from tests.pinned.golden import Told, difference, painted, pinned, run_group, told
from tests.pinned.runner import Runner, run_alone

ALL = [pytest.param(group, line, id=line) for group, lines in GROUPS.items() for line in lines()]
ALONE = (
    "pylatencymap convert --to jsonl --resolution 2 --interval 10 steady.lmap.gz",
    "COLUMNS=80 LINES=24 pylatencymap replay --once --depth 256 cold-start.lmap.gz",
    "pylatencymap convert --to jsonl strace/summary-refused.txt",
)


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], dict[str, Told]]]:
    """What the command lines of a group print now; each group runs once, and only where one of it is asked for."""
    with Runner(PYTHONHASHSEED="0") as runner:

        @cache
        def run(group: str) -> dict[str, Told]:
            folder = tmp_path_factory.mktemp(group)
            lay_out(folder)
            return run_group(group, folder, runner)

        yield run


@pytest.mark.parametrize(("group", "line"), ALL)
def test_it_prints_what_it_printed(now: Callable[[str], dict[str, Told]], group: str, line: str) -> None:
    changed = difference(pinned(group)[line], now(group)[line])
    assert not changed, f"\n$ {line}\n{changed}"


@pytest.mark.parametrize("group", GROUPS)
def test_all_that_was_pinned_is_run(group: str) -> None:
    assert set(pinned(group)) == set(GROUPS[group]())


@pytest.mark.parametrize("line", ALONE)
def test_a_process_of_its_own_prints_the_same(tmp_path: Path, line: str) -> None:
    lay_out(tmp_path)
    before = {**pinned("recordings"), **pinned("samples")}[line]
    assert not difference(before, told(run_alone(line, tmp_path)))


def test_a_difference_is_shown_with_its_lines() -> None:
    before = {"status": 0, "out": ["one", "two", "three"], "places": ["x:1"]}
    after = {"status": 3, "out": ["one", "\x1b[1mtwo\x1b[0m", "three"], "places": ["x:1"]}
    shown = difference(before, after)
    assert "status was 0, is 3" in shown
    assert "-{}two\n+{1}two" in shown
    assert not difference(before, before)


def test_pictures_are_the_same_where_their_cells_are() -> None:
    assert painted(["\x1b[31mred\x1b[0m x"]) == painted(["\x1b[31mred \x1b[39mx"]) == ["{31}red{} x"]
    assert painted(["\x1b[38;5;9;48;2;1;2;3ma b"]) == ["{38;5;9,48;2;1;2;3}a{48;2;1;2;3} {38;5;9,48;2;1;2;3}b"]
    assert painted(["\x1b[7m x\x1b[27m "]) == ["{7} x{} "]
    assert painted(["\x1b[44m  "]) != painted(["  "])
    assert painted(["\x1b[31;1ma", "a\x1b[22;39ma"]) == ["{1,31}a", "{1,31}a{}a"]
    assert painted(["\x1b[91ma\x1b[104mb"]) == ["{91}a{104,91}b"]

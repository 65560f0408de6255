"""Texts of totals in which the time above one print is damaged or missing: no count is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
PRINTS = 8
ROWS = (("[64, 128)", 100, 10), ("[128, 256)", 200, 25), ("[256, 512)", 20, 5))


def print_of(number: int, moment: str, keys: tuple[str, ...]) -> str:
    """A print of bpftrace: totals that have grown ``number`` times by 40 events."""
    rows = "".join(f"{bounds:<10} {count + number * growth:>10} |@@@@@@|\n" for bounds, count, growth in ROWS)
    return moment + "".join(f"@usecs{key}:\n{rows}\n" for key in keys)


def text_of(keys: tuple[str, ...], step: int, place: int, moment: Callable[[str], str]) -> str:
    moments = [f"12:{number * step // 60:02}:{number * step % 60:02}\n" for number in range(PRINTS)]
    moments[place] = moment(moments[place])
    return "Attaching 3 probes...\n" + "".join(print_of(n, one, keys) for n, one in enumerate(moments))


def table_of(place: int, moment: str) -> str:
    """Tables of MariaDB, ten seconds apart, that grow by 60 queries each."""
    moments = [f"{1_700_000_000 + 10 * number}" for number in range(PRINTS)]
    moments[place] = moment
    rows = (("0.000001", 100, 10), ("0.000010", 200, 20), ("0.000100", 300, 30))
    tables = (
        f"{one}\nTIME\tCOUNT\tTOTAL\n"
        + "".join(
            f"{bound:>14}\t{count + n * growth}\t{float(bound) * (count + n * growth) / 2:>14.6f}\n"
            for bound, count, growth in rows
        )
        + "TOO LONG\t0\tTOO LONG\n"
        for n, one in enumerate(moments)
    )
    return "".join(tables)


def measured(run: Run, path: Path, text: str) -> tuple[dict[str, list[tuple[float, float, float]]], str]:
    """Start and end, from the first start, and events of the intervals of each series; and what was said."""
    path.write_text(text)
    answer = run("convert", "--to", "jsonl", path)
    assert answer.status == 0
    zero = answer.objects[0]["start"]
    found: dict[str, list[tuple[float, float, float]]] = {}
    for one in answer.objects:
        assert not one["gap"]
        assert not one["reset"]
        events = sum(count for _, _, count in one["counts"])
        found.setdefault(one["series"], []).append((one["start"] - zero, one["end"] - zero, events))
    return found, answer.err


@pytest.mark.parametrize("keys", [("",), ("[read]",), ("[read]", "[write]")])
@pytest.mark.parametrize(("place", "step"), [(1, 1), (4, 10), (6, 1)])
@pytest.mark.parametrize("lost", ["gone", "garbled"])
def test_a_print_of_totals_is_placed_between_its_neighbours(
    keys: tuple[str, ...], place: int, step: int, lost: str, run: Run, tmp_path: Path
) -> None:
    text = text_of(keys, step, place, lambda moment: "" if lost == "gone" else moment.replace("12:0", "12:x"))
    found, said = measured(run, tmp_path / "text", text)
    assert list(found.values()) == [[(n * step, (n + 1) * step, 40) for n in range(PRINTS - 1)]] * len(keys)
    line = text[: text.index(print_of(place, "", keys))].count("\n") + (lost == "gone")
    assert f"text:{line}: no time" in said
    assert "its print is placed between those before and after it" in said
    assert "comes more than once" not in said


def test_the_last_print_without_a_time_is_of_the_second_of_the_one_before(run: Run, tmp_path: Path) -> None:
    found, said = measured(run, tmp_path / "text", text_of(("[read]",), 1, PRINTS - 1, lambda _: ""))
    assert [end for _, end, _ in found["read"]] == [1, 2, 3, 4, 5, 6, 6.5]
    assert "no time" not in said


@pytest.mark.parametrize("moment", ["17000x", "170000003", "now"])
def test_a_table_is_placed_between_its_neighbours(moment: str, run: Run, tmp_path: Path) -> None:
    found, said = measured(run, tmp_path / "text", table_of(3, moment))
    assert found == {"all": [(10 * n, 10 * n + 10, 60) for n in range(PRINTS - 1)]}
    assert "between those before and after it" in said

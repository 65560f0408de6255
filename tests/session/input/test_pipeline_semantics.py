"""One damaged digit in a file of totals: plain, compressed, or one file of several, it costs its neighbours at most."""

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.session.input.pipeline import ReadPlan
from pylatencymap.session.input.source import open_source
from pylatencymap.session.input.sources import Sources

PRINTS = 24
KEYS = ("", "[vda]", "[vdb]")


def _print(number: int, keys: tuple[str, ...]) -> str:
    maps = []
    for place, key in enumerate(keys, 1):
        counts = [(number * (31 + 7 * bucket + place) + number * number % (3 + bucket)) for bucket in range(9)]
        rows = [f"[{2**bucket}, {2 ** (bucket + 1)}) {count:15} |@@@|" for bucket, count in enumerate(counts)]
        maps.append("\n".join((f"@usecs{key}: ", *rows, "")))
    stamp = f"{12 + number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
    return "\n".join((stamp, *maps, ""))


def text_of(keys: tuple[str, ...]) -> str:
    return "Attaching 3 probes...\n" + "\n".join(_print(number, keys) for number in range(1, PRINTS + 1))


TEXTS = [text_of(KEYS[:1]), text_of(KEYS[1:])]
ROW = re.compile(r"\) +(\d+) \|")


def read(*paths: Path) -> tuple[list[Interval], list[str]]:
    """The intervals of files that are read together, and what was said of them."""
    said: list[str] = []
    sources = Sources(ReadPlan(), said.append)
    for path in paths:
        sources.add(open_source(str(path), sources.stop))
    found = list(sources.read(lambda _: None))
    sources.close_all()
    return found, said


def counted(found: list[Interval]) -> dict[tuple[str, int], object]:
    return {(one.series, one.end // 1_000_000): (one.start, one.ranges) for one in found if not one.gap}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    text=st.sampled_from(TEXTS),
    place=st.floats(0, 1, exclude_max=True),
    digit=st.integers(0, 5),
    becomes=st.sampled_from("0123456789x") | st.just(""),
)
def test_any_digit_of_a_count_changes_its_neighbours_at_most(
    text: str, place: float, digit: int, becomes: str, tmp_path: Path
) -> None:
    rows = list(ROW.finditer(text))
    row = rows[int(place * len(rows))]
    at = min(row.start(1) + digit, row.end(1) - 1)
    print_number = int(place * len(rows)) * PRINTS // len(rows) + 1
    path = tmp_path / "damaged.txt"
    path.write_text(text)
    whole = counted(read(path)[0])
    path.write_text(text[:at] + becomes + text[at + 1 :])
    damaged = counted(read(path)[0])
    first = min(end for _, end in whole) - 2  # the end of a print that is numbered 0
    # Nothing before the first print says whether it or the second one is right, and nothing behind the last one.
    beside = {1: (0, 1, 2), PRINTS: (-1, 0)}.get(print_number, (0, 1))
    near = {print_number + first + step for step in beside}
    assert {key: value for key, value in damaged.items() if key[1] not in near} == {
        key: value for key, value in whole.items() if key[1] not in near
    }


def _damaged(text: str) -> str:
    """The text with a digit less in its second print."""
    row = list(ROW.finditer(text))[12]
    return text[: row.end(1) - 1] + text[row.end(1) :]


@pytest.mark.parametrize("form", ["plain", "gz", "two"])
def test_it_is_the_same_for_every_way_of_reading_files(form: str, tmp_path: Path) -> None:
    texts = TEXTS if form == "two" else TEXTS[:1]
    names = [tmp_path / f"{number}.txt{'.gz' * (form == 'gz')}" for number in range(len(texts))]

    def write(change: bool) -> list[Interval]:
        for name, text in zip(names, texts, strict=True):
            content = (_damaged(text) if change else text).encode()
            name.write_bytes(gzip.compress(content) if form == "gz" else content)
        return read(*names)[0]

    whole, damaged = counted(write(False)), counted(write(True))
    changed = {end for key, end in whole if damaged.get((key, end)) != whole[key, end]}
    assert len(changed) in (1, 2)
    assert {series for series, _ in damaged} == {series for series, _ in whole}

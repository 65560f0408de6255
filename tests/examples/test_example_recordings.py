"""The recordings against a second reading of their text, and against what fio measured beside them."""

import csv
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

NAMES = ("steady", "cold-start", "spindle")
TUTORIAL = {"tutorial/before": "loop1", "tutorial/after": "loop1"}
"""The recordings of docs/tutorial.md, and the device in them."""
LIMITS = (1024, 8192, 16384)
"""Of the truth's classes, as histogram rows have them: below 1 ms, to 8 ms, to 16 ms, more."""
ROOT = Path(__file__).parent.parent.parent

Shell = Callable[..., Any]
Seconds = list[tuple[float, dict[int, int]]]


@cache
def recording(name: str, series: str | None = None) -> Seconds:
    """End of each interval, and its events by lower bound: the differences of the sums in the text."""
    series = series or TUTORIAL.get(name, "loop0")
    found: Seconds = []
    about: dict[str, Any] = {}
    sums: dict[int, int] = {}
    before: dict[int, int] = {}
    end = 0.0
    for line in gzip.decompress((ROOT / f"examples/{name}.lmap.gz").read_bytes()).decode().splitlines():
        key, _, value = line.partition(",")
        if line.startswith("#lmap "):
            about, sums = json.loads(line[6:]), {}
        elif key == "timestamp":
            end = int(value.split(",")[1]) / 1e6
        elif key.isdigit():
            sums[int(key)] = int(value)
        elif key == "<end record>" and about["series"] == series:
            if "baseline" not in about.get("flags", []):
                grown = {low: count - before.get(low, 0) for low, count in sums.items() if count > before.get(low, 0)}
                found.append((end, grown))
            before = sums
    return found


@cache
def truth(name: str) -> dict[int, list[int]]:
    """Reads of each class by epoch second, as fio counted them."""
    rows = [line.split(",") for line in (ROOT / f"examples/{name}.truth.csv").read_text().splitlines()[1:]]
    return {int(row[0]): [*map(int, row[1:5])] for row in rows}


def classes(seconds: Seconds) -> list[int]:
    found = [0, 0, 0, 0]
    for _, counts in seconds:
        for lower, count in counts.items():
            found[sum(lower >= limit for limit in LIMITS)] += count
    return found


def measured(name: str, seconds: Seconds) -> list[list[int]]:
    """The classes in the same seconds: biolatency's stamp is the end of its second, which may begin within fio's."""
    rows = truth(name)
    return [
        [sum(rows.get(round(end) + shift, [0, 0, 0, 0])[place] for end, _ in seconds) for place in range(4)]
        for shift in (-2, -1, 0)
    ]


def inside(name: str) -> Seconds:
    """The seconds that fio measured as a whole, whatever the alignment."""
    rows = truth(name)
    return [one for one in recording(name) if {round(one[0]) - 3, round(one[0]) + 1} <= rows.keys()]


def shares(counts: list[int]) -> list[float]:
    return [count / sum(counts) for count in counts]


@pytest.fixture(scope="module")
def pictures(shell_once: Shell, examples: Path) -> dict[str, str]:
    found = {}
    for name in NAMES:
        ran = shell_once(f"pylatencymap replay --depth ascii --series loop0 {examples}/{name}.lmap.gz")
        assert (ran.status, ran.err) == (0, "")
        found[name] = ran.out
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_program_reads_what_the_text_holds(shell_once: Shell, examples: Path, name: str) -> None:
    for series in ("loop0", "vda"):
        ran = shell_once(f"pylatencymap convert --to jsonl --series {series} {examples}/{name}.lmap.gz")
        assert (ran.status, ran.err) == (0, "")
        told = [json.loads(line) for line in ran.out.splitlines()]
        assert [(one["end"], {lower: count for lower, _, count in one["counts"]}) for one in told] == recording(
            name, series
        )
        assert not any(one["gap"] or one["reset"] or one["resampled"] for one in told)


@pytest.mark.parametrize("name", [*NAMES, *TUTORIAL])
def test_shares_are_those_that_fio_measured(name: str) -> None:
    counted = shares(classes(inside(name)))
    for place, share in enumerate(counted):
        assert min(abs(share - shares(row)[place]) for row in measured(name, inside(name))) < 0.02


@pytest.mark.parametrize("name", [*NAMES, *TUTORIAL])
def test_rates_are_those_that_fio_measured(name: str) -> None:
    counted = classes(inside(name))
    fast, slow = counted[0], sum(counted[1:])
    rows = measured(name, inside(name))
    assert len(inside(name)) > 50
    assert min(abs(fast - row[0]) / row[0] for row in rows) < 0.05
    assert min(abs(slow - sum(row[1:])) / sum(row[1:]) for row in rows) < 0.05


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_says_the_average_that_fio_measured(pictures: dict[str, str], name: str) -> None:
    """But for what fio sees and the disk does not, and for what buckets cannot tell. The middles of the buckets say
    15 % more.
    """
    reads, micros = 0, 0
    for row in csv.reader((ROOT / f"examples/{name}.truth.csv").read_text().splitlines()[1:]):
        *counts, summed = (int(field) for field in row[1:])
        reads, micros = reads + sum(counts), micros + summed
    (average,) = re.findall(r"^ (?:all|window) .*?avg ([\d.]+) ms", pictures[name], re.MULTILINE)
    assert float(average) == pytest.approx(micros / reads / 1000, rel=0.12)


def rows_of(picture: str) -> dict[str, str]:
    """Cells of the frequency map by upper bound, without the time before the recording."""
    body = picture.partition(" FREQUENCY ")[2].partition(" INTENSITY ")[0]
    rows = re.findall(r"^ *([\d.]+ [mu]s) \|/*([ .\d+]{55,}?)(?:  +[\d.<]+k? |  +\.)", body, re.MULTILINE)
    return dict(rows)


def test_steady_is_two_bands(pictures: dict[str, str]) -> None:
    rows = rows_of(pictures["steady"])
    assert re.fullmatch(r"[23]{60}", rows["16.4 ms"][:60])
    fast = zip(rows["64 us"], rows["128 us"], rows["256 us"], strict=False)
    assert all(max(cells) >= "5" for cells in fast)
    between = "".join(rows[upper][:60] for upper in ("1.02 ms", "2.05 ms", "4.10 ms", "8.19 ms"))
    assert set(between) <= {" ", "."}
    assert between.count(" ") > 0.7 * len(between)


def test_cold_start_gains_hits() -> None:
    """The cache is empty at first and holds nearly all that is hot at the end."""
    seconds = recording("cold-start")
    hits = [shares(classes(seconds[start : start + 15]))[0] for start in range(0, 75, 15)]
    assert hits == sorted(hits)
    assert (hits[0] < 0.35, hits[-1] > 0.85) == (True, True)
    rows = truth("cold-start")
    by_fio = [
        shares([sum(column) for column in zip(*part, strict=True)])[0]
        for part in ([row for _, row in sorted(rows.items())][:15], [row for _, row in sorted(rows.items())][-16:-1])
    ]
    assert hits[0] == pytest.approx(by_fio[0], abs=0.05)
    assert hits[-1] == pytest.approx(by_fio[1], abs=0.02)
    assert share_at(seconds[:15]) > 70
    assert share_at(seconds[-15:]) < 10


def share_at(seconds: Seconds) -> float:
    """Percent of the events that are in [8192, 16384)."""
    counted = classes(seconds)
    return 100 * counted[2] / sum(counted)


def test_spindle_misses_spread_over_octaves(pictures: dict[str, str]) -> None:
    """Seek and rotation: from 2 to 32 ms, none of the four octaves empty, none with all."""
    sums: Counter[int] = Counter()
    for _, counts in recording("spindle"):
        sums.update(counts)
    slow = [sums[lower] for lower in (2048, 4096, 8192, 16384)]
    misses = sum(count for lower, count in sums.items() if lower >= 1024)
    assert sum(slow) / misses > 0.95
    assert all(0.04 < count / misses < 0.6 for count in slow)
    rows = rows_of(pictures["spindle"])
    assert all(re.fullmatch(r"[1-9]{60}", rows[upper][:60]) for upper in ("32.8 ms", "16.4 ms", "8.19 ms"))

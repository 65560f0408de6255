"""The page's script computes and writes what the Python that it is the twin of does, on random numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.resources import files
from itertools import pairwise
from math import inf
from types import SimpleNamespace
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from pylatencymap import number_text, units
from pylatencymap.analysis import column_times, percentiles_of, row_means
from pylatencymap.export.page.coding import coded_level
from pylatencymap.export.page.columns import merged_columns, recorded_columns
from pylatencymap.export.page.times import zone_for_script
from pylatencymap.view.layout.colour_scale import levels_of, wanted_maximum
from tests.export.page.browsing import DESKTOP, browser
from tests.export.page.recordings import SECOND, many_levels

pytestmark = pytest.mark.heavy

Script: TypeAlias = "Callable[..., Any]"
RANKS = (0.5, 0.9, 0.99)


@pytest.fixture(scope="module")
def script() -> Iterator[Script]:
    """Runs lines of script that use the functions of the page."""
    names = ("words.js", "estimates.js", "columns.js", "picture.js", "drawing.js")
    text = "\n".join(
        files("pylatencymap.export.page").joinpath("web", name).read_text(encoding="utf-8") for name in names
    )
    with browser(DESKTOP) as page:
        page.driver.get("data:text/html,<!DOCTYPE html>")

        def run(lines: str, *given: object) -> Any:
            return page.run(f"{text}\nconst given = arguments;\n{lines}", *given)

        yield run


def spread(low: float, high: float, size: int = 3000) -> list[float]:
    """Numbers from 10^low to 10^high, and such as are just between two texts."""
    noise = np.random.default_rng(4)
    values = 10 ** noise.uniform(low, high, size)
    halves = np.array([one / two for one in range(1, 400) for two in (2, 4, 8, 16)])
    return [0.0, *values.tolist(), *np.round(values, 3).tolist(), *halves.tolist(), *(halves / 1000).tolist()]


@pytest.mark.parametrize(
    ("name", "twin", "low", "high"),
    [
        ("latencyText", units.format_latency, -9, 6),
        ("measuredText", units.format_measured, -9, 6),
        ("countText", lambda value: number_text.count_text(value, ""), -3, 14),
        ("exactText", number_text.exact_text, -4, 9),
        ("shareText", number_text.share_text, -5, 0),
        ("percentText", number_text.percent_text, -5, 0),
        ("waitedText", number_text.waited_text, -8, 5),
        ("spanText", number_text.span_text, -4, 7),
        ("lastedText", number_text.lasted_text, -4, 7),
    ],
)
def test_texts_are_the_same(script: Script, name: str, twin: Callable[[float], str], low: float, high: float) -> None:
    values = [one for one in spread(low, high) if name not in ("shareText", "percentText") or one <= 1]
    found = script(f"return given[0].map((value) => {name}(value))", values)
    wrong = [(value, text, twin(value)) for value, text in zip(values, found, strict=True) if text != twin(value)]
    assert not wrong


def test_ranges_are_written_the_same(script: Script) -> None:
    values = sorted(spread(-8, 3, 200))
    pairs = list(zip(values[:-1:3], values[1::3], strict=False))
    found = script("return given[0].map(([low, high]) => rangeText(low, high))", pairs)
    assert found == [number_text.range_text(*pair) for pair in pairs]
    assert script("return rangeText(0.02, Infinity)") == number_text.range_text(0.02, inf)


def histograms() -> Iterator[tuple[list[int], list[float], float | None]]:
    """Counts on edges of all kinds: octaves of us and ms, fine ones, with and without holes, open, from 0."""
    noise = np.random.default_rng(9)
    kinds = [
        [2.0**k * 1e-6 for k in range(4, 22)],
        [0.0, *(2.0**k * 1e-3 for k in range(12))],
        [2.0**k * 1e-3 for k in range(8)] + [inf],
        [(16 + place % 16) * 2.0 ** (place // 16) * 1e-6 for place in range(160)],
        [0.0, *(place * 1e-3 for place in range(1, 40))],
        [0.0, inf],
    ]
    for number in range(240):
        edges = kinds[number % len(kinds)]
        size = len(edges) - 1
        counts = noise.poisson(10 ** noise.uniform(-1, 4, size)) * (noise.random(size) < noise.uniform(0.1, 1.0))
        yield counts.tolist(), edges, (None, 1e-3, None)[number % 3] if edges[-1] < inf else None


def as_json(edges: list[float]) -> list[float | None]:
    return [None if edge == inf else edge for edge in edges]


def test_percentiles_and_means_are_the_same(script: Script) -> None:
    given = list(histograms())
    found = script(
        """return given[0].map(([counts, edges, tick]) => {
          const whole = edges.map((edge) => edge ?? Infinity);
          return [rowMeans(counts, whole, tick), percentilesOf(counts, whole, given[1], tick)];
        })""",
        [(counts, as_json(edges), tick) for counts, edges, tick in given],
        RANKS,
    )
    for (counts, edges, tick), (means, ranks) in zip(given, found, strict=True):
        wanted = row_means(np.array(counts, float), np.array(edges), tick)
        assert means == pytest.approx(wanted.tolist(), rel=1e-9)
        values = percentiles_of(np.array(counts, float), np.array(edges), RANKS, bunch=1.0, tick=tick)
        assert [one["seconds"] for one in ranks or []] == pytest.approx([one.value for one in values], rel=1e-9)


def test_percentiles_that_a_sum_allows_are_the_same(script: Script) -> None:
    noise = np.random.default_rng(3)
    given = []
    for counts, edges, tick in histograms():
        events = np.array(counts, float)
        if events.any():
            ends = np.where(np.isinf(edges[1:]), 3 * np.array(edges[:-1]) + 1.0, edges[1:])
            least, most = float(events @ edges[:-1]), float(events @ ends)
            given.append((counts, edges, tick, least + (most - least) * noise.uniform(-0.1, 1.1)))
    found = script(
        """return given[0].map(([counts, edges, tick, exact]) => {
          return percentilesOf(counts, edges.map((edge) => edge ?? Infinity), given[1], tick, exact);
        })""",
        [(counts, as_json(edges), tick, exact) for counts, edges, tick, exact in given],
        RANKS,
    )
    for (counts, edges, tick, exact), ranks in zip(given, found, strict=True):
        values = percentiles_of(np.array(counts, float), np.array(edges), RANKS, exact=exact, bunch=1.0, tick=tick)
        assert [one["seconds"] for one in ranks] == pytest.approx([one.value for one in values], rel=1e-7)


def test_measured_times_are_divided_the_same(script: Script) -> None:
    noise = np.random.default_rng(5)
    lower = np.array([1e-6 * 2**k for k in range(4, 14)])
    upper, means = 2 * lower, 1.4 * lower
    counts = noise.poisson(20, (10, 50)).astype(float)
    sums = (counts * means[:, None]).sum(axis=0) * noise.uniform(0.3, 2.5, 50)
    wanted = column_times(counts, means, (lower, upper), sums, np.ones(50, bool))
    found = script(
        "const [counts, means, lower, upper, sums] = given;"
        "return counts.map((one, column) => columnTimes(one, means, lower, upper, sums[column], true))",
        *(one.tolist() for one in (counts.T, means, lower, upper, sums)),
    )
    assert pytest.approx(wanted, rel=1e-9) == np.array(found).T


def test_ends_of_the_colour_scale_are_the_same(script: Script) -> None:
    noise = np.random.default_rng(8)
    columns = [10 ** noise.uniform(-3, 3, 40) * (noise.random(40) < 0.8) for _ in range(400)]
    found = script(
        "return given[0].map((maxima) => niceCeiling(robustMaximum(maxima) / TOLERANCE))",
        [one.tolist() for one in columns],
    )
    assert found == [wanted_maximum(one[None, :]) for one in columns]


@pytest.mark.parametrize("scale", ["sqrt", "linear", "log", "share"])
def test_levels_of_the_colour_scale_are_the_same(script: Script, scale: str) -> None:
    noise = np.random.default_rng(6)
    values = 10 ** noise.uniform(-4, 3, (12, 60)) * (noise.random((12, 60)) < 0.7)
    end = wanted_maximum(values)
    values[0] = end * np.linspace(1.0, 1.5, 60)  # just within the scale, and just beyond it
    found = script(
        "return given[0].map((row) => row.map((value, column) =>"
        " levelOf(value, given[1], 12, given[2], false, given[3][column])))",
        values.tolist(),
        end,
        scale,
        values.sum(axis=0).tolist(),
    )
    assert found == levels_of(values, end, 12, scale).tolist()


@pytest.mark.parametrize("name", ["sda", "log file sync"])
def test_levels_of_zoom_are_unpacked_and_merged_the_same(script: Script, name: str) -> None:
    columns = recorded_columns(many_levels()._window[name])
    coded = coded_level(columns)
    for step in (60, 300, 3600):
        found = script(
            """const binary = atob(given[1]), bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
            const level = mergedLevel(decodedLevel(given[0], bytes), given[2]);
            const sums = level.ranges.map((_, range) => { let sum = 0; eachCount(level.ranges[range], 0, level.size,
              (column, count) => (sum += count * (column + 1))); return sum; });
            return [...["starts", "ends", "seconds", "flags"].map((one) => [...level[one]]), sums];""",
            coded.about,
            raw(coded.text),
            step * SECOND,
        )
        wanted = merged_columns(columns, step * SECOND)
        assert found[0] == wanted.starts.tolist()
        assert found[1] == wanted.ends.tolist()
        assert found[2] == pytest.approx(wanted.seconds.tolist())
        assert found[3] == wanted.flags.tolist()
        sums = np.bincount(wanted.row, wanted.events * (wanted.column + 1), wanted.ranges)
        assert json.dumps(found[4]) == json.dumps([int(one) for one in sums])


def raw(text: str) -> str:
    """The streams of a level, not deflated, in base 64."""
    import zlib
    from base64 import b64decode, b64encode

    return b64encode(zlib.decompress(b64decode(text))).decode()


HOUR = 3_600_000_000


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu"])
@pytest.mark.parametrize("hours", [3, 12, 60, 24 * 300])
def test_the_axis_has_the_wall_clock_of_its_zone_and_nothing_beyond_its_ends(
    script: Script, zone: str, hours: int
) -> None:
    """Also where clocks are put back, an hour comes twice, or forward."""
    tz = ZoneInfo(zone)
    for change in (1_792_890_000, 1_774_746_000, 1_775_314_800, 1_759_590_000):  # in Berlin and on Lord Howe Island
        begin = (change - 3600) * SECOND
        content = SimpleNamespace(begin=begin, end=begin + hours * HOUR, tz=tz, histories=())
        clock = zone_for_script(content)
        found = script(
            """const [offsets, from, to] = given;
            return ticksOf({ from, to, clock: new Clock(offsets, true), dated: false }, 9)""",
            clock["offsets"],
            begin,
            content.end,
        )
        moments = [micros for micros, _, _ in found]
        assert moments == sorted(set(moments))
        assert all(begin <= micros <= content.end for micros in moments)
        assert [words for _, words, _ in found] == [f"{datetime.fromtimestamp(one / 1e6, tz):%H:%M}" for one in moments]
        longest = max(second - first for first, second in pairwise([begin, *moments, content.end]))
        assert longest <= hours * HOUR / (3 if hours < 1000 else 2.5), "no tick is missing"

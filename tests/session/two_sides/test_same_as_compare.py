"""What the view says of A and B is what ``pylatencymap compare`` says of the same ranges: every figure and sentence."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.commands import compare
from pylatencymap.findings import SideNames, compare_series_in_steps, table_rows
from pylatencymap.findings.comparison.json_form import json_form
from pylatencymap.findings.comparison.side_facts import SideFacts
from pylatencymap.session import Picture, PictureOptions
from pylatencymap.session.input import ReadPlan, Sources, open_path
from pylatencymap.session.two_sides import SideSource, SidesQuestion, compared_in_steps
from pylatencymap.session.two_sides.comparison import pair_of

ROOT = Path(__file__).parent.parent.parent.parent
UTC = timezone.utc
Words = tuple[tuple[str, str], ...]


def picture_of(path: Path) -> Picture:
    """All of a file, as the view reads it."""
    sources, picture = Sources(ReadPlan(), lambda _: None), Picture(PictureOptions())
    sources.add(open_path(str(path), sources.stop))
    picture.extend(sources.read(picture.mark, lambda one: picture.extend([one])))
    sources.close_all()
    return picture


def micros(text: str) -> int:
    return round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1e6)


def asked(picture: Picture, series: str, spans: tuple[tuple[str, str], tuple[str, str]]) -> SidesQuestion:
    first, second = (
        SideSource(name, picture.window, series, micros(begin), micros(end))
        for name, (begin, end) in zip("AB", spans, strict=True)
    )
    return SidesQuestion(first, second, UTC)


def compared(capsys: Any, path: Path, series: str, spans: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """What the command says of the same ranges, as JSON."""
    words = [f"{path}@{begin}..{end}" for begin, end in spans]
    assert compare.run([*words, "--series", series, "--tz", "UTC", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["series"]
    return dict(found)


def in_the_view(question: SidesQuestion) -> dict[str, Any]:
    """What the view has found, in the form of the command's JSON."""
    pair = pair_of(question)
    assert not isinstance(pair, str), pair
    steps = compare_series_in_steps(pair, UTC, SideNames())
    early = None
    while True:
        try:
            early = next(steps)
        except StopIteration as end:
            one = end.value
            break
    if early is not None:  # what is shown first does not change any more
        known = table_rows(early)
        assert [row for row in table_rows(one) if row in known] == known
    return dict(json_form(SideFacts((one,), (), ((), ()), UTC))["series"][0])


def same(capsys: Any, path: Path, series: str, spans: tuple[tuple[str, str], tuple[str, str]]) -> dict[str, Any]:
    picture = picture_of(path)
    question = asked(picture, series, spans)
    found, wanted = in_the_view(question), compared(capsys, path, series, spans)
    assert found == wanted
    last = [*compared_in_steps(question)][-1]
    assert last.is_whole
    text = [f"{head} {rest}".strip() for head, rest in last.verdict]
    told = [
        re.sub(r" before(?= \(|\.)", " in A", one).replace("AFTER", "B").replace("BEFORE", "A")
        for one in wanted["sentences"]
    ]
    assert text == told
    return found


@pytest.mark.parametrize("series", ["loop0", "vda"])
@pytest.mark.parametrize("name", ["spindle", "steady", "cold-start"])
def test_halves_of_real_recordings(capsys: Any, name: str, series: str) -> None:
    path = ROOT / "examples" / f"{name}.lmap.gz"
    picture = picture_of(path)
    if series not in picture.window:
        pytest.skip("it has no such series")
    begin, end = picture.window[series].start, picture.window[series].end
    middle = (begin + end) // 2
    words = [
        f"{datetime.fromtimestamp(one / 1e6, UTC):%Y-%m-%d %H:%M:%S}"
        for one in (begin - 1_000_000, middle, end + 1_000_000)
    ]
    same(capsys, path, series, ((words[0], words[1]), (words[1], words[2])))


def test_three_days_with_a_restart_and_a_gap(capsys: Any, three_days: Path) -> None:
    found = same(
        capsys,
        three_days,
        "sda",
        (("2026-03-03 02:12:00", "2026-03-03 03:12:00"), ("2026-03-03 03:12:00", "2026-03-03 04:12:00")),
    )
    assert found["before"]["columns"] == 60
    assert found["after"]["share_above_stated"]["value"] > found["before"]["share_above_stated"]["value"]


@pytest.mark.parametrize(
    "spans",
    [
        (("2026-03-03 15:00:00", "2026-03-03 16:00:00"), ("2026-03-04 07:30:00", "2026-03-04 09:30:00")),
        (("2026-03-02 00:00:00", "2026-03-03 00:00:00"), ("2026-03-04 00:00:00", "2026-03-05 00:00:00")),
        (("2026-03-04 08:30:00", "2026-03-04 10:30:00"), ("2026-03-03 02:00:00", "2026-03-03 05:00:00")),
    ],
    ids=["reset and gap", "days", "from within a gap, and overlapping nothing"],
)
def test_any_ranges(capsys: Any, three_days: Path, spans: Any) -> None:
    same(capsys, three_days, "sda", spans)


def test_merged_memory_is_read_again(three_days: Path, read_again: Callable[[Path], Any]) -> None:
    """With a fraction of the memory, the same."""
    spans = ("2026-03-03 02:12:00", "2026-03-03 03:12:00"), ("2026-03-03 03:12:00", "2026-03-03 04:12:00")
    whole = picture_of(three_days)
    small = Picture(PictureOptions(history_mb=0.05))
    for name in whole.window.names():
        from pylatencymap.window import kept_intervals

        small.extend(kept_intervals(whole.window[name]))
    asked_of_small = asked(small, "sda", spans)
    assert small.window.longest_merged(["sda"], micros(spans[0][0]), micros(spans[0][1])) > 60
    again = read_again(three_days)
    reading = SidesQuestion(
        *(side._replace(part=again, megabytes=10.0) for side in (asked_of_small.first, asked_of_small.second)), UTC
    )
    assert in_the_view(reading) == in_the_view(asked(whole, "sda", spans))

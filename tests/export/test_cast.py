"""Films: what a terminal shows after the last frame is the last picture."""

import json
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.api.film import LONGEST, MOST_FRAMES, usual_speed

pyte: Any = pytest.importorskip("pyte")
EXAMPLE = Path(__file__).parents[2] / "examples" / "cold-start.lmap.gz"


def played(path: Path) -> tuple[list[str], list[float], dict[str, Any]]:
    """What a terminal shows in the end, the times of all frames, and the heading."""
    head, *frames = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    for _, kind, text in frames:
        assert kind == "o"
        stream.feed(text)
    return [line.rstrip() for line in screen.display], [seconds for seconds, _, _ in frames], head


def test_a_film_ends_with_all_that_came(tmp_path: Path) -> None:
    run = lm.read(EXAMPLE, tz="UTC")
    run.save(tmp_path / "x.cast", size=(120, 40))
    lines, seconds, head = played(tmp_path / "x.cast")
    assert (head["version"], head["width"], head["height"]) == (2, 120, 40)
    assert head["title"] == "cold-start.lmap.gz at 1x"
    assert seconds == sorted(seconds)
    moments = sorted({one.end for name in run.series for one in run.intervals(name)})
    start = min(next(run.intervals(name)).start for name in run.series)
    assert seconds[:-1] == pytest.approx([(moment - start) / 1e6 for moment in moments])
    assert "2026-11-21 UTC 11:15:22" in lines[0]
    assert any(line.startswith(" window 74 s") for line in lines)


def test_a_film_is_much_smaller_than_its_pictures(tmp_path: Path) -> None:
    run = lm.read(EXAMPLE, tz="UTC")
    run.save(tmp_path / "x.cast")
    run.save(tmp_path / "x.ans")
    frames = len((tmp_path / "x.cast").read_text().splitlines())
    assert (tmp_path / "x.cast").stat().st_size < frames * (tmp_path / "x.ans").stat().st_size / 4


def test_what_is_long_plays_faster_in_fewer_frames(tmp_path: Path) -> None:
    text = "".join(
        f"<begin record>\ntimestamp,microsec,{1_700_000_000_000_000 + number * 1_000_000},\nlabel,x\n"
        f"64,{number * 5}\n<end record>\n"
        for number in range(3_000)
    )
    run = lm.read(text, tz="UTC")
    run.save(tmp_path / "x.cast", size="80x24")
    lines, seconds, head = played(tmp_path / "x.cast")
    assert head["title"].endswith("at 50x")
    assert len(seconds) <= MOST_FRAMES + 1
    assert seconds[-1] <= LONGEST + 1
    assert any(line.startswith(" window 49 min 59 s") for line in lines)


@pytest.mark.parametrize(("length", "speed"), [(0, 1), (120, 1), (121, 2), (3 * 86_400, 5_000), (1e9, 1e9 / 120)])
def test_the_usual_speed(length: float, speed: float) -> None:
    assert usual_speed(length) == pytest.approx(speed)

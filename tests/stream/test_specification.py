"""The examples of docs/stream.md are what they say."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.events.sampled.wait_lines import read_wait_line
from pylatencymap.record import Event, Mark, Record


@pytest.fixture(scope="module")
def examples(root: Path) -> list[str]:
    return re.findall(r"^```\n(.*?)^```$", (root / "docs/stream.md").read_text(), re.MULTILINE | re.DOTALL)


def test_every_example_is_read_without_complaint(
    examples: list[str], read_stream: Callable[..., list[Event]], read_as_before: Callable[[str], list[Any]]
) -> None:
    plain, extended, snapshot, intervals, mark = (read_stream(example) for example in examples[:5])
    assert [event.events for event in plain if isinstance(event, Record)] == [593 + 289 + 83]
    assert [event.ranges for event in extended if isinstance(event, Record)] == [((0, 2, 5), (64, 128, 593))]
    assert [event.ranges for event in intervals if isinstance(event, Record)] == [
        ((64, 128, 593), (8192, 16384, 83)),
        ((64, 128, 469),),
    ]
    assert [event.note for event in mark if isinstance(event, Mark)] == ["cache dropped"]
    assert snapshot == []  # without a record whose times are final before it
    assert [len(read_as_before(example)) for example in examples[:5]] == [1, 1, 0, 3, 0]


def test_the_line_of_waits_is_no_record_and_says_what_was_seen(
    examples: list[str], read_stream: Callable[..., list[Event]], read_as_before: Callable[[str], list[Any]]
) -> None:
    (example,) = (one for one in examples if one.startswith("#waits"))
    assert (read_stream(example), read_as_before(example)) == ([], [])
    first, second = read_wait_line(example.encode()).waits
    assert (first.series, first.micros, first.is_over) == ("log file sync@1", 1843, True)
    assert [(key.name, key.value, key.note) for key in first.keys] == [
        ("sql_id", "8ggw94h7mvxd7", "COMMIT"),
        ("session", "104,25037,@1", ""),
    ]
    assert [key.value for key in first.more] == ["pay"]
    assert (second.micros, second.end, second.is_over) == (2112, 1700000059300000, False)


def test_the_examples_of_intervals_are_as_written(
    examples: list[str], read_stream: Callable[..., list[Event]], write_stream: Callable[[list[Event]], list[str]]
) -> None:
    for example in (examples[1], *examples[3:5]):
        assert "".join(write_stream(read_stream(example))) == example


def test_the_script(examples: list[str], read_stream: Callable[..., list[Event]]) -> None:
    script = examples[-1].replace("while sleep 1", "for i in 1 2").replace("| pylatencymap", "")
    script = "my_counters() { echo 4,$i; }\n" + script.replace("my-counters", "my_counters")
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    events = read_stream(done.stdout)
    assert [event.ranges for event in events if isinstance(event, Record)] == [((4, 8, 1),), ((4, 8, 2),)]

"""What every collector owes its users, checked over all of them with the samples in samples/NAME/."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap import registry
from pylatencymap.errors import BadInput, Refused
from pylatencymap.intervals.event_bins import bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import LOST, Event, Record, Semantics
from pylatencymap.report import Report
from pylatencymap.text.clean import printable
from pylatencymap.text.lines import Line, Lines, lines_of
from tests.amounts import examples

SAMPLES = Path(__file__).parent / "samples"
NAMES = registry.collector_names()


def samples_of(folder: str) -> list[Path]:
    return sorted((SAMPLES / folder).glob("*.txt"))


OWN = [pytest.param(name, path, id=f"{name}/{path.stem}") for name in NAMES for path in samples_of(name)]


def with_pauses(text: str) -> Iterator[Line | None]:
    for line in lines_of(text):
        yield line
        yield None


def decoded(name: str, lines: Lines, *, strict: bool = False) -> list[Event]:
    """The events up to a refusal, the only thing besides BadInput that a decoder may raise."""
    events: list[Event] = []
    with suppress(Refused):
        report = Report("sample", strict=strict)
        for event in bin_events(registry.load_collector(name).decode(lines, report), TimeOptions(), report):
            events.append(event)
    return events


def totals(events: list[Event]) -> Counter[tuple[object, ...]]:
    """Per-interval counts may come in several records, so their sums are compared; other records as they are. A text
    that does not tell what its counts are may be cut off in the middle of a record. A lost record has no total.
    """
    counted: Counter[tuple[object, ...]] = Counter()
    for event in events:
        if isinstance(event, Record) and event.semantics in (Semantics.INTERVAL, Semantics.OPEN):
            for lower, upper, count in event.ranges:
                counted[event.series, event.unit, event.stamp, lower, upper] += int(count)
        elif isinstance(event, Record) and LOST not in event.flags:
            counted[event.series, event.unit, event.stamp, event.ranges] += 1
    return counted


def as_scrapes(name: str, events: list[Event]) -> list[Event]:
    """A text that was cut off after its first scrape is a single one, drawn as an interval; its totals are the same."""
    if name != "prometheus":
        return events
    return [replace(one, semantics=Semantics.CUMULATIVE) if isinstance(one, Record) else one for one in events]


@pytest.mark.parametrize("name", NAMES)
def test_has_samples_and_one_line_of_description(name: str) -> None:
    assert samples_of(name)
    description = registry.load_collector(name).DESCRIPTION
    assert description
    assert description == printable(description)


@pytest.mark.parametrize(("name", "path"), OWN)
def test_recognises_its_own_samples_and_nobody_else_does(name: str, path: Path) -> None:
    text = path.read_text()
    likelihood = registry.load_collector(name).detect(text)
    assert likelihood.value >= 0.9
    assert likelihood.reason
    for other in set(NAMES) - {name}:
        assert registry.load_collector(other).detect(text).value < 0.5


@pytest.mark.parametrize("path", samples_of("foreign"), ids=lambda path: path.stem)
@pytest.mark.parametrize("name", NAMES)
def test_recognises_nothing_foreign(name: str, path: Path) -> None:
    assert registry.load_collector(name).detect(path.read_text()).value < 0.5


@pytest.mark.parametrize(("name", "path"), OWN)
def test_decodes_line_by_line_as_well_as_whole(name: str, path: Path) -> None:
    text = path.read_text()
    whole = decoded(name, lines_of(text))
    assert totals(decoded(name, with_pauses(text))) == totals(whole)
    assert totals(decoded(name, lines_of(text.replace("\n", "\r\n")))) == totals(whole)


@pytest.mark.parametrize(("name", "path"), OWN)
def test_a_truncated_text_never_counts_more(name: str, path: Path) -> None:
    text = path.read_text()
    whole = totals(decoded(name, lines_of(text)))
    for end in range(0, len(text), 7):
        cut = totals(as_scrapes(name, decoded(name, lines_of(text[:end]))))
        assert not cut - whole, f"cut at {end}"


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=examples(60), deadline=None)
def test_survives_garbage_and_names_are_safe_to_print(name: str, data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(samples_of(name))).read_text().splitlines()
    noise = st.one_of(
        st.text(max_size=60),
        st.from_regex(r"[\w ]{1,12} = .{0,20}", fullmatch=True),
        st.sampled_from(lines).flatmap(lambda line: st.integers(0, len(line)).map(lambda end: line[:end])),
        st.sampled_from(["key = \x1b[31mred\u202e\x07", "label, \x1b]0;title\x07", "^C", "{", "\x00" * 9, "9" * 5000]),
    )
    for garbage in data.draw(st.lists(noise, min_size=1, max_size=6)):
        lines.insert(data.draw(st.integers(0, len(lines))), garbage)
    numbered = [Line(number, text) for number, text in enumerate(lines, 1)]
    for event in decoded(name, numbered):
        if isinstance(event, Record):
            assert all(printable(text) == text for text in (event.series, event.label, event.note))
            assert all(count > 0 for _, _, count in event.ranges)


@pytest.mark.parametrize(("name", "path"), OWN)
def test_strict_raises_bad_input_only(name: str, path: Path) -> None:
    lines = path.read_text().splitlines()
    lines[len(lines) // 2 : len(lines) // 2] = ["64 -> sixty", "???"]
    with suppress(BadInput):
        decoded(name, [Line(number, text) for number, text in enumerate(lines, 1)], strict=True)


@pytest.mark.parametrize("name", NAMES)
def test_detect_loads_neither_grammars_nor_numpy(name: str) -> None:
    program = (
        "import sys; from pylatencymap import registry\n"
        f"registry.load_collector({name!r}).detect('anything')\n"
        "sys.exit(bool({'numpy', 'pyparsing'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=SAMPLES.parents[2], check=False).returncode == 0

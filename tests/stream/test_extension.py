"""The #lmap line."""

import pytest

from pylatencymap.record import Clock, Mark, Semantics, Stamp
from pylatencymap.stream.extension import REPEATED_LENGTH, Extension, parse_extension, write_mark
from pylatencymap.stream.syntax import extension_of
from pylatencymap.units import Unit


def test_every_key() -> None:
    assert parse_extension(
        '{"v": 1, "series": "a", "label": "b", "source": "c", "unit": "ns", "counts": "interval", "later": [1],'
        ' "buckets": [[8, null, 1], [0, 0.5, 2]], "time": 0.25, "start": -5, "seconds": 1.5,'
        ' "flags": ["x"], "note": "n"}'
    ) == Extension(
        series="a",
        label="b",
        source="c",
        unit=Unit.NS,
        semantics=Semantics.INTERVAL,
        buckets=((0, 0.5, 2), (8, None, 1)),
        waited=0.25,
        start=-5,
        seconds=1.5,
        flags=frozenset({"x"}),
        note="n",
    )


@pytest.mark.parametrize(
    "fields",
    [
        '"v": 2',
        '"v": true',
        '"v": 1, "start": true',
        '"v": 1, "mark": "m", "at": true',
        '"series": "no version"',
        '"v": 1, "series": 5',
        '"v": 1, "unit": "fortnight"',
        '"v": 1, "unit": ["ns"]',
        '"v": 1, "counts": "rate"',
        '"v": 1, "counts": []',
        '"v": 1, "start": 1.5',
        '"v": 1, "start": 1' + "0" * 30,
        '"v": 1, "time": NaN',
        '"v": 1, "time": 1e999',
        '"v": 1, "time": -1',
        '"v": 1, "flags": "x"',
        '"v": 1, "flags": [1]',
        '"v": 1, "buckets": 7',
        '"v": 1, "buckets": [[1, 2]]',
        '"v": 1, "buckets": [[2, 2, 1]]',
        '"v": 1, "buckets": [[2, 1, 1]]',
        '"v": 1, "buckets": [[null, 1, 1]]',
        '"v": 1, "buckets": [["0", 1, 1]]',
        '"v": 1, "buckets": [[0, 1, -1]]',
        '"v": 1, "buckets": [[0, 1, true]]',
        '"v": 1, "buckets": [[0, Infinity, 1]]',
        '"v": 1, "mark": "when?"',
        '"v": 1, "mark": 1, "at": 1',
        '"v": 1, "series": ' + "[" * 100_000,
        '"v": 1,',
    ],
)
def test_what_is_not_as_specified(fields: str) -> None:
    with pytest.raises(ValueError, match="#lmap line"):
        parse_extension("{" + fields + "}")


def test_strings_are_cleaned() -> None:
    parsed = parse_extension('{"v": 1, "series": "a\\u001b[2J", "note": "\\ud800"}')
    assert isinstance(parsed, Extension)
    assert (parsed.series, parsed.note) == ("a\\x1b[2J", "\\ud800")


@pytest.mark.parametrize(
    "mark",
    [
        Mark(Stamp(1426358407973575), "restarted, at last"),
        Mark(Stamp(5_000_000, Clock.COUNTED), "", "loop0"),
        Mark(Stamp(5_000_000), "long ago"),
    ],
)
def test_marks(mark: Mark) -> None:
    json_text = extension_of(write_mark(mark).rstrip("\n"))
    assert json_text is not None
    assert parse_extension(json_text) == mark


@pytest.mark.parametrize(
    "text",
    [
        '{"v": 1, "series": "a", "start": 1795275567999405}',
        '{"v": 1, "start": 0}',
        '{"v": 1, "start": 05}',
        '{"v": 1, "start": 5.0}',
        '{"v": 1, "start": 5}}',
        '{"v": 1, "start": \u0665}',
        '{"v": 1, "start": 12345678901234567}',
        '{"v": 1, "start": 4, "start": 5}',
        '{"v": 1, "note": "x, "start": 5}',
        '{"v": 1, "note": "x, \\"start\\": 5}"}',
        '{"v": 1, "flags": {"a": 1, "start": 5}}',
        '{"v": 1, "buckets": [[1, 2, 3]], "start": 5}',
        '{"v": 1, "mark": "x", "at": 7, "start": 5}',
        '{"v": 1} , "start": 5}',
        '{"v": 2, "start": 5}',
        '{, "start": 5}',
        ', "start": 5}',
        '{"v": 1, "start": }',
        '{"v": 1, "start": ',
    ],
)
def test_a_line_is_read_alike_whether_it_is_kept_or_not(text: str) -> None:
    def read(line: str) -> object:
        try:
            return parse_extension(line)
        except ValueError as error:
            return str(error).partition(": ")[0]

    too_long_to_keep = text.replace("{", "{" + " " * REPEATED_LENGTH, 1) if "{" in text else text
    assert read(text) == read(too_long_to_keep) == read(text)

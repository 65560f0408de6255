"""JSON objects in texts."""

import pytest

from pylatencymap.text.json_text import MAX_OBJECT, JsonObject, _opened, json_objects
from pylatencymap.text.lines import Line, lines_of


def read(text: str) -> tuple[list[object], list[int]]:
    bad: list[int] = []
    found: list[object] = []
    for item in json_objects(lines_of(text), lambda line, _: bad.append(line)):
        found.append(item.value if isinstance(item, JsonObject) else item.text if isinstance(item, Line) else item)
    return found, bad


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ('{"a": 1}{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        ('before\n{\n  "a": {\n    "b": "}{"\n  }\n}\nafter\n', ["before", {"a": {"b": "}{"}}, "after"]),
        ('{"a": "\\"}"}\n', [{"a": '"}'}]),
        ('[\n{"a": 1},\n{"a": 2}\n]\n', ["[", {"a": 1}, {"a": 2}, "]"]),
        ('[{"a": 1}, {"a": 2}]\n', [{"a": 1}, {"a": 2}]),
    ],
)
def test_objects_and_the_text_between_them(text: str, found: list[object]) -> None:
    assert read(text) == (found, [])


def test_what_is_broken_is_told_with_its_line_and_costs_no_other_object() -> None:
    text = '{"a": 1}\n{"a": ]}\n{\n  "cut": 1,\n{\n  "a": 2\n}\n{"b":'
    assert read(text) == ([{"a": 1}, {"a": 2}], [2, 3, 8])


def test_noise_within_an_object_costs_a_line() -> None:
    text = '{\n  "a": 1,\nLost 12 events\n  "b": [\n    true,\nls: x: No such file\n    -2\n  ]\n}\n{"c": 3}\n'
    assert read(text) == ([{"a": 1, "b": [True, -2]}, {"c": 3}], [3, 6])


def test_a_lone_brace_begins_no_object_if_no_member_follows() -> None:
    assert read("1, 2\n{\n3, 4\n5, 6\n7, 8\n") == (["1, 2", "3, 4", "5, 6", "7, 8"], [2])
    assert read('{\nnoise\n  "a": 1\n}\n') == ([{"a": 1}], [2])
    assert read('{\nnoise\n{\n  "a": 1\n}\n') == ([{"a": 1}], [1])


def test_depth_digits_and_size_are_bounded() -> None:
    assert read('{"a": ' * 100_000 + "1" + "}" * 100_000 + '\n{"a": 2}\n') == ([{"a": 2}], [1])
    line = "x" * (1 << 20)
    text = '{"b":\n' + f"{line}\n" * (MAX_OBJECT // len(line) + 1) + 'y\n{"a": 2}\n'
    assert read(text)[0][-1] == {"a": 2}
    assert read(text)[1] == [1]


@pytest.mark.parametrize(
    ("line", "opened"),
    [
        ('{"a": "{"', 1),
        (r'{"a\\": "\"{", "b": {', 2),
        (r'"a\\\"{": {', 1),
        ('{"a": "{ without an end', 1),
        ('}, "{"}', -2),
    ],
)
def test_braces_count_outside_of_strings_only(line: str, opened: int) -> None:
    assert _opened(line) == opened


def test_pairs_are_handed_over_and_pauses_passed_on() -> None:
    lines = [Line(1, '{"a": 1, "a": 2}', 5.0), None]
    (found, pause) = json_objects(lines, lambda *_: None, pairs=lambda pairs: {"pairs": pairs})
    assert found == JsonObject({"pairs": [("a", 1), ("a", 2)]}, 1, 5.0)
    assert pause is None

"""Colours and signs follow the output: NO_COLOR, CLICOLOR_FORCE, encodings, --depth, --background, --palette."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.arguments import add_data_options, add_marks_option, add_text_options, parser
from pylatencymap.cli.setup import reading_words
from pylatencymap.view.style.options import MOST_LINES

Command = Callable[..., Any]

COLOUR = re.compile(r"\x1b\[[\d;]*\b(?:3[0-7]|4[0-7]|[34]8;[25];)")
ESCAPE_BUT_SGR = re.compile(r"\x1b(?!\[[\d;]*m)")


@pytest.mark.parametrize(
    ("env", "colours"),
    [
        ({}, False),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
        ({"COLORTERM": "truecolor"}, False),
    ],
)
def test_a_file_gets_colours_only_when_forced(
    command: Command, three: Path, env: dict[str, str], colours: bool
) -> None:
    out = command(three, env=env).out
    assert bool(COLOUR.search(out)) is colours
    assert not ESCAPE_BUT_SGR.search(out)
    if not colours:
        assert "\x1b" not in out


def test_depths(quick: Command, three: Path) -> None:
    shown = {depth: quick(three, "--depth", depth).out for depth in ("truecolor", "256", "16", "mono", "ascii")}
    assert "48;2;" in shown["truecolor"]
    assert "48;5;" in shown["256"]
    assert "48;2;" not in shown["256"]
    assert "8;5;" not in shown["16"]
    assert COLOUR.search(shown["16"])
    assert not COLOUR.search(shown["mono"])
    assert shown["ascii"].isascii()
    assert "\x1b" not in shown["ascii"]
    assert quick(three, "--depth", "auto").out == quick(three).out


def test_backgrounds_and_palettes_differ(quick: Command, three: Path) -> None:
    pictures = [
        quick(three, "--depth", "truecolor", "--background", ground, "--palette", palette).out
        for ground in ("dark", "light")
        for palette in ("cool-warm", "classic")
    ]
    assert len(set(pictures)) == 4


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_blocks_gets_ascii(
    command: Command, make_stream: Callable[..., str], encoding: str
) -> None:
    text = make_stream("différé \u4e2d", {128: 1}, {128: 5})
    env = {"PYTHONIOENCODING": encoding, "LC_ALL": "C", "PYTHONUTF8": "0"}
    ran = command("--once", given=text, env=env)
    assert ran.status == 0
    assert re.search(rb"^128 us \||^ *256 us \|", ran.raw, re.MULTILINE)
    forced = command("--once", "--depth", "truecolor", given=text, env=env)
    assert forced.status == 0


def test_size_of_the_environment(command: Command, three: Path) -> None:
    out = command(three, env={"COLUMNS": "80", "LINES": "24"}).out
    assert max(map(len, out.splitlines())) <= 80
    assert len(out.splitlines()) <= 24
    wide = command(three, env={"COLUMNS": "200", "LINES": "60"}).out
    assert max(map(len, wide.splitlines())) > 120
    for odd in ({"COLUMNS": "0", "LINES": "0"}, {"COLUMNS": "x", "LINES": "-1"}, {"COLUMNS": "\u00b2"}):
        assert command(three, env=odd).status == 0


def test_no_cursor_movement_anywhere(quick: Command, three: Path) -> None:
    for depth in ("truecolor", "256", "16", "mono"):
        assert not ESCAPE_BUT_SGR.search(quick(three, "--depth", depth).out)


@pytest.mark.parametrize(("words", "env"), [(["--rows", "3000000"], {}), ([], {"LINES": "9" * 12})])
def test_no_picture_is_higher_than_there_is_use_for(
    command: Command, three: Path, words: list[str], env: dict[str, str]
) -> None:
    ran = command(three, *words, env=env)
    assert ran.status == 0
    assert ran.out.count("\n") <= MOST_LINES


def test_options_about_reading_can_be_given_again() -> None:
    parse = parser("view", "")
    for add in (add_data_options, add_text_options, add_marks_option):
        add(parse)
    told = "--format columns --unit ms --semantics interval --date 2026-03-02 --time 1 --latency 2:us --interval 0.5"
    more = "--marks events.txt --start a=2026-03-02T10:00 --start b=5 --by disk --by op --tim-unit ns/1024"
    words = reading_words(parse.parse_args([*told.split(), *more.split(), "--regex", r"(?P<latency>\d+) ms"]))
    again = reading_words(parse.parse_args([*words]))
    assert again == words
    pairs = [*zip(words[::2], words[1::2], strict=True)]
    assert {*pairs} >= {*zip(told.split()[::2], told.split()[1::2], strict=True)}
    assert {*pairs} >= {*zip(more.split()[::2], more.split()[1::2], strict=True)}
    assert ("--regex", r"(?P<latency>\d+) ms") in pairs
    assert reading_words(parse.parse_args([])) == ()

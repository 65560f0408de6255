"""``--help`` is one screen, and everything that it names is there."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.cli.commands import replay, view
from pylatencymap.cli.main import COMMANDS

Command = Callable[..., Any]
EARLIER = ("num_records", "min_bucket", "max_bucket", "maxval", "screen_delay", "debug_level")


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["replay", "--help"]])
def test_it_is_one_screen(command: Command, words: list[str]) -> None:
    ran = command(*words)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) < 80


def test_it_names_every_command() -> None:
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", view.HELP)] == []


@pytest.mark.parametrize("text", [view.HELP, replay.HELP])
def test_its_options_exist(command: Command, text: str) -> None:
    every = command("--help-all").out
    named = set(re.findall(r"(?<![\w-])--[a-z-]+", text)) - {"--help"}
    assert len(named) > 2
    assert [option for option in named if option not in every] == []


def test_the_earlier_spellings_are_not_in_it_and_work(command: Command, three: Any) -> None:
    for words in (["--help-all"], ["export", "--help"], ["live", "bpf", "--help"]):
        assert [name for name in EARLIER if name in command(*words).out] == []
    ran = command("--once", "--num_records", "2", "--max_bucket", "64", "--min_bucket", "-1", "-d", "0", three)
    assert ran.status == 0


def test_a_wrong_option_leads_to_the_help_that_has_it(command: Command) -> None:
    assert "pylatencymap --help-all lists the options" in command("--no-such-option").err
    assert "pylatencymap export --help lists the options" in command("export", "--no-such-option").err


@pytest.mark.parametrize("words", [[], ["report"], ["live", "bpf"], ["help"], ["replay"]])
def test_help_of_a_command_is_what_its_option_prints(command: Command, words: list[str]) -> None:
    assert command("help", *words) == command(*words, "--help")
    assert command("help", "pylatencymap", *words) == command(*words, "--help")


@pytest.mark.parametrize(
    ("word", "advice"),
    [("reprot", "did you mean the command report?"), ("nothing", "'pylatencymap help' lists the commands")],
)
def test_help_of_no_command_says_what_there_is(command: Command, word: str, advice: str) -> None:
    ran = command("help", word)
    assert (ran.status, ran.out, ran.err) == (2, "", f"pylatencymap: {word}: no such command; {advice}\n")

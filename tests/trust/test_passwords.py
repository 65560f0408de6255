"""Passwords typed on the terminal while a view waits for its source: the short form of passwords.py."""

from pathlib import Path

import pytest

from tests.trust.passwords import PROMPTS, typed_into
from tests.trust.pseudo_terminal import PROGRAM, PseudoTerminal


@pytest.mark.parametrize("name", PROMPTS)
def test_a_password_reaches_the_source_that_asks_for_it(name: str, tmp_path: Path) -> None:
    assert typed_into(name, "Wq3lcome 12g?", 0.0, 0.0, tmp_path) == []


def test_so_it_does_after_the_advice_about_a_silent_source(tmp_path: Path) -> None:
    assert typed_into("sqlplus", "tiger_q", 0.0, 0.0, tmp_path, waits_for="no data for") == []


@pytest.mark.parametrize("banner", ["", "Release 19.0"])
def test_ctrl_c_at_the_prompt_ends_quietly(banner: str, tmp_path: Path) -> None:
    asks = f"{banner and f'echo {banner};'} read -s -p 'Password: ' x </dev/tty"
    terminal = PseudoTerminal(f"({asks}) | {PROGRAM}; echo status=$?", tmp_path)
    try:
        terminal.prints("what it has so far\r\n")  # the advice: from then on it listens to signals
        before = len(terminal.output)
        terminal.type("\x03")
        terminal.ends()
        said = terminal.output[before:].decode().replace("^C", "").split("\r\n")
    finally:
        terminal.close()
    *told, status, _ = [line for line in said if line] + [""]
    assert status == "status=130"
    only = f"pylatencymap: <stdin> had printed no histogram yet, only {banner!r}"
    waits = [line for line in told if line.startswith("pylatencymap: interrupted: waiting")]  # on a busy machine
    assert [line for line in told if line not in waits] == ([only] if banner else [])

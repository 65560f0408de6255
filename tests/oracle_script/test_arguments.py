"""The arguments of the script are data, whatever is in them; nothing of them reaches the terminal as a command."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., tuple[str, list[str]]]

READS = "db file sequential read"
EVIL = [
    "x]'; y VARCHAR2(9) := q'[z",
    "x'; RAISE_APPLICATION_ERROR(-20002, 'executed'); y := 'z",
    "x' || TO_CHAR(1 / 0) || 'z",
    "x'; RAISE_APPLICATION_ERROR(-20002, 'executed'); --",
    "x */ RAISE_APPLICATION_ERROR(-20002, 'executed'); /* z",
    "x}' || y || q'{z",
    ":olm_mode",
    "x' or 1=1 --",
    'x;y%z"',
]
"""What would be code if it got into the text of a block."""


@pytest.mark.parametrize("evil", EVIL)
def test_no_argument_becomes_code(evil: str, still: Callable[..., Any], run: Run) -> None:
    text, errors = run("3", evil, mock=still(), frames=2)
    assert not errors
    assert "no waits for the event" in text
    text, errors = run("stream", "3", evil)
    assert [f'no waits for the event "{evil.lower()[:1]}' in error for error in errors] == [True]
    for args in ((evil, READS), ("3", READS, evil), ("3", READS, "12", evil)):
        assert not run(*args, mock=still(), frames=2)[1]


def test_arguments_are_in_no_statement(still: Callable[..., Any], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    engine = importlib.import_module("run_script").MiniEngine
    sent: list[str] = []
    block = engine.block
    monkeypatch.setattr(engine, "block", lambda self, text, binds: (sent.append(text), block(self, text, binds))[1])
    run("3", "unheard event", "7", "33", mock=still(), frames=2)
    code = [line for text in sent for line in text.splitlines() if not line.lstrip().startswith("--")]
    assert code
    assert not [line for line in code if "unheard" in line]


@pytest.fixture
def old(short: Any, tmp_path: Any) -> Any:
    """The script as clients before 12.2 run it: their VARIABLE takes no value, and leaves the variable as it was."""
    path = tmp_path / "old.sql"
    path.write_text(
        "\n".join(line for line in short.read_text().splitlines() if not line.startswith("VARIABLE") or "=" not in line)
    )
    return path


def test_old_clients_cannot_read_a_quote_and_say_so(still: Callable[..., Any], run: Run, old: Any) -> None:
    text, errors = run("3", "o'clock", mock=still(), frames=2, path=old)
    assert len(errors) == 1
    assert "cannot read arguments with a single quote" in text
    text, errors = run("stream", "3", "o'clock", mock=still(), path=old)
    assert ["cannot read arguments with a single quote" in error for error in errors] == [False, True]
    assert "<begin record>" not in text


def test_old_clients_have_them_in_quotes(still: Callable[..., Any], run: Run, old: Any) -> None:
    text, errors = run("log_file_sync", "2", "5", "30", mock=still(), frames=3, path=old)
    assert not errors
    assert "log file sync" in text
    assert "every 2 s" in text


def test_control_characters_are_not_printed(still: Callable[..., Any], run: Run) -> None:
    evil = "x\x1b]0;owned\x07\x9b2J\x7f\u202e"
    plain = run("3", "x", mock=still(), frames=2)[0]
    text, errors = run("3", evil, mock=still(), frames=2)
    assert not errors
    assert "x?]0;owned??2j??" in text
    assert text.count("\x1b") == plain.count("\x1b")
    assert not set("\x07\x9b\x7f\u202e") & set(text)
    errors = run("stream", "3", evil)[1]
    assert "x?]0;owned??2j??" in errors[0]


def test_control_characters_of_the_database_are_not_printed(rig: Any, run: Run) -> None:
    mock = rig.MockHistogram(rates={"odd\x1b]0;x\x07": {1: {512: 5}}}, clock=rig.SimClock())
    text, errors = run("stream", "3", "odd\x1b]0;x\x07", mock=mock)
    assert "\x1b" not in text + "".join(errors)

"""Options that the environment or the configuration file sets: which of them wins, and what a mistake costs."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.cli.commands import export, report, view
from pylatencymap.cli.defaults import CONFIGURABLE
from pylatencymap.view.style import PALETTES

ALL = '[defaults]\npalette = "viridis"\nbackground = "light"\ntz = "Asia/Tokyo"\nslo = "10ms"\n'


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the file of a user who has set no variable, $TZ least of all."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "of user"))
    monkeypatch.delenv("TZ", raising=False)
    path = tmp_path / "of user" / "pylatencymap" / "config.toml"
    path.parent.mkdir(parents=True)

    def write(text: str) -> Path:
        path.write_text(text, encoding="utf-8")
        return path

    return write


def parsed(*words: str) -> dict[str, Any]:
    found = vars(view.arguments().parsed([*words, "x"]))
    return {name: found[name] for name in CONFIGURABLE}


USUAL = {"palette": "cool-warm", "background": "auto", "tz": None, "slo": None}


def test_without_a_file_all_is_as_usual(config: Callable[[str], Path]) -> None:
    assert parsed() == USUAL
    config("")
    assert parsed() == USUAL


def test_the_file_counts_in_every_command(config: Callable[[str], Path]) -> None:
    config(ALL)
    wanted = {"palette": "viridis", "background": "light", "tz": "Asia/Tokyo", "slo": 0.01}
    assert parsed() == wanted
    pictured = vars(export.arguments().parsed(["x", "-o", "x.svg"]))
    assert {name: pictured[name] for name in CONFIGURABLE} == wanted
    assert report.arguments().parsed(["x"]).tz == "Asia/Tokyo"


def test_an_option_comes_before_the_environment_and_that_before_the_file(
    config: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    config(ALL)
    monkeypatch.setenv("PYLATENCYMAP_PALETTE", "inferno")
    monkeypatch.setenv("PYLATENCYMAP_SLO", "20ms")
    monkeypatch.setenv("PYLATENCYMAP_TZ", "Europe/Zurich")
    monkeypatch.setenv("PYLATENCYMAP_BACKGROUND", "dark")
    assert parsed() == {"palette": "inferno", "background": "dark", "tz": "Europe/Zurich", "slo": 0.02}
    words = ("--palette", "cool-warm", "--slo", "30ms", "--tz", "UTC", "--background", "auto")
    assert parsed(*words) == {"palette": "cool-warm", "background": "auto", "tz": "UTC", "slo": 0.03}


def test_the_file_does_not_overrule_tz(config: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    config(ALL)
    monkeypatch.setenv("TZ", "America/Lima")
    assert parsed()["tz"] is None
    monkeypatch.setenv("PYLATENCYMAP_TZ", "Europe/Zurich")
    assert parsed()["tz"] == "Europe/Zurich"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (ALL + 'colour = "red"\n', 6, "[defaults] has palette, background, tz, slo, not 'colour'"),
        (ALL + 'pallete = "viridis"\n', 6, "did you mean palette?"),
        (ALL.replace('"viridis"', '"pink"'), 2, f"palette: 'pink' is none of {', '.join(PALETTES)}; it is left out"),
        (ALL.replace('"light"', '"grey"'), 3, "background: 'grey' is none of auto, dark, light"),
        (ALL.replace('"Asia/Tokyo"', '"Mars/Olympus"'), 4, "tz: Mars/Olympus: no such time zone"),
        (ALL.replace('"10ms"', '"soon"'), 5, "slo: "),
        (ALL.replace('"10ms"', "10"), 5, 'write slo as a text, slo = "..."'),
        (f'slo = "5ms"\n{ALL}', 1, "slo belongs below a line [defaults]"),
        (f'{ALL}[view]\nslo = "1s"\n', 6, "'view' is none of the tables [defaults], [oracle]"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_costs_itself(
    config: Callable[[str], Path], capsys: pytest.CaptureFixture[str], text: str, line: int, told: str
) -> None:
    path = config(text)
    found, said = parsed(), capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{path}:{line}: " in said
    assert told in said
    wanted = {"palette": "viridis", "background": "light", "tz": "Asia/Tokyo", "slo": 0.01}
    wrong = re.match(r"(palette|background|tz|slo): |write (slo)", said.partition(f":{line}: ")[2])
    lost = {name: USUAL[name] for name in (wrong.groups() if wrong else ()) if name}
    assert found == {**wanted, **lost}


@pytest.mark.parametrize("text", ["[defaults\n", '[defaults]\nslo = "10ms\n', "[defaults]\nslo = \n"])
def test_what_is_no_toml_is_told_and_nothing_of_it_used(
    config: Callable[[str], Path], capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = config(text)
    assert parsed() == USUAL
    said = capsys.readouterr().err
    assert re.search(rf"{re.escape(str(path))}:[12] is no TOML: .*; nothing of it is used\n$", said)


def test_a_wrong_variable_is_told_and_the_file_counts(
    config: Callable[[str], Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config(ALL)
    monkeypatch.setenv("PYLATENCYMAP_PALETTE", "pink")
    assert parsed()["palette"] == "viridis"
    assert "$PYLATENCYMAP_PALETTE: palette: 'pink' is none of" in capsys.readouterr().err


def test_what_all_options_give_needs_no_file(config: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    config("[[[")
    parsed("--palette", "classic", "--slo", "30ms", "--tz", "UTC", "--background", "auto")
    assert capsys.readouterr().err == ""


def test_data_are_exported_all_the_same(
    config: Callable[[str], Path], quick: Callable[..., Any], make_stream: Callable[..., str], tmp_path: Path
) -> None:
    """Options of pictures are refused there; what is configured is for pictures."""
    config(ALL)
    path = tmp_path / "two.lmap"
    path.write_text(make_stream("sda", {128: 1}, {128: 5}))
    assert quick("export", path, "-o", tmp_path / "two.csv") == (0, "", "", b"")
    assert quick("export", path, "-o", tmp_path / "two.csv", "--slo", "1s").status == 2


def test_it_is_in_the_picture(
    config: Callable[[str], Path], quick: Callable[..., Any], make_stream: Callable[..., str], tmp_path: Path
) -> None:
    config('[defaults]\nslo = "3.3ms"\n')
    path = tmp_path / "two.lmap"
    path.write_text(make_stream("sda", {128: 1}, {128: 5}))
    assert "SLO 3.30 ms" in quick("--once", path).out
    config("")
    assert "SLO" not in quick("--once", path).out


def test_the_database_is_looked_for_there_too(config: Callable[[str], Path], tmp_path: Path) -> None:
    from pylatencymap.oracle.connection import find_target

    path = config(f'{ALL}[oracle]\ndsn = "dbhost:1521/sales"\nuser = "mon"\n')
    target = find_target(None, {"XDG_CONFIG_HOME": str(tmp_path / "of user")}, tmp_path)
    assert (target.dsn, target.user, target.origin) == ("dbhost:1521/sales", "mon", str(path))

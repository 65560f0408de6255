"""``pylatencymap completions``, and what its scripts do in real shells."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

from pylatencymap import registry
from pylatencymap.cli.main import COMMANDS
from pylatencymap.view.style import PALETTES
from tests.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
SPACED = "db file sequential read"
OFFERED = [
    ("pylatencymap rep", {"replay", "report"}),
    ("latencymap rep", {"replay", "report"}),
    ("pylatencymap tw", {"two.lmap"}),
    ("pylatencymap two.lmap mon", {"monday.lmap"}),
    ("pylatencymap report mon", {"monday.lmap"}),
    ("pylatencymap report two.lmap mon", {"monday.lmap"}),
    ("pylatencymap --palette ", set(PALETTES)),
    ("pylatencymap report monday.lmap --series s", {"sda", "sdb"}),
    ("pylatencymap monday.lmap --series sdb", {"sdb"}),
    ("pylatencymap --format bpft", {"bpftrace"}),
    ("pylatencymap live b", {"bpf", "bpftrace"}),
    ("pylatencymap live bpf --min-b", {"--min-bytes"}),
    ("pylatencymap export two.lmap --to par", {"parquet"}),
    ("pylatencymap completions z", {"zsh"}),
    ("oralatencymap rea", {"reads", "read_by_other_session"}),
    ("oralatencymap commits --sl", {"--slo"}),
    ("oralatencymap log_file_s", {"log_file_sync"}),
    ("oralatencymap commits db_file_sc", {"db_file_scattered_read"}),
    ("pylatencymap help rep", {"replay", "report"}),
    ("pylatencymap help compl", {"completions"}),
]
"""The beginning of a line, and what completes its last word."""


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    pytest.importorskip("shtab", reason="completions are made by shtab, of the extra dev")
    from pylatencymap.cli.commands.shell.shell_scripts import whole_script

    return {shell: whole_script(shell) for shell in ("bash", "zsh", "fish")}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, scripts: dict[str, str]) -> Path:
    """A folder with the scripts, with recordings, and with our program in ``bin``."""
    folder = tmp_path_factory.mktemp("shells")
    for shell, text in scripts.items():
        (folder / f"script.{shell}").write_text(text)
    for name in ("monday.lmap", "two.lmap"):
        records = "".join(record(series, 1_700_000_000 + moment) for moment in range(3) for series in ("sda", "sdb"))
        (folder / name).write_text(records)
    (folder / "bin").mkdir()
    program = folder / "bin" / "pylatencymap"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m pylatencymap "$@"\n')
    program.chmod(0o755)
    return folder


def record(series: str, moment: int, count: int = 9) -> str:
    """A record of the stream."""
    return (
        f"<begin record>\ntimestamp,microsec,{moment * 1_000_000},no date\nlabel,{series}\nlatencyunit,microsec\n"
        f"datasource,bpf\n128,{count * (moment - 1_699_999_999)}\n<end record>\n"
    )


def in_shell(place: Path, *words: str) -> str:
    environ = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(place)}
    environ["XDG_CONFIG_HOME"] = environ["XDG_DATA_HOME"] = str(place)  # fish writes there
    ran = subprocess.run(words, cwd=place, env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


BASH = """
source ./script.bash
while IFS= read -r typed; do
  read -ra COMP_WORDS <<<"$typed"
  [[ $typed == *' ' ]] && COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  function=$(complete -p "${COMP_WORDS[0]}"); function=${function##*-F }; ${function%% *}
  printf '%s\\n' "== $typed" "${COMPREPLY[@]}"
done
"""


def test_bash(place: Path) -> None:
    """All lines in one process: to start Python for the names takes longer than all the rest."""
    (place / "lines").write_text("".join(f"{line}\n" for line, _ in OFFERED))
    said = in_shell(place, "bash", "--norc", "-c", f"exec <lines; {BASH}").split("== ")[1:]
    found = {line: set(words.split()) for line, _, words in (one.partition("\n") for one in said)}
    assert {line: found[line] for line, _ in OFFERED} == dict(OFFERED)


def test_bash_quotes_a_name_with_blanks(place: Path) -> None:
    (place / "waits.lmap").write_text(record(SPACED, 1_700_000_000) + record(SPACED, 1_700_000_001))
    line = "pylatencymap waits.lmap --series db"
    said = in_shell(place, "bash", "--norc", "-c", f"exec <<<'{line}'; {BASH}")
    assert said.splitlines()[1:] == [r"db\ file\ sequential\ read"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
def test_fish(place: Path) -> None:
    asked = "; ".join(f"echo '== {line}'; complete -C '{line}'" for line, _ in OFFERED)
    said = in_shell(place, "fish", "--no-config", "-c", f"source script.fish; {asked}").split("== ")[1:]
    found = {}
    for one in said:
        line, *offered = one.splitlines()
        found[line] = {word.partition("\t")[0] for word in offered}
    assert found == dict(OFFERED)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
def test_zsh(place: Path) -> None:
    """The words that are left with one meaning only, typed into a real one: Tab writes them."""
    shell = pexpect.spawn(
        "zsh",
        ["-f", "-i"],
        cwd=str(place),
        encoding="utf-8",
        dimensions=(50, 200),
        timeout=PATIENCE,
        env={**os.environ, "TERM": "dumb", "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(place)},
    )
    try:
        shell.sendline('autoload -Uz compinit; compinit -u -D; eval "$(<script.zsh)"; setopt no_beep; print RE""ADY')
        shell.expect("READY\r\n")
        shell.sendline(
            "pylatencymap() { [[ $2 == (series|collectors) ]] && command pylatencymap $@ || print -r GOT ${(q)@} . }"
        )
        shell.sendline("latencymap() { pylatencymap $@ }; oralatencymap() { pylatencymap $@ }")
        for line, (word, *more) in OFFERED:
            if not more:
                shell.send(f"{line}\t\n")
                shell.expect(r"\r\n(GOT [^\r]*) \.\r\n")
                wanted = [*line.split()[1:-1], word]
                assert shell.match is not None
                assert shell.match[1].split()[1:] == wanted
    finally:
        shell.close(force=True)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_each_visible_option_is_offered(place: Path, quick: Callable[..., Any], command: str) -> None:
    words = [command] if command else []
    told = quick(*words, "--help-all" if command in ("", "replay") else "--help").out
    options = set(re.findall(r"^ {2,6}(?:-\w(?: \S+)?, )?(--[a-z][a-z-]*)", told, re.MULTILINE))
    line = " ".join(["pylatencymap", *words, "--"])
    found = set(in_shell(place, "bash", "--norc", "-c", f"exec <<<'{line}'; {BASH}").split()[3:])
    assert {"--version", "--traceback"} <= options
    assert options <= found | {"--help"}
    assert not {option for option in found if "_" in option}


def test_series_of_files_and_nothing_else(quick: Callable[..., Any], place: Path) -> None:
    marks = place / "marks.txt"
    marks.write_text("2026-03-03 03:12,deploy\n")
    ran = quick("completions", "series", "--slo", "10ms", marks, place / "monday.lmap", "--no-such", "missing.lmap")
    assert (ran.status, ran.out) == (0, "sda\nsdb\n")
    assert quick("completions", "series").out == ""


def test_collectors_are_those_of_format(quick: Callable[..., Any]) -> None:
    assert quick("completions", "collectors").out.split()[: len(registry.collector_names())] == (
        registry.collector_names()
    )


def test_the_script_of_the_package_comes_first(
    quick: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pylatencymap.cli.commands.shell import completions

    (tmp_path / "bash").write_text("# made before\n")
    monkeypatch.setattr(completions, "SCRIPTS", tmp_path)
    assert quick("completions", "bash").out == "# made before\n"


def test_without_shtab_a_checkout_says_what_to_do(quick: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    ran = quick("completions", "fish")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err.endswith(f"it needs shtab: {sys.executable} -m pip install shtab\n")

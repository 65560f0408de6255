"""docs/command-line.md and the man pages have every exit status and every variable, and no other."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pylatencymap.cli.commands.shell import meanings
from pylatencymap.cli.main import COMMANDS
from pylatencymap.errors import Exit

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
VARIABLE = re.compile(
    r"(?=[A-Z])(?:[A-Z0-9]+_)+[A-Z0-9_]+|PYTHON[A-Z0-9]+|TZ|TERM|TMUX|LANG|LINES|COLUMNS|PATH|COLORTERM|COLORFGBG"
)
NO_VARIABLES = {"HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "PATH_INFO", "REQUEST_METHOD", "PYLATENCYMAP_"}
"""Of an HTTP request; and what the names of variables begin with."""
ELSEWHERE = {f"PYLATENCYMAP_{name}" for name in ("PALETTE", "BACKGROUND", "TZ", "SLO")}
"""Put together in ``cli/defaults``; tests/cli/test_configured_options.py uses them."""


def in_code() -> set[str]:
    """Texts in modules that deal with the environment that have the form of a variable's name."""
    found = set()
    for path in (ROOT / "pylatencymap").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "environ" not in text or path.parent.name == "shell":
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and VARIABLE.fullmatch(node.value):
                found.add(node.value)
    return found - NO_VARIABLES


def test_every_variable_of_the_code_has_a_meaning() -> None:
    found = in_code()
    assert {"TERM", "ORALATENCYMAP_DSN", "NO_COLOR", "TNS_ADMIN"} <= found
    assert found - {*meanings.READ, *meanings.GIVEN} == set()
    alerts = (ROOT / "pylatencymap/session/alerts/watch.py").read_text(encoding="utf-8")
    given = {name for name in meanings.GIVEN if f'"{name.removeprefix("PYLATENCYMAP_")}": ' in alerts}
    assert given == {*meanings.GIVEN} - {"PYLATENCYMAP_INTERVAL"}
    assert {*meanings.READ} - found == ELSEWHERE


def test_the_page_has_the_same_variables() -> None:
    named = re.findall(r"^\| `([A-Z0-9_]+)` \| (.+) \|$", PAGE, re.MULTILINE)
    told = {**meanings.READ, **meanings.GIVEN}
    assert {name: meaning.replace("`", "") for name, meaning in named} == told
    assert len(named) == len(told)


def test_the_page_has_the_exit_statuses() -> None:
    named = re.findall(r"^\| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _ in named] == [*Exit] == [*meanings.STATUSES]
    assert [meaning.replace("`", "") for _, meaning in named] == [*meanings.STATUSES.values()]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    pytest.importorskip("argparse_manpage", reason="man pages are made by argparse-manpage, of the extra dev")
    from pylatencymap.cli.commands.shell.man_pages import man_pages

    return man_pages()


def test_each_command_has_a_page(pages: dict[str, str]) -> None:
    wanted = {"pylatencymap", "oralatencymap", "latencymap", *(f"pylatencymap-{name}" for name in COMMANDS)}
    assert {f"{name}.1" for name in wanted} <= {*pages}


def test_pages_have_options_statuses_and_variables(pages: dict[str, str]) -> None:
    plain = {name: text.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "") for name, text in pages.items()}
    assert "--min-bytes" in plain["pylatencymap-live-bpf.1"]
    assert "--fail-if" in plain["pylatencymap.1"]
    assert not [name for name, text in plain.items() if "--num_records" in text or "--screen_delay" in text]
    for name, text in plain.items():
        if name != "latencymap.1":
            assert [one for one in Exit if f".TP\n{int(one)}\n" not in text] == [], name
            assert re.search(rf"^\.SH NAME\n{name[:-2]} - \S.+$", text, re.MULTILINE), name
    assert [one for one in (*meanings.READ, *meanings.GIVEN) if one not in plain["pylatencymap.1"]] == []


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_man_prints_them_without_a_warning(pages: dict[str, str], tmp_path: Path) -> None:
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    names = sorted(tmp_path / name for name in pages if name != "latencymap.1")
    words = ["groff", "-man", "-ww", "-z", "-Tutf8", "-Kutf8", *map(str, names)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")

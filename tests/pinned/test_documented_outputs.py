"""What the documentation shows as the output of a command is what the command prints, line for line.

python -m tests.pinned.test_documented_outputs     # write into the pages what the commands print now
"""

import re
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.pinned.documented import Shown, shown_outputs
from tests.pinned.runner import ROOT, Runner

OUTPUTS = shown_outputs()
WIDTH = "COLUMNS=100 LINES=40"
"""The terminal on which the pages say that their commands ran."""
ANY = "..."
SECONDS_OF_STEADY = 60
"""How long examples/steady.lmap.gz is."""


def checkout_in(folder: Path) -> Path:
    """A folder in which a reader would try the commands: the examples are there, and files can be written."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkout_in(tmp_path_factory.mktemp("checkout"))


def printed(runner: Runner, folder: Path, line: str) -> str:
    """What a command prints on both streams, without blanks at the ends of lines; then its status, if that is not 0."""
    ran = runner.run(f"{WIDTH} {line}", folder)
    text = ran.out + ran.err + (f"exit status {ran.status}\n" if ran.status else "")
    return "\n".join(map(str.rstrip, text.splitlines()))


def is_like(output: str, told: str) -> bool:
    """Whether lines are as shown, where a line of ``...`` stands for any lines."""
    lines = [".*" if line == ANY else re.escape(line) + "\n" for line in output.splitlines()]
    return re.fullmatch("".join(lines), told + "\n", re.DOTALL) is not None


def renewed(output: str, told: str) -> str:
    """The same excerpt of what is printed now: as many of the first and of the last lines."""
    if ANY not in output.splitlines():
        return told
    lines = told.splitlines()
    first, last = output.splitlines().index(ANY), output.splitlines()[::-1].index(ANY)
    return "\n".join([*lines[:first], ANY, *lines[len(lines) - last :]])


@pytest.mark.parametrize("shown", OUTPUTS, ids=lambda shown: f"{shown.path}: {shown.line}")
def test_it_prints_what_the_page_shows(runner: Runner, checkout: Path, shown: Shown) -> None:
    told = printed(runner, checkout, shown.line)
    assert is_like(shown.output, told), f"{told}\n\nIf that is meant: python -m tests.pinned.test_documented_outputs"


def test_the_python_of_the_cookbook_runs(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It counts the slow reads of a recording; beside that is what fio counted."""
    pytest.importorskip("pandas")
    (block,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/cookbook.md").read_text(), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(checkout)
    exec(compile(block, "cookbook", "exec"), {})
    slow = float(re.findall(r"^loop0 +([\d.]+)$", capsys.readouterr().out, re.MULTILINE)[0])
    rows = [line.split(",") for line in Path("examples/steady.truth.csv").read_text().splitlines()[1:]]
    per_second = sum(int(row[3]) + int(row[4]) for row in rows) / len(rows)
    assert slow / SECONDS_OF_STEADY == pytest.approx(per_second, rel=0.05)


def test_outputs_are_found() -> None:
    assert {"docs/patterns.md"} <= {shown.path for shown in OUTPUTS}


@pytest.mark.parametrize(
    ("output", "told", "alike"),
    [
        ("one\ntwo", "one\ntwo", True),
        ("one\n...\nfour", "one\ntwo\nthree\nfour", True),
        ("...\ntwo", "one\ntwo", True),
        ("one\n...", "one\ntwo", True),
        ("one", "one\ntwo", False),
        ("...\ntwo", "one\ntwo\nthree", False),
        ("p99 1 ms", "p99 2 ms", False),
        ("a.c", "abc", False),
    ],
)
def test_other_output_is_seen(output: str, told: str, alike: bool) -> None:
    assert is_like(output, told) is alike


def test_an_excerpt_is_renewed() -> None:
    assert renewed("a\n...\nb\nc", "1\n2\n3\n4\n5") == "1\n...\n4\n5"
    assert renewed("a", "1\n2") == "1\n2"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made, Runner() as now:
        place = checkout_in(Path(made))
        for old in OUTPUTS:
            page = ROOT / old.path
            new = renewed(old.output, printed(now, place, old.line))
            page.write_text(page.read_text(encoding="utf-8").replace(old.text, old.text.replace(old.output, new)))

"""Every line that installs works as it is written, and installs this program.

On the package index the name pylatencymap belongs to the earlier tool: a line with the name alone installs that one.
And Debian's own pip installs nothing outside an environment.
"""

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest
from packaging.version import Version

from pylatencymap import __version__
from pylatencymap.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent.parent
EARLIER = "1.3.1"
"""The version that the package index has under our name."""
FROZEN = ("tests/pinned/plugin-0.1/", Path(__file__).relative_to(ROOT).as_posix())
"""What nobody edits any more; and this file, which has examples of what is wrong."""
FOLDERS = ("benchmarks", "collectors", "docs", "examples", "pylatencymap", "tests")
KINDS = (".md", ".py", ".sh", ".sql", ".toml", ".cfg", ".txt")
INSTALL = re.compile(
    r"(?P<before>[^\n`]*)\b(?P<tool>pip|pip3|pipx|uv pip|uv tool) (?P<verb>install|inject)\b(?P<what>[^\n`#]*)"
)
IN_ENVIRONMENT = re.compile(r"(?:/bin/|-m |\$\(IN_VENV\) )$")
"""What stands before ``pip`` where it is the pip of one environment."""
BY_NAME = re.compile(r"(?<![\w./+-])pylatencymap(?![\w./-])", re.IGNORECASE)


def files() -> list[Path]:
    top = [path for path in ROOT.iterdir() if path.is_file() and path.suffix in KINDS]
    below = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in KINDS]
    return sorted(path for path in [*top, ROOT / "Makefile", *below] if not named(path).startswith(FROZEN))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def wrong_in(text: str) -> list[str]:
    """The lines that install by name, or with the pip of no environment."""
    return [line.group().strip() for line in INSTALL.finditer(text) if is_by_name(line) or is_anywhere(line)]


def is_by_name(line: re.Match[str]) -> bool:
    """``pipx inject pylatencymap WHAT`` names the environment, not what is installed."""
    words = line["what"].split()
    return any(BY_NAME.search(word) for word in words[line["verb"] == "inject" :])


def is_anywhere(line: re.Match[str]) -> bool:
    return line["tool"] in ("pip", "pip3", "uv pip") and not IN_ENVIRONMENT.search(line["before"])


def test_files_are_found() -> None:
    assert {"README.md", "docs/oracle.md", "examples/plugin/README.md", "Makefile", "pylatencymap/errors.py"} <= {
        named(path) for path in files()
    }


def test_no_line_installs_by_name_or_outside_an_environment() -> None:
    wrong = {named(path): wrong_in(path.read_text(encoding="utf-8", errors="replace")) for path in files()}
    assert {name: lines for name, lines in wrong.items() if lines} == {}


@pytest.mark.parametrize("words", [("main",), *(("main", command) for command in COMMANDS), ("oracle.command",)])
def test_neither_does_the_help(words: tuple[str, ...]) -> None:
    module, *command = words
    program = f"from pylatencymap.cli.{module} import run; run({[*command, '--help']})"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert "usage: " in ran.stdout.lower()
    assert wrong_in(ran.stdout) == []


@pytest.mark.parametrize(
    "line",
    [
        "pip install 'pylatencymap[oracle]'",
        ".venv/bin/pip install -U pylatencymap",
        'python -m pip install "pylatencymap[pictures]"',
        "pipx install pylatencymap",
        "pipx install PyLatencyMap",
        "uv tool install pylatencymap",
        "pip install .",
        "sudo pip3 install Pillow",
    ],
)
def test_a_wrong_line_is_seen(line: str) -> None:
    assert wrong_in(f"first\n    {line}\nlast") == [line]


@pytest.mark.parametrize(
    "line",
    [
        ".venv/bin/pip install '.[oracle]'",
        "python3 -m pip install Pillow",
        "pipx install .",
        "pipx install ./pylatencymap",
        "pipx install git+https://example.org/somebody/pylatencymap",
        "pipx install pylatencymap-2.0.0-py3-none-any.whl",
        "pipx inject pylatencymap ./examples/plugin",
    ],
)
def test_a_right_line_is_none(line: str) -> None:
    assert wrong_in(line) == []


def test_an_upgrade_does_not_replace_this_program_by_the_earlier_one() -> None:
    assert Version(__version__) > Version(EARLIER)


def test_nothing_here_requires_the_name() -> None:
    """pip would take it from the package index, with the extras of our own ``all`` too."""
    own = ConfigParser(interpolation=None)
    own.read(ROOT / "setup.cfg")
    required = [own["options"]["install_requires"], *own["options.extras_require"].values()]
    plug_in = (ROOT / "examples/plugin/pyproject.toml").read_text()
    required += re.findall(r"^dependencies = \[(.*?)\]", plug_in, re.MULTILINE | re.DOTALL)
    assert [text for text in required if BY_NAME.search(text)] == []


def test_the_changelog_begins_with_this_version() -> None:
    (first, *_) = re.findall(r"^## \[(\d[^]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert first == Version(__version__).base_version

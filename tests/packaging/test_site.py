"""The site: its navigation is that of the overview; it builds without a warning, twice the same, and loads nothing."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"([^\"]+)\"|<link\b[^>]*\bhref=\"([^\"]+)\"")


def in_navigation() -> set[str]:
    return set(re.findall(r"^ +- [^:\n]+: (\S+\.md)$", CONFIG.partition("\nnav:")[2], re.MULTILINE))


def in_docs() -> set[str]:
    return {path.name for path in (ROOT / "docs").glob("*.md")}


def test_the_navigation_names_pages_that_exist() -> None:
    assert len(in_navigation()) > 30
    outside = {path.removeprefix("repository/") for path in in_navigation() - in_docs()}
    assert [path for path in outside if not (ROOT / path).is_file()] == []


def test_the_overview_has_what_the_navigation_has() -> None:
    overview = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    links = set(re.findall(r"\]\((\w[\w-]*\.md)\)", overview))
    assert links | {"index.md"} == in_navigation() & in_docs()


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The site, built twice."""
    if find_spec("mkdocs") is None or find_spec("material") is None:
        pytest.skip("the site needs mkdocs-material: make site installs it")
    found = [tmp_path_factory.mktemp("site") for _ in range(2)]
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for number, folder in enumerate(found):
        made = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
            env={**usual, "SOURCE_DATE_EPOCH": "1", "NO_MKDOCS_2_WARNING": "1", "PYTHONHASHSEED": str(number)},
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        assert (made.returncode, "WARNING" in made.stderr) == (0, False), made.stderr
    return found


def test_no_page_is_lost(sites: list[Path]) -> None:
    """One that the navigation does not name yet is at its end."""
    made = (sites[0] / "index.html").read_text(encoding="utf-8")
    assert [page for page in in_docs() if f'href="{page.removesuffix("md")}html"' not in made] == []


def test_it_is_the_same_each_time(sites: list[Path]) -> None:
    first, second = ({path.relative_to(site): path.read_bytes() for path in site.rglob("*.*")} for site in sites)
    assert first.keys() == second.keys()
    assert [path for path in first if first[path] != second[path]] == []


def test_it_holds_no_program(sites: list[Path]) -> None:
    """Python compiles the hooks among the pages, for this place and time."""
    assert [path for path in sites[0].rglob("*") if path.suffix in (".py", ".pyc")] == []


def test_it_loads_nothing_from_elsewhere(sites: list[Path]) -> None:
    for page in sites[0].rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "Content-Security-Policy" in text
        loaded = [one for pair in LOADED.findall(text) for one in pair if one]
        assert loaded
        assert [one for one in loaded if re.match(r"(?:https?:)?//", one)] == []

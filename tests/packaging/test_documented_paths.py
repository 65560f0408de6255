"""The documentation names files, folders, modules and links that exist."""

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "pylatencymap"
FROZEN = ROOT / "tests" / "pinned" / "plugin-0.1"
"""A copy of what version 0.1.0 shipped; nobody edits it."""
PAGES = sorted(
    path
    for pattern in (
        "*.md",
        *(f"{folder}/**/*.md" for folder in ("benchmarks", "collectors", "docs", "examples", "tests")),
    )
    for path in ROOT.glob(pattern)
    if not path.is_relative_to(FROZEN)
)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_PATH = re.compile(r"\w[\w.*-]*(?:/[\w.*-]+)*/?")
_MODULE = re.compile(r"(?:pylatencymap|tests|benchmarks)(?:\.\w+)+")
_PROGRAM = (".py", ".md", ".sql", ".c", ".bt", ".d", ".stp", ".sh", ".cfg", ".toml")
"""Extensions of files of the repository; other names, as monday.lmap, stand for files of users."""


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def spans(page: Path) -> Iterator[str]:
    """Text in backticks. ``collectors/NAME/scan.py`` and ``export/foo.py`` stand for any file of that kind."""
    return (span.replace("NAME", "*").replace("/foo.", "/*.") for span in _SPAN.findall(prose(page)))


def bases(page: Path) -> list[Path]:
    """The folders that a path in a page can start from."""
    return [ROOT, PACKAGE, page.parent]


def looks_like_a_path(span: str, page: Path) -> bool:
    if not _PATH.fullmatch(span):
        return False
    folder, slash, _ = span.partition("/")
    return span.endswith((*_PROGRAM, "/")) or (bool(slash) and any((base / folder).is_dir() for base in bases(page)))


def exists(span: str, page: Path) -> bool:
    """Whether there is such a file or folder; a module can be named without ``.py``, a file or folder without the one
    that it is in.
    """
    name = span.rstrip("/")
    if any(next(base.glob(name + suffix), None) for base in bases(page) for suffix in ("", ".py")):
        return True
    folders = (ROOT / folder for folder in ("pylatencymap", "collectors", "benchmarks", "docs", "examples", "tests"))
    return "/" not in name and any(next(folder.rglob(name), None) for folder in folders)


def missing_modules(page: Path) -> Iterator[str]:
    for span in spans(page):
        for name in _MODULE.findall(span):
            try:
                pkgutil.resolve_name(name)
            except (ImportError, AttributeError):
                yield name


def test_the_pages_are_found() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in PAGES}
    assert {"README.md", "docs/collectors.md", "collectors/bpf/README.md", "tests/pinned/README.md"} <= names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
class TestPage:
    def test_paths(self, page: Path) -> None:
        paths = [span for span in spans(page) if looks_like_a_path(span, page)]
        assert [path for path in paths if not exists(path, page)] == []

    def test_modules(self, page: Path) -> None:
        assert [*missing_modules(page)] == []

    def test_links(self, page: Path) -> None:
        assert [link for link in _LINK.findall(prose(page)) if not (page.parent / link).exists()] == []


@pytest.mark.parametrize(
    ("span", "wrong"),
    [
        ("pylatencymap/scan/found.py", True),
        ("view/nothing/", True),
        ("nothing/", True),
        ("docs/nothing", True),
        ("collectors/*/nothing.py", True),
        ("nothing.sh", True),
        ("collectors/*/scan.py", False),
        ("text/lines", False),
        ("stream/", False),
        ("test_golden.py", False),
    ],
)
def test_a_wrong_path_is_seen(span: str, wrong: bool) -> None:
    page = ROOT / "README.md"
    assert looks_like_a_path(span, page) or "/" not in span
    assert exists(span, page) is not wrong


@pytest.mark.parametrize("span", ["monday.lmap", "/dev/tty", "--scale", "sda,read", "/", "read/write"])
def test_not_every_span_is_a_path(span: str) -> None:
    assert not looks_like_a_path(span, ROOT / "README.md")

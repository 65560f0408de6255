"""Imports go one way, heavy libraries stay where they belong, and modules stay small.

The layers are those of docs/architecture.md. Imports inside functions count as well: they are late, not upward.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "pylatencymap"
LAYERS = (
    "units errors",
    "buckets record interval",
    "text",
    "report",
    "probes",
    "stream collector",
    "intervals",
    "scan",
    "registry recognise hints plugins collectors",
    "window",
    "view",
    "export",
    "session",
    "api",
    "tui demo oracle oracle_script",
    "cli __main__",
)
LAYER_OF = {name: layer for layer, names in enumerate(LAYERS) for name in names.split()}
NUMPY_FROM = LAYER_OF["intervals"]
LIBRARIES = {
    "numpy": "intervals scan collectors.*.scan window view export tui demo cli",
    "blessed": "tui",
    "pyparsing": "collectors.bpf.grammar",
    "wcwidth": "text.width",
    "PIL": "export.png",
    "bcc": "collectors.bpf.probe",
}
"""Which parts of the package may import a library. What is not named here nobody imports."""
LATE = {"blessed", "pyparsing", "wcwidth", "PIL", "oracledb", "cx_Oracle", "numpy"}
"""Libraries that the command line must not load before it knows that it needs them."""
SCANNED = sorted(path.parent.name for path in (ROOT / "collectors").glob("*/scan.py"))
"""Collectors whose large files are scanned."""
MODULE_LINES = 400
FUNCTION_LINES = 45


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, the collectors by the name that they are installed under."""
    folders = {PACKAGE: ROOT / PACKAGE, f"{PACKAGE}.collectors": ROOT / "collectors"}
    return {
        ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__"): path
        for package, folder in folders.items()
        for path in folder.rglob("*.py")
        if folder.name == "collectors" or "collectors" not in path.relative_to(folder).parts
    }


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Dotted name and line of everything that a module imports; submodules by their own names."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = base_of(module, node)
            for alias in node.names:
                name = f"{base}.{alias.name}"
                yield (name if name in modules() else base), node.lineno


def base_of(module: str, node: ast.ImportFrom) -> str:
    """The absolute name of what stands after ``from``."""
    if not node.level:
        return node.module or ""
    is_package = modules()[module].name == "__init__.py"
    parents = module.split(".")[: None if is_package and node.level == 1 else (is_package - node.level)]
    return ".".join([*parents, node.module] if node.module else parents)


def part_of(module: str) -> str:
    """The name below the package: ``text`` of ``pylatencymap.text.clean``, empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


def every(check: str) -> "pytest.MarkDecorator":
    """Run a test once for each module of the package."""
    return pytest.mark.parametrize(check, sorted(modules()))


def test_every_module_has_a_layer() -> None:
    unknown = {part_of(module) for module in modules()} - set(LAYER_OF) - {""}
    assert not unknown, f"give these a layer in {Path(__file__).name} and in docs/architecture.md"


@every("module")
def test_imports_go_down_or_sideways(module: str) -> None:
    own = LAYER_OF["api"] if module == PACKAGE else LAYER_OF[part_of(module)]
    upward = [
        f"{modules()[module].relative_to(ROOT)}:{line} imports {name}"
        for name, line in imports(module)
        if name.split(".")[0] == PACKAGE and LAYER_OF.get(part_of(name), -1) > own
    ]
    assert not upward


def circle_in(edges: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, the first one again at the end; empty where there is none."""
    done: set[str] = set()
    way: list[str] = []

    def visit(module: str) -> list[str]:
        if module in way:
            return [*way[way.index(module) :], module]
        if module in done:
            return []
        way.append(module)
        for name in sorted(edges.get(module, ())):
            if found := visit(name):
                return found
        done.add(way.pop())
        return []

    return next((found for module in sorted(edges) if (found := visit(module))), [])


def test_no_import_goes_in_circles() -> None:
    edges = {module: {name for name, _ in imports(module) if name in modules()} for module in modules()}
    assert not circle_in(edges)


def test_a_circle_is_seen() -> None:
    assert circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"d", "b"}}) == ["b", "c", "b"]
    assert circle_in({"a": {"a"}}) == ["a", "a"]


@every("module")
def test_libraries_stay_in_their_parts(module: str) -> None:
    below = module.removeprefix(f"{PACKAGE}.")
    for name, line in imports(module):
        library = name.split(".")[0]
        if library == PACKAGE or library in sys.stdlib_module_names:
            continue
        allowed = LIBRARIES.get(library, "").split()
        where = f"{modules()[module].relative_to(ROOT)}:{line} imports {library}"
        assert any(fnmatchcase(below, part) or below.startswith(f"{part}.") for part in allowed), where


def test_what_is_left_of_the_interval_needs_no_numpy() -> None:
    assert all(LAYER_OF[part.split(".")[0]] >= NUMPY_FROM for part in LIBRARIES["numpy"].split())


@every("module")
def test_collectors_know_of_intervals_and_of_scanning_where_they_scan(module: str) -> None:
    """Whatever recognises a text, or decodes it line by line, does without numpy."""
    if part_of(module) != "collectors":
        return
    parts = {part_of(name) for name, _ in imports(module) if name.split(".")[0] == PACKAGE}
    assert fnmatchcase(module, f"{PACKAGE}.collectors.*.scan") or not parts & {"intervals", "scan"}


@pytest.mark.parametrize("name", SCANNED)
def test_what_a_large_file_is_scanned_with_is_loaded_late(name: str) -> None:
    program = (
        f"import sys, contextlib; from {PACKAGE} import errors, registry, report\n"
        f"of = registry.load_collector({name!r})\n"
        "of.detect('x\\n')\n"
        "with contextlib.suppress(errors.Refused): list(of.decode(iter([]), report.Report('x')))\n"
        "print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert f"{PACKAGE}.collectors.{name}.decoder" in loaded.stdout.split()
    assert not {"numpy", f"{PACKAGE}.collectors.{name}.scan"} & set(loaded.stdout.split())


@pytest.mark.parametrize("name", SCANNED)
def test_a_scan_names_its_twin(name: str) -> None:
    tree = tree_of(f"{PACKAGE}.collectors.{name}.scan")
    assert "twin of ``decoder.py``" in (ast.get_docstring(tree) or "").splitlines()[0]


def test_the_command_line_loads_libraries_late() -> None:
    program = f"import sys, {PACKAGE}.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert not LATE & set(loaded.stdout.split())


@every("module")
def test_modules_say_what_they_are_and_stay_small(module: str) -> None:
    assert ast.get_docstring(tree_of(module)), "no docstring"
    assert len(modules()[module].read_text(encoding="utf-8").splitlines()) <= MODULE_LINES


@every("module")
def test_functions_stay_small(module: str) -> None:
    functions = (n for n in ast.walk(tree_of(module)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    long = {f.name: lines for f in functions if (lines := (f.end_lineno or f.lineno) - f.lineno + 1) > FUNCTION_LINES}
    assert not long


def test_an_upward_import_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "from ..view import draw": "pylatencymap.view",
        "from .. import cli": "pylatencymap.cli",
        "from ..cli.main import run": "pylatencymap.cli",
        "def late():\n    import pylatencymap.cli": "pylatencymap.cli",
        "from .clean import printable": "pylatencymap.text.clean",
    }
    for source, expected in sources.items():
        monkeypatch.setattr(sys.modules[__name__], "tree_of", lambda _, source=source: ast.parse(source))
        assert [name.startswith(expected) for name, _ in imports("pylatencymap.text.lines")] == [True]

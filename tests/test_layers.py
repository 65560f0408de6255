"""Imports go one way and through entry points, heavy libraries stay where they belong, and modules stay small.

The layers and floors are those of docs/architecture.md. Imports inside functions count as well: they are late, not
upward.
"""

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = "pylatencymap"
LAYERS = (
    "units errors lazily memory",
    "buckets record interval",
    "text",
    "report files",
    "probes",
    "stream collector",
    "recorder broken_texts",
    "intervals",
    "scan",
    "registry recognise hints plugins collectors",
    "analysis",
    "window",
    "number_text",
    "moment_text",
    "conditions findings",
    "view",
    "tables exposition",
    "export",
    "session",
    "events",
    "aggregate",
    "api",
    "tui demo oracle oracle_script prometheus hosts",
    "cli __main__",
)
FLOORS = {
    "analysis": "bunching cycles density dips modes octaves percentiles ramps ranks recurrences together waited"
    " < changes comparison",
    "findings": "evidence figures markdown_text change_sentences stragglers trace_profile < changes comparison"
    " < recurring stalls < facts meaning < pages < run_findings",
    "intervals": "batch keyed nominal options possible runs totals < holding merge < semantics timing"
    " < event_bins series_intervals < run_differences < difference idle < stages",
    "view": "last_picture style < layout < wording < two_selections < frame < paint"
    " < comparison drawing grid boxes stack < terminal",
    "session": "input ending marks messages moments replay save series_overview viewpoint"
    " < commentary detail feed < page room stack < place < picture two_sides < alerts",
    "tui": "terminal < viewer < actions < difference_view grid_view help_view moments_view picker_view who_view"
    " < bindings < main_view < app",
    "aggregate": "archive event_counts file_reading interval_counts merging naming outputs portions run streams"
    " work_folder worker_processes < spark",
    "events": "alone by_line by_scan event_file found inputs job key_reader last_lines question tally text_page"
    " < sampled",
    "oracle": "connection connection_status event_names event_sets exact_sums packs queries server_clock"
    " < ranking records sampling_loop views < history samples sessions",
    "cli": "option_values standard_streams < defaults < alerts arguments main recording setup < inputs"
    " < probe_choice reading session < acceptance < commands oracle",
}
"""Layers inside a folder that has folders."""
LAYER_OF = {name: layer for layer, names in enumerate(LAYERS) for name in names.split()}
NUMPY_FROM = LAYER_OF["intervals"]
LIBRARIES = {
    "numpy": "intervals scan collectors.*.scan collectors.*.scan_* window analysis conditions findings view export tui "
    "demo cli tables aggregate api.tables",
    "blessed": "tui",
    "pyparsing": "collectors.bpf.grammar conditions.grammar",
    "wcwidth": "text.width",
    "PIL": "export.png export.character_fonts",
    "pyarrow": "tables aggregate.spark",
    "pyspark": "aggregate.spark",
    "py4j": "aggregate.spark",
    "zstandard": "text.compressed.zstd_frames",
    "compression": "text.compressed.zstd_frames",
    "lz4": "text.compressed.java_blocks",
    "cramjam": "text.compressed.java_blocks",
    "bcc": "collectors.bpf.probe",
    "urllib3": "prometheus.client",
    "prometheus_client": "exposition.text_form",
    "shtab": "cli.commands.shell.shell_scripts",
    "argparse_manpage": "cli.commands.shell.man_pages",
}
"""Which parts of the package may import a library. What is not named here nobody imports."""
LATE = {
    *("blessed", "pyparsing", "wcwidth", "PIL", "oracledb", "cx_Oracle", "numpy", "pyarrow", "zstandard"),
    *("lz4", "cramjam", "urllib3", "prometheus_client", "pyspark"),
    *("shtab", "argparse_manpage"),
}
"""Libraries that the command line must not load before it knows that it needs them."""
SCANNED = sorted(path.parent.name for path in (ROOT / "collectors").glob("*/scan.py"))
"""Collectors whose large files are scanned."""
MODULE_LINES = 400
SMALL_LINES = 60
MOST_FILES = 12
SHIELDED = {
    "collectors.*.decoder": "recognition asks every collector, without its decoder",
    "collectors.bpf.grammar": "pyparsing",
    "cli.commands.*": "found by the command's name",
    "conditions.junit": "loaded for --junit only",
    "export.data.*": "a format, found by its extension",
    "cli.oracle.history": "loaded for --awr only",
    "oracle_script.generator": "loaded for --print-sql only",
    "tui.difference_view": "loaded at its key",
    "tui.help_view": "loaded at its key",
    "tui.moments_view": "loaded at its key",
}
"""Small modules with one importer, and what they keep out of it."""
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


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All of a module: a dozen checks look at it."""
    return tuple(ast.walk(tree))


def imports(module: str) -> Iterator[tuple[str, int]]:
    """Dotted name and line of everything that a module imports; submodules by their own names."""
    for node in nodes(tree_of(module)):
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


def test_every_module_has_a_layer() -> None:
    unknown = {part_of(module) for module in modules()} - set(LAYER_OF) - {""}
    assert not unknown, f"give these a layer in {Path(__file__).name} and in docs/architecture.md"


def test_imports_go_down_or_sideways() -> None:
    upward = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for module, path in modules().items()
        for name, line in imports(module)
        if name.split(".")[0] == PACKAGE and LAYER_OF.get(part_of(name), -1) > layer_of(module)
    ]
    assert not upward


def layer_of(module: str) -> int:
    return LAYER_OF["api"] if module == PACKAGE else LAYER_OF[part_of(module)]


def room_of(module: str) -> tuple[str, str]:
    """A folder, and what of it a module is or lies in: ``view`` and ``paint`` of ``pylatencymap.view.paint.maps``."""
    folder, _, rest = module.removeprefix(f"{PACKAGE}.").partition(".")
    return folder, rest.partition(".")[0]


@pytest.mark.parametrize("folder", FLOORS)
def test_inside_a_folder_imports_go_down_as_well(folder: str) -> None:
    floors = {room: floor for floor, rooms in enumerate(FLOORS[folder].split(" < ")) for room in rooms.split()}
    inside = [module for module in modules() if room_of(module)[0] == folder and room_of(module)[1]]
    assert {room_of(module)[1] for module in inside} == set(floors)
    upward = [
        f"{modules()[module].relative_to(ROOT)}:{line} imports {name}"
        for module in inside
        for name, line in imports(module)
        if room_of(name)[0] == folder and floors.get(room_of(name)[1], -1) > floors[room_of(module)[1]]
    ]
    assert not upward


@cache
def entry_points(package: str) -> frozenset[str]:
    """The names that a folder's ``__init__`` offers: what it defines, or imports under a name that it repeats."""
    found = set()
    tree = tree_of(package)
    blocks = (node.body for node in tree.body if isinstance(node, ast.If))
    for node in chain(tree.body, *blocks):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names if alias.asname == alias.name)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(found)


@cache
def plug_in_contract() -> frozenset[str]:
    """The modules that plug-ins import: they keep their places, and whoever needs them imports them there."""
    page = (ROOT / "docs/collectors.md").read_text(encoding="utf-8")
    return frozenset(re.findall(rf"`({PACKAGE}(?:\.\w+)+)`", page)) & modules().keys()


def past_entry_points(module: str) -> Iterator[str]:
    """Imports of a module from other folders that pass by their entry points."""
    for node in nodes(tree_of(module)):
        if not isinstance(node, ast.ImportFrom):
            continue
        base = base_of(module, node)
        where = f"{modules()[module].relative_to(ROOT)}:{node.lineno}"
        if base not in modules() or base.count(".") < 1 or part_of(base) in (part_of(module), "collectors"):
            continue
        if modules()[base].name != "__init__.py":
            if base.count(".") > 1 and base not in plug_in_contract():
                yield f"{where} imports {base}, not {base.rpartition('.')[0]}"
            continue
        for alias in node.names:
            if alias.name not in entry_points(base) and f"{base}.{alias.name}" not in plug_in_contract():
                yield f"{where} imports {alias.name}, which {base} does not name"


def test_other_folders_are_entered_by_their_entry_points() -> None:
    assert not [told for module in modules() for told in past_entry_points(module)]


def test_an_import_past_an_entry_point_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {
        "from ..window.store import Store": 1,
        "from ..window import Store": 1,
        "from ..window import store": 1,
        "from ..window import Window": 0,
        "from .clean import printable": 0,
        "from ..record import Record": 0,
    }
    real = tree_of
    for source, past in sources.items():
        changed = partial(_tree_with, "pylatencymap.text.lines", ast.parse(source), real)
        monkeypatch.setattr(sys.modules[__name__], "tree_of", changed)
        assert len(list(past_entry_points("pylatencymap.text.lines"))) == past, source


def _tree_with(changed: str, tree: ast.Module, real: Callable[[str], ast.Module], module: str) -> ast.Module:
    return tree if module == changed else real(module)


def lazy_names(package: str) -> set[str]:
    """The names that a folder's ``__init__`` imports when they are used."""
    mappings = [
        ast.literal_eval(node.args[1])
        for node in nodes(tree_of(package))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lazily"
    ]
    return {name for mapping in mappings for names in mapping.values() for name in names.split()}


def test_a_folder_offers_at_run_time_what_the_type_checker_sees() -> None:
    """And no name is hidden by that of a module, which Python would put in its place."""
    packages = [package for package in modules() if lazy_names(package)]
    assert len(packages) > 20
    for package in packages:
        siblings = {name.rpartition(".")[2] for name in modules() if name.rpartition(".")[0] == package}
        assert not lazy_names(package) & siblings, package
        assert lazy_names(package) <= entry_points(package), package
        for name in entry_points(package) - siblings:
            assert getattr(importlib.import_module(package), name) is not None, f"{package}.{name}"


def test_no_class_name_means_two_things() -> None:
    defined: dict[str, list[str]] = {}
    for module in modules():
        for node in tree_of(module).body:
            name = node.name if isinstance(node, ast.ClassDef) else _alias_of(node)
            if name and not name.startswith("_"):
                defined.setdefault(name, []).append(module)
    assert not {name: places for name, places in defined.items() if len(places) > 1}


def _alias_of(node: ast.stmt) -> str:
    """The name of a type alias; empty where a statement is none."""
    if isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation):
        return ast.unparse(node.target)
    return ""


def test_a_folder_holds_a_dozen_files_at_most() -> None:
    folders = Counter(path.parent for path in modules().values() if path.name != "__init__.py")
    # The top level holds the plug-in contract as well; in collectors/ a file or folder is a source.
    many = {str(folder.relative_to(ROOT)): files for folder, files in folders.items() if files > MOST_FILES}
    assert not many.keys() - {PACKAGE, "collectors"}


def importers(module: str) -> set[str]:
    """Who imports a module, itself or by the entry points of its folder; a folder that offers it does not count."""
    package, _, name = module.rpartition(".")
    offers = {package} if lazy_names(package) else set()
    offered = {
        alias.name
        for node in nodes(tree_of(package))
        if isinstance(node, ast.ImportFrom) and node.module == name
        for alias in node.names
    }
    return {
        other
        for other in modules().keys() - offers
        for found, _ in names_imported(other)
        if found == module or found.rpartition(".")[0] == module or found in {f"{package}.{one}" for one in offered}
    }


@cache
def names_imported(module: str) -> tuple[tuple[str, int], ...]:
    """Dotted name, the imported name included, and line of all that a module imports."""
    return tuple(
        (f"{base_of(module, node)}.{alias.name}", node.lineno)
        for node in nodes(tree_of(module))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


def test_no_module_is_a_splinter_of_its_only_importer() -> None:
    small = [
        module
        for module, path in modules().items()
        if path.name not in ("__init__.py", "__main__.py")
        and len(path.read_text(encoding="utf-8").splitlines()) < SMALL_LINES
        and not (fnmatchcase(module, f"{PACKAGE}.collectors.*") and module.count(".") == 2)
        and len(importers(module)) == 1
    ]
    assert not [module for module in small if not any(fnmatchcase(module, f"{PACKAGE}.{one}") for one in SHIELDED)]


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


def test_libraries_stay_in_their_parts() -> None:
    assert not [told for module in modules() for told in libraries_out_of_place(module)]


def libraries_out_of_place(module: str) -> Iterator[str]:
    below = module.removeprefix(f"{PACKAGE}.")
    for name, line in imports(module):
        library = name.split(".")[0]
        if library == PACKAGE or library in sys.stdlib_module_names:
            continue
        allowed = LIBRARIES.get(library, "").split()
        if not any(fnmatchcase(below, part) or below.startswith(f"{part}.") for part in allowed):
            yield f"{modules()[module].relative_to(ROOT)}:{line} imports {library}"


def test_a_library_out_of_place_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for source, told in {"import numpy": 1, "from numpy import array": 1, "import ast, json": 0}.items():
        changed = partial(_tree_with, "pylatencymap.text.lines", ast.parse(source), tree_of)
        with monkeypatch.context() as patched:
            patched.setattr(sys.modules[__name__], "tree_of", changed)
            assert len(list(libraries_out_of_place("pylatencymap.text.lines"))) == told, source


def test_what_is_left_of_the_interval_needs_no_numpy() -> None:
    assert all(LAYER_OF[part.split(".")[0]] >= NUMPY_FROM for part in LIBRARIES["numpy"].split())


def test_collectors_know_of_intervals_and_of_scanning_where_they_scan() -> None:
    """Whatever recognises a text, or decodes it line by line, does without numpy."""
    collectors = [module for module in modules() if part_of(module) == "collectors"]
    assert len(collectors) > 20
    for module in collectors:
        parts = {part_of(name) for name, _ in imports(module) if name.split(".")[0] == PACKAGE}
        scans = any(fnmatchcase(module, f"{PACKAGE}.collectors.*.{name}") for name in ("scan", "scan_*", "bulk"))
        assert scans or not parts & {"intervals", "scan"}, module


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


def test_modules_say_what_they_are_and_stay_small() -> None:
    for module, path in modules().items():
        assert ast.get_docstring(tree_of(module)), f"{module} has no docstring"
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MODULE_LINES, path


def test_functions_stay_small() -> None:
    functions = [
        (f"{module}.{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for module in modules()
        for node in nodes(tree_of(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert not [(name, lines) for name, lines in functions if lines > FUNCTION_LINES]


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

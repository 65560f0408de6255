"""Text leaves the program in few places, each of which escapes it; a new one is added here, with its reason."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}
WAYS_OUT = {
    "pylatencymap/cli/standard_streams.py": "print_text, print_notice, show_progress and print_traceback escape",
    "pylatencymap/probes/keeper.py": "a process of its own; its messages are read and escaped by launcher.py",
    "collectors/bpf/probe/main.py": "a process of its own; its messages are read and escaped by launcher.py",
}
"""Where something is written to standard output or standard error."""
AS_IT_IS = {
    "pylatencymap/cli/session.py": "pictures: every cell was made of printable characters (view/paint/canvas.py)",
    "pylatencymap/cli/commands/convert.py": "records and JSON lines: names are escaped by decoders and by writers",
    "pylatencymap/cli/commands/compare.py": "pictures, as in session.py; JSON, as in report.py",
    "pylatencymap/cli/commands/fleet/prometheus.py": "as convert.py",
    "pylatencymap/cli/commands/events.py": "JSON: names, values and lines are escaped, the rest by the writer",
    "pylatencymap/cli/commands/report.py": "JSON: names are escaped by decoders, the rest by the writer",
    "pylatencymap/cli/standard_streams.py": "print_text, after it has escaped the text",
}
"""Who calls ``write_output``, which does not escape."""
UNGUARDED = {"print_exc", "print_exception", "print_stack", "warn", "displayhook", "excepthook", "basicConfig"}
"""Functions of the standard library that write to standard error."""


def modules() -> list[Path]:
    folders = (ROOT / "pylatencymap", ROOT / "collectors")
    return sorted({path.resolve() for folder in folders for path in folder.rglob("*.py")})


def name_of(path: Path) -> str:
    """Its name in the repository, also where links have become copies, as in a source distribution."""
    name = str(path.relative_to(ROOT))
    return name.removeprefix("pylatencymap/") if name.startswith("pylatencymap/collectors/") else name


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def writes_out(call: ast.Call) -> bool:
    """Whether a call is ``print``, a method ``write`` of a standard stream, or writes to descriptor 1 or 2."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in {"print", "pprint"}
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr in UNGUARDED:
        return True
    if function.attr not in {"write", "writelines"}:
        return False
    target = function.value
    if isinstance(target, ast.Attribute):
        return target.attr in STREAMS or (target.attr == "buffer" and "sys" in ast.dump(target))
    first = call.args[0] if call.args else None
    return (
        isinstance(target, ast.Name) and target.id == "os" and isinstance(first, ast.Constant) and first.value in (1, 2)
    )


def test_the_search_finds_them() -> None:
    for text in ("print(x)", "sys.stderr.write(x)", "sys.stdout.buffer.write(x)", "os.write(2, x)", "warnings.warn(x)"):
        call = ast.parse(text).body[0]
        assert isinstance(call, ast.Expr)
        assert isinstance(call.value, ast.Call)
        assert writes_out(call.value), text


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_nothing_is_printed_elsewhere(path: Path) -> None:
    name = name_of(path)
    found = [call.lineno for call in calls(path) if writes_out(call)]
    assert not found or name in WAYS_OUT, f"{name}:{found}: use print_text or print_notice (cli/standard_streams.py)"
    as_it_is = [call.lineno for call in calls(path) if getattr(call.func, "id", "") == "write_output"]
    assert not as_it_is or name in AS_IT_IS, f"{name}:{as_it_is}: print_text escapes what does not print"

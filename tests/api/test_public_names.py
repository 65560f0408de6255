"""What ``import pylatencymap`` gives, and what it costs."""

import subprocess
import sys
from pathlib import Path

import pytest

import pylatencymap as lm

PUBLIC = [
    "ComparedRuns",
    "Interval",
    "LatencyMapError",
    "Matrix",
    "Quantity",
    "Run",
    "Summary",
    "__version__",
    "compare",
    "from_spark",
    "read",
]


def python(program: str, root: Path) -> str:
    """What a program prints in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-c", program], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_public_names_are_all_there_is() -> None:
    assert sorted(lm.__all__) == dir(lm) == PUBLIC
    for name in PUBLIC:
        assert getattr(lm, name) is not None
    assert dir(lm) == PUBLIC


def test_each_public_name_says_what_it_is() -> None:
    for name in PUBLIC:
        if name != "__version__":
            assert getattr(lm, name).__doc__
    members = [getattr(lm.Run, name) for name in vars(lm.Run) if not name.startswith("__")]
    assert all(member.__doc__ for member in members if callable(member) and not member.__name__.startswith("_"))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'pylatencymap' has no attribute 'reed'"):
        lm.reed  # noqa: B018


def test_a_star_import_brings_the_public_names(root: Path) -> None:
    told = python("before = {*dir()}; from pylatencymap import *; print(*sorted({*dir()} - before - {'before'}))", root)
    assert told.split() == PUBLIC


def test_the_import_alone_loads_nothing(root: Path) -> None:
    program = "import sys; before = {*sys.modules}; import pylatencymap; print(*sorted({*sys.modules} - before))"
    assert python(program, root) == "pylatencymap"


def test_the_version_is_a_plain_text_in_the_first_lines(root: Path) -> None:
    """setup.cfg reads it without running the package."""
    (line,) = [line for line in (root / "pylatencymap/__init__.py").read_text().splitlines() if "__version__ =" in line]
    assert line == f'__version__ = "{lm.__version__}"'


@pytest.mark.timeout(900)
def test_type_checkers_see_the_real_types(root: Path, tmp_path: Path) -> None:
    """mypy reads the whole package, which takes minutes on a busy machine."""
    script = tmp_path / "user.py"
    script.write_text(
        "import pylatencymap as lm\n"
        "run = lm.read('x', format='bpf')\n"
        "reveal_type(run)\n"
        "reveal_type(run.matrix(columns=3).counts)\n"
        "reveal_type(next(run.intervals()).end)\n"
        "about = run.summary().p99\n"
        "reveal_type(about)\n"
        "lm.read('x', fromat='bpf')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(root / ".mypy_cache"), script],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert '"pylatencymap.api.run.Run"' in ran.stdout
    assert "ndarray[" in ran.stdout
    assert "float64]]" in ran.stdout
    assert 'Revealed type is "int"' in ran.stdout.replace("builtins.", "")
    assert "Quantity" in ran.stdout
    # mypy tells no errors of an installed package; here its modules are read as well, which want stubs of others.
    assert len([line for line in ran.stdout.splitlines() if "user.py:" in line and "error:" in line]) == 1
    assert 'Unexpected keyword argument "fromat"' in ran.stdout

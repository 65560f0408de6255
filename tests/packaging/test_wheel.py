"""What a clean clone is built into: wheel and sdist hold everything, and the wheel runs in an empty environment."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PACKAGE = "pylatencymap"
SCRIPTS = {f"{PACKAGE}/cli/commands/shell/scripts/{shell}" for shell in ("bash", "zsh", "fish")}
"""What is written when it is built."""


def call(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program that must succeed; its output is in the failure's report."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "SOURCE_DATE_EPOCH": "1700000000"
    }
    ended = subprocess.run([*map(str, command)], cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{command}\n{ended.stdout}\n{ended.stderr}"
    return ended


@pytest.fixture(scope="session")
def listed(root: Path) -> list[str]:
    """The files that git has or would take, and nothing that was built among them."""
    if not (root / ".git").exists() or not shutil.which("git"):
        pytest.skip("no git checkout: what a clean clone holds is not known")
    names = call("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=root).stdout
    return [name for name in names.split("\0") if name and (root / name).exists()]


@pytest.fixture(scope="session")
def clone(root: Path, listed: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean clone: links as links."""
    folder = tmp_path_factory.mktemp("clone")
    for name in listed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name, follow_symlinks=False)
    return folder


@pytest.fixture(scope="session")
def dist(clone: Path) -> Path:
    """The folder with the sdist and the wheel that was built from the sdist."""
    call(sys.executable, "-m", "build", clone)
    return clone / "dist"


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an empty environment into which the wheel was installed with what it requires."""
    environment = tmp_path_factory.mktemp("empty")
    call(sys.executable, "-m", "venv", environment)
    call(environment / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return environment / "bin"


def contents(wheel: Path) -> dict[str, bytes]:
    """Name and content of each file of the package in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.startswith(f"{PACKAGE}/")}


def metadata(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def test_the_wheel_holds_every_file_of_the_package(clone: Path, wheel: Path) -> None:
    package = sources(clone, PACKAGE)
    collectors = {f"{PACKAGE}/{name}" for name in sources(clone, "collectors")}
    assert {f"{PACKAGE}/oralatencymap.sql", f"{PACKAGE}/oracle_script/parts/settings.sql"} <= package
    assert f"{PACKAGE}/collectors/__init__.py" in collectors
    assert set(contents(wheel)) == package | collectors | SCRIPTS | {f"{PACKAGE}/py.typed"}


def sources(clone: Path, folder: str) -> set[str]:
    """Programs in any language, by name; links to folders are not followed."""
    suffixes = (".py", ".sql", ".bt", ".d", ".stp", ".c", ".js", ".css", ".html", ".ttf")
    found = (path for path in (clone / folder).rglob("*") if path.suffix in suffixes)
    return {path.relative_to(clone).as_posix() for path in found}


def test_files_behind_links_are_files(clone: Path, wheel: Path) -> None:
    assert contents(wheel)[f"{PACKAGE}/oralatencymap.sql"] == (clone / "oralatencymap.sql").read_bytes()


def test_the_clone_and_its_sdist_build_the_same_wheel(
    clone: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("direct")
    call(sys.executable, "-m", "build", "--wheel", "--outdir", folder, clone)
    (direct,) = folder.glob("*.whl")
    assert contents(direct) == contents(wheel)
    assert direct.read_bytes() == wheel.read_bytes()


def test_shells_and_man_find_what_they_need(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shared = {name.partition(".data/data/share/")[2] for name in archive.namelist() if ".data/" in name}
        (bash,) = (archive.read(name) for name in archive.namelist() if name.endswith("completions/pylatencymap"))
    programs = ("pylatencymap", "oralatencymap", "latencymap")
    assert {f"man/man1/{name}.1" for name in (*programs, "pylatencymap-report", "pylatencymap-live-bpf")} <= shared
    assert {f"bash-completion/completions/{name}" for name in programs} <= shared
    assert {f"fish/vendor_completions.d/{name}.fish" for name in programs} <= shared
    assert {"zsh/site-functions/_pylatencymap", "zsh/site-functions/_oralatencymap"} <= shared
    assert b"_shtab_pylatencymap_report_option_strings=" in bash


def test_the_page_of_an_index_leads_nowhere_else(wheel: Path) -> None:
    """No link or picture in it is relative; the words of links stay."""
    text = metadata(wheel).partition("\n\n")[2]
    assert "## " in text
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []


def test_the_sdist_holds_every_file_of_the_repository(dist: Path, listed: list[str]) -> None:
    """Its tests run, its links lead somewhere, and it can be worked on. Links are files in it."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {one.name.partition("/")[2] for one in archive if one.isfile()}
    linked = f"{PACKAGE}/collectors"
    assert {"README.md", "Makefile", "collectors/bpf/README.md", "benchmarks/README.md", linked} <= {*listed}
    assert {*listed} - {linked} - names == set()
    of_collectors = {f"{PACKAGE}/{name}" for name in listed if name.startswith("collectors/") and name.endswith(".py")}
    made = {name for name in names if ".egg-info/" in name or name.startswith("shell-files/")} | {"PKG-INFO"}
    assert {"shell-files/share/man/man1/pylatencymap.1"} < made
    more = names - {*listed} - made
    assert of_collectors <= more
    assert all(name.startswith(f"{linked}/") for name in more)


def test_the_metadata_names_licence_python_and_extras(wheel: Path) -> None:
    lines = metadata(wheel).splitlines()
    licences = {"License-Expression: Apache-2.0 AND Bitstream-Vera", "License-File: LICENSE"}
    assert licences | {"License-File: pylatencymap/export/fonts/LICENSE", "Requires-Python: >=3.10"} <= set(lines)
    of_all = {line.split(";")[0] for line in lines if line.endswith('extra == "all"')}
    of_dev = {line.split(";")[0] for line in lines if line.endswith('extra == "dev"')}
    names = {line.split(">")[0].removeprefix("Requires-Dist: ") for line in of_all}
    assert names == {"oracledb", "Pillow", "pyarrow", "zstandard", "lz4", "cramjam", "urllib3", "prometheus-client"}
    assert of_all < of_dev


def test_the_wheel_runs_in_an_empty_environment(installed: Path, tmp_path: Path) -> None:
    assert "replay" in call(installed / "pylatencymap", "--help", cwd=tmp_path).stdout
    assert "bpf" in call(installed / "pylatencymap", "collectors", cwd=tmp_path).stdout
    assert "_shtab_pylatencymap" in call(installed / "pylatencymap", "completions", "bash", cwd=tmp_path).stdout
    assert "BEGIN" in call(installed / "oralatencymap", "--print-sql", cwd=tmp_path).stdout

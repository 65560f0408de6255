"""Plug-ins of version 0.1.0, installed in a folder of their own, and a runner of command lines where they are."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pinned.runner import ROOT, Runner

HERE = Path(__file__).parent


def package(folder: Path, name: str, source: str, points: str) -> None:
    """Install a plug-in as pip does: its modules, and a dist-info that names its entry points."""
    for module in (HERE / source).glob("*.py"):
        shutil.copy(module, folder)
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(points)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    example = (HERE / "plugin-0.1/pyproject.toml").read_text()
    (points,) = re.findall(r'entry-points\."(pylatencymap\.collectors)"\]\n((?:\w+ = "\w+"\n)+)', example)
    package(folder, "latencymap-nginx", "plugin-0.1", f"[{points[0]}]\n{points[1]}".replace('"', ""))
    package(folder, "latencymap-more", "more-0.1", (HERE / "more-0.1/entry_points.txt").read_text())
    programs = folder / "bin"
    programs.mkdir()
    shutil.copy(HERE / "more-0.1/pylatencymap-till", programs)
    return folder


@pytest.fixture(scope="session")
def runner(installed: Path) -> Iterator[Runner]:
    path = f"{installed / 'bin'}:{os.environ['PATH']}"
    with Runner(PYTHONPATH=f"{installed}:{ROOT}", PATH=path) as made:
        yield made

"""The emulation of SQL*Plus, PL/SQL and the views. It is no Oracle Database; see the head of the script."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.oracle_script import script

FRAMES = 8
"""Frames of 3 s, and one before them: the emulation takes a fifth of a second for each."""

Run = Callable[..., tuple[str, list[str]]]


@pytest.fixture
def rig(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module ``mock_view`` of the emulation."""
    folder = shared / "oracle"
    if not (folder / "run_script.py").exists():
        pytest.skip(f"no emulation of SQL*Plus in {folder}")
    monkeypatch.syspath_prepend(str(folder))
    _keep_compiled(monkeypatch)
    return importlib.import_module("mock_view")


def _keep_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter keeps one compiled block; the script alternates between two, so that each has its own one."""
    module = importlib.import_module("run_script")
    block = module.MiniEngine.block

    def by_kind(engine: Any, text: str, binds: Any) -> None:
        kinds = engine.__dict__.setdefault("interpreters", {False: engine.interp})
        is_command = text.startswith("BEGIN ")
        engine.interp = kinds.get(is_command) or kinds.setdefault(is_command, module.MiniEngine(engine.mock).interp)
        block(engine, text, binds)

    monkeypatch.setattr(module.MiniEngine, "block", by_kind)


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A script of few frames."""
    path = tmp_path_factory.mktemp("short") / "oralatencymap.sql"
    path.write_text(script(FRAMES * 3 / 3600))
    return path


@pytest.fixture
def still(rig: Any) -> Callable[..., Any]:
    """A mock whose clock moves by sleeps only, so that every rate is exact."""

    def make(*, uptime: int = 1000, **options: Any) -> Any:
        start = rig.dt.datetime(2026, 1, 1, 10, tzinfo=rig.UTC)
        return rig.MockHistogram(clock=rig.SimClock(start, tick=0), uptime=uptime, **options)

    return make


@pytest.fixture
def run(rig: Any, short: Path) -> Run:
    """Run the script with arguments on a mock; returns what it printed and the errors."""

    def run(*args: str, mock: Any = None, path: Path = short, frames: int | None = None) -> tuple[str, list[str]]:
        module = importlib.import_module("run_script")
        mock = mock or rig.MockHistogram(clock=rig.SimClock())
        text, _, errors = module.run_script(path, args, mock, frames=frames)
        return text, errors

    return run


@pytest.fixture
def sqlplus(rig: Any, short: Path) -> Callable[..., Any]:
    """Run the script as a part of a session; returns the emulated SQL*Plus, ``exited`` None where it went on."""

    def sqlplus(*args: str, mock: Any = None, path: Path = short) -> Any:
        lite, module = importlib.import_module("sqlplus_lite"), importlib.import_module("run_script")
        mock = mock or rig.MockHistogram(clock=rig.SimClock())
        runner = lite.Runner(module.MiniEngine(mock), out=module.Limit())
        runner.exited, runner.begun_with = None, dict(runner.set)
        try:
            runner.start_args([str(path), *args])
        except lite.Exit as ending:
            runner.exited = ending.code
        return runner

    return sqlplus

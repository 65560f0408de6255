"""Shared fixtures."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.amounts import MANY

ROOT = Path(__file__).parent.parent
USUAL = (signal.SIGQUIT, signal.SIGHUP)

# A busy machine is no failure of the code under test. Continuous integration tries the same examples each time, so that
# only a change can break it; everybody else tries new ones.
# A test that does not say how many tries FEW, and MANY in ``make thorough``.
FEW = 30
THOROUGH = "thorough"
for name, examples in (("usual", FEW), (THOROUGH, MANY)):
    settings.register_profile(name, deadline=None, derandomize=bool(os.environ.get("CI")), max_examples=examples)


def is_thorough(config: pytest.Config) -> bool:
    return bool(config.option.markexpr == THOROUGH)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Property tests are thorough ones, too: before pytest chooses by marks."""
    if is_thorough(config):
        for item in items:
            # Early releases have this attribute, but no function for it.
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker(THOROUGH)


def pytest_configure(config: pytest.Config) -> None:
    """No configuration of the user counts in tests; and signals are as usual.

    A shell starts jobs in the background, and nohup all, to ignore these; so would every program under test.
    """
    settings.load_profile(THOROUGH if is_thorough(config) else "usual")
    os.environ["XDG_CONFIG_HOME"] = "/dev/null"  # no folder, and nobody can make one there
    for name in ("PALETTE", "BACKGROUND", "TZ", "SLO"):
        os.environ.pop(f"PYLATENCYMAP_{name}", None)
    for number, default in ((signal.SIGINT, signal.default_int_handler), *((one, signal.SIG_DFL) for one in USUAL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, default)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Captures with measured truth and the earlier tools' samples; tests that need them skip without."""
    folder = Path(os.environ.get("PYLATENCYMAP_SHARED", ROOT.parent / "shared"))
    if not (folder / "data" / "truth.json").exists():
        pytest.skip(f"no captures in {folder}; set PYLATENCYMAP_SHARED")
    return folder

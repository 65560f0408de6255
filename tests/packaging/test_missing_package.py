"""What is said of a package that is not there can be done: pip, the system's own package, or an environment."""

import sys
import sysconfig
from pathlib import Path

import pytest

from pylatencymap import errors
from pylatencymap.errors import MissingPackage


@pytest.fixture
def of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python into which pip installs nothing."""
    (tmp_path / "EXTERNALLY-MANAGED").write_text("[externally-managed]\n")
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)


def on_debian(monkeypatch: pytest.MonkeyPatch, *, there: bool) -> None:
    exists = errors.os.path.exists
    monkeypatch.setattr(errors.os.path, "exists", lambda path: there if path == "/etc/debian_version" else exists(path))


def test_an_environment_takes_it_by_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    assert str(MissingPackage("it needs it", "Pillow")).endswith(
        "it needs it: " + sys.executable + " -m pip install Pillow"
    )


@pytest.mark.usefixtures("of_the_system")
def test_debian_has_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    on_debian(monkeypatch, there=True)
    assert str(MissingPackage("it needs it", "Pillow")) == "it needs it: apt-get install python3-pil"
    assert "virtual environment" in str(MissingPackage("it needs it", "oracledb"))


@pytest.mark.usefixtures("of_the_system")
def test_elsewhere_it_is_an_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    on_debian(monkeypatch, there=False)
    assert str(MissingPackage("it needs it", "Pillow")) == (
        "it needs it: Pillow; install pylatencymap into a virtual environment, and Pillow with pip there"
    )

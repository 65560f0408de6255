"""The collectors are what lies in collectors/."""

from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.errors import UsageError


def test_names_are_the_modules_and_folders(root: Path) -> None:
    folder = root / "collectors"
    modules = {path.stem for path in folder.glob("*.py")}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert registry.collector_names() == sorted(name for name in modules | packages if not name.startswith("_"))
    assert "bpf" in registry.collector_names()


def test_load_gives_the_collector() -> None:
    assert "biolatency" in registry.load_collector("bpf").DESCRIPTION


@pytest.mark.parametrize("name", ["nobody", "", "../bpf", "bpf.decoder", "__init__"])
def test_an_unknown_name_is_a_usage_error_that_names_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match=r"known ones are .*bpf"):
        registry.load_collector(name)

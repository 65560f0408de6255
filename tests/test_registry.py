"""The collectors are what lies in collectors/."""

import subprocess
import sys
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.aggregate.spark import packed_package
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


FROM_ARCHIVE = """
import sys
sys.path.insert(0, sys.argv[1])
import pylatencymap
from pylatencymap import registry
assert pylatencymap.__file__.startswith(sys.argv[1]), pylatencymap.__file__
names = registry.collector_names()
print(*names)
print(*registry.probe_names())
print(*(name for name in names if registry.load_scan(registry.load_collector(name)) is not None))
"""


def test_a_package_in_an_archive_has_the_same_collectors(tmp_path: Path) -> None:
    """Executors of Spark get it so."""
    archive = packed_package(tmp_path)
    words = [sys.executable, "-c", FROM_ARCHIVE, str(archive)]
    told = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.splitlines()
    names = registry.collector_names()
    scanned = [name for name in names if registry.load_scan(registry.load_collector(name)) is not None]
    assert len(scanned) > 3
    assert [line.split() for line in told] == [names, registry.probe_names(), scanned]

"""The recipes of docs/acceptance.md run as they stand: on logs with known truth, and on those of fio itself."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.cli.conftest import stream

Shell = Callable[..., Any]
SECONDS = 10


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs/acceptance.md").read_text()


def block(page: str, language: str, about: str) -> str:
    """The code block in which a word stands."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (found,) = [text for text in blocks if about in text]
    return str(found)


def latencies(micros: float, per_second: int) -> list[tuple[int, int]]:
    """Milliseconds of a clock, and latencies in nanoseconds: a lognormal with this median."""
    count = SECONDS * per_second
    drawn = micros * 1000 * np.exp(0.4 * np.random.default_rng(11).standard_normal(count))
    return [(1_700_000_000_000 + place * 1000 // per_second, int(one)) for place, one in enumerate(drawn)]


def fio_log(micros: float, per_second: int) -> str:
    return "".join(f"{at}, {nanos}, 0, 4096, 0\n" for at, nanos in latencies(micros, per_second))


def pgbench_log(micros: float, per_second: int) -> str:
    """Eight clients; the first line begins with a 3, and must not be taken for names of columns."""
    return "".join(
        f"{(place + 3) % 8} {place // 8} {nanos // 1000} 0 {at // 1000} {at % 1000 * 1000}\n"
        for place, (at, nanos) in enumerate(latencies(micros, per_second))
    )


def writes(folder: Path, program: str, name: str, text: str) -> None:
    """Make a stand-in for a program that leaves a file."""
    (folder / "made").write_text(text)
    (folder / "bin" / program).write_text(f'#!/bin/sh\nexec cp "{folder}/made" "{folder}/{name}"\n')
    (folder / "bin" / program).chmod(0o755)


@pytest.mark.parametrize(
    ("micros", "per_second", "failing"),
    [
        (300, 2000, []),
        (1500, 2000, ["p99 > 2ms"]),
        (300, 500, ["rate < 1000/s"]),
        (9000, 2000, ["p99 > 2ms", "events_above(10ms) > 0.1%"]),
    ],
)
def test_storage(page: str, shell: Shell, tmp_path: Path, micros: float, per_second: int, failing: list[str]) -> None:
    writes(tmp_path, "fio", "storage_clat.1.log", fio_log(micros, per_second))
    ran = shell(block(page, "sh", "fio "))
    assert ran.status == (6 if failing else 0)
    assert "FREQUENCY" in ran.out
    tested = ElementTree.parse(tmp_path / "storage.xml").iter("testcase")
    assert [case.get("name") for case in tested if case.find("failure") is not None] == failing


def test_storage_that_was_not_measured_does_not_pass(page: str, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "bin/fio").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin/fio").chmod(0o755)
    ran = shell(block(page, "sh", "fio "))
    assert ran.status == 3
    assert len(list(ElementTree.parse(tmp_path / "storage.xml").iter("error"))) == 3


@pytest.mark.skipif(shutil.which("fio") is None, reason="needs fio")
def test_storage_with_fio_itself(page: str, shell: Shell, tmp_path: Path) -> None:
    """Shorter and smaller, and without --direct=1, which not all file systems of tests know."""
    recipe = block(page, "sh", "fio ")
    changed = {"--runtime=60": "--runtime=1", "--size=1g": "--size=4m", "--direct=1": "--direct=0"}
    for text, instead in changed.items():
        assert text in recipe
        recipe = recipe.replace(text, instead)
    ran = shell(recipe)
    assert ran.status in (0, 1, 6), ran.err  # what a busy machine does in a second may not suffice
    assert "rate < 1000/s " in ran.err
    assert len(list(ElementTree.parse(tmp_path / "storage.xml").iter("testcase"))) == 3


@pytest.mark.parametrize(("micros", "status", "compared"), [(3000, 0, 0), (4500, 0, 6), (60_000, 6, 6)])
def test_a_release_of_a_database(
    page: str, shell: Shell, tmp_path: Path, micros: float, status: int, compared: int
) -> None:
    recipe = block(page, "sh", "pgbench ")
    (tmp_path / "release-log.1").write_text("that of an earlier run\n")
    writes(tmp_path, "pgbench", "release-log.77", pgbench_log(3000, 1000))
    assert shell(recipe).status == 0
    (tmp_path / "new.lmap").rename(tmp_path / "last.lmap")
    writes(tmp_path, "pgbench", "release-log.77", pgbench_log(micros, 1000))
    ran = shell(recipe)
    assert (ran.status, "time_above(20ms) > 25%" in ran.err) == (status, True)
    (tmp_path / "compare.py").write_text(block(page, "python", "before.p99"))
    assert shell(f"{sys.executable} compare.py").status == compared


def test_the_other_conditions_of_the_page_are_understood(page: str) -> None:
    from pylatencymap.conditions import parse_condition

    quoted = re.findall(r"--fail-if '([^']+)'", page)
    indented = re.findall(r"^    ((?:any|all)\(.*\))$", page, re.MULTILINE)
    spans = [text for text in re.findall(r"`([^`\n]+)`", page) if re.search(r"\w.* [<>]=? ", text)]
    alerts = [text for text in spans if text.startswith("--alert ")]
    spans = [text for text in spans if text not in alerts]
    assert alerts
    assert (len(quoted), len(indented), len(spans)) >= (7, 3, 5)
    for text in (*quoted, *indented, *spans):
        assert parse_condition(text, comparing=True)


def test_the_error_on_the_page_is_what_is_said(page: str, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.lmap").write_text(stream("sda", {128: 5}, {128: 500}))
    said = shell("pylatencymap a.lmap --once --fail-if 'p99 > 20%'").err
    assert "".join(f"    {line}\n" for line in said.splitlines()) in page


def test_every_exit_status_and_measure_is_on_the_page(page: str) -> None:
    from pylatencymap.conditions.syntax import MEASURES, UNITS
    from pylatencymap.errors import Exit

    table = page.partition("| exit status |")[2].partition("\n\n")[0]
    assert {int(number) for number in re.findall(r"\b\d+\b", re.sub(r"\|[^|]*\|\n", "|\n", table))} == {*Exit}
    assert all(f"`{name}" in page for name in (*MEASURES, *filter(None, UNITS)))

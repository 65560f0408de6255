"""The real command, its answers, and a reading of its pictures that shares no code with it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.waiting import PATIENCE

SURROUNDINGS = {"TZ": "UTC", "COLUMNS": "120", "LINES": "40", "LC_ALL": "C.UTF-8"}
PICTURE_ROW = re.compile(r"^ *(?P<upper>(?:> )?[\d.]+ [num]?s) \|(?P<cells>.*)$")


class Answer(NamedTuple):
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Its JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def surroundings(root: Path) -> dict[str, str]:
    """An environment in which nothing of this terminal, zone or user shows."""
    return {**SURROUNDINGS, "PATH": os.environ["PATH"], "PYTHONPATH": str(root)}


@pytest.fixture(scope="session")
def run(surroundings: dict[str, str]) -> Callable[..., Answer]:
    """Runs ``pylatencymap ARGUMENTS``, with ``given`` on a pipe."""

    def run_it(*arguments: str | Path, given: str = "") -> Answer:
        done = subprocess.run(
            [sys.executable, "-m", "pylatencymap", *map(str, arguments)],
            input=given,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=surroundings,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    return run_it


@pytest.fixture(scope="session")
def convert(run: Callable[..., Answer]) -> Callable[..., Answer]:
    """``convert FILE --to jsonl`` with the captures' day and zone, once per file."""
    kept: dict[tuple[str | Path, ...], Answer] = {}

    def convert_it(*arguments: str | Path) -> Answer:
        if arguments not in kept:
            kept[arguments] = run("convert", *arguments, "--to", "jsonl", "--tz", "UTC")
        return kept[arguments]

    return convert_it


class Row(NamedTuple):
    """One row of a map: a cell per column, without the columns before the source began, and what is right of them."""

    cells: str
    numbers: str


@pytest.fixture(scope="session")
def rows_of() -> Callable[..., dict[str, Row]]:
    """The rows of one of the maps (0 frequency, 1 intensity) of an ASCII picture, by their label."""

    def read(picture: str, which: int = 0) -> dict[str, Row]:
        lines = picture.splitlines()
        heads = [number for number, line in enumerate(lines) if re.match(r"^ (FREQUENCY|INTENSITY) ", line)]
        width = next(len(axis[1]) for line in lines if (axis := re.match(r"^ {8}\+([-+A-Z0-9?]+)$", line)))
        rows = {}
        for line in lines[heads[which] + 1 :]:
            found = PICTURE_ROW.match(line)
            if not found:
                break
            rows[found["upper"]] = Row(found["cells"][:width].lstrip("/"), found["cells"][width:])
        return rows

    return read


Counts = list[list[int]]


def read_histograms(text: str, day: str | None) -> list[tuple[float, dict[str, Counts]]]:
    """Per interval its end, and the rows with events of each series that a BPF tool's text shows in it, read line by
    line without any grammar. ``day`` None: there are no stamps, and each interval begins after two blank lines.
    """
    found: list[tuple[float, dict[str, Counts]]] = []
    series, blanks = "all", 0
    for line in text.splitlines():
        words = line.split()
        if not words:
            blanks += 1
            continue
        if day and len(words) == 1 and re.fullmatch(r"\d\d:\d\d:\d\d", words[0]):
            moment = datetime.strptime(f"{day} {words[0]} +0000", "%Y-%m-%d %H:%M:%S %z")
            found.append((moment.timestamp(), {}))
        elif not day and blanks >= 2:
            found.append((len(found) + 1.0, {}))
        if "=" in words:
            series = words[words.index("=") + 1]
        elif words[-1] == "distribution":
            found[-1][1][series] = counts = []
            series = "all"
        elif words[1:2] == ["->"] and words[4] != "0":
            counts.append([int(words[0]), int(words[2]) + 1, int(words[4])])
        blanks = 0
    return found


@pytest.fixture(scope="session")
def read_apart() -> Callable[[str, str | None], list[tuple[float, dict[str, Counts]]]]:
    """A second reading of histogram text, independent of the program's."""
    return read_histograms


def stream_text(
    *prints: tuple[int | str, dict[int | str, int | str]],
    label: str = "disk",
    unit: str = "microsec",
    source: str | None = "bpf",
    date: str = "",
) -> str:
    """Records of a cumulative source as the earlier tool's connectors print them: stamp and counts by bucket."""
    records = []
    for stamp, counts in prints:
        metadata = [f"timestamp, microsec, {stamp}, {date}", f"label, {label}", f"latencyunit, {unit}"]
        metadata += [f"datasource, {source}"] if source is not None else []
        buckets = [f"{bucket}, {count}" for bucket, count in counts.items()]
        records.append("\n".join(["<begin record>", *metadata, *buckets, "<end record>", ""]))
    return "".join(records)


@pytest.fixture(scope="session")
def stream() -> Callable[..., str]:
    """Text of records: ``stream((micros, {bucket: count}), ..., label=, unit=, source=, date=)``."""
    return stream_text

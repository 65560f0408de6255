"""A live pipe in a process of its own: prints that come together at its start cost neither the clock nor an event."""

import json
import select
import subprocess
import sys
import time
from typing import IO

from tests.waiting import PATIENCE

PRINT = """
disk = vda
     usecs               : count    distribution
         0 -> 1          : 0        |   |
         2 -> 3          : 3        |** |
         4 -> 7          : 12       |***|

"""
EVENTS = 15
TOGETHER = 5
SILENCE = 0.3
"""Seconds in which nothing is printed; the reader needs half of it to see that the source is silent."""


def _speaks_within(output: IO[bytes], seconds: float) -> bool:
    return bool(select.select([output], [], [], seconds)[0])


def test_prints_that_come_together_are_timed_once_the_pipe_has_shown_that_it_is_live() -> None:
    begun = time.time()
    command = [sys.executable, "-m", "pylatencymap", "convert", "--to", "jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write((PRINT * TOGETHER).encode())
        reader.stdin.flush()
        printed = TOGETHER
        # A slow machine may read several of the single prints together as well: go on until it has said something.
        while not _speaks_within(reader.stdout, SILENCE) and time.time() < begun + PATIENCE:
            reader.stdin.write(PRINT.encode())
            reader.stdin.flush()
            printed += 1
        assert _speaks_within(reader.stdout, 0)
        output, said = reader.communicate(timeout=PATIENCE)
    found = [one for one in map(json.loads, output.splitlines()) if not one["gap"]]
    assert said == b""
    assert all(one["clock"] for one in found)
    assert sum(count for one in found for *_, count in one["counts"]) == printed * EVENTS
    assert [one["end"] for one in found] == sorted({one["end"] for one in found})
    assert begun < found[-1]["end"] < time.time()

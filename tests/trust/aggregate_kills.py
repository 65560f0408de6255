"""Kills aggregations at random moments and goes on with each: ``python -m tests.trust.aggregate_kills --kills 10``.

However often it was killed, the output must have the bytes of a run that was left alone, and each run must take over
what those before it have noted.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.aggregate.asking import biolatency, strace, waits

BYTES = 40_000_000
"""Of the largest trace: it is counted in several splits only if it is far larger than 64 MB, see ``--bytes``."""


def archive(folder: Path, numbers: random.Random, size: int) -> None:
    """Files of three kinds; the largest has ``size`` bytes."""
    folder.mkdir()
    head, *lines = waits(numbers, 20_000, 1_774_000_000).splitlines(keepends=True)
    text = "".join(lines)
    (folder / "large.trc").write_text(head + text * (size // len(text)))
    for number in range(6):
        (folder / f"{number}.trc").write_text(waits(numbers, 5_000, 1_774_000_000 + 100 * number))
        (folder / f"{number}.strace").write_text(strace(numbers, 5_000, 1_774_000_000 + 50 * number))
    (folder / "biolatency.txt").write_text(biolatency(numbers, 2_000))


def command(folder: Path, output: Path) -> list[str]:
    words = ["aggregate", str(folder), "-o", str(output), "--interval", "1", "--resolution", "8", "--jobs", "2"]
    return [sys.executable, "-m", "pylatencymap", *words]


def killed_and_resumed(kills: int, seed: int, size: int = BYTES) -> list[int]:
    """Kill as many runs, then let one end; returns how many tasks were noted before each kill. A run that ends before
    it is killed does not count, and the next one begins again. Fails if the output is not that of an undisturbed run.
    """
    numbers, noted, before = random.Random(seed), list[int](), 0
    with tempfile.TemporaryDirectory() as place:
        folder, alone, output = Path(place, "archive"), Path(place, "alone.lmap"), Path(place, "killed.lmap")
        archive(folder, numbers, size)
        begun = time.monotonic()
        subprocess.run(command(folder, alone), check=True, stderr=subprocess.DEVNULL)
        usual = time.monotonic() - begun
        while len(noted) < kills:
            found = _killed_after(command(folder, output), numbers.random() * usual / 2, output)
            if found is None:
                assert output.read_bytes() == alone.read_bytes()
                output.unlink()
            else:
                assert found >= before, "what was done once is not done again"
                noted.append(found)
            before = found or 0
        subprocess.run(command(folder, output), check=True, stderr=subprocess.DEVNULL)
        assert output.read_bytes() == alone.read_bytes()
        assert not list(Path(place).glob("*.unfinished"))
    return noted


def _killed_after(words: list[str], seconds: float, output: Path) -> int | None:
    """Kill a run, with all its processes, after a time; returns how many tasks are noted. None if the output was
    complete before, and the run had ended or was about to: then its notes are removed.
    """
    run = subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert run.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    if output.exists():
        return None
    log = Path(f"{output}.unfinished/done.jsonl")
    return log.read_bytes().count(b"\n") if log.exists() else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bytes", type=int, default=BYTES)
    options = parser.parse_args()
    noted = killed_and_resumed(options.kills, options.seed, options.bytes)
    print(f"{options.kills} kills, with {noted} tasks done before: the same bytes")


if __name__ == "__main__":
    main()

"""Long lines of one repeated pattern, in every sample of every collector: no line may take more than linear time.

By hand: ``python -m tests.trust.long_lines [KILOBYTES] [FORMAT...]`` (default 100 kB, all formats) runs every pattern
in every place; ``test_long_lines.py`` runs some of them. CPU time is measured, which other load does not change.
"""

import gzip
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pylatencymap.errors import LatencyMapError
from pylatencymap.export.data.json_lines import json_line
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, intervals_from
from pylatencymap.session.input.source import StopRequest, source_of

SAMPLES = Path(__file__).parent.parent / "collectors" / "samples"
PATTERNS = (
    *(" ", "\t", "0", "a", "a ", "a=", "a,", ",", "1,", "(", "[", "{", '"', '\\"', "'", "<", ">", "|", "@", "-", "- "),
    *(".", "1.", ":", "1:", "a:", "a(", "a)", "#", "=", "e", "1e", "_", "0 ", "a.", "+", "/", "*", "[1, 2) ", "a\0"),
    *(
        "\u00e9",
        "%",
        "1-",
        "\x1b[",
        "\x1b]",
        "\x1b",
        "\x1bP",
        "))",
        "()",
        "[]",
        "{}",
        "a[",
        "@a[",
        "a:a ",
        "a = ",
        "/a",
    ),
    *(
        "1 ",
        "1 a ",
        "a-a ",
        "12:00:00 ",
        "\u0661",
        "a\u00a0",
        "\r",
        "x\r ",
        '{"',
        '["a",',
        '"a":',
        '"a" ',
        "<a> ",
        "->",
    ),
    *(
        "0 -> 1 : ",
        "usec",
        "us (",
        "a{b=",
        'a{b="',
        '",',
        "le=",
        "D R ",
        "+ 8 ",
        "*\u2003",
        "&",
        ";",
        "a;b=",
        "Tracing ",
    ),
)
LIMIT = 5.0
"""Seconds of CPU for each MB of an input, and at least, after which it counts as hanging."""
TASTED = 0.25
"""Seconds of CPU below which nothing is compared: too little to tell linear from quadratic."""


class Hang(BaseException):
    """The limit is reached. No Exception, so that nobody catches it."""


class LongInput(NamedTuple):
    """A sample with long lines; ``format`` None lets recognition find it."""

    name: str
    format: str | None
    data: bytes


def sample_of(folder: str) -> bytes:
    """The largest sample of a collector that is not refused."""
    files = [path for path in sorted((SAMPLES / folder).iterdir()) if path.is_file()]
    data = max(files, key=lambda path: ("refused" not in path.name, path.stat().st_size)).read_bytes()
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def long_inputs(folder: str, pattern: str, size: int, places: int = 7) -> Iterator[LongInput]:
    """A sample with ``size`` bytes of a pattern behind, within and between some of its lines."""
    lines = sample_of(folder).split(b"\n")
    full = [number for number, line in enumerate(lines) if line.strip()]
    chosen = sorted({full[len(full) * part // places] for part in range(places)})
    piece = pattern.encode()
    long = (piece * (size // len(piece) + 1))[:size]
    tail, middle, between = list(lines), list(lines), list(lines)
    for number in chosen:
        line = lines[number]
        tail[number] = line + long
        middle[number] = line[: len(line) // 2] + long + line[len(line) // 2 :]
    for number in chosen[:2]:
        between[number] = long + b"\n" + lines[number]
    header = list(lines)
    header[chosen[0]], middle[chosen[0]] = middle[chosen[0]], lines[chosen[0]]
    own = None if folder == "foreign" else folder
    for where, made in (("behind", tail), ("within", middle), ("in the first", header)):
        yield LongInput(f"{folder} {pattern!r} {where}", own, b"\n".join(made))
    yield LongInput(f"{folder} {pattern!r} between", None, b"\n".join(between))


def read_to_the_end(one: LongInput) -> None:
    """Read an input the way every command does, up to JSON lines."""
    descriptor, stop = os.memfd_create("input"), StopRequest()
    try:
        os.write(descriptor, one.data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        source, report = source_of("input", descriptor, stop), Report("input", say=lambda _: None)
        with suppress(LatencyMapError):
            for interval in intervals_from(source, ReadPlan(format=one.format), report, lambda _: None):
                json_line(interval)
    finally:
        os.close(descriptor)
        stop.close()


def cpu_seconds(one: LongInput) -> float:
    """The CPU time that an input takes; raises Hang at the limit."""
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LIMIT * max(1.0, len(one.data) / 1_000_000))
    try:
        read_to_the_end(one)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - begun


def stop_hanging(*_: object) -> None:
    raise Hang


def _place_of(error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "latencymap" in frame.filename]
    return " ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-2:])


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGPROF, stop_hanging)
    size = int(arguments[0]) * 1000 if arguments else 100_000
    folders = arguments[1:] or sorted(path.name for path in SAMPLES.iterdir())
    count, wrong, slow = 0, 0, []
    for folder in folders:
        for pattern in PATTERNS:
            for one in long_inputs(folder, pattern, size):
                count += 1
                try:
                    slow.append((cpu_seconds(one), one.name))
                except (Exception, Hang) as error:  # noqa: BLE001 - crashes are what is looked for
                    wrong += 1
                    what = type(error).__name__
                    print(f"{what} {one.name} {_place_of(error)} {str(error)[:80]}", flush=True)
    for seconds, name in sorted(slow, reverse=True)[:25]:
        print(f"{seconds:.2f} s of CPU: {name}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{count} inputs of {size // 1000} kB lines, {wrong} crashes and hangs, peak {peak} MB")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

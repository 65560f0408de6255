"""Large files of single events: two modes, a cache and a spindle, the same text for the same seed; and damaged ones.

python benchmarks/lines.py strace --megabytes 200 > strace.txt
python benchmarks/lines.py fio --megabytes 20 --damaged > damaged.log
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from random import Random

from traces import trace

FIRST_MICROS = 1_769_850_000_000_000
DAMAGED_SHARE = 0.02
_FOREIGN = (
    b"",
    b"   ",
    b"=====================",
    b"*** 2026-01-31 09:00:00.123",
    b"Lost 12 events",
    b"strace: Process 4711 attached",
    b"4321 1769850000.000001 --- SIGCHLD {si_signo=SIGCHLD} ---",
    b"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)",
    b"0, 12, 0, 0",
)


def _micros(rng: Random) -> int:
    """A latency of the cache or of the spindle."""
    return rng.randrange(60, 240) if rng.random() < 0.8 else rng.randrange(4000, 15_000)


def fio(seed: int = 1) -> Iterator[bytes]:
    """A latency log of fio 3: time in ms, latency in ns, direction, block size, offset, priority."""
    rng, micros = Random(seed), 0
    while True:
        micros += rng.randrange(1, 100)
        nanos = _micros(rng) * 1000 + rng.randrange(1000)
        offset = rng.randrange(1 << 18) * 4096
        yield b"%d, %d, %d, 4096, %d, 0" % (micros // 1000, nanos, rng.random() < 0.3, offset)


def strace(seed: int = 1) -> Iterator[bytes]:
    """``strace -f -ttt -T`` of a few processes that read, write and wait."""
    rng, micros = Random(seed), FIRST_MICROS
    data = b"\\177ELF\\2\\1\\1\\0\\0\\0\\0\\0"
    while True:
        micros += rng.randrange(1, 200)
        pid, taken, size = rng.randrange(22_551, 22_555), _micros(rng), rng.choice((512, 4096, 8192))
        kind = rng.random()
        if kind < 0.7:
            call = b'pread64(7, "%b"..., %d, %d) = %d' % (data, size, rng.randrange(1 << 18) * 4096, size)
        elif kind < 0.85:
            call = b'write(4, "%b"..., %d) = %d' % (data, size, size)
        elif kind < 0.95:
            call = b"%-39b = 0" % (b"futex(0x7f12602c%04x, FUTEX_WAKE, 1)" % rng.randrange(1 << 16))
        else:
            call = b"read(5, 0x7ffe8fec7b08, 16) = -1 EAGAIN (Resource temporarily unavailable)"
        yield b"%-5d %d.%06d %b <%d.%06d>" % (pid, micros // 10**6, micros % 10**6, call, 0, taken)


def biosnoop(seed: int = 1) -> Iterator[bytes]:
    """``biosnoop`` of bcc on two disks."""
    rng, micros = Random(seed), 0
    yield b"TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)"
    while True:
        micros += rng.randrange(1, 200)
        comm, disk = (
            rng.choice((b"fio", b"jbd2/vda1-8", b"kworker/u8:3", b"postgres")),
            rng.choice((b"vda", b"nvme0n1")),
        )
        direction, sector = rng.choice((b"R", b"W")), rng.randrange(1 << 28)
        time, latency = b"%d.%06d" % divmod(micros, 10**6), b"%.2f" % (_micros(rng) / 1000)
        yield b"%-11b %-14b %-7d %-9b %-1b %-10d %-7d %7b" % (time, comm, 4711, disk, direction, sector, 4096, latency)


def oracle(seed: int = 1) -> Iterator[bytes]:
    """A dense SQL trace."""
    for text in trace(1e9, True, seed):
        yield from text.encode().splitlines()


def damaged(lines: Iterator[bytes], seed: int = 1) -> Iterator[bytes]:
    """The lines, some but the first damaged as in files that were cut, edited, or copied from a terminal."""
    rng = Random(seed)
    yield next(lines)
    for line in lines:
        if rng.random() >= DAMAGED_SHARE:
            yield line
            continue
        yield from rng.choice(_DAMAGES)(line, rng)


def _longer(line: bytes, rng: Random) -> list[bytes]:
    """A number with many more digits, but the first one: a time of another clock would be that of another file."""
    places = [place for place, char in enumerate(line) if chr(char).isdigit() and b" " in line[:place]] or [0]
    place = rng.choice(places)
    return [line[:place] + b"9" * rng.choice((1, 8, 20)) + line[place:]]


def _overwritten(line: bytes, rng: Random) -> list[bytes]:
    place = rng.randrange(len(line) + 1)
    return [
        line[:place] + rng.choice((b"\xff", b"\xc3", b"\0", b"-", b" ", b"x", b"0", b"\t", b"\r")) + line[place + 1 :]
    ]


_DAMAGES: tuple[Callable[[bytes, Random], list[bytes]], ...] = (
    lambda line, _: [line + b"\r"],
    lambda line, _: [b"  " + line + b" "],
    lambda line, rng: [line[: rng.randrange(len(line) + 1)]],
    lambda line, rng: [line[: rng.randrange(len(line) + 1)] + line],
    lambda line, _: [line.replace(b" ", b"  ")],
    lambda line, rng: [b"\x1b[1m" + line + b"\x1b[0m", rng.choice(_FOREIGN)],
    lambda line, rng: [rng.choice(_FOREIGN), line],
    lambda line, _: [line, line],
    _longer,
    _overwritten,
    _overwritten,
)
KINDS = {"fio": fio, "strace": strace, "biosnoop": biosnoop, "oracle": oracle}


def text(kind: str, size: int, *, damage: bool = False, seed: int = 1) -> Iterator[bytes]:
    """Lines with their ends up to so many bytes; of damaged text the last line is cut."""
    lines, left = KINDS[kind](seed), size
    for line in damaged(lines, seed) if damage else lines:
        left -= len(line) + 1
        if left <= 0:
            yield line[: len(line) // 2] if damage else b""
            return
        yield line + b"\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a large file of events on stdout.", allow_abbrev=False)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--megabytes", type=float, default=200.0)
    parser.add_argument("--damaged", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.stdout.buffer.writelines(text(options.kind, round(options.megabytes * 1e6), damage=options.damaged))


if __name__ == "__main__":
    main()

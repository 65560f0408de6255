"""Large inputs for the benchmarks: a fast mode and a slow one, the same text for the same seed.

python benchmarks/generate.py biolatency --megabytes 10 > big.txt
python benchmarks/generate.py stream --megabytes 1 > big.lmap
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from math import exp, sin, sqrt
from random import Random

ROWS = 16
FAST_ROW, SLOW_ROW = 7.3, 13.8
FAST_EVENTS, SLOW_EVENTS = 600.0, 90.0
STARS = 40
DISKS = ("sda", "loop0")
DAY = 86_400
FIRST_STAMP = 1_700_000_000
INCIDENT, RESTART, SILENCE = 97_920, 142_207, 201_600
"""Seconds after the beginning of ``days``: each in a day of its own."""


def counts(rng: Random) -> list[int]:
    """Events in one second per row as bcc has them: row k is [2^k, 2^(k + 1)) us, row 0 is [0, 2)."""
    means = (
        FAST_EVENTS * exp(-((k + 0.5 - FAST_ROW) ** 2)) + SLOW_EVENTS * exp(-((2 * (k + 0.5 - SLOW_ROW)) ** 2))
        for k in range(ROWS)
    )
    return [max(0, round(rng.gauss(mean, sqrt(mean)))) for mean in means]


def biolatency(seed: int = 1) -> Iterator[str]:
    """Prints of ``biolatency -D -T 1``, one a second, without end; the first brings the banner."""
    rng = Random(seed)
    yield "Tracing block device I/O... Hit Ctrl-C to end.\n\n"
    second = 0
    while True:
        minutes, seconds = divmod(second % DAY, 60)
        sections = "".join(f"disk = {disk}\t\n{_histogram(counts(rng))}\n" for disk in DISKS)
        yield f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}\n\n{sections}"
        second += 1


def _histogram(events: list[int]) -> str:
    """Rows as bcc prints them: from 0, down to the last bucket in use."""
    used = max((k for k, count in enumerate(events) if count), default=0)
    most = max(events) or 1
    rows = ["     usecs               : count    distribution\n"]
    for k, count in enumerate(events[: used + 1]):
        lower, stars = (1 << k if k else 0), "*" * (STARS * count // most)
        rows.append(f"{lower:10d} -> {(2 << k) - 1:<10d} : {count:<8d} |{stars:<{STARS}}|\n")
    return "".join(rows)


def stream(seed: int = 1) -> Iterator[str]:
    """Records of the record stream, cumulative, one a second, without end."""
    rng, sums, second = Random(seed), [0] * ROWS, 0
    while True:
        sums = [total + count for total, count in zip(sums, counts(rng), strict=True)]
        rows = "".join(f"{1 << k},{total}\n" for k, total in enumerate(sums))
        yield (
            f"<begin record>\ntimestamp,microsec,{(FIRST_STAMP + second) * 1_000_000},generated\n"
            f"label,generated\nlatencyunit,microsec\ndatasource,bpf\n{rows}<end record>\n"
        )
        second += 1


def days(seed: int = 1, disks: Sequence[str] = DISKS) -> Iterator[str]:
    """Prints of the record stream, a record of each disk a second: totals under a load that follows the time of day,
    with an incident, a restart of the counters and an hour without prints.
    """
    rng, second = Random(seed), 0
    sums = {disk: [0] * ROWS for disk in disks}
    while True:
        load = 0.6 + 0.4 * sin(second / DAY * 6.283)
        rows = counts(rng)
        for totals in sums.values():
            for k, count in enumerate(rows):
                totals[k] = (0 if second == RESTART else totals[k]) + round(count * load)
        if INCIDENT <= second < INCIDENT + 1200:
            sums[disks[0]][ROWS - 1] += 25
        if not SILENCE <= second < SILENCE + 3600:
            yield "".join(_record_of(disk, second, totals) for disk, totals in sums.items())
        second += 1


def _record_of(disk: str, second: int, totals: list[int]) -> str:
    rows = "".join([f"{1 << k},{total}\n" for k, total in enumerate(totals) if total])
    return (
        f"<begin record>\ntimestamp,microsec,{(FIRST_STAMP + second) * 1_000_000},generated\n"
        f"label,{disk}\nlatencyunit,microsec\ndatasource,bpf\n{rows}<end record>\n"
    )


def octaves(rows: int, seed: int = 1) -> Iterator[str]:
    """Records of the record stream with events in ``rows`` octaves of nanoseconds, two modes that wander up and down;
    cumulative, one a second, without end.
    """
    rng, sums, second = Random(seed), [0] * rows, 0
    while True:
        fast, slow = 0.3 + 0.08 * sin(second / 40), 0.75 + 0.07 * sin(second / 25 + 1)
        for k in range(rows):
            place = (k + 0.5) / rows
            mean = 3000 * exp(-(((place - fast) * 9) ** 2)) + 1500 * exp(-(((place - slow) * 7) ** 2))
            sums[k] += 1 + round(mean * rng.uniform(0.6, 1.4))
        lines = "".join(f"{1 << k},{total}\n" for k, total in enumerate(sums))
        yield (
            f"<begin record>\ntimestamp,microsec,{(FIRST_STAMP + second) * 1_000_000},generated\n"
            f"label,generated\nlatencyunit,nanosec\ndatasource,bpf\n{lines}<end record>\n"
        )
        second += 1


def up_to(size: int, prints: Iterable[str]) -> Iterator[str]:
    """Whole prints until ``size`` characters are reached."""
    written = 0
    for text in prints:
        yield text
        written += len(text)
        if written >= size:
            return


KINDS = {"biolatency": biolatency, "stream": stream, "days": days}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a large input on stdout.", allow_abbrev=False)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--megabytes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.stdout.writelines(up_to(round(options.megabytes * 1e6), KINDS[options.kind](options.seed)))


if __name__ == "__main__":
    main()

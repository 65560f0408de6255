"""What the probes of block I/O have in common: their options, and the disks that the tracepoints know."""

from __future__ import annotations

import argparse
import re

from ..errors import UsageError
from .machine import Machine

WAITING_FOR_IO = "no request has completed on the disks that are watched"
BLOCK = "/sys/class/block"
DISKSTATS = "/proc/diskstats"
"""A line per disk: major, minor, name, reads that have completed since boot, three more numbers of reads, writes."""
OPERATIONS = ("read", "write")
"""What an idle disk is said to have none of."""
FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20}


def add_block_options(to: argparse.ArgumentParser) -> None:
    """What is measured, and of which requests."""
    group = to.add_argument_group("probe")
    group.add_argument(
        "-Q", "--queued", action="store_true", help="the time in the queue as well; default: from issue to completion"
    )
    group.add_argument(
        "--disk", type=disk_name, metavar="NAME", action="append", default=[], help="only this disk (repeatable)"
    )
    group.add_argument(
        "--min-bytes",
        type=byte_size,
        metavar="N",
        default=0,
        help="only requests of N bytes and more, as in 4096 or 64k",
    )


def disk_name(text: str) -> str:
    """A disk as /sys/class/block names it."""
    return text.removeprefix("/dev/").replace("/", "!")


def byte_size(text: str) -> int:
    """Bytes."""
    found = re.fullmatch(r"(\d{1,15})([km]?)", text.lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write bytes as in 4096, 64k or 1M")
    return int(found[1]) * FACTORS[found[2]]


def check_disks(disks: list[str], machine: Machine) -> None:
    """Raises UsageError for a disk that the tracepoints do not know."""
    for disk in disks:
        folder = f"{BLOCK}/{disk}"
        if not machine.exists(f"{folder}/dev"):
            raise UsageError(f"there is no disk {disk!r}; lsblk lists them")
        if machine.exists(f"{folder}/partition"):
            raise UsageError(f"{disk} is a partition, and requests are of whole disks: name the disk that it is on")
        if machine.exists(f"{folder}/dm") and not machine.exists(f"{folder}/mq"):
            raise UsageError(f"{disk} has no requests, it passes I/O on: name the disks below it (lsblk shows them)")


def idle_disks(disks: list[str], machine: Machine) -> list[str]:
    """Disks that are drawn while nothing happens on them: those that were named, else the one that has done most since
    boot; none where that cannot be told.
    """
    if disks:
        return disks
    done = {name: count for name, count in _completed(machine).items() if machine.exists(f"{BLOCK}/{name}/mq")}
    busiest = max(done, key=lambda name: done[name], default=None)
    return [busiest] if busiest is not None and done[busiest] else []


def _completed(machine: Machine) -> dict[str, int]:
    """Reads and writes that have completed since boot, by the names of disks and partitions."""
    rows = [line.split() for line in machine.read(DISKSTATS).splitlines()]
    return {row[2].replace("/", "!"): int(row[3]) + int(row[7]) for row in rows if len(row) > 7}


def idle_series(disks: list[str], machine: Machine) -> tuple[tuple[str, ...], ...]:
    """The series that these disks have while nothing happens on them."""
    return tuple(tuple(f"{disk},{operation}" for operation in OPERATIONS) for disk in idle_disks(disks, machine))


def measurement_label(options: argparse.Namespace) -> str:
    """What is measured, in the words of a title."""
    return "block I/O " + ("queue and service time" if options.queued else "service time")


def device_number(disk: str, machine: Machine) -> int:
    """The number by which the tracepoints know a disk: major << 20 | minor."""
    major, _, minor = machine.read(f"{BLOCK}/{disk}/dev").strip().partition(":")
    return int(major) << 20 | int(minor)

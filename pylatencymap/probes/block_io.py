"""Shared by all probes of block I/O: their options, and the disks that the tracepoints know."""

from __future__ import annotations

import argparse
import re

from ..errors import UsageError
from .machine import Machine

WAITING_FOR_IO = "no request has completed on the disks that are watched"
BLOCK = "/sys/class/block"
DISKSTATS = "/proc/diskstats"
"""One line per disk: major, minor, name, reads completed since boot, three more numbers about reads, writes completed.
Source: Documentation/admin-guide/iostats.rst of Linux.
"""
OPERATIONS = ("read", "write")
"""The operations whose series an idle disk has, with zeros."""
FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20}


def add_block_options(to: argparse.ArgumentParser) -> None:
    """Add the options that choose what is measured, and for which requests."""
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
    """Convert a disk name to the form that /sys/class/block uses."""
    return text.removeprefix("/dev/").replace("/", "!")


def byte_size(text: str) -> int:
    """Parse a size such as 4096, 64k or 1M into bytes."""
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
    """The disks that are drawn even while they are idle: those that the user named, else the disk with the most
    requests since boot; none if that is unknown.
    """
    if disks:
        return disks
    done = {name: count for name, count in _completed(machine).items() if machine.exists(f"{BLOCK}/{name}/mq")}
    busiest = max(done, key=lambda name: done[name], default=None)
    return [busiest] if busiest is not None and done[busiest] else []


def _completed(machine: Machine) -> dict[str, int]:
    """The number of reads and writes completed since boot, by the name of the disk or partition."""
    rows = [line.split() for line in machine.read(DISKSTATS).splitlines()]
    return {row[2].replace("/", "!"): int(row[3]) + int(row[7]) for row in rows if len(row) > 7}


def idle_series(disks: list[str], machine: Machine) -> tuple[tuple[str, ...], ...]:
    """The series of each disk that is drawn while idle."""
    return tuple(tuple(f"{disk},{operation}" for operation in OPERATIONS) for disk in idle_disks(disks, machine))


def measurement_label(options: argparse.Namespace) -> str:
    """What is measured, in words for the title."""
    return "block I/O " + ("queue and service time" if options.queued else "service time")


def device_number(disk: str, machine: Machine) -> int:
    """The number of a disk in the tracepoints: major << 20 | minor."""
    major, _, minor = machine.read(f"{BLOCK}/{disk}/dev").strip().partition(":")
    return int(major) << 20 | int(minor)

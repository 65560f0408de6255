"""What the probes of block I/O have in common: their options, and the disks that the tracepoints know."""

from __future__ import annotations

import argparse
import re

from ..errors import UsageError
from .machine import Machine

WAITING = "no request has completed on the disks that are watched"
BLOCK = "/sys/class/block"
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
        "--min-bytes", type=size, metavar="N", default=0, help="only requests of N bytes and more, as in 4096 or 64k"
    )


def disk_name(text: str) -> str:
    """A disk as /sys/class/block names it."""
    return text.removeprefix("/dev/").replace("/", "!")


def size(text: str) -> int:
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


def device_number(disk: str, machine: Machine) -> int:
    """The number by which the tracepoints know a disk: major << 20 | minor."""
    major, _, minor = machine.read(f"{BLOCK}/{disk}/dev").strip().partition(":")
    return int(major) << 20 | int(minor)

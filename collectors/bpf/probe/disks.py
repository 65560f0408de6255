"""Disks by name, and by the numbers that the tracepoints have."""

from __future__ import annotations

import os

from .failed import Failed


def number_of(disk: str) -> int:
    """The number by which the tracepoints know a disk."""
    try:
        with open(f"/sys/class/block/{disk}/dev") as file:
            major, minor = file.read().split(":")
    except (OSError, ValueError):
        raise Failed(f"there is no disk {disk!r}; see lsblk") from None
    return int(major) << 20 | int(minor)


def name_of(number: int) -> str:
    """The name of a disk, else its numbers."""
    device = f"{number >> 20}:{number & 0xFFFFF}"
    try:
        return os.path.basename(os.readlink(f"/sys/dev/block/{device}"))
    except OSError:
        return device

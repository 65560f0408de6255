"""Names of block devices, looked up by number in /sys of this machine: 7340032, 7:0 and 7,0 can all mean loop0."""

import os
from collections.abc import Sequence
from functools import lru_cache

FOLDER = "/sys/dev/block"
"""A folder of links to the devices, named MAJOR:MINOR. Source: Documentation/ABI/testing/sysfs-dev of Linux."""

_MINOR_BITS = 20
_LARGEST = (1 << 32) - 1


@lru_cache(maxsize=4096)
def device_named(major: int, minor: int, folder: str = FOLDER) -> str | None:
    """The name of a block device of this machine, or None if it has no such device."""
    try:
        target = os.readlink(f"{folder}/{major}:{minor}")
    except OSError:
        return None
    return os.path.basename(target) or None


def with_device_names(keys: Sequence[str], *, of_disks: bool, folder: str = FOLDER) -> list[str]:
    """The keys, with device numbers of this machine replaced by device names; other keys stay unchanged.

    A number in the kernel's own form, major << 20 | minor, and ``M:m`` can hardly mean anything else. Two other forms
    could also be process ids: the number that stat() returns, and two keys that are major and minor. They are looked up
    only if the keys are known to be disks (``of_disks``).
    """
    if of_disks and len(keys) > 1 and (name := _pair(keys[0], keys[1], folder)):
        return [name, *keys[2:]]
    return [_name(key, of_disks, folder) or key for key in keys]


def _name(key: str, of_disks: bool, folder: str) -> str | None:
    major, colon, minor = key.partition(":")
    if colon:
        return _pair(major, minor, folder)
    number = _number(key)
    if number is None:
        return None
    if number >> _MINOR_BITS:
        found = device_named(number >> _MINOR_BITS, number & ((1 << _MINOR_BITS) - 1), folder)
        if found is not None:
            return found
    if not of_disks:
        return None
    return device_named(number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00, folder)


def _pair(major: str, minor: str, folder: str) -> str | None:
    numbers = _number(major), _number(minor)
    return None if numbers[0] is None or numbers[1] is None else device_named(numbers[0], numbers[1], folder)


def _number(text: str) -> int | None:
    """The number that a text spells in decimal digits, or None if it is no such number or has more than 32 bits."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(_LARGEST))):
        return None
    number = int(text)
    return number if number <= _LARGEST else None

"""Ways to damage a text. LOCAL ones touch one line or two adjacent ones; WILD ones do anything to any bytes."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from random import Random
from typing import NamedTuple

# What is put in the place of numbers and into texts.

NUMBERS = (
    *(b"0", b"-1", b"-0", b"1e30", b"1" + b"0" * 30, b"1" + b"0" * 400, b"NaN", b"inf", b"-inf", b"Infinity", b"1e999"),
    *(b"9223372036854775807", b"9223372036854775808", b"18446744073709551615", b"18446744073709551616", b"4294967296"),
    *(str(1 << 128).encode(), b"0.0000000001", b"1e-320", b"1_000", "٣".encode(), "²".encode(), "½".encode(), b"0x10"),
    *(b"1,5", b"1.5.2", b"", b"1E+308", b"999999999999999", b"253402300799999999", b"253402300800000000", b"0001"),
    *(b"9007199254740993", b"86400000000", b"59.999999999999", b"-62135596800000000", b"99", b"61", b"4.05", b"1e5"),
)
TEXTS = (
    *(b"\x1b]0;x\x07", b"\x1b[31m", b"\x1b[2J", b"\x9b2J", b"\xc2\x9b2J", b"\x07", b"\x08\x08", b"\x00" * 5, b"\x7f"),
    *(
        "\u202egnp".encode(),
        "\u200b\u200d\ufeff".encode(),
        "漢字".encode(),
        "e\u0301\u0302".encode(),
        "👨‍👩‍👧".encode(),
    ),
    *("\u3164\u115f".encode(), "\u2028\u2029\x85".encode(), "\U000e0041\ufdd0".encode(), b"\xff\xfe", b"\xc0\x80"),
    *(b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\x0b\x0c\x1c\x1e", b'"><script>', b"&#27;", b"%s%n{0}", b"\\"),
    *(b"<begin record>", b"<end record>", b'#lmap {"v": 1}', b"#lmap {", b"A" * 5000, b"'", b'"', b"^C", b"]]>", b"\t"),
)
KEYS = (
    *("series", "label", "source", "unit", "counts", "buckets", "time", "start", "seconds", "flags", "note", "mark"),
    *("at", "v", "other"),
)
VALUES = (
    *("1e999", "NaN", "-1", "null", "true", '"x"', "[]", "{}", "1e308", "18446744073709551616", "9" * 400, "0", "1"),
    *("[[0, 1, 1e999]]", "[[0, null, 5], [0, null, 5]]", "[[5, 1, 1]]", "[[0, 1e-320, 1]]", "[[1e-9, 1e18, 3]]"),
    *(f"[[0, 1, {1 << 128}]]", '["gap"]', '["baseline"]', '["kept", "gap", "reset"]', '["no-clock"]', '["epoch"]'),
    *('["idle"]', '"interval"', '"cumulative"', '"ns"', r'"\u001b[2J\n\u202e"', "253402300799999999", "9" * 15),
)
NUMBER = re.compile(rb"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]+")
MOMENT = re.compile(rb"\b\d\d:\d\d:\d\d(?:\.\d+)?|\b(?:19|20)\d\d-\d\d-\d\d|\b\d{9,19}(?:\.\d+)?\b")
UNIT = re.compile(rb"\b(?:nsecs?|usecs?|msecs?|nanosec|microsec|millisec|ns|us|ms|s|seconds|sec)\b")
CLOCK_TIMES = (b"00:00:00", b"23:59:60", b"24:00:00", b"23:59:59.999999", b"12:00:00", b"99:99:99")
DATES = (b"0001-01-01", b"9999-12-31", b"2024-02-29", b"2023-02-30", b"1970-01-01", b"2026-13-01")
JUMPS = (61, 900, -900, 10_800, -10_800, 10_800_000, -10_800_000, 10_800_000_000, -10_800_000_000)
"""Moves of a time: some of these are minutes or hours, whatever its unit."""
STEPS = (-1, 1, -4, -3600, 86_400, -86_400, 10**6, -(10**6), 10**9, -(10**9), 4 * 10**15)


# LOCAL: a damaged line, or what stands in the place of two.

Local = Callable[[Random, bytes, bytes], list[bytes]]
"""Damages a line, given the line after it; returns what stands in the place of both."""


def _number_in(random: Random, line: bytes) -> re.Match[bytes] | None:
    found = list(NUMBER.finditer(line))
    return random.choice(found) if found else None


def _put(line: bytes, found: re.Match[bytes], new: bytes) -> bytes:
    return line[: found.start()] + new + line[found.end() :]


def digit_changed(random: Random, line: bytes, after: bytes) -> list[bytes]:
    places = [place for place, byte in enumerate(line) if 48 <= byte <= 57]
    if places:
        place = random.choice(places)
        other = random.choice([digit for digit in b"0123456789" if digit != line[place]])
        line = line[:place] + bytes([other]) + line[place + 1 :]
    return [line, after]


def digit_lost(random: Random, line: bytes, after: bytes) -> list[bytes]:
    places = [place for place, byte in enumerate(line) if 48 <= byte <= 57]
    if places:
        place = random.choice(places)
        line = line[:place] + line[place + 1 :]
    return [line, after]


def digit_doubled(random: Random, line: bytes, after: bytes) -> list[bytes]:
    places = [place for place, byte in enumerate(line) if 48 <= byte <= 57]
    if places:
        place = random.choice(places)
        line = line[:place] + line[place : place + 1] + line[place:]
    return [line, after]


def digit_garbled(random: Random, line: bytes, after: bytes) -> list[bytes]:
    places = [place for place, byte in enumerate(line) if 48 <= byte <= 57]
    if places:
        place = random.choice(places)
        line = (
            line[:place]
            + random.choice([b"x", b"?", b" ", b".", b"-", b",", b"\xff", b"\x00", b"o"])
            + line[place + 1 :]
        )
    return [line, after]


def number_replaced(random: Random, line: bytes, after: bytes) -> list[bytes]:
    found = _number_in(random, line)
    return [_put(line, found, random.choice(NUMBERS)) if found else line, after]


def moment_moved(random: Random, line: bytes, after: bytes) -> list[bytes]:
    found = list(MOMENT.finditer(line))
    if not found:
        return digit_changed(random, line, after)
    return [_moved(random, line, random.choice(found)), after]


def time_jumped(random: Random, line: bytes, after: bytes) -> list[bytes]:
    """The time of a line, or its first number, moves by hours: the text stays as it would be with such a time."""
    found = MOMENT.search(line) or NUMBER.search(line)
    if found is None:
        return [line, after]
    text = found[0]
    if b":" in text:
        return [_put(line, found, b"%02d" % random.randrange(24) + text[2:]), after]
    if not text.replace(b".", b"", 1).isdigit():
        return digit_changed(random, line, after)
    whole, point, rest = text.partition(b".")
    moved = max(int(whole) + random.choice(JUMPS), 0)
    return [_put(line, found, str(moved).encode() + point + rest), after]


def bit_flipped(random: Random, line: bytes, after: bytes) -> list[bytes]:
    if line:
        place = random.randrange(len(line))
        flipped = line[place] ^ (1 << random.randrange(8))
        line = line[:place] + bytes([flipped if flipped != 10 else 11]) + line[place + 1 :]
    return [line, after]


def text_put_in(random: Random, line: bytes, after: bytes) -> list[bytes]:
    place = random.randrange(len(line) + 1)
    return [line[:place] + random.choice(TEXTS) + line[place:], after]


def line_lost(_random: Random, _line: bytes, after: bytes) -> list[bytes]:
    return [after]


def line_doubled(_random: Random, line: bytes, after: bytes) -> list[bytes]:
    return [line, line, after]


def line_cut(random: Random, line: bytes, after: bytes) -> list[bytes]:
    return [line[: random.randrange(len(line) + 1)], after]


def line_garbled(random: Random, line: bytes, after: bytes) -> list[bytes]:
    return [bytes(random.choice(b" 0123456789abcxyz[]()<>,.:|@*") for _ in line), after]


def line_put_in(random: Random, line: bytes, after: bytes) -> list[bytes]:
    noise = (b"", b"Lost 12 events", b"WARNING: 3 lost", b"\x00" * 40, b"? ? ?", b"-" * 60, b"# comment", b"^C", b"{")
    return [line, random.choice(noise), after]


def lines_joined(_random: Random, line: bytes, after: bytes) -> list[bytes]:
    return [line + after]


def lines_swapped(_random: Random, line: bytes, after: bytes) -> list[bytes]:
    return [after, line]


LOCAL: tuple[Local, ...] = (
    *(
        digit_changed,
        digit_changed,
        digit_lost,
        digit_lost,
        digit_doubled,
        digit_garbled,
        number_replaced,
        moment_moved,
        time_jumped,
    ),
    *(bit_flipped, text_put_in, line_lost, line_doubled, line_cut, line_garbled, line_put_in, lines_joined),
    lines_swapped,
)


# WILD: anything, given another text as well.

Wild = Callable[[Random, bytes, bytes], bytes]


def bytes_changed(random: Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 2, 5, 20)) if data else 0):
        changed[random.randrange(len(changed))] = random.choice((random.randrange(256), 0, 0x1B, 10, 32, 44, 45, 123))
    return bytes(changed)


def bits_flipped(random: Random, data: bytes, _other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 3, 30)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def characters_put_in(random: Random, data: bytes, _other: bytes) -> bytes:
    for _ in range(random.choice((1, 2, 5))):
        place = random.randrange(len(data) + 1)
        data = data[:place] + random.choice(TEXTS) + data[place:]
    return data


def word_replaced(random: Random, data: bytes, _other: bytes) -> bytes:
    found = list(WORD.finditer(data))
    if not found:
        return data
    word, text = random.choice(found)[0], random.choice(TEXTS)
    return data.replace(word, random.choice((text, word + text, b"")), random.choice((1, -1)))


def numbers_replaced(random: Random, data: bytes, _other: bytes) -> bytes:
    found = list(NUMBER.finditer(data))
    chosen = random.sample(found, min(len(found), random.choice((1, 1, 2, 4, 10))))
    for one in sorted(chosen, key=lambda one: -one.start()):
        data = _put(data, one, random.choice(NUMBERS))
    return data


def number_replaced_everywhere(random: Random, data: bytes, _other: bytes) -> bytes:
    found = list(NUMBER.finditer(data))
    if not found:
        return data
    new = random.choice(NUMBERS)
    return re.sub(rb"(?<!\d)" + re.escape(random.choice(found)[0]) + rb"(?!\d)", lambda _: new, data)


def signs_put_before_numbers(random: Random, data: bytes, _other: bytes) -> bytes:
    sign, share = random.choice((b"-", b"+", b"0", b"-0.")), random.choice((0.02, 0.2, 1.0))
    return NUMBER.sub(lambda one: sign + one[0] if random.random() < share else one[0], data)


def moments_moved(random: Random, data: bytes, other: bytes) -> bytes:
    found = list(MOMENT.finditer(data))
    if not found:
        return numbers_replaced(random, data, other)
    chosen = random.sample(found, min(len(found), random.choice((1, 2, 5, 1000))))
    for one in sorted(chosen, key=lambda one: -one.start()):
        data = _moved(random, data, one)
    return data


def _moved(random: Random, data: bytes, found: re.Match[bytes]) -> bytes:
    text = found[0]
    if b":" in text:
        return _put(data, found, random.choice(CLOCK_TIMES))
    if b"-" in text:
        return _put(data, found, random.choice(DATES))
    moved = str(int(text.partition(b".")[0]) + random.choice(STEPS)).encode()
    return _put(data, found, random.choice((moved, moved, moved, b"0", b"-1", b"9" * 17, b"1700000000", b"1e15")))


def units_changed(random: Random, data: bytes, _other: bytes) -> bytes:
    units, share = (b"ns", b"us", b"ms", b"s", b"usecs", b"furlongs", b"", b"microsec"), random.choice((0.1, 1.0))
    return UNIT.sub(lambda one: random.choice(units) if random.random() < share else one[0], data)


def lines_moved(random: Random, data: bytes, _other: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 2, 5))):
        first, second, count = random.randrange(len(lines)), random.randrange(len(lines)), random.choice((1, 1, 3, 10))
        block = lines[first : first + count]
        del lines[first : first + count]
        lines[second:second] = random.choice((block, block[::-1]))
    return b"\n".join(lines)


def lines_dropped(random: Random, data: bytes, _other: bytes) -> bytes:
    share = random.choice((0.02, 0.1, 0.5))
    return b"\n".join(line for line in data.split(b"\n") if random.random() >= share)


def lines_repeated(random: Random, data: bytes, _other: bytes) -> bytes:
    lines = data.split(b"\n")
    first, count = random.randrange(len(lines)), random.choice((1, 1, 5, 30))
    lines[first:first] = lines[first : first + count] * random.choice((1, 2, 40))
    return b"\n".join(lines)


def lines_shuffled(random: Random, data: bytes, _other: bytes) -> bytes:
    lines = data.split(b"\n")
    first = random.randrange(len(lines))
    block = lines[first : first + random.choice((5, 20, 1000))]
    random.shuffle(block)
    lines[first : first + len(block)] = block
    return b"\n".join(lines)


def truncated(random: Random, data: bytes, _other: bytes) -> bytes:
    place = random.randrange(len(data) + 1)
    return random.choice((data[:place], data[:place], data[place:]))


def hole_punched(random: Random, data: bytes, _other: bytes) -> bytes:
    place, size = random.randrange(len(data) + 1), random.choice((10, 100, 1000))
    return data[:place] + random.choice((b"", b"\0" * size)) + data[place + size :]


def repeated(random: Random, data: bytes, _other: bytes) -> bytes:
    return data[:20_000] * random.choice((2, 3, 10))


def concatenated(random: Random, data: bytes, other: bytes) -> bytes:
    return random.choice((data + other, other + data, data + b"\n" + other + b"\n" + data))


def spliced(random: Random, data: bytes, other: bytes) -> bytes:
    here, there = random.randrange(len(data) + 1), random.randrange(len(other) + 1)
    return data[:here] + other[there : there + random.choice((50, 500, 5000))] + data[here:]


def interleaved(random: Random, data: bytes, other: bytes) -> bytes:
    lines, more = data.split(b"\n"), iter(other.split(b"\n"))
    mixed: list[bytes] = []
    for line in lines:
        mixed.append(line)
        if random.random() < 0.1:
            mixed.append(next(more, b""))
    return b"\n".join(mixed)


def encoded(random: Random, data: bytes, _other: bytes) -> bytes:
    text = data.decode(errors="replace")
    names = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500")
    return random.choice(
        (
            text.encode(random.choice(names), errors="replace"),
            b"\xfe\xff" + text.encode("utf-16-be"),
            b"\xff\xfe" + text.encode("utf-16-le")[:-1] + b"\x00\xd8",
        )
    )


def line_ends_changed(random: Random, data: bytes, _other: bytes) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\n\r", b"\n\0")))


def blanks_changed(random: Random, data: bytes, _other: bytes) -> bytes:
    kind = random.randrange(5)
    if kind == 0:
        return data.replace(b" ", random.choice((b"", b"\t", b"  ", "\u00a0".encode())))
    if kind == 1:
        return b"\n" * random.choice((1, 400, 20_000)) + data
    if kind == 2:
        return re.sub(rb"(?m)^", b" " * random.choice((1, 40)), data)
    if kind == 3:
        return re.sub(rb" +", b" ", data)
    return data + b" " * random.choice((1, 100_000))


def compressed(random: Random, data: bytes, other: bytes) -> bytes:
    packed, kind = gzip.compress(data, random.choice((1, 6, 9)), mtime=0), random.randrange(6)
    if kind == 0:
        return packed[: random.randrange(len(packed))]
    if kind == 1:
        return bits_flipped(random, packed, other)
    if kind == 2:
        return packed + gzip.compress(other, mtime=0) + b"\0" * random.randrange(600)
    if kind == 3:
        return packed + b"garbage"
    return gzip.compress(packed, mtime=0) if kind == 4 else packed


def deeply_nested(random: Random, data: bytes, _other: bytes) -> bytes:
    size = random.choice((50, 900, 20_000))
    deep = random.choice(
        (b"[" * size, b'{"a":' * size, b"[" * size + b"]" * size, b'{"a":' * size + b"1" + b"}" * size)
    )
    long = random.choice((deep, b'"' + b"\\u0000" * size, b'"' + b'\\"' * size + b'"', b"(" * size, b" " * size + b"x"))
    lines = data.split(b"\n")
    lines.insert(random.randrange(len(lines) + 1), long)
    return b"\n".join(lines)


def extensions_changed(random: Random, data: bytes, _other: bytes) -> bytes:
    """The extension lines of the record stream, or one put in anywhere."""
    fields = "".join(f', "{random.choice(KEYS)}": {random.choice(VALUES)}' for _ in range(random.randrange(5)))
    line = f'#lmap {{"v": 1{fields}}}'.encode()
    lines = data.split(b"\n")
    places = [place for place, one in enumerate(lines) if one.startswith((b"#lmap", b"<begin"))] or [0]
    place = random.choice(places)
    lines[place : place + lines[place].startswith(b"#lmap")] = [line]
    return b"\n".join(lines)


WILD: tuple[Wild, ...] = (
    *(bytes_changed, bits_flipped, characters_put_in, word_replaced, numbers_replaced, number_replaced_everywhere),
    *(signs_put_before_numbers, moments_moved, units_changed, lines_moved, lines_dropped, lines_repeated, truncated),
    *(lines_shuffled, hole_punched, repeated, concatenated, spliced, interleaved, encoded, line_ends_changed),
    *(blanks_changed, compressed, deeply_nested, extensions_changed),
)


class Damaged(NamedTuple):
    """A damaged text, and how. ``first`` and ``last`` are the numbers of the damaged lines of the undamaged text, if
    the damage is local; else 0.
    """

    data: bytes
    kinds: tuple[str, ...]
    first: int = 0
    last: int = 0


def damaged_locally(random: Random, data: bytes) -> Damaged:
    """One line damaged, or two adjacent ones."""
    lines = data.split(b"\n")
    full = [place for place, line in enumerate(lines[:-1]) if line.strip()] or [0]
    place, kind = random.choice(full), random.choice(LOCAL)
    after = lines[place + 1] if place + 1 < len(lines) else b""
    lines[place : place + 2] = kind(random, lines[place], after)
    both = kind in (lines_joined, lines_swapped)
    return Damaged(b"\n".join(lines), (kind.__name__,), place + 1, place + 1 + both)


def damaged_wildly(random: Random, data: bytes, other: bytes) -> Damaged:
    """Damaged in one to three ways."""
    kinds = random.choices(WILD, k=random.choice((1, 1, 1, 2, 3)))
    for kind in kinds:
        data = kind(random, data, other)
    return Damaged(data, tuple(kind.__name__ for kind in kinds))

"""Compressed input that is damaged: each command uses what was decoded before, and counts the damage as one record."""

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import BadInput
from pylatencymap.text import CUT_OFF, DAMAGED, WRONG_SUM
from tests.aggregate.asking import strace, waits

Command = Callable[..., Any]
Hurt = Callable[[bytes], bytes]


def garbage_behind(packed: bytes) -> bytes:
    return packed + b"no gzip any more\n"


def second_member(packed: bytes) -> bytes:
    """As ``cat a.gz b.gz``, with damage in the head of the second."""
    return packed + b"\x1f\x8b\x08\xff" + packed[4:]


def in_the_middle(packed: bytes) -> bytes:
    """A block of an impossible type, behind a flush: zlib refuses it at once."""
    return packed.replace(b"\x00\x00\xff\xff", b"\x00\x00\xff\xff\x07\x07", 1)


def wrong_sum(packed: bytes) -> bytes:
    return packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]


def wrong_length(packed: bytes) -> bytes:
    return packed[:-1] + bytes([packed[-1] ^ 1])


def cut_off(packed: bytes) -> bytes:
    return packed[: len(packed) * 2 // 3]


DAMAGE = {
    garbage_behind: DAMAGED,
    second_member: DAMAGED,
    in_the_middle: DAMAGED,
    wrong_sum: WRONG_SUM,
    wrong_length: WRONG_SUM,
    cut_off: CUT_OFF,
}


def packed_in_two(text: bytes) -> bytes:
    """A member with a flush in the middle of a line."""
    packer = zlib.compressobj(wbits=31)
    half = len(text) // 2
    while text[half - 3 : half].find(b"\n") >= 0:
        half += 1
    return (
        packer.compress(text[:half]) + packer.flush(zlib.Z_SYNC_FLUSH) + packer.compress(text[half:]) + packer.flush()
    )


def decoded(packed: bytes) -> bytes:
    """The whole lines that zlib makes of it, byte by byte, up to the damage."""
    found, member = bytearray(), zlib.decompressobj(wbits=31)
    for place in range(len(packed)):
        try:
            found += member.decompress(packed[place : place + 1])
        except zlib.error:
            break
        if member.eof:
            member = zlib.decompressobj(wbits=31)
    return bytes(found[: found.rfind(b"\n") + 1])


class Pair:
    """A damaged file, and a plain one with what can be read of it. ``line``: the line in which it breaks off."""

    def __init__(self, folder: Path, text: str, hurt: Hurt, name: str = "x.trc") -> None:
        packed = hurt(packed_in_two(text.encode()))
        left = decoded(packed)
        assert text.encode().startswith(left)
        assert len(left) > len(text) // 3
        self.plain, self.damaged = folder / "plain" / name, folder / "damaged" / name
        for path in (self.plain, self.damaged):
            path.parent.mkdir()
        self.plain.write_bytes(left)
        self.damaged.write_bytes(packed)
        self.line = left.count(b"\n") + 1
        self.told = f"pylatencymap: {self.damaged}:{self.line}: {DAMAGE[hurt]}"


@pytest.fixture(params=DAMAGE, ids=lambda hurt: hurt.__name__)
def hurt(request: pytest.FixtureRequest) -> Hurt:
    found: Hurt = request.param
    return found


WORDS = {
    "report": ["report"],
    "report by key": ["report", "--by", "obj#"],
    "json": ["report", "--json"],
    "convert": ["convert", "--to", "jsonl"],
    "to a recording": ["convert"],
    "events": ["events"],
    "once": ["--once", "--tz", "UTC"],
    "replay": ["replay"],
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_each_command_uses_what_can_be_read(quick: Command, tmp_path: Path, hurt: Hurt, words: list[str]) -> None:
    pair = Pair(tmp_path, waits(Random(1), 1500, 1_774_000_000), hurt)
    plain, damaged = (quick(*words, path) for path in (pair.plain, pair.damaged))
    assert (plain.status, plain.err) == (0, "")
    assert damaged.status == 0
    assert damaged.err == pair.told + "\n"
    same = damaged.out.replace("/damaged/", "/plain/")
    if words == WORDS["json"]:
        assert same.replace('"bad_records": 1', '"bad_records": 0') == plain.out
    elif words[0] in ("convert", "events"):
        assert same == plain.out
    else:
        assert ("1 bad record" in damaged.out, "bad" in plain.out) == (True, False)
    strict = quick(*words, pair.damaged, "--strict")
    assert (strict.status, pair.told in strict.err) == (4, True)


@pytest.mark.parametrize("hurt", [garbage_behind, in_the_middle, wrong_sum], ids=lambda hurt: hurt.__name__)
def test_zeros_behind_are_padding_and_more_is_damage(quick: Command, tmp_path: Path, hurt: Hurt) -> None:
    text = waits(Random(1), 300, 1_774_000_000)
    path = tmp_path / "x.trc.gz"
    path.write_bytes(gzip.compress(text.encode()) + bytes(700))
    padded = quick("convert", path, "--to", "jsonl")
    assert (padded.status, padded.err) == (0, "")
    path.write_bytes(hurt(packed_in_two(text.encode())))
    assert ": 1 bad" not in quick("convert", path, "--to", "jsonl").out


def test_files_are_compared_and_exported(quick: Command, tmp_path: Path, hurt: Hurt) -> None:
    pair = Pair(tmp_path, waits(Random(1), 1500, 1_774_000_000), hurt)
    compared = quick("compare", pair.plain, pair.damaged, "--series", "log file sync")
    assert compared.status == 0
    assert pair.told in compared.err
    for path in (pair.plain, pair.damaged):
        ran = quick("export", path, "-o", path.with_suffix(".csv"), "--series", "log*")
        assert ran.status == 0
        assert (pair.told in ran.err) == (path is pair.damaged)
    assert pair.damaged.with_suffix(".csv").read_bytes() == pair.plain.with_suffix(".csv").read_bytes()


@pytest.mark.parametrize("name", ["x.trc", "x.strace"])
def test_files_are_aggregated(quick: Command, tmp_path: Path, hurt: Hurt, name: str) -> None:
    numbers = Random(1)
    text = waits(numbers, 1500, 1_774_000_000) if name == "x.trc" else strace(numbers, 1500, 1_774_000_000.0)
    pair = Pair(tmp_path, text, hurt, name)
    outs = []
    for path in (pair.plain, pair.damaged):
        out = path.with_name("out.lmap")
        ran = quick("aggregate", path, "-o", out)
        assert ran.status == 0
        assert (pair.told in ran.err) == (path is pair.damaged)
        outs.append(out.read_bytes())
    assert outs[0] == outs[1]
    assert quick("aggregate", pair.damaged, "-o", tmp_path / "strict.lmap", "--strict").status == 4


def test_python_reads_it(tmp_path: Path, hurt: Hurt) -> None:
    pair = Pair(tmp_path, waits(Random(1), 1500, 1_774_000_000), hurt)
    plain, damaged = lm.read(pair.plain), lm.read(pair.damaged)
    assert plain.bad == 0
    assert damaged.bad == 1
    assert list(damaged.intervals()) == list(plain.intervals())
    with pytest.raises(BadInput, match=f":{pair.line}: "):
        lm.read(pair.damaged, strict=True)


def test_a_large_trace_is_scanned_up_to_the_damage(quick: Command, tmp_path: Path, hurt: Hurt) -> None:
    """As the events of the plain text are, whether lines are decoded or scanned."""
    pair = Pair(tmp_path, waits(Random(1), 60_000, 1_774_000_000), hurt)
    large = quick("convert", pair.damaged, "--to", "jsonl", "--jobs", "1")
    assert large.err == pair.told + "\n"
    assert large.out == quick("convert", pair.plain, "--to", "jsonl", "--jobs", "1").out


def test_a_long_recording_is_read_up_to_the_damage(
    quick: Command, make_stream: Callable[..., str], tmp_path: Path, hurt: Hurt
) -> None:
    """The record that breaks off is the bad one: it is not counted a second time."""
    text = make_stream("sda", *[{128: n * n, 4096: 7 * n} for n in range(1, 4000)])
    pair = Pair(tmp_path, text, hurt, "x.lmap")
    damaged = quick("convert", pair.damaged, "--to", "jsonl")
    whole = quick("convert", pair.plain, "--to", "jsonl")
    assert damaged.status == 0
    assert damaged.out == whole.out
    assert damaged.err.startswith(pair.told)
    assert len([json.loads(line) for line in damaged.out.splitlines()]) > 1000
    assert lm.read(pair.damaged).bad == 1


def test_nothing_that_can_be_decoded_is_3(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.trc.gz"
    path.write_bytes(gzip.compress(b"some text\n")[:10] + b"\xff" * 50)
    for words in WORDS.values():
        ran = quick(*words, path)
        assert ran.status == 3
        said = "cannot be read further: the compressed data are damaged from their first byte on"
        assert f"{path}: {said}" in ran.err


def test_a_number_that_breaks_off_is_no_shorter_number(tmp_path: Path) -> None:
    """A table whose last value would be read as a tenth of it."""
    lines = [f"{1_774_000_000 + n / 10:.1f} {1000 + n}" for n in range(100)]
    for end in range(1, 30):
        text = "\n".join(["time latency_us", *lines])[:-end]
        path = tmp_path / "x.txt.gz"
        path.write_bytes(gzip.compress(text.encode()) + b"garbage")
        found = lm.read(path)
        assert found.bad == 1
        whole = text.count("\n") - 1
        assert sum(one.events for one in found.intervals()) == whole

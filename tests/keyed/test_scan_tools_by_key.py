"""Texts of strace, fio and tools like biosnoop that are scanned by a key have the series that the decoder finds."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pylatencymap.scan.keyed.scanners import KeyedScanner
from tests.amounts import examples
from tests.keyed.reading import scanned_or_not, written
from tests.keyed.test_scan_by_key import damaged

Tool = Callable[[random.Random, bool], list[str]]
"""Makes the lines of a text. The flag: with lines that are not as usual."""
CALLS = (
    'pread64({}</data/file {}.dbf>, "\\0\\1"..., 8192, 16384) = 8192',
    "pread64({}</data/{}>, 0x7f, 8192, 16384) = 8192",
    "fsync({}) = 0",
    'write({}, "= -1 E, ) = -1 EIO (", 20) = 20',
    'openat(AT_FDCWD, "/etc/{}", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)',
    'openat(AT_FDCWD</root>, "/etc/{} x", O_RDONLY) = 3</etc/{}>',
    'read({}<pipe:[{}]>, "", 8192) = -1 EAGAIN (Resource temporarily unavailable)',
    "futex(0x{}f, FUTEX_WAIT_PRIVATE, 2, NULL) = 0",
    "close({}) = -1 EBADF (Bad file descriptor)",
    "epoll_wait({}<anon_inode:[eventpoll]>, [], 128, -1) = 0",
    'stat("/a\\"{}", 0x7ffd) = 0',
)
ODD_CALLS = (
    '<... read resumed>"", 8192) = -1 EAGAIN (Resource temporarily unavailable) <0.000{:03d}>',
    "read(5</data/x>,  <unfinished ...>",
    "<... futex resumed>) = 0 <0.000{:03d}>",
    "--- SIGCHLD {{si_signo=SIGCHLD}} ---",
    "+++ exited with 0 +++",
    "pread64(4</data/y>, strace: Process {} attached",
    'read(4</data/a>, "\\33[0m\x1b[0m", 12) = 12 <0.000{:03d}>',
    "lseek(07</a\\>b>, 0, SEEK_SET) = 0 <0.000{:03d}>",
    "read(AT_FDCWD</a, 0) = 0 <0.000{:03d}>",
)


def strace(rng: random.Random, odd: bool) -> list[str]:
    text, now, form = [], 1_769_850_000.0, rng.choice(("{} ", "[pid {:5}] ", *[""] * odd))
    for number in range(300):
        now += rng.expovariate(200)
        pid = form.format(rng.choice((7, 4711, 1234567, 42)))
        begin = ("" if odd and rng.random() < 0.05 else pid) + f"{now:.6f} "
        if odd and rng.random() < 0.15:
            text.append(begin + rng.choice(ODD_CALLS).format(rng.randrange(1000)))
            continue
        call = rng.choice(CALLS).format(rng.randrange(12), rng.randrange(5))
        text.append(f"{begin}{call} <{rng.choice((0.0, 0.001, 0.1)) + number / 10**6:.6f}>")
    return text


def biosnoop(rng: random.Random, odd: bool) -> list[str]:
    header = "{:11s} {:14s} {:7s} {:9s} {:1s} {:10s} {:7s} {:>7s}"
    row = "{:<11.6f} {:14.14s} {:<7d} {:9s} {:1s} {:<10d} {:<7d} {:7.3f}"
    names = ("TIME(s)", "COMM", "PID", "DISK", "T", "SECTOR", "BYTES", "LAT(ms)")
    text, now = [header.format(*names)], 0.0
    commands = ["postgres", "a", "jbd2/sda1-8", "kworker/u8:2-fl", "dd", *(["two words", "", "\u00b7x", "7 8"] * odd)]
    sectors = [*range(0, 2**28, 2**28 // 20), *([-1, 2**64 - 1] * odd)]
    for _ in range(300):
        now += rng.expovariate(200)
        about = (rng.choice(commands), rng.choice((1, 42, 4711, 99_999)), rng.choice(("sda", "nvme0n1", "nvme10n1p2")))
        line = row.format(now, *about, rng.choice("RWDF"), rng.choice(sectors), 4096, rng.expovariate(1))
        text.append(line.replace(" W ", "   ", 1) if odd and rng.random() < 0.05 else line)
    return text


def fio(rng: random.Random, odd: bool) -> list[str]:
    """Lines of fio 3, with commas of either kind, and with other fields if they are not as usual."""
    text, milli, comma = [], 0, rng.choice((", ", ","))
    fields = rng.choice(((), ("{offset}",), ("{offset}", "0x{level:04x}"), ("{offset}", "{level}", "77123456789")))
    odd_fields = ((), ("{level}",), ("0x{level}",), ("0{offset}",), ("",), ("{offset}", ""), ("a b", "{offset}"))
    for number in range(300):
        milli += rng.randrange(20)
        direction, level = rng.choice((0, 0, 1, 2, 3)), rng.randrange(3)
        size = 0 if direction == 3 else rng.choice((4096, 512, 10**6))
        some = rng.choice(odd_fields) if odd and rng.random() < 0.15 else fields
        shown = [one.format(offset=rng.randrange(30) * 4096, level=level) for one in some]
        latency = rng.choice((90_000, 7_000_000)) + number
        start = f"0{size}" if odd and rng.random() < 0.05 else f"{size}"
        text.append(comma.join([str(milli), str(latency), str(direction), start, *shown]))
    return text


TOOLS: dict[str, tuple[Tool, tuple[str, ...]]] = {
    "strace": (strace, ("pid", "fd", "path", "error")),
    "fio": (fio, ("direction", "size", "offset", "priority")),
    "biosnoop": (biosnoop, ("pid", "comm", "device", "operation", "sector", "bytes")),
}
KEYS = [(name, key) for name, (_, keys) in TOOLS.items() for key in keys]


@pytest.mark.parametrize(("tool", "key"), KEYS)
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    seed=st.integers(0, 10**6),
    piece=st.integers(500, 20_000),
    odd=st.booleans(),
    hurt=st.booleans(),
    packed=st.booleans(),
)
def test_a_scan_by_key_finds_what_the_decoder_finds(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    key: str,
    seed: int,
    piece: int,
    odd: bool,
    hurt: bool,
    packed: bool,
) -> None:
    rng = random.Random(seed)
    text = "\n".join(TOOLS[tool][0](rng, odd)) + "\n" * (seed % 2)
    path = tmp_path / "x.txt"
    written(path, damaged(text, rng) if hurt else text, packed=packed)
    scanned, by_line = scanned_or_not(monkeypatch, [path], piece, by=key, top=4)
    assert scanned == by_line


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("tool", "key"), KEYS)
def test_a_usual_text_is_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str, key: str, packed: bool
) -> None:
    finished = list[bool]()
    count = KeyedScanner.counted

    def counted(self: KeyedScanner, *about: object) -> object:
        found = count(self, *about)  # type: ignore[arg-type]
        finished.append(True)
        return found

    monkeypatch.setattr(KeyedScanner, "counted", counted)
    path = tmp_path / "x.txt"
    written(path, "\n".join(TOOLS[tool][0](random.Random(5), False)) + "\n", packed=packed)
    scanned, by_line = scanned_or_not(monkeypatch, [path], 5_000, by=key)
    assert scanned == by_line
    assert finished
    assert len({one.series for one in scanned[0]}) > 1


def test_a_value_that_is_long_is_cut_off_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, long = tmp_path / "x.txt", "/" + "x" * 400
    calls = (f"1 {1_769_850_000 + number}.000000 fsync(3<{long}{number % 3}>) = 0 <0.000100>" for number in range(90))
    path.write_text("\n".join(calls) + "\n", encoding="utf-8")
    scanned, by_line = scanned_or_not(monkeypatch, [path], 2_000, by="path")
    assert scanned == by_line
    assert {one.series for one in scanned[0]} == {f"fsync path={long[:99]}\u2026"}

"""Streams of many hosts: real processes that hang, die and come back; names, clocks and limits."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

import pylatencymap as lm
from pylatencymap.cli.main import run
from pylatencymap.errors import Exit, UsageError
from pylatencymap.hosts import (
    HostCommand,
    ManyHosts,
    RecordingInOrder,
    TimeOrder,
    host_stream,
    hosts_of_file,
    named_command,
)
from pylatencymap.hosts.host_commands import check_hosts
from pylatencymap.hosts.host_stream import ClockOffset, HostCallbacks, HostStream, end_all
from pylatencymap.hosts.stream_loop import StreamLoop
from pylatencymap.interval import Interval
from pylatencymap.session.input import ReadPlan, StopRequest
from pylatencymap.units import Unit
from tests.waiting import PATIENCE

PROGRAM = """
import json, sys, time
first, number, after = (int(word) for word in sys.argv[1:4])
for at in range(first, first + number):
    told = {"v": 1, "series": "sda", "counts": "interval", "source": "bpf", "start": (at - 1) * 10**6, "time": 0.0192,
            "buckets": [[128, 256, 100]]}
    print("#lmap", json.dumps(told))
    print(f"<begin record>\\ntimestamp,microsec,{at * 10**6},x\\nlabel,sda\\nlatencyunit,microsec\\ndatasource,bpf")
    print("<end record>", flush=True)
print("last words", file=sys.stderr, flush=True)
time.sleep(after)
sys.exit(7)
"""
NOW = 1_700_000_000
HANGS = 100_000


@pytest.fixture
def printing(tmp_path: Path) -> Path:
    path = tmp_path / "host.py"
    path.write_text(PROGRAM)
    return path


def command(path: Path, number: int, after: int, first: int = NOW) -> str:
    return shlex.join([sys.executable, str(path), str(first), str(number), str(after)])


def read(
    hosts: list[HostCommand], wanted: int, *, restarts: bool = False, on_said: Callable[[list[str]], object] = len
) -> tuple[list[Interval], list[str]]:
    """Intervals until there are so many, or all hosts have ended; and what was said. ``on_said`` gets all of that
    whenever there is more.
    """
    said: list[str] = []
    stop = StopRequest()

    def say(what: str) -> None:
        said.append(what)
        on_said(said)

    many = ManyHosts(hosts, ReadPlan(), stop, say, restarts=restarts, now=lambda: NOW + 10.5)
    found: list[Interval] = []
    try:
        for one in many.intervals(lambda _: None):
            found.append(one)
            if len([one for one in found if not one.gap]) >= wanted:
                break
    finally:
        many.close()
    return found, said


def events(found: list[Interval]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for one in found:
        counted[one.series] += int(one.events)
    return dict(counted)


def test_of_twenty_hosts_each_costs_only_itself(printing: Path, tmp_path: Path) -> None:
    failed = tmp_path / "failed"

    def note(said: list[str]) -> None:
        if {"gone", "none"} <= {one.partition(":")[0] for one in said}:
            failed.touch()

    hosts = [HostCommand(f"ok{number}", command(printing, 10, 0)) for number in range(14)]
    # These print last: reading ends with what they print, and a busy machine may be late to start those that fail.
    last = f"until [ -e {shlex.quote(str(failed))} ]; do sleep 0.05; done; exec {command(printing, 4, HANGS)}"
    hosts += [HostCommand(f"hangs{number}", last) for number in range(3)]
    hosts += [
        HostCommand("gone", "exit 255"),
        HostCommand("none", "/no/such/program"),
        HostCommand("odd", "echo hello"),
    ]
    found, said = read(hosts, 14 * 10 + 3 * 4, on_said=note)
    assert events(found) == {
        **{f"ok{number},sda": 1000 for number in range(14)},
        **{f"hangs{number},sda": 400 for number in range(3)},
    }
    assert not [one for one in found if one.gap]
    assert [one for one in said if one.startswith("gone: ")] == ["gone: the command ended with status 255"]
    assert any(one.startswith("none: the command ended with status 127") for one in said)


def test_a_host_that_comes_back_has_a_gap_and_goes_on(printing: Path, tmp_path: Path) -> None:
    mark = tmp_path / "was here"
    first, second = command(printing, 3, 0, NOW), command(printing, 3, HANGS, NOW + 7)
    once = f"if [ -e {shlex.quote(str(mark))} ]; then exec {second}; fi; : > {shlex.quote(str(mark))}; exec {first}"
    found, said = read([HostCommand("db1", once)], 6, restarts=True)
    shown = [(one.start // 10**6 - NOW, one.end // 10**6 - NOW, one.gap, one.events) for one in found]
    shift = shown[0][1]
    assert [(start - shift, end - shift, gap, count) for start, end, gap, count in shown] == [
        (-1, 0, False, 100), (0, 1, False, 100), (1, 2, False, 100), (2, 6, True, 0),
        (6, 7, False, 100), (7, 8, False, 100), (8, 9, False, 100),
    ]  # fmt: skip
    assert "db1: the command ended with status 7: last words; it is started again in 1 s" in said


def test_a_host_that_prints_no_latency_is_not_said_to_print_nothing(
    printing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pylatencymap.hosts.many_hosts.SILENT_SECONDS", 2.0)
    told = tmp_path / "told"

    def note(said: list[str]) -> None:
        if {"odd", "hangs"} <= {one.partition(":")[0] for one in said}:
            told.touch()

    hosts = [
        HostCommand("odd", "while sleep 0.2; do echo 'no latency at all'; done"),
        HostCommand("hangs", "exec sleep 1000"),
        HostCommand(
            "last", f"until [ -e {shlex.quote(str(told))} ]; do sleep 0.05; done; {command(printing, 4, HANGS)}"
        ),
    ]
    _, said = read(hosts, 4, on_said=note)
    assert [one.split(" for ")[0] for one in said if one.startswith("odd: ")] == ["odd: in what has come"]
    assert [one.split(" for ")[0] for one in said if one.startswith("hangs: ")] == ["hangs: nothing has come"]


def test_a_clock_that_is_off_is_said_and_its_times_are_moved(printing: Path) -> None:
    found, said = read([HostCommand("late", command(printing, 2, HANGS, NOW - 3600))], 2)
    assert found[0].end / 1e6 == pytest.approx(NOW + 10.5, abs=2.0)
    assert [one.partition(" s ")[2] for one in said] == ["behind; its times are moved by that"]


@pytest.mark.parametrize("kept", [60, 200])
def test_a_host_that_begins_with_what_it_has_kept_has_the_right_clock(
    printing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """As ``tail -n 200 -f`` does: of all that comes at once, the newest tells the clock."""
    monkeypatch.setattr(host_stream, "MOST_TOGETHER", 10)
    old = subprocess.run(
        [sys.executable, str(printing), str(NOW + 11 - kept), str(kept), "0"], stdout=subprocess.PIPE, check=False
    )
    (tmp_path / "old").write_bytes(old.stdout)
    found, said = read([HostCommand("db1", f"cat {shlex.quote(str(tmp_path / 'old'))}; exec sleep {HANGS}")], kept)
    assert [one.end for one in found] == [second * 10**6 for second in range(NOW + 11 - kept, NOW + 11)]
    assert not [one for one in said if "clock" in one]


def test_what_a_host_had_kept_moves_no_column_back() -> None:
    """It comes a minute late, as if the clock were behind, then on time. Nothing is lost, and time does not go back."""
    put: list[Interval] = []
    said: list[str] = []
    now = [float(NOW)]
    callbacks = HostCallbacks(ReadPlan(), put.append, said.append, lambda _: None, lambda: now[0], restarts=False)
    host = HostStream(HostCommand("db1", "true"), StreamLoop(StopRequest()), callbacks)
    for at in range(200):
        now[0] = NOW + max(at, 60) + 0.1
        host._together = [replace(interval(NOW + at), ranges=((128, 256, 100.0),))]
        host._pass_on(time.monotonic(), 0.0, has_all=True)
    assert sum(one.events for one in put) == 20_000
    ends = [one.end for one in put]
    assert ends == sorted(set(ends))
    assert all(one.seconds == 1.0 for one in put)
    assert put[-1].end == (NOW + 199) * 10**6
    assert said == [
        "db1: its clock is about 60 s behind; its times are moved by that",
        "db1: its clock is right after all; its times are not moved any longer",
    ]


def test_a_command_is_given_time_to_end(printing: Path, tmp_path: Path) -> None:
    """A probe has to detach itself, say, before it ends."""
    mark = tmp_path / "ended"
    found, _ = read(
        [HostCommand("db1", f"trap 'echo ended > {mark}; exit' TERM; {command(printing, 1, HANGS)} & wait")], 1
    )
    assert len(found) == 1
    assert mark.read_text() == "ended\n"


def test_a_command_that_is_being_started_at_the_end_is_ended_too(
    printing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, is_starting, stop = HostStream._start, threading.Event(), StopRequest()

    def late(self: HostStream, messages: IO[bytes]) -> subprocess.Popen[bytes]:
        is_starting.set()
        stop.wait_for(stop.read_end, PATIENCE)
        return start(self, messages)

    monkeypatch.setattr(HostStream, "_start", late)
    many = ManyHosts([HostCommand("db1", command(printing, 1, HANGS))], ReadPlan(), stop, print)
    reading = threading.Thread(target=lambda: [*many.intervals(lambda _: None)])
    reading.start()
    assert is_starting.wait(PATIENCE)
    many.close()
    reading.join(PATIENCE)
    (process,) = [one.process for one in many._hosts]
    assert process is not None
    assert process.returncode == -signal.SIGTERM


def test_nothing_is_left_of_commands_that_were_ended(printing: Path) -> None:
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"trap '' TERM; {command(printing, 1, HANGS)} & {command(printing, 1, HANGS)}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    end_all([process])
    while has_group(process.pid):  # killed processes are gone when the system has cleaned up
        pass


def has_group(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    return True


def interval(end: float, seconds: float = 1.0) -> Interval:
    return Interval("a", Unit.US, round((end - seconds) * 1e6), round(end * 1e6), seconds)


class TestClocks:
    def test_a_clock_that_is_right_is_left_alone(self) -> None:
        clock = ClockOffset()
        assert not any(clock.take(interval(1000.0 + at), 1000.2 + at) for at in range(10))
        assert clock.micros == 0

    @pytest.mark.parametrize("off", [-37.0, 5.0])
    def test_the_first_interval_shows_one_that_is_off(self, off: float) -> None:
        clock = ClockOffset()
        assert clock.take(interval(1000.0 + off), 1000.0)
        assert clock.micros == -off * 1e6
        assert not any(clock.take(interval(1000.0 + at + off), 1000.1 + at) for at in range(1, 9))

    def test_what_was_held_up_and_comes_together_is_no_clock(self) -> None:
        clock = ClockOffset()
        clock.take(interval(1000.0), 1000.1)
        assert not any(clock.take(interval(1000.0 + at), 1061.0 + at / 100) for at in range(1, 61))
        assert not clock.take(interval(1062.0), 1062.1)
        assert clock.micros == 0

    def test_what_we_read_late_is_no_clock(self) -> None:
        clock = ClockOffset()
        assert not clock.take(interval(1000.0), 1008.0, waited=7.5)

    def test_a_clock_that_is_set_is_believed_after_three_intervals(self) -> None:
        clock = ClockOffset()
        clock.take(interval(1000.0), 1000.1)
        assert [clock.take(interval(1000.0 + at - 20.0), 1000.1 + at) for at in range(1, 5)] == [
            False, False, True, False,
        ]  # fmt: skip


class TestCommands:
    def test_a_name_and_a_command(self) -> None:
        assert named_command("db1=ssh db1 'a=b'") == HostCommand("db1", "ssh db1 'a=b'")
        for text in ("db1", "=x", "db1= ", "a b=x"):
            with pytest.raises(UsageError, match="NAME=COMMAND"):
                named_command(text)

    def test_a_file_of_hosts(self, tmp_path: Path) -> None:
        path = tmp_path / "hosts"
        path.write_text("db1\n\n# none\ndb2.example.com  # a comment\n")
        assert hosts_of_file(str(path), ["ssh", "{host}", "biolatency 1"]) == [
            HostCommand("db1", "ssh db1 'biolatency 1'"),
            HostCommand("db2.example.com", "ssh db2.example.com 'biolatency 1'"),
        ]
        path.write_text("db1\n-oProxyCommand=x\n")
        with pytest.raises(UsageError, match="hosts:2: '-oProxyCommand=x' is no name of a host"):
            hosts_of_file(str(path), ["ssh", "{host}"])
        with pytest.raises(UsageError, match="does not say where the host is"):
            hosts_of_file(str(path), ["ssh", "db1"])

    def test_a_name_that_comes_twice(self) -> None:
        with pytest.raises(UsageError, match="db1 is named twice"):
            check_hosts([HostCommand("db1", "x"), HostCommand("db1", "y")])

    def test_the_limit_of_open_files_is_raised_or_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        limits: list[tuple[int, int]] = []
        monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
        monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.append(limit))
        check_hosts([HostCommand(f"h{number}", "x") for number in range(1000)])
        assert limits == [(2064, 4096)]
        with pytest.raises(UsageError, match="3000 hosts need 6064 open files, and the limit here is 4096"):
            check_hosts([HostCommand(f"h{number}", "x") for number in range(3000)])


def test_the_command_behind_dashes_keeps_its_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = tmp_path / "hosts"
    names.write_text("db1\ndb2\n")
    words = ["--hosts", str(names), "--no-restart", "--once", "--", "echo", "-n", "--no-such-option", "{host}"]
    assert run(["merge", *words]) == Exit.NO_INTERVAL
    said = capsys.readouterr().err
    assert "no such option" not in said
    assert "db1: " in said
    assert "db2: " in said
    assert "no host has printed any latency" in said


class TestRecording:
    def test_it_has_what_was_drawn_in_the_order_of_time(
        self, printing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The clocks of the hosts differ, and their records come in any order."""
        path = tmp_path / "all.lmap"
        hosts = [f"{name}={command(printing, 6, 0, NOW + off)}" for name, off in (("a", 0), ("b", 3), ("c", 1))]
        assert run(["merge", *hosts, "--once", "--no-restart", "--record", str(path)]) == Exit.OK
        capsys.readouterr()
        found = lm.read(path, tz="UTC")
        assert {name: sum(one.events for one in found.intervals(name)) for name in found.series} == {
            "a,sda": 600, "b,sda": 600, "c,sda": 600,
        }  # fmt: skip
        assert not found.messages

    def test_it_holds_what_others_can_still_come_before(self) -> None:
        said: list[str] = []
        order = TimeOrder(said.append)
        ends = [100.0, 103.0, 101.5, 110.0, 102.0, 115.0, 104.0, 104.5]
        passed = [one.end / 1e6 for end in ends for one in order.add(interval(end))]
        assert passed == [100.0, 101.5, 102.0, 103.0, 104.0, 104.5]
        assert [one.end / 1e6 for one in order.rest()] == [110.0, 115.0]
        assert not said

    def test_what_is_held_is_recorded_when_it_is_closed_and_nothing_later(self) -> None:
        recorded: list[float] = []
        recording = RecordingInOrder(lambda one: recorded.append(one.stamp.micros / 1e6 if one.stamp else 0.0), print)
        found = recording.taken(interval(end) for end in (100.0, 102.0, 101.0, 103.0))
        assert [next(found).end / 1e6 for _ in range(3)] == [100.0, 102.0, 101.0]
        assert not recorded
        recording.close()
        assert recorded == [100.0, 101.0, 102.0]
        assert [one.end / 1e6 for one in found] == [103.0]
        assert len(recorded) == 3

    def test_what_comes_too_late_is_left_out_and_said_once(self) -> None:
        said: list[str] = []
        order = TimeOrder(said.append)
        passed = [one.end / 1e6 for end in (100.0, 120.0, 99.0, 98.0) for one in order.add(interval(end))]
        assert (passed, order.left_out, len(said)) == ([100.0], 2, 1)

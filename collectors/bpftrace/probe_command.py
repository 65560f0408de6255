"""Block I/O from tracepoints by bpftrace, for machines without bcc: coarser, at most four disks by name."""

from __future__ import annotations

import argparse
import os
import re

from ...errors import SourceError, UsageError
from ...probes import (
    SCRIPT_FILE,
    WAITING_FOR_IO,
    Check,
    Machine,
    ProbeCommand,
    add_block_options,
    all_missing,
    check_disks,
    device_number,
    idle_series,
    install_command,
    measurement_label,
    tracepoint_checks,
)

SCRIPT = os.path.join(os.path.dirname(__file__), "blockio.bt")
FORMAT = "bpftrace"
PACKAGES = {"debian": "bpftrace"}
MOST_DISKS = 4
"""The script has this many positional parameters for disks."""
SECTOR = 512
FINER_SINCE = (0, 20)
"""From this version on, hist() has a second argument: k for 2^k rows in each octave."""
PLAIN, FINER = "hist($us)", "hist($us, 3)"
EVERY = "interval:s:1"
TRACEPOINTS = [f"block:block_rq_{name}" for name in ("insert", "issue", "complete")]
TRIAL = "BEGIN { exit(); } tracepoint:block:block_rq_issue { @[args->dev] = hist(args->sector); }"


def add_options(to: argparse.ArgumentParser) -> None:
    """Options that choose what is measured."""
    add_block_options(to)


def command(options: argparse.Namespace, machine: Machine) -> ProbeCommand:
    """The command that starts the script with its parameters."""
    check_disks(options.disk, machine)
    if len(options.disk) > MOST_DISKS:
        raise UsageError(f"the bpftrace script watches {MOST_DISKS} disks by name, or all; live bpf watches any number")
    path = machine.which("bpftrace")
    if path is None:
        raise SourceError(all_missing("bpftrace", checks(machine, tries=False)))
    numbers = [int(options.queued), -(-options.min_bytes // SECTOR)]
    numbers += [device_number(disk, machine) for disk in options.disk]
    return ProbeCommand(
        [path, SCRIPT_FILE, *map(str, numbers)],
        FORMAT,
        script=probe_script(options.interval, version(path, machine)),
        from_zero=True,
        kept=True,
        waiting=WAITING_FOR_IO,
        label=measurement_label(options),
        watched=idle_series(options.disk, machine),
    )


def probe_script(seconds: float, of: tuple[int, ...]) -> str:
    """The script for an interval and a version of bpftrace."""
    with open(SCRIPT, encoding="utf-8") as file:
        text = file.read().replace(EVERY, f"interval:ms:{max(round(seconds * 1000), 1)}")
    return text.replace(PLAIN, FINER) if of >= FINER_SINCE else text


def version(path: str, machine: Machine) -> tuple[int, ...]:
    """The version of the installed bpftrace; empty if it does not print one."""
    found = re.search(r"v?([0-9]+)\.([0-9]+)", machine.ask([path, "--version"]).text)
    return tuple(map(int, found.groups())) if found else ()


def checks(machine: Machine, *, tries: bool = True) -> list[Check]:
    """Check everything from the kernel to a trial run."""
    trial = [machine.which("bpftrace") or "", "-e", TRIAL]
    return tracepoint_checks(machine, [bpftrace(machine)], TRACEPOINTS, trial, tries=tries)


def bpftrace(machine: Machine) -> Check:
    """Check for the program."""
    path = machine.which("bpftrace")
    found = f"{path} {'.'.join(map(str, version(path, machine)))}" if path else "no bpftrace in the PATH"
    return Check("bpftrace", path is not None, found, install_command(machine, PACKAGES))

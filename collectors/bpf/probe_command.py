"""Block I/O from tracepoints by bcc: the time of each request, per disk and direction, with exact sums."""

from __future__ import annotations

import argparse
import os
import sys

from ...errors import SourceError
from ...probes import (
    WAITING_FOR_IO,
    Check,
    Machine,
    ProbeCommand,
    add_block_options,
    all_missing,
    check_disks,
    idle_disks,
    install_command,
    tracepoint_checks,
)

PROBE = os.path.join(os.path.dirname(__file__), "probe")
FORMAT = "records"
HAS_BCC = "import sys, importlib.util as util; sys.exit(util.find_spec('bcc') is None)"
BCC = {"debian": "python3-bpfcc", "ubuntu": "python3-bpfcc", "fedora": "python3-bcc", "arch": "python-bcc"}
BCC |= {"rhel": "python3-bcc", "suse": "python3-bcc", "alpine": "py3-bcc"}
HEADERS = {"debian": "linux-headers-$(uname -r)", "fedora": "kernel-devel-$(uname -r)", "arch": "linux-headers"}
HEADERS |= {
    "ubuntu": HEADERS["debian"],
    "rhel": HEADERS["fedora"],
    "suse": "kernel-default-devel",
    "alpine": "linux-lts-dev",
}
KERNEL_HEADERS = "/sys/kernel/kheaders.tar.xz"
TRACEPOINTS = [f"block:block_rq_{name}" for name in ("issue", "complete", "insert", "requeue")]


def add_options(to: argparse.ArgumentParser) -> None:
    """Options that choose what is measured."""
    add_block_options(to)


def command(options: argparse.Namespace, machine: Machine) -> ProbeCommand:
    """The command that starts the probe, under a Python that has bcc."""
    check_disks(options.disk, machine)
    python = python_with_bcc(machine)
    if python is None:
        raise SourceError(all_missing("bpf", checks(machine, tries=False)))
    words = [python, "-I", PROBE, "--interval", f"{options.interval:g}", "--min-bytes", str(options.min_bytes)]
    words += ["--queued"] if options.queued else []
    words += [word for disk in options.disk for word in ("--disk", disk)]
    words += [word for disk in idle_disks(options.disk, machine) for word in ("--idle", disk)]
    return ProbeCommand(words, FORMAT, waiting=WAITING_FOR_IO)


def checks(machine: Machine, *, tries: bool = True) -> list[Check]:
    """Check everything from the kernel to a trial run."""
    trial = [python_with_bcc(machine) or "", "-I", PROBE, "--check"]
    return tracepoint_checks(machine, [bcc(machine), headers(machine)], TRACEPOINTS, trial, tries=tries)


def python_with_bcc(machine: Machine) -> str | None:
    """A Python of the system if it has bcc, else our own. It runs as root, so those come first that only root can
    change; and distributions install bcc only for theirs.
    """
    pythons = [machine.which("python3"), "/usr/libexec/platform-python", sys.executable]
    for python in dict.fromkeys(filter(None, pythons)):
        if machine.exists(python) and machine.ask([python, "-I", "-c", HAS_BCC]).status == 0:
            return python
    return None


def bcc(machine: Machine) -> Check:
    """Check for the library bcc, for any Python of this machine."""
    python = python_with_bcc(machine)
    return Check(
        "bcc", python is not None, f"for {python}" if python else "no Python here has it", install_command(machine, BCC)
    )


def headers(machine: Machine) -> Check:
    """Check for the kernel's headers, which bcc compiles against."""
    folder = f"/lib/modules/{machine.release()}/build"
    if machine.exists(f"{folder}/include"):
        return Check("headers", True, folder)
    if machine.exists(KERNEL_HEADERS):
        return Check("headers", True, KERNEL_HEADERS)
    install = install_command(machine, HEADERS)
    fix = f"{install}; if there are none for this kernel: modprobe kheaders, or link {folder} to others"
    return Check("headers", False, f"neither {folder} nor {KERNEL_HEADERS}", fix)

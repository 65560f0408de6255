"""Checks whether a machine has what a BPF probe needs; each check says how to get what is missing."""

from __future__ import annotations

import re
from typing import NamedTuple

from .machine import Machine

TRACEFS = ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")
LOCKDOWN = "/sys/kernel/security/lockdown"
LEAST_KERNEL = (4, 10)
"""BPF got per-CPU maps in Linux 4.6, tracepoints in 4.7 and LRU maps in 4.10."""
INSTALLERS = {
    "debian": "apt-get install",
    "ubuntu": "apt-get install",
    "fedora": "dnf install",
    "rhel": "dnf install",
    "suse": "zypper install",
    "arch": "pacman -S",
    "alpine": "apk add",
}
OTHERWISE = "debian"


class Check(NamedTuple):
    """The result of a check for one thing that a probe needs.

    ``ok`` is None if the check cannot find out here. ``found`` is what the check found: a version, a path, or what is
    wrong. ``fix`` says how to get the thing if it is missing.
    """

    what: str
    ok: bool | None
    found: str
    fix: str = ""


def install_command(machine: Machine, names: dict[str, str]) -> str:
    """The command that installs a package. ``names`` has its name by distribution, at least for OTHERWISE."""
    text = machine.read("/etc/os-release")
    known = re.findall(r'^(?:ID|ID_LIKE)="?([^"\n]*)', text, re.MULTILINE)
    for word in " ".join(known).split():
        family = next((name for name in INSTALLERS if word.startswith(name)), None)
        if family is not None:
            return f"{INSTALLERS[family]} {names.get(family, names[OTHERWISE])}"
    return f"install the package that Debian calls {names[OTHERWISE]}"


def check_kernel(machine: Machine) -> Check:
    """Check for Linux, new enough for BPF on tracepoints."""
    release = machine.release()
    if machine.system() != "Linux":
        return Check("kernel", False, machine.system(), "measure on Linux; text from elsewhere can be piped in")
    numbers = tuple(int(number) for number in re.findall(r"\d+", release)[:2])
    least = ".".join(map(str, LEAST_KERNEL))
    return Check("kernel", numbers >= LEAST_KERNEL, f"Linux {release}", f"Linux {least} or later is needed")


def check_privilege(machine: Machine) -> Check:
    """Check for root, or a way to become root."""
    if machine.is_root():
        return Check("privilege", True, "root")
    sudo = machine.which("sudo")
    if sudo is None:
        return Check("privilege", False, "not root, and there is no sudo", "run it as root, or install sudo")
    return Check("privilege", True, f"by {sudo}, which may ask for a password")


def check_lockdown(machine: Machine) -> Check:
    """Check that the kernel's lockdown allows BPF to read: "confidentiality" does not, "integrity" does."""
    found = re.search(r"\[(\w+)\]", machine.read(LOCKDOWN))
    if found:
        fix = "boot without lockdown=confidentiality; lockdown=integrity will do"
        return Check("lockdown", found[1] != "confidentiality", found[1], fix)
    if _mounted(machine, "securityfs"):
        return Check("lockdown", True, "this kernel knows none")
    return Check("lockdown", None, "cannot be told: securityfs is not mounted")


def check_tracefs(machine: Machine) -> Check:
    """Check for tracefs, in which the kernel describes its tracepoints."""
    place = _place(machine)
    if place is not None:
        return Check("tracefs", True, f"mounted on {place}")
    return Check("tracefs", False, "not mounted", f"mount -t tracefs none {TRACEFS[0]}")


def check_tracepoints(machine: Machine, names: list[str]) -> Check:
    """Check whether the kernel has tracepoints such as ``block:block_rq_issue``."""
    place = _place(machine)
    if place is None:
        return Check("tracepoints", None, "cannot be told: tracefs is not mounted")
    if not machine.may_look(place):
        return Check("tracepoints", None, "only root can look", "run the check as root")
    missing = [name for name in names if not machine.exists(f"{place}/events/{name.replace(':', '/')}/format")]
    fix = "a kernel with CONFIG_BLK_DEV and CONFIG_TRACEPOINTS is needed; in a container, measure on its host"
    return Check("tracepoints", not missing, f"missing: {', '.join(missing)}" if missing else ", ".join(names), fix)


def _place(machine: Machine) -> str | None:
    """The folder on which tracefs is mounted, or None."""
    mounted = _mounted(machine, "tracefs")
    return next((place for place in TRACEFS if place in mounted), None)


def _mounted(machine: Machine, kind: str) -> set[str]:
    """The folders on which file systems of this type are mounted."""
    rows = [line.split() for line in machine.read("/proc/mounts").splitlines()]
    return {row[1] for row in rows if len(row) > 2 and row[2] == kind}


def all_missing(name: str, checks: list[Check]) -> str:
    """A message that lists everything this probe lacks here, and how to get it."""
    lacks = "; ".join(f"{check.what}: {check.found} ({check.fix})" for check in checks if check.ok is False)
    return f"{name} cannot measure here. {lacks}. 'pylatencymap collectors --check {name}' says more"


def check_trial(machine: Machine, words: list[str], before: list[Check]) -> Check:
    """Start the probe itself and end it at once. If an earlier check failed, this one is skipped as hopeless."""
    if any(check.ok is False for check in before):
        return Check("trial", None, "not tried: first what is missing above")
    if not machine.is_root():
        return Check("trial", None, "not tried: run the check as root")
    answer = machine.ask(words)
    last = answer.text.strip().splitlines()[-1:] or ["no message"]
    return Check("trial", answer.status == 0, "started and ended" if answer.status == 0 else last[0], "see the message")


def tracepoint_checks(
    machine: Machine, tools: list[Check], tracepoints: list[str], trial: list[str], *, tries: bool
) -> list[Check]:
    """All checks of a BPF probe on ``tracepoints``, from the kernel to a trial run: ``trial`` is its command.
    ``tools``: the checks for the programs and files that it needs. ``tries``: whether the trial is wanted.
    """
    needed = [check_kernel(machine), *tools, check_tracefs(machine), check_tracepoints(machine, tracepoints)]
    needed += [check_lockdown(machine), check_privilege(machine)]
    return [*needed, check_trial(machine, trial, needed)] if tries else needed

"""What a BPF probe needs of a machine: each check looks, and says how to get what is missing."""

from __future__ import annotations

import re
from typing import NamedTuple

from .machine import Machine

TRACEFS = ("/sys/kernel/tracing", "/sys/kernel/debug/tracing")
LOCKDOWN = "/sys/kernel/security/lockdown"
LEAST_KERNEL = (4, 10)
"""Tracepoints for BPF came with 4.7, per-CPU maps with 4.6, LRU maps with 4.10."""
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
    """One thing that has to be there. ``ok`` None: that cannot be told here. ``fix``: how to get it, where it is not.

    ``found`` is what was found: a version, a path, or what is wrong.
    """

    what: str
    ok: bool | None
    found: str
    fix: str = ""


def package(machine: Machine, names: dict[str, str]) -> str:
    """The command that installs a package; ``names`` by distribution, that of OTHERWISE at least."""
    text = machine.read("/etc/os-release")
    known = re.findall(r'^(?:ID|ID_LIKE)="?([^"\n]*)', text, re.MULTILINE)
    for word in " ".join(known).split():
        family = next((name for name in INSTALLERS if word.startswith(name)), None)
        if family is not None:
            return f"{INSTALLERS[family]} {names.get(family, names[OTHERWISE])}"
    return f"install the package that Debian calls {names[OTHERWISE]}"


def kernel(machine: Machine) -> Check:
    """Linux, and new enough for BPF on tracepoints."""
    release = machine.release()
    if machine.system() != "Linux":
        return Check("kernel", False, machine.system(), "measure on Linux; text from elsewhere can be piped in")
    numbers = tuple(int(number) for number in re.findall(r"\d+", release)[:2])
    least = ".".join(map(str, LEAST_KERNEL))
    return Check("kernel", numbers >= LEAST_KERNEL, f"Linux {release}", f"Linux {least} or later is needed")


def privilege(machine: Machine) -> Check:
    """Root, or a way to become root."""
    if machine.is_root():
        return Check("privilege", True, "root")
    sudo = machine.which("sudo")
    if sudo is None:
        return Check("privilege", False, "not root, and there is no sudo", "run it as root, or install sudo")
    return Check("privilege", True, f"by {sudo}, which may ask for a password")


def lockdown(machine: Machine) -> Check:
    """A kernel that is locked down for confidentiality lets BPF read nothing; for integrity it does."""
    found = re.search(r"\[(\w+)\]", machine.read(LOCKDOWN))
    mode = found[1] if found else "none"
    fix = "boot without lockdown=confidentiality; lockdown=integrity will do"
    return Check("lockdown", mode != "confidentiality", mode, fix)


def tracefs(machine: Machine) -> Check:
    """Where the kernel describes its tracepoints."""
    mounted = {line.split()[1] for line in machine.read("/proc/mounts").splitlines() if " tracefs " in line}
    places = [place for place in TRACEFS if place in mounted]
    if places:
        return Check("tracefs", True, f"mounted on {places[0]}")
    return Check("tracefs", False, "not mounted", f"mount -t tracefs none {TRACEFS[0]}")


def tracepoints(machine: Machine, names: list[str]) -> Check:
    """Whether the kernel has tracepoints such as ``block:block_rq_issue``."""
    place = next((place for place in TRACEFS if machine.exists(place) and machine.may_look(place)), None)
    if place is None:
        return Check("tracepoints", None, "only root can look, where tracefs is mounted", "run the check as root")
    missing = [name for name in names if not machine.exists(f"{place}/events/{name.replace(':', '/')}/format")]
    fix = "a kernel with CONFIG_BLK_DEV and CONFIG_TRACEPOINTS is needed; in a container, measure on its host"
    return Check("tracepoints", not missing, f"missing: {', '.join(missing)}" if missing else ", ".join(names), fix)


def trial(machine: Machine, words: list[str], before: list[Check]) -> Check:
    """The probe itself, started and ended at once; where something is missing that would be in vain."""
    if any(check.ok is False for check in before):
        return Check("trial", None, "not tried: first what is missing above")
    if not machine.is_root():
        return Check("trial", None, "not tried: run the check as root")
    answer = machine.ask(words)
    last = answer.text.strip().splitlines()[-1:] or ["no message"]
    return Check("trial", answer.status == 0, "started and ended" if answer.status == 0 else last[0], "see the message")

"""Each check finds what is missing, and says how to get it."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap import registry
from pylatencymap.probes import checks
from pylatencymap.probes.checks import Check
from pylatencymap.probes.machine import Answer, Machine

Pretend = Callable[..., Any]
TRACEFS = "/sys/kernel/tracing"
BLOCK = ["block_rq_issue", "block_rq_complete", "block_rq_insert", "block_rq_requeue"]
WHOLE = {
    "/etc/os-release": 'PRETTY_NAME="Debian"\nID=debian\n',
    "/proc/mounts": f"tracefs {TRACEFS} tracefs rw 0 0\nsecurityfs /sys/kernel/security securityfs rw 0 0\n",
    "/lib/modules/6.1.0-13-amd64/build/include/generated/autoconf.h": "",
    "/usr/bin/python3": "",
    "/usr/bin/bpftrace": "",
    **{f"{TRACEFS}/events/block/{name}/format": "" for name in BLOCK},
}
ANSWERS = {"/usr/bin/python3": Answer(0, ""), "/usr/bin/bpftrace": Answer(0, "bpftrace v0.17.0\n")}


@pytest.fixture
def whole(pretend: Pretend) -> Callable[..., Machine]:
    """A machine on which everything is there, but for files that begin with one of ``without``."""

    def make(*without: str, **changes: Any) -> Machine:
        files = {name: text for name, text in WHOLE.items() if not name.startswith(without)} if without else WHOLE
        machine: Machine = pretend(
            **{"files": files, "programs": ("python3", "bpftrace", "sudo"), "answers": ANSWERS, **changes}
        )
        return machine

    return make


def checked(name: str, machine: Machine, *, tries: bool = True) -> dict[str, Check]:
    return {check.what: check for check in registry.load_probe(name).checks(machine, tries=tries)}


@pytest.mark.parametrize("name", ["bpf", "bpftrace"])
def test_nothing_is_missing_where_everything_is(name: str, whole: Callable[..., Machine]) -> None:
    found = checked(name, whole())
    assert [check.what for check in found.values() if check.ok is not True] == []
    assert found["trial"].found == "started and ended"


@pytest.mark.parametrize(
    ("name", "changes", "without", "what", "fix"),
    [
        ("bpf", {"answers": {"/usr/bin/python3": Answer(1, "")}}, "", "bcc", "apt-get install python3-bpfcc"),
        ("bpf", {}, "/lib/modules", "headers", "apt-get install linux-headers-$(uname -r)"),
        ("bpf", {}, "/proc/mounts", "tracefs", f"mount -t tracefs none {TRACEFS}"),
        ("bpf", {}, f"{TRACEFS}/events/block/block_rq_insert", "tracepoints", "CONFIG_TRACEPOINTS"),
        ("bpf", {"release": "4.4.0-generic"}, "", "kernel", "4.10"),
        ("bpf", {"system": "FreeBSD"}, "", "kernel", "piped in"),
        ("bpf", {"root": False, "programs": ("python3",)}, "", "privilege", "as root"),
        ("bpftrace", {"programs": ("sudo",)}, "", "bpftrace", "apt-get install bpftrace"),
        ("bpftrace", {}, "/proc/mounts", "tracefs", f"mount -t tracefs none {TRACEFS}"),
    ],
)
def test_what_is_missing_is_found_with_how_to_get_it(
    name: str, changes: dict[str, Any], without: str, what: str, fix: str, whole: Callable[..., Machine]
) -> None:
    found = checked(name, whole(*filter(None, [without]), **changes))
    assert found[what].ok is False
    assert fix in found[what].fix
    assert found["trial"].ok is None


def test_a_missing_tracepoint_is_named(whole: Callable[..., Machine]) -> None:
    found = checked("bpf", whole(f"{TRACEFS}/events/block/block_rq_insert"))["tracepoints"]
    assert found.found == "missing: block:block_rq_insert"


@pytest.mark.parametrize(
    ("text", "mode", "ok"),
    [
        ("[none] integrity confidentiality", "none", True),
        ("none [integrity] confidentiality", "integrity", True),
        ("none integrity [confidentiality]", "confidentiality", False),
    ],
)
def test_only_a_lockdown_for_confidentiality_is_in_the_way(text: str, mode: str, ok: bool, pretend: Pretend) -> None:
    assert checks.check_lockdown(pretend({checks.LOCKDOWN: text}))[:3] == ("lockdown", ok, mode)


@pytest.mark.parametrize(("mounts", "ok"), [("", None), ("x /sys/kernel/security securityfs rw 0 0\n", True)])
def test_without_securityfs_a_lockdown_cannot_be_told(mounts: str, ok: bool | None, pretend: Pretend) -> None:
    assert checks.check_lockdown(pretend({"/proc/mounts": mounts})).ok is ok


def test_without_tracefs_nothing_is_said_of_the_kernel(whole: Callable[..., Machine]) -> None:
    found = checked("bpf", whole("/proc/mounts"))["tracepoints"]
    assert found == Check("tracepoints", None, "cannot be told: tracefs is not mounted")


@pytest.mark.parametrize(
    ("about", "command"),
    [
        ("ID=debian", "apt-get install python3-bpfcc"),
        ('ID=pop\nID_LIKE="ubuntu debian"', "apt-get install python3-bpfcc"),
        ('ID="rocky"\nID_LIKE="rhel centos fedora"', "dnf install python3-bcc"),
        ('ID="opensuse-leap"\nID_LIKE="suse opensuse"', "zypper install python3-bcc"),
        ("ID=arch", "pacman -S python-bcc"),
        ("ID=alpine", "apk add py3-bcc"),
        ("ID=mine", "install the package that Debian calls python3-bpfcc"),
    ],
)
def test_the_package_has_the_name_of_its_distribution(about: str, command: str, whole: Callable[..., Any]) -> None:
    machine = whole(answers={"/usr/bin/python3": Answer(1, "")})
    machine.files = {**WHOLE, "/etc/os-release": about + "\n"}
    assert checked("bpf", machine, tries=False)["bcc"].fix == command


def test_a_python_of_the_system_is_found_where_ours_has_no_bcc(whole: Callable[..., Machine]) -> None:
    assert checked("bpf", whole())["bcc"].found == "for /usr/bin/python3"


def test_a_probe_that_fails_its_trial_is_quoted(whole: Callable[..., Machine]) -> None:
    said = Answer(1, "warning\nthe kernel does not take the program: Operation not permitted\n")

    class Refuses(type(whole())):  # type: ignore[misc]
        def ask(self, words: list[str]) -> Answer:
            return said if "--check" in words else super().ask(words)  # type: ignore[no-any-return]

    trial = checked("bpf", Refuses(WHOLE, ("python3",), ANSWERS))["trial"]
    assert (trial.ok, trial.found) == (False, "the kernel does not take the program: Operation not permitted")


def test_who_is_not_root_is_told_what_only_root_can_see(whole: Callable[..., Machine]) -> None:
    found = checked("bpf", whole(root=False))
    assert found["privilege"] == Check("privilege", True, "by /usr/bin/sudo, which may ask for a password")
    assert (found["tracepoints"].ok, found["trial"].ok) == (None, None)


def test_nothing_is_started_where_only_a_list_is_wanted(whole: Callable[..., Any]) -> None:
    machine = whole()
    assert "trial" not in checked("bpf", machine, tries=False)
    assert not any("--check" in words for words in machine.asked)

"""Judges the inputs of a seed in processes of their own, so that one that hangs or eats the memory ends no run."""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from .invariants import Broken
from .judging import CRASH, HANG, HANG_SECONDS, Cases, judge, signature
from .minimising import minimised, save
from .neighbours import BESIDE
from .samples import Sample

MEMORY = "memory"
MOST_MB = 500.0
"""Memory that a process takes for its inputs, with all that it keeps between them."""
HARD_MB = 3000
"""Beyond so much more than it has at first, the process gets a MemoryError, so that the machine is not harmed."""
KILLED_AFTER = 4 * HANG_SECONDS
"""CPU after which the process of an input is killed."""
KEPT_OF_A_KIND = 2
"""Failing inputs that are kept of each kind and cause; the first is made smaller."""
_GENTLE = {BESIDE}
"""Kinds that are told and fail nothing."""
_CONTEXT = multiprocessing.get_context("fork")


class Judged(NamedTuple):
    """What a process tells of one input. ``failures``: kind, signature, text and where it is kept."""

    number: int
    collector: str
    did: Counter[str]
    failures: list[tuple[str, str, str, str]]
    seconds: float
    cpu: float
    peak_mb: float


@dataclass
class Totals:
    """Everything that a run found."""

    inputs: int = 0
    collectors: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    firsts: dict[str, tuple[str, str]] = field(default_factory=dict)
    peak_mb: float = 0.0
    worst: tuple[float, int] = (0.0, 0)
    cpu: float = 0.0
    seconds: float = 0.0

    def add(self, judged: Judged) -> None:
        """Add one input."""
        self.inputs += 1
        self.collectors[judged.collector or "(none)"] += 1
        self.did += judged.did
        self.peak_mb = max(self.peak_mb, judged.peak_mb)
        self.worst = max(self.worst, (judged.seconds, judged.number))
        self.cpu += judged.seconds
        for kind in {kind for kind, *_ in judged.failures}:
            self.failures[kind] += 1
        for cause in {cause for _, cause, *_ in judged.failures}:
            self.causes[cause] += 1
        for _, cause, what, kept in judged.failures:
            self.firsts.setdefault(cause, (what, kept))

    @property
    def failed(self) -> bool:
        """Whether anything broke that must hold."""
        return any(count for kind, count in self.failures.items() if kind not in _GENTLE)


class Plan(NamedTuple):
    """What to run. ``folder``: where failing inputs are kept; None: nowhere."""

    samples: list[Sample]
    seed: int
    inputs: int
    jobs: int = 1
    first: int = 0
    folder: Path | None = None


def run(plan: Plan, tell: Callable[[Totals], object] = lambda _: None) -> Totals:
    """Judge ``inputs`` inputs from number ``first``; ``tell`` is called now and then."""
    totals, begin = Totals(), time.monotonic()
    workers = [_Worker(plan, plan.first + job) for job in range(plan.jobs)]
    while running := [worker for worker in workers if not worker.done]:
        wait([worker.pipe for worker in running], 1.0)
        for worker in running:
            for judged in worker.told():
                totals.add(judged)
        totals.seconds = time.monotonic() - begin
        tell(totals)
    for worker in workers:
        worker.process.join()
    return totals


class _Worker:
    """One process, which judges every ``jobs``-th input, and is replaced when an input ends it."""

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        self._next = number
        self._cpu = 0.0
        self._full = False
        self.done = False
        self._start()

    def _start(self) -> None:
        plan = self._plan
        self.done = self._next >= plan.first + plan.inputs
        self.pipe, theirs = _CONTEXT.Pipe(duplex=False)
        numbers = range(self._next, plan.first + plan.inputs, plan.jobs)
        self.process = _CONTEXT.Process(target=_judge_all, args=(plan, numbers, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self._cpu, self._full = 0.0, False

    def told(self) -> list[Judged]:
        """What the process has told since; a process that has died, or burns CPU on one input, is replaced."""
        found: list[Judged] = []
        try:
            while self.pipe.poll():
                judged = self.pipe.recv()
                self._next, self._cpu = judged.number + self._plan.jobs, judged.cpu
                self._full = judged.peak_mb > MOST_MB
                found.append(judged)
        except EOFError:
            self.process.join()
            if self._next < self._plan.first + self._plan.inputs and not self._full:
                found.append(self._lost(CRASH, f"the process ended with status {self.process.exitcode}"))
            self._start_again()
            return found
        spent = _cpu_of(self.process.pid) - self._cpu
        if self._cpu and spent > KILLED_AFTER:
            self.process.kill()
            self.process.join()
            found.append(self._lost(HANG, f"killed after {spent:.0f} s of CPU", spent))
            self._start_again()
        return found

    def _start_again(self) -> None:
        self.pipe.close()
        if self._next < self._plan.first + self._plan.inputs:
            self._start()
        else:
            self.done = True

    def _lost(self, kind: str, what: str, seconds: float = 0.0) -> Judged:
        """The input that ended its process."""
        number, broken, kept = self._next, Broken(kind, what), ""
        if self._plan.folder:
            kept = str(
                save(self._plan.folder, self._plan.seed, Cases(self._plan.samples, self._plan.seed)[number], broken)
            )
        self._next += self._plan.jobs
        failure = (kind, signature(broken, ""), what, kept)
        return Judged(number, "", Counter(), [failure], seconds, 0.0, 0.0)


def _cpu_of(pid: int | None) -> float:
    """Seconds of CPU of a running process; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _judge_all(plan: Plan, numbers: range, pipe: Connection) -> None:
    """Judge these inputs; the process ends early where its memory has grown beyond MOST_MB."""
    most = _address_space() + (HARD_MB << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    cases, seen = Cases(plan.samples, plan.seed), Counter[str]()
    at_first = _peak_mb()  # what the process that forked this one had
    for number in numbers:
        judged = _judged(plan, cases, number, seen, at_first)
        pipe.send(judged)
        if judged.peak_mb > MOST_MB:
            return


def _address_space() -> int:
    """The bytes of the address space of this process, with what the one that forked it had. Source: proc(5), statm."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _judged(plan: Plan, cases: Cases, number: int, seen: Counter[str], at_first: float = 0.0) -> Judged:
    case = cases[number]
    verdict = judge(case, cases.known(case))
    peak = _peak_mb() - at_first
    if peak > MOST_MB:
        verdict.broken.append(
            Broken(MEMORY, f"{peak:.0f} MB after {len(case.damaged.data)} bytes of {case.sample.name}")
        )
    failures = []
    for broken in verdict.broken:
        cause, kept = signature(broken, verdict.collector), ""
        seen[cause] += 1
        if plan.folder and seen[cause] <= KEPT_OF_A_KIND:
            small = seen[cause] == 1 and broken.kind not in (HANG, MEMORY)
            smaller = minimised(case, broken, verdict.collector) if small else case
            kept = str(save(plan.folder, plan.seed, smaller, broken))
        failures.append((broken.kind, cause, broken.what, kept))
    return Judged(number, verdict.collector, verdict.did, failures, verdict.seconds, time.process_time(), peak)

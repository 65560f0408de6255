"""Damages texts of all sources and reads them: ``make fuzz N=20000 SEED=1 JOBS=2``.

Each input is a sample of a collector, or a generated text, damaged in some way. It goes through recognition, decoder,
intervals, JSON lines, window, picture, SVG, and a recording that is read again. Exit status 1 if anything broke: then
the folder has the input, made smaller, and ``--again`` judges it once more.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .fuzzing.judging import judge
from .fuzzing.minimising import saved
from .fuzzing.neighbours import undamaged
from .fuzzing.reading import read
from .fuzzing.samples import samples, shared_folder
from .fuzzing.workers import Plan, Totals, run

TOLD_EVERY = 60.0
CAUSES_SHOWN = 40


def main() -> int:
    """Run with the arguments of the command line; the exit status."""
    options = _arguments().parse_args()
    if options.again:
        return _again(options.again)
    chosen = samples(None if options.own_only else shared_folder())
    chosen = [sample for sample in chosen if options.only in sample.name]
    print(
        f"{len(chosen)} samples, seed {options.seed}, {options.inputs} inputs from number {options.first}", flush=True
    )
    plan = Plan(chosen, options.seed, options.inputs, options.jobs, options.first, Path(options.folder))
    totals = run(plan, _Progress().show)
    print(report(totals))
    return int(totals.failed)


def _arguments() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m tests.trust.fuzz", description="Damages texts and reads them.")
    made.add_argument("--inputs", type=int, default=20_000, metavar="N", help="how many inputs; default: 20000")
    made.add_argument("--seed", type=int, default=1, help="another seed damages in other ways; default: 1")
    made.add_argument("--first", type=int, default=0, metavar="NUMBER", help="number of the first input; default: 0")
    made.add_argument("--jobs", type=int, default=1, help="processes; default: 1")
    made.add_argument("--only", default="", metavar="TEXT", help="only samples whose names contain this")
    made.add_argument("--own-only", action="store_true", help="no captures from $PYLATENCYMAP_SHARED")
    made.add_argument("--folder", default="fuzz-found", help="where failing inputs are kept; default: fuzz-found")
    made.add_argument("--again", type=Path, metavar="FILE.json", help="judge an input again that was kept")
    return made


class _Progress:
    """A line about the run, once a minute."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def show(self, totals: Totals) -> None:
        if time.monotonic() - self._last >= TOLD_EVERY:
            self._last = time.monotonic()
            print(f"  {_first_line(totals)}", flush=True)


def _first_line(totals: Totals) -> str:
    failures = ", ".join(f"{count} x {kind}" for kind, count in sorted(totals.failures.items())) or "nothing broken"
    return f"{totals.inputs} inputs in {totals.seconds:.0f} s ({totals.cpu:.0f} s of CPU): {failures}"


def report(totals: Totals) -> str:
    """All that a run found, as text."""
    per_core = totals.inputs / totals.cpu if totals.cpu else 0.0
    lines = [
        _first_line(totals),
        "checked: " + ", ".join(f"{count} {what}" for what, count in totals.did.most_common()),
        "by collector: " + ", ".join(f"{name} {count}" for name, count in totals.collectors.most_common()),
        f"peak memory {totals.peak_mb:.0f} MB, worst CPU {totals.worst[0]:.2f} s (input {totals.worst[1]}), "
        f"{per_core:.0f} inputs a second of CPU",
    ]
    for cause, count in totals.causes.most_common(CAUSES_SHOWN):
        what, kept = totals.firsts[cause]
        lines.append(f"{count} x {cause}\n    {what[:600]}\n    {kept}")
    return "\n".join(lines)


def _again(path: Path) -> int:
    """Judge a kept input once more and tell what is broken."""
    case = saved(path)
    known = undamaged(read(case.sample.data)) if case.damaged.first else None
    verdict = judge(case, known)
    for broken in verdict.broken:
        print(f"{broken.kind}: {broken.what}")
    print(
        f"{len(verdict.broken)} broken, read as {verdict.collector or 'nothing known'}, {verdict.seconds:.2f} s of CPU"
    )
    return int(bool(verdict.broken))


if __name__ == "__main__":
    sys.exit(main())

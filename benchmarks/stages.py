"""Where the time of a whole picture goes: CPU time and calls of each stage, for each new moment of a recording.

.venv/bin/python benchmarks/stages.py [--recordings A,B] [--size 120x40] [--moments N] [--runs N] [-- OPTION...]
.venv/bin/python benchmarks/stages.py --check

The product runs by its command line, ``replay FILE --delay 0`` on a pseudo-terminal, which draws every moment; options
after ``--`` go to it. Half of the moments only warm up. Times are CPU time of the thread that draws; the time of a
stage is its own, without the stages inside it. Runs with marks around the stages and runs without, which give the true
total, take turns, and the least of each counts. One more run counts calls, and with ``--runs 0`` it is the only one: a
busy machine makes no more calls. Reading the records is not part of a picture: it has a thread of its own.

TABLE says what functions a stage consists of. A name that the product does not have ends the benchmark; ``--check``
only looks for the names.
"""

import argparse
import importlib
import json
import os
import runpy
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import compiled_in, read_until_closed, terminal, terminal_environment
from recordings import EXAMPLES, extended

TABLE = (
    ("window: add", "pylatencymap.window.window", "Window.add"),
    ("window: select", "pylatencymap.window.window", "Window.select"),
    ("window: matrix", "pylatencymap.window.selection", "Selection.matrix"),
    ("window: time waited", "pylatencymap.window.statistics", "mean_latencies"),
    ("window: time waited", "pylatencymap.window.statistics", "waited_per_range"),
    ("window: usual interval", "pylatencymap.window.history", "History.usual_seconds"),
    ("window: which series", "pylatencymap.window.window", "Window.by_time_waited"),
    ("window: overview", "pylatencymap.window.overview", "overview_of"),
    ("window: statistics", "pylatencymap.window.selection", "Selection.summary"),
    ("window: statistics", "pylatencymap.window.selection", "Selection.latest"),
    ("commentary: modes, texts", "pylatencymap.session.commentary", "Commentary.reading"),
    ("commentary: changes", "pylatencymap.session.commentary", "Commentary.step"),
    ("commentary: changes", "pylatencymap.session.commentary", "Commentary.is_due"),
    ("status, hints", "pylatencymap.session.picture", "Picture.described"),
    ("status, hints", "pylatencymap.tui.bindings", "key_hints"),
    ("scene", "pylatencymap.session.picture", "Picture.scene"),
    ("picture", "pylatencymap.session.picture", "Picture.drawn"),
    ("content: rows", "pylatencymap.view.layout.latency_rows", "select_rows"),
    ("content: remarks", "pylatencymap.view.wording.remarks", "find_remarks"),
    ("content: reading, events", "pylatencymap.view.wording.footer", "gather_footer"),
    ("content: rest", "pylatencymap.view.frame.composition", "content_of"),
    ("compose: layout", "pylatencymap.view.layout.layout", "arrange_layout"),
    ("compose: levels, totals", "pylatencymap.view.frame.frame", "make_map_panel"),
    ("compose: scales", "pylatencymap.view.frame.scale_ends", "scale_maximum"),
    ("compose: geometry", "pylatencymap.view.frame.composition", "_geometry"),
    ("compose: overview", "pylatencymap.view.wording.overview", "overview_line"),
    ("compose: selection", "pylatencymap.view.wording.selection", "find_selected"),
    ("compose: labels", "pylatencymap.view.frame.frame", "make_labels"),
    ("compose: ticks", "pylatencymap.view.wording.time_axis", "axis_ticks"),
    ("compose: ticks", "pylatencymap.view.wording.time_axis", "column_span"),
    ("compose: captions", "pylatencymap.view.wording.captions", "title_text"),
    ("compose: captions", "pylatencymap.view.wording.captions", "title_right_text"),
    ("compose: captions", "pylatencymap.view.wording.captions", "heading_text"),
    ("compose: captions", "pylatencymap.view.wording.captions", "key_hints_text"),
    ("compose: captions", "pylatencymap.view.wording.captions", "fixed_range_text"),
    ("compose: texts below", "pylatencymap.view.wording.footer", "footer_lines"),
    ("compose: rest", "pylatencymap.view.frame.composition", "compose_frame"),
    ("paint: map cells", "pylatencymap.view.paint.maps", "map_cells"),
    ("paint: axis", "pylatencymap.view.paint.painter", "_paint_axis"),
    ("paint: overview", "pylatencymap.view.paint.painter", "_paint_overview"),
    ("paint: rest", "pylatencymap.view.paint.painter", "paint_frame"),
    ("encode: shift", "pylatencymap.view.terminal.shift", "find_shift"),
    ("encode: differences, SGR", "pylatencymap.view.terminal.encoder", "_Painter.paint"),
    ("encode: rest", "pylatencymap.view.terminal.encoder", "ScreenEncoder.encode"),
    ("write", "pylatencymap.tui.terminal.outlet", "Outlet.write"),
)
"""Stage, module, and function or method there. All functions of a stage count together."""
LOOP = "loop"
"""What is in none of the stages."""
ROOT = "pylatencymap"
FRAME_END = b"\x1b[?2026l"
MARKED, WHOLE, CALLS = "marked", "whole", "calls"


class Marks:
    """Own time and calls of stages, of the thread that draws."""

    def __init__(self) -> None:
        self.nanoseconds: dict[str, int] = defaultdict(int)
        self.entered: dict[str, int] = defaultdict(int)
        self._running = [LOOP]
        self._since = time.thread_time_ns()

    def _switch(self) -> None:
        """What has passed belongs to the stage that runs."""
        now = time.thread_time_ns()
        self.nanoseconds[self._running[-1]] += now - self._since
        self._since = now

    def around(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, marked."""

        @wraps(function)
        def marked(*arguments: Any, **named: Any) -> Any:
            self._switch()
            self._running.append(stage)
            self.entered[stage] += 1
            try:
                return function(*arguments, **named)
            finally:
                self._switch()
                self._running.pop()

        return marked

    def start(self) -> None:
        """Forget what was."""
        self.nanoseconds.clear()
        self.entered.clear()
        self._since = time.thread_time_ns()

    def stop(self) -> None:
        self._switch()


def place_of(module: str, name: str) -> tuple[Any, str]:
    """The module or class that holds a function, and its name there. LookupError where there is none."""
    try:
        holder: Any = importlib.import_module(module)
        *outer, last = name.split(".")
        for part in outer:
            holder = getattr(holder, part)
        getattr(holder, last)
    except (ImportError, AttributeError) as error:
        raise LookupError(f"{module}: {name}") from error
    return holder, last


def check() -> None:
    """Ends the benchmark unless the product has all that the table names."""
    missing = []
    for _, module, name in TABLE:
        try:
            place_of(module, name)
        except LookupError as error:
            missing.append(str(error))
    if missing:
        sys.exit("\n    ".join(["TABLE of stages.py names what the product does not have:", *missing]))


def install(marks: Marks) -> None:
    """Mark the functions of the table, wherever the modules that are loaded know them."""
    for stage, module, name in TABLE:
        holder, last = place_of(module, name)
        function = getattr(holder, last)
        marked = marks.around(stage, function)
        setattr(holder, last, marked)
        for known in [one for path, one in sys.modules.items() if path.partition(".")[0] == ROOT]:
            for alias in [alias for alias, value in vars(known).items() if value is function]:
                setattr(known, alias, marked)


class Calls:
    """Calls of Python and C functions, of the thread that draws."""

    def __init__(self) -> None:
        self.python = self.c = 0

    def profile(self, frame: object, event: str, argument: object) -> None:  # noqa: ARG002 - sys.setprofile
        if event == "call":
            self.python += 1
        elif event == "c_call":
            self.c += 1


def product(log: Path, kind: str, warm: int, frames: int, argv: list[str]) -> None:
    """In a process of its own: run the product, and measure the frames behind the first ``warm``."""
    marks, calls, begun, drawn, real_write = Marks(), Calls(), 0, 0, os.write
    if kind == MARKED:
        install(marks)

    def start() -> None:
        nonlocal begun
        marks.start()
        begun = time.thread_time_ns()
        if kind == CALLS:
            sys.setprofile(calls.profile)

    def stop() -> None:
        sys.setprofile(None)
        whole = time.thread_time_ns() - begun
        marks.stop()
        found = {"whole": whole, "python": calls.python, "c": calls.c}
        log.write_text(json.dumps([found, marks.nanoseconds, marks.entered]))
        os._exit(0)

    def write(descriptor: int, data: bytes) -> int:
        nonlocal drawn
        written = real_write(descriptor, data)
        if FRAME_END in data:
            drawn += 1
            if drawn == warm:
                start()
            elif drawn == warm + frames:
                stop()
        return written

    os.write = write
    sys.argv[1:] = argv
    runpy.run_module(ROOT, run_name="__main__", alter_sys=True)


def measured(kind: str, path: Path, size: tuple[int, int], moments: int, options: list[str]) -> list[dict[str, float]]:
    """What ``product`` found, for each frame: totals, nanoseconds by stage, calls by stage."""
    log, warm = path.with_suffix(".json"), moments // 2
    log.unlink(missing_ok=True)
    frames = moments - warm
    child = [sys.executable, __file__, "--child", str(log), kind, str(warm), str(frames)]
    ours, theirs = terminal(*size)
    seen = bytearray()
    process = subprocess.Popen(
        [*child, "replay", str(path), "--delay", "0", *options],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env=terminal_environment(),
    )
    os.close(theirs)
    read_until_closed(ours, lambda data: seen.extend(data))
    process.wait()
    os.close(ours)
    if not log.exists():
        sys.exit(f"not all {moments} moments were drawn: {seen[-2000:].decode(errors='replace')}")
    return [{name: value / frames for name, value in part.items()} for part in json.loads(log.read_text())]


def report(path: Path, size: tuple[int, int], moments: int, runs: int, options: list[str]) -> str:
    """The table of one recording."""
    totals = measured(CALLS, path, size, moments, options)[0]  # warms the caches too
    calls = f"calls a picture: {totals['python']:.0f} of Python functions, {totals['c']:.0f} of C functions"
    if not runs:
        return calls
    rounds = [[measured(kind, path, size, moments, options) for kind in (MARKED, WHOLE)] for _ in range(runs)]
    _, nanoseconds, entered = min((marked for marked, _ in rounds), key=lambda found: sum(found[1].values()))
    whole = min(found[0]["whole"] for _, found in rounds)
    lines = [f"{'stage':<28} {'us':>7} {'share':>6} {'calls':>6}"]
    sum_of_stages = sum(nanoseconds.values())
    for stage in [*dict.fromkeys(stage for stage, _, _ in TABLE), LOOP]:
        own = nanoseconds.get(stage, 0)
        times = f"{entered[stage]:.1f}" if stage in entered else "-"
        lines.append(f"{stage:<28} {own / 1e3:>7.0f} {own / sum_of_stages:>6.1%} {times:>6}")
    lines.append(f"{'sum, with the marks':<28} {sum_of_stages / 1e3:>7.0f}")
    lines.append(f"{'whole, without marks':<28} {whole / 1e3:>7.0f}")
    return "\n".join([*lines, calls])


def main() -> None:
    if sys.argv[1:2] == ["--child"]:
        product(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:])
        return
    parser = argparse.ArgumentParser(description="Measure the stages of a whole picture.", allow_abbrev=False)
    parser.add_argument("--recordings", default="steady")
    parser.add_argument("--size", default="120x40", help="columns and lines of the terminal")
    parser.add_argument("--moments", type=int, default=400)
    parser.add_argument("--runs", type=int, default=3, help="0: only count calls")
    parser.add_argument("--check", action="store_true", help="only look for the functions of the table")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="of pylatencymap, behind --")
    wanted = parser.parse_args()
    check()
    if wanted.check:
        return
    columns, lines = map(int, wanted.size.split("x"))
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder) / "bytecode")
        for name in wanted.recordings.split(","):
            path = Path(folder) / f"{name}.lmap"
            path.write_text("".join(extended(EXAMPLES / f"{name}.lmap.gz", wanted.moments)))
            print(f"{name}, {wanted.size} {' '.join(wanted.options)}")
            print(report(path, (columns, lines), wanted.moments, wanted.runs, wanted.options), flush=True)


if __name__ == "__main__":
    main()

"""How fast large files of fio, strace and biosnoop are read, against a plain loop that splits their lines.

    .venv/bin/python benchmarks/columns.py [--runs N] [--megabytes N] [KIND ...]

Loop and scan do the same work: each event into a histogram of its series and second, its latency summed. Both are
compared, cell by cell, before anything is timed. Damaged files of each kind, and of SQL traces, are scanned and read by
the line decoder: events, messages and counts have to be the same. ``convert`` is the whole command.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from lines import KINDS, text
from measure import compiled_in
from traces import Case, measured, run, table

Cells = dict[tuple[int, str], tuple[int, dict[int, int]]]
"""Latencies summed, and events by octave, of each second and series."""

GOAL, MOST_MEGABYTES = 3.5, 100
PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
DAMAGED_MEGABYTES = 10
COLLECTORS = {"fio": "fio_log", "strace": "strace", "biosnoop": "biosnoop", "oracle": "oracle_trace"}
FIELDS = {
    "fio": """
    fields = line.split(b", ")
    latency = int(fields[1])
    key = int(fields[0]) // 1000, fields[2]
""",
    "strace": """
    _, time, call = line.split(None, 2)
    latency = round(float(call[call.rfind(b"<") + 1 : -2]) * 1e6)
    key = (int(time.replace(b".", b"")) + latency) // 1000000, call[: call.find(b"(")]
""",
    "biosnoop": """
    fields = line.split()
    latency = round(float(fields[7]) * 1000)
    key = int(fields[0].replace(b".", b"")) // 1000000, fields[3] + b"," + fields[4]
""",
}
LOOP = """
import sys
bins = {}
file = open(sys.argv[1], "rb")
%s
for line in file:
%s
    cell = bins.get(key)
    if cell is None:
        cell = bins[key] = [0, {}]
    cell[0] += latency
    octave = latency.bit_length()
    cell[1][octave] = cell[1].get(octave, 0) + 1
if len(sys.argv) > 2:
    for (second, series), (waited, counts) in bins.items():
        print(second, series.decode(), waited, *(f"{octave}:{count}" for octave, count in sorted(counts.items())))
else:
    print(sum(sum(cell[1].values()) for cell in bins.values()), sum(cell[0] for cell in bins.values()))
"""
NAMES = {"fio": {"0": "read", "1": "write"}, "biosnoop": {"R": "read", "W": "write"}}
"""What the scan calls what a loop finds."""
SCAN = """
import os, sys
from pylatencymap import registry
from pylatencymap.scan import HEAD_BYTES, FileScanner, FileToScan, Head, PlainChunks
from pylatencymap.collector import Known
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.report import Report
path, name, jobs = sys.argv[1:]
file, collector = os.open(path, os.O_RDONLY), registry.load_collector(name)
fit = registry.load_scan(collector).scan_of(Head(collector, os.pread(file, HEAD_BYTES, 0), Known(), path))
chunks = PlainChunks(file, os.fstat(file).st_size, int(jobs))
reader = FileScanner(FileToScan(chunks, fit, TimeOptions()))
print(*reader.count(collector, Report(path), Known()))
"""


def loop(kind: str, path: Path, *arguments: str) -> list[str]:
    header = "next(file)" if kind == "biosnoop" else ""
    return [sys.executable, "-c", LOOP % (header, FIELDS[kind].strip("\n")), str(path), *arguments]


def cases(kind: str, path: Path) -> list[Case]:
    python, name = sys.executable, COLLECTORS[kind]
    literal = {"fio": ", 0, ", "strace": "pread64(", "biosnoop": " R "}[kind]
    return [
        Case("split loop", loop(kind, path)),
        Case(
            "scan, 1 process", [python, "-c", SCAN, str(path), name, "1"], cpu=GOAL, wall=GOAL, megabytes=MOST_MEGABYTES
        ),
        Case("scan, 2 processes", [python, "-c", SCAN, str(path), name, "2"], wall=GOAL, megabytes=MOST_MEGABYTES),
        Case(
            "convert, 1 process", [python, "-m", "pylatencymap", "convert", "--to", "jsonl", "--jobs", "1", str(path)]
        ),
        Case("convert, 2 processes", [python, "-m", "pylatencymap", "convert", "--to", "jsonl", str(path)]),
        Case("grep -c -F", ["grep", "-c", "-F", literal, str(path)]),
        Case("wc -l", ["wc", "-l", str(path)]),
    ]


def both_paths(collector: str, path: Path) -> Iterator[tuple[object, ...]]:
    """Timed events, messages and the count of bad lines: first as scanned, in the usual pieces, then line by line."""
    from pylatencymap import registry
    from pylatencymap.collector import Known
    from pylatencymap.intervals.batch import batch_events
    from pylatencymap.intervals.event_bins import bin_events
    from pylatencymap.intervals.options import TimeOptions
    from pylatencymap.intervals.stages import resolve_times
    from pylatencymap.report import Report
    from pylatencymap.scan import HEAD_BYTES, FileScanner, FileToScan, Head, PlainChunks
    from pylatencymap.session.input.source import StopRequest, open_source

    loaded, known, options = registry.load_collector(collector), Known(), TimeOptions()
    module = registry.load_scan(loaded)
    assert module is not None
    for scanning in (True, False):
        said: list[str] = []
        report, source = Report("text", say=said.append), open_source(str(path), StopRequest())
        if scanning:
            with path.open("rb") as file:
                fit = module.scan_of(Head(loaded, file.read(HEAD_BYTES), known, "text"))
            assert fit is not None
            size = path.stat().st_size
            bulk = FileScanner(FileToScan(PlainChunks(source.descriptor, size, 2), fit, options))
            events = list(batch_events(bulk.batches(loaded, report, known)))
        else:
            decoded = bin_events(loaded.decode(source.lines(), report, known), options, report)
            events = list(resolve_times(decoded, options, report))
        yield events, said, report.bad_count


def check_damaged(kind: str, path: Path) -> str:
    """What was compared; ends the benchmark where the two paths differ."""
    with path.open("wb") as file:
        file.writelines(text(kind, DAMAGED_MEGABYTES * 10**6, damage=True))
    scanned, decoded = both_paths(COLLECTORS[kind], path)
    if scanned != decoded:
        sys.exit(f"{kind}, damaged: what is scanned differs from what the line decoder finds")
    return f"{kind}, damaged, {DAMAGED_MEGABYTES} MB: scanned as decoded, {scanned[2]} lines reported"


def cells_of_loop(kind: str, printed: str) -> Cells:
    cells: Cells = {}
    for line in printed.splitlines():
        second, series, waited, *counts = line.split()
        names = NAMES.get(kind, {})
        name = ",".join(names.get(part, part) for part in series.split(","))
        octaves = dict(map(int, item.split(":")) for item in counts)
        cells[int(second), name] = int(waited), octaves
    return cells


def cells_of_intervals(printed: str) -> Cells:
    cells: Cells = {}
    for interval in map(json.loads, printed.splitlines()):
        octaves = Counter[int]()
        for lower, _, count in interval["counts"]:
            octaves[lower.bit_length()] += count
        if octaves:
            waited = round(interval["time"] * PER_SECOND[interval["unit"]])
            cells[round(interval["start"]), interval["series"]] = waited, dict(octaves)
    return cells


def check(kind: str, path: Path, output: Path) -> str:
    """What was compared; ends the benchmark where the product finds other histograms or sums than the loop."""
    run(Case("split loop", loop(kind, path, "cells")), output)
    expected = cells_of_loop(kind, output.read_text())
    convert = next(case for case in cases(kind, path) if case.name.startswith("convert"))
    run(convert, output)
    if cells_of_intervals(output.read_text()) != expected:
        sys.exit(f"{kind}: what is converted differs from what the loop finds")
    events = sum(sum(octaves.values()) for _, octaves in expected.values())
    told = set()
    for case in cases(kind, path)[:3]:
        run(case, output)
        told.add(output.read_text())
    if len(told) != 1:
        sys.exit(f"{kind}: loop and scans find different sums: {told}")
    return f"{kind}, {path.stat().st_size / 1e6:.0f} MB: {events} events in {len(expected)} histograms, the same in all"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the reading of large files of events.", allow_abbrev=False)
    parser.add_argument("kinds", metavar="KIND", nargs="*", help=f"of {', '.join(KINDS)}; default: all")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=200.0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        output = Path(folder) / "output"
        for kind in options.kinds or KINDS:
            path = Path(folder) / kind
            print(check_damaged(kind, path), flush=True)
            if kind not in FIELDS:  # traces.py times SQL traces
                continue
            with path.open("wb") as file:
                file.writelines(text(kind, round(options.megabytes * 1e6)))
            print(check(kind, path, output))
            timed = cases(kind, path)
            print(table(timed, measured(timed, options.runs, output), path.stat().st_size), flush=True)
            path.unlink()


if __name__ == "__main__":
    main()

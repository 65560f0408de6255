"""The command lines whose output is pinned, and the folder in which they run."""

import os
import shutil
from pathlib import Path

from tests.pinned.runner import ROOT

RECORDINGS = ("steady", "cold-start", "flags", "spindle")
SAMPLES = ROOT / "tests" / "collectors" / "samples"
CHANGED = 1_768_478_400
"""When the copied files were last changed: 2026-01-15 12:00 UTC. Times of day without a date are dated by it."""
PICTURES = (
    "--depth truecolor",
    "--depth 16",
    "--depth mono",
    "--depth ascii",
    "--background light",
    "--palette viridis",
    "--palette classic --background light --depth truecolor",
    "--series loop0",
    "--series 'loop*' --resolution 2",
    "--resolution 4 --rows 12",
    "--map frequency",
    "--map intensity",
    "--scale linear",
    "--scale log",
    "--scale share",
    "--slo 10ms",
    "--slo 300us --depth ascii",
    "--min-latency 128us",
    "--max-latency 8ms",
    "--columns 20",
    "--rows 5",
    "--interval 5",
    "--interval 60",
    "--count 20",
    "--duration 12.5",
    "--frequency-max 500 --intensity-max 200ms",
    "--tz Asia/Kolkata",
    "--semantics rate",
    "--num_records 30 --min_bucket 6 --max_bucket 14 --frequency_maxval 400",
)
"""Options of a picture. Each is drawn of ``cold-start``; some of the others as well."""
EVERYWHERE = ("--depth ascii", "--depth truecolor", "--resolution 2", "--slo 10ms --scale log")


def recordings() -> list[str]:
    """Conversions and pictures of the recordings in examples/."""
    lines = []
    for name in RECORDINGS:
        file = f"{name}.lmap.gz"
        lines += [
            f"pylatencymap convert --to jsonl {file}",
            f"pylatencymap convert --to jsonl --resolution 2 --interval 10 {file}",
            f"pylatencymap convert {file}",
            f"pylatencymap --once --depth 256 {file}",
            f"COLUMNS=80 LINES=24 pylatencymap replay --once --depth 256 {file}",
            f"COLUMNS=200 LINES=70 pylatencymap --once --depth 256 {file}",
            f"pylatencymap export {file} -o out.svg",
            *(f"pylatencymap --once {options} {file}" for options in EVERYWHERE),
        ]
    chosen = [options for options in PICTURES if options not in EVERYWHERE]
    lines += [f"pylatencymap --once {'' if 'depth' in it else '--depth 256 '}{it} cold-start.lmap.gz" for it in chosen]
    return [
        *lines,
        "pylatencymap replay --speed max --series loop0 --depth ascii steady.lmap.gz",
        "pylatencymap --once --depth ascii --series loop0 steady.lmap.gz spindle.lmap.gz",
        "pylatencymap convert --to jsonl --series loop0 steady.lmap.gz spindle.lmap.gz",
        "COLUMNS=60 LINES=20 pylatencymap --once --depth ascii steady.lmap.gz",
        "COLUMNS=400 LINES=100 pylatencymap --once --depth ascii --resolution 8 spindle.lmap.gz",
        "pylatencymap export spindle.lmap.gz -o out.svg --size 100x30 --slo 10ms --series loop0",
        "pylatencymap export steady.lmap.gz -o out.svg --map intensity --background light --palette inferno",
    ]


def samples() -> list[str]:
    """Every sample text of every collector as JSON lines, most of them as record stream and picture as well."""
    lines = []
    for folder in sorted(path for path in SAMPLES.iterdir() if path.is_dir()):
        texts = sorted(path.relative_to(SAMPLES) for path in folder.glob("*.txt"))
        lines += [f"pylatencymap convert --to jsonl {text}" for text in texts]
        read = [text for text in texts if "refused" not in text.stem][:1]
        lines += [f"pylatencymap convert {text}" for text in read]
        lines += [f"pylatencymap --once --depth ascii {text}" for text in read]
    return [
        *lines,
        "pylatencymap convert --to jsonl --strict bpf/disks-stamped.txt",
        "pylatencymap convert --to jsonl --date 2026-11-21 --tz Europe/Zurich bpf/disks-stamped.txt",
        "pylatencymap convert --to jsonl --interval 2 bpf/disks-unstamped.txt",
        "pylatencymap convert --to jsonl --unit ns bpftrace/keys-stamped.txt",
        "pylatencymap convert --to jsonl --semantics interval bpftrace/two-maps.txt",
        "pylatencymap convert --to jsonl --time 1 --latency 2:us --by query columns/queries.txt",
        "pylatencymap convert --to jsonl strace/follow-epoch.txt ping/stamped.txt",
        "pylatencymap convert --to jsonl --tim-unit cs oracle_trace/old-release.txt",
    ]


GROUPS = {"recordings": recordings, "samples": samples}


def lay_out(folder: Path) -> None:
    """Put copies of all inputs into a folder, with a known time of their last change."""
    for name in RECORDINGS:
        shutil.copy(ROOT / f"examples/{name}.lmap.gz", folder)
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    for path in folder.rglob("*.*"):
        os.utime(path, (CHANGED, CHANGED))

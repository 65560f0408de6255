"""How fast histogram text converts, against the least that Python can do with each line.

    .venv/bin/python benchmarks/convert.py [--runs N] [--megabytes N]

The reference reads the same text, matches one regular expression a line and sums the counts; it knows no series, no
time and no errors. Both sums are compared before anything is timed.
"""

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from generate import biolatency, up_to
from measure import Case, compiled_in, interleaved, median_seconds, run, table

GOAL_SECONDS_FOR_10_MB = 15.0
LINE_LOOP = r"""
import re, sys
row = re.compile(r"\s*(\d+) -> (\d+)\s*: (\d+)").match
print(sum(int(found[3]) for found in map(row, sys.stdin) if found))
"""


def cases(text: Path) -> list[Case]:
    convert = [sys.executable, "-m", "pylatencymap", "convert", "-", "--to", "jsonl"]
    return [
        Case("line loop, one regex", [sys.executable, "-c", LINE_LOOP], text),
        Case("convert - --to jsonl", convert, text),
    ]


def check(loop: Case, convert: Case) -> None:
    """Ends the benchmark unless both saw the same events."""
    expected = int(run(loop, keep=True)[1])
    intervals = map(json.loads, run(convert, keep=True)[1].splitlines())
    found = sum(count for interval in intervals for _, _, count in interval["counts"])
    if found != expected:
        sys.exit(f"convert gives {found} events, the text holds {expected}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the conversion of biolatency text.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=10.0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        text = Path(folder) / "biolatency.txt"
        text.write_text("".join(up_to(round(options.megabytes * 1e6), biolatency())))
        timed = cases(text)
        check(*timed)
        times = interleaved(timed, options.runs)
        megabytes = text.stat().st_size / 1e6
    print(table(timed, times))
    for case in timed:
        seconds = median_seconds(times[case.name])
        print(f"{case.name:<34} {megabytes:.1f} MB in {seconds:.2f} s, {megabytes / seconds:.1f} MB/s")
    goal = GOAL_SECONDS_FOR_10_MB * megabytes / 10
    print(f"goal: under {goal:.1f} s: {'met' if median_seconds(times[timed[1].name]) < goal else 'MISSED'}")


if __name__ == "__main__":
    main()

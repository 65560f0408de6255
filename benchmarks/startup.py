"""How long a first picture takes, against an interpreter that does nothing.

.venv/bin/python benchmarks/startup.py [--runs N] [--seconds N]
"""

import argparse
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from generate import biolatency, stream
from measure import Case, compiled_in, interleaved, run, table

STREAM_GOAL = 14.0
BIOLATENCY_GOAL = 20.0
LEAST_LINES = 12


def cases(folder: Path, seconds: int) -> list[Case]:
    """The reference and the two pictures, of files with that many one-second intervals."""
    texts = {"stream.lmap": stream(), "biolatency.txt": biolatency()}
    for name, prints in texts.items():
        (folder / name).write_text("".join(islice(prints, seconds + 1)))
    picture = [sys.executable, "-m", "pylatencymap", "--once"]
    return [
        Case("python -c pass", [sys.executable, "-c", "pass"]),
        Case("picture of a record stream", [*picture, str(folder / "stream.lmap")], goal=STREAM_GOAL),
        Case("picture of biolatency -D -T text", [*picture, str(folder / "biolatency.txt")], goal=BIOLATENCY_GOAL),
    ]


def check(pictures: list[Case]) -> None:
    """Ends the benchmark where a command prints nothing that could be a picture."""
    for case in pictures:
        if run(case, keep=True)[1].count(b"\n") < LEAST_LINES:
            sys.exit(f"{case.name}: no picture on stdout")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the first picture.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--seconds", type=int, default=60, help="intervals in each file")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        timed = cases(Path(folder), options.seconds)
        check(timed[1:])
        print(table(timed, interleaved(timed, options.runs)))


if __name__ == "__main__":
    main()

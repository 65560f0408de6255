"""How long the help and a first picture take, against an interpreter that does nothing, or imports numpy.

.venv/bin/python benchmarks/startup.py [--runs N] [--seconds N]

A picture comes in two ways: with ``--once`` (the time of the whole process) and in the live view on a pseudo-terminal
(the time until the first frame that shows data has been written as a whole; an empty frame comes earlier).
"""

import argparse
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from generate import biolatency, stream
from measure import Case, compiled_in, interleaved, run, table

HELP_GOAL = 3.0
STREAM_GOAL = 1.6
BIOLATENCY_GOAL = 2.2
LEAST_LINES = 12
PASS = "python -c pass"
NUMPY = "python -c 'import numpy'"
IMPORT_NUMPY = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'; import numpy"
"""With one thread, as the product imports it: a third less than with the threads that numpy starts by itself."""
PRODUCT = [sys.executable, "-m", "pylatencymap"]
FIRST_DATA = rb"REPLAY.*\x1b\[\?2026l"
"""The title of a frame says so as soon as there are data, and WAITING before; then the end of the frame."""


def cases(folder: Path, seconds: int) -> list[Case]:
    """The references, the help, and the pictures of files with that many one-second intervals."""
    listed = [
        Case(PASS, [sys.executable, "-c", "pass"]),
        Case("--help", [*PRODUCT, "--help"], goal=HELP_GOAL, against=PASS),
        Case("--version", [*PRODUCT, "--version"], goal=HELP_GOAL, against=PASS),
        Case(NUMPY, [sys.executable, "-c", IMPORT_NUMPY]),
    ]
    for name, prints, goal in (("stream", stream(), STREAM_GOAL), ("biolatency", biolatency(), BIOLATENCY_GOAL)):
        path = folder / name
        path.write_text("".join(islice(prints, seconds + 1)))
        listed.append(Case(f"{name}, --once", [*PRODUCT, "--once", str(path)], goal=goal, against=NUMPY))
        listed.append(Case(f"{name}, terminal", [*PRODUCT, str(path)], goal=goal, against=NUMPY, until=FIRST_DATA))
    return listed


def check(pictures: list[Case]) -> None:
    """Ends the benchmark where a command prints nothing that could be a picture."""
    for case in pictures:
        if run(case, keep=True)[1].count(b"\n") < LEAST_LINES:
            sys.exit(f"{case.name}: no picture on stdout")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the help and the first picture.", allow_abbrev=False)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--seconds", type=int, default=60, help="intervals in each file")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        compiled_in(Path(folder))
        timed = cases(Path(folder), options.seconds)
        check([case for case in timed if "--once" in case.argv])
        print(table(timed, interleaved(timed, options.runs)))


if __name__ == "__main__":
    main()

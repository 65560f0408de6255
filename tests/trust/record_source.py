"""Stand-ins for sources in a pipe: ``record_source.py [--prompt NAME] [--expect PASSWORD] [--every SECONDS] ...``.

It prints the record stream, one record every so many seconds. With ``--prompt sqlplus`` it first prints a banner and
asks for a password on the terminal, as SQL*Plus does; with ``--prompt sudo`` it asks up to three times, as sudo does.
What arrived is appended to the file ``arrived``, one line each. It ends when nobody reads it any more.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import signal
import sys
import time
from pathlib import Path

BANNER = "\nSQL*Plus: Release 19.0.0.0.0 - Production\n\nCopyright (c) 1982, 2019, Oracle.  All rights reserved.\n\n"
TRIES = 3
BEGIN = 1_700_000_000


def asked(prompt: str) -> str:
    """What is typed on the terminal; noted in the file ``arrived``."""
    typed = getpass.getpass(prompt)
    with Path("arrived").open("a", encoding="utf-8") as file:
        file.write(typed + "\n")
    return typed


def logs_in(name: str, expected: str) -> bool:
    """Whether the password was right."""
    if name == "sqlplus":
        print(BANNER, end="", flush=True)
        return asked("Enter password: ") == expected
    for number in range(TRIES):
        if asked("[sudo] password for mon: ") == expected:
            return True
        print(f"Sorry, try again ({number + 1}).", file=sys.stderr)
    return False


def record(number: int) -> str:
    """One record of cumulative counters, a second after the one before."""
    lines = [f"timestamp,microsec,{(BEGIN + number) * 1_000_000},x", "label,sda", "latencyunit,microsec"]
    buckets = [f"{64 << place},{(7 + place) * number}" for place in range(8)]
    return "\n".join(["<begin record>", *lines, "datasource,bpf", *buckets, "<end record>", ""])


def main() -> int:
    words = argparse.ArgumentParser()
    words.add_argument("--prompt", choices=("sqlplus", "sudo"))
    words.add_argument("--expect", default="")
    words.add_argument("--count", type=int, default=1_000_000)
    words.add_argument("--every", type=float, default=0.0)
    words.add_argument("--deaf", action="store_true", help="go on after Ctrl-C")
    options = words.parse_args()
    if options.prompt and not logs_in(options.prompt, options.expect):
        print("ORA-01017: invalid username/password; logon denied", file=sys.stderr)
        return 1
    if options.deaf:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        for number in range(options.count):
            sys.stdout.write(record(number))
            sys.stdout.flush()
            time.sleep(options.every)
    return 0


if __name__ == "__main__":
    sys.exit(main())

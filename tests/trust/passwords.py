"""Passwords typed while a view waits: ``python -m tests.trust.passwords --runs 50 [--seed N]``.

A stand-in for SQL*Plus or sudo asks on the terminal at the beginning of a pipe. The password is typed 0, 0.3, 1, 2.5 or
5 s after the prompt, letter by letter. It has to arrive whole; until the first record has come nobody else may have
written a control sequence or changed a mode; then the view opens.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
import tempfile
from pathlib import Path

from tests.trust.pseudo_terminal import PROGRAM, PseudoTerminal

SOURCE = Path(__file__).with_name("record_source.py")
PROMPTS = {"sqlplus": "Enter password: ", "sudo": "[sudo] password for mon: "}
DELAYS = (0.0, 0.3, 1.0, 2.5, 5.0)
LETTERS = string.ascii_letters + string.digits + "_#$?q"
MOST_BETWEEN = 0.15
"""Seconds between two letters, at most."""


def typed_into(name: str, password: str, delay: float, between: float, folder: Path, waits_for: str = "") -> list[str]:
    """Type a password into the stand-in of that name. ``between``: seconds between letters. ``waits_for``: a text that
    has to come first. Returns what went wrong.
    """
    source = f"{sys.executable} {SOURCE} --prompt {name} --expect '{password}' --every 0.2"
    terminal = PseudoTerminal(f"{source} | {PROGRAM}", folder)
    wrong = []
    try:
        terminal.prints(PROMPTS[name])
        terminal.pump_for(delay)
        terminal.prints(waits_for)
        asking = terminal.modes
        for letter in password:
            terminal.type(letter)
            terminal.pump_for(between)
        if b"\x1b" in terminal.output or terminal.modes != asking:
            wrong.append("somebody else touched the terminal while the source had it")
        terminal.type("\n")
        terminal.until((folder / "arrived").exists, "the password, at the source")
        terminal.until(lambda: terminal.has_view or terminal.has_ended, "the view")
        arrived = (folder / "arrived").read_text(encoding="utf-8").splitlines()
        if arrived != [password]:
            wrong.append(f"{password!r} arrived as {arrived}")
        if not terminal.has_view:
            wrong.append("no view")
        else:
            terminal.prints("FREQUENCY")
            terminal.until(lambda: not terminal.is_as_before, "the keys")
            terminal.type("q")
        terminal.ends()
        if terminal.left_over or not terminal.is_as_before:
            wrong.append(f"left over: {sorted(terminal.left_over)}, modes as before: {terminal.is_as_before}")
    except TimeoutError as error:
        wrong.append(str(error))
    finally:
        terminal.close()
    return wrong


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=50)
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    chance = random.Random(options.seed)
    broken = 0
    for run in range(options.runs):
        name, delay = list(PROMPTS)[run % len(PROMPTS)], DELAYS[run // len(PROMPTS) % len(DELAYS)]
        password = "".join(chance.choices(LETTERS, k=chance.randint(6, 16)))
        with tempfile.TemporaryDirectory() as folder:
            wrong = typed_into(name, password, delay, chance.uniform(0, MOST_BETWEEN), Path(folder))
        broken += bool(wrong)
        print(f"{run + 1:>4} {name:<8} after {delay:<4} s: {'; '.join(wrong) or 'intact'}", flush=True)
    print(f"{options.runs - broken} of {options.runs} intact")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())

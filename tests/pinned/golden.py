"""What pinned command lines printed with the code of version 0.1.0, and how it is made again.

``golden/*.json.gz`` hold each command line with its exit status, its standard output line by line, and the places
(``FILE:LINE``) that its messages name. The words of messages are not pinned here.

Where a picture changes on purpose:

    python -m tests.pinned.golden           # shows what differs
    python -m tests.pinned.golden --write   # takes it over

Both first run everything twice, with other seeds of Python's hashes, and end where that makes a difference.
"""

import difflib
import gzip
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.pinned.cases import GROUPS, lay_out
from tests.pinned.runner import Ran, Runner

FOLDER = Path(__file__).parent / "golden"
_CELL = re.compile(r"\x1b\[([\d;]*)m|(.)", re.DOTALL)
_PLACE = re.compile(r"^(?:pylatencymap: )?([\w./<>-]+:\d+): ", re.MULTILINE)

Told = dict[str, Any]


def told(ran: Ran) -> Told:
    """What is pinned of a run."""
    return {"status": ran.status, "out": ran.out.splitlines(), "places": _PLACE.findall(ran.err)}


def run_group(group: str, folder: Path, runner: Runner) -> dict[str, Told]:
    """What all command lines of a group print now; the picture that one writes counts as printed."""
    found = {}
    picture = folder / "out.svg"
    for line in GROUPS[group]():
        ran = runner.run(line, folder)
        if picture.exists():
            ran = ran._replace(out=ran.out + picture.read_text("utf-8"))
            picture.unlink()
        found[line] = told(ran)
    return found


@cache
def pinned(group: str) -> dict[str, Told]:
    """What they printed when they were pinned."""
    text = gzip.decompress((FOLDER / f"{group}.json.gz").read_bytes()).decode()
    found: dict[str, Told] = json.loads(text)
    return found


def painted(lines: list[str]) -> list[str]:
    """What a terminal shows of lines: each character after the style that it is in, where that has changed.

    Texts that paint the same cells come out the same, however their escape sequences are spread. A blank has no colour
    of its own unless it is reversed or underlined.
    """
    style: dict[str, str] = {}
    shown = []
    for line in lines:
        cells, last = [], None
        for sequence, character in _CELL.findall(line):
            if not character:
                _follow(sequence.split(";"), style)
                continue
            seen = style if character != " " or style.keys() & {"4", "7"} else {"bg": style.get("bg", "")}
            look = ",".join(sorted(value for value in seen.values() if value))
            cells.append(character if look == last else f"{{{look}}}{character}")
            last = look
        shown.append("".join(cells))
    return shown


def _follow(codes: list[str], style: dict[str, str]) -> None:
    """Take the codes of an SGR sequence into account."""
    while codes:
        code = codes.pop(0)
        if code in ("", "0"):
            style.clear()
        elif code in ("38", "48"):
            length = 2 if codes[0] == "5" else 4
            style["fg" if code == "38" else "bg"] = ";".join([code, *codes[:length]])
            del codes[:length]
        elif code in ("22", "24", "27", "39", "49"):
            for name in {"22": ("1", "2"), "24": ("4",), "27": ("7",), "39": ("fg",), "49": ("bg",)}[code]:
                style.pop(name, None)
        else:
            colour = {"3": "fg", "9": "fg", "4": "bg", "10": "bg"}.get(code[:-1], code)
            style[colour] = code


def difference(before: Told, after: Told) -> str:
    """The lines that differ, the first 60 of them, as in a diff; empty where nothing does. Pictures are compared by
    what a terminal shows of them.
    """
    head = [
        f"{name} was {before[name]}, is {after[name]}" for name in ("status", "places") if before[name] != after[name]
    ]
    lines = difflib.unified_diff(painted(before["out"]), painted(after["out"]), "pinned", "now", lineterm="", n=1)
    body = [line.replace("\x1b", "\\e")[:400] for line in lines]
    return "\n".join([*head, *body[:60], *([f"... {len(body) - 60} more lines"] if len(body) > 60 else [])])


def differences(before: dict[str, Told], after: dict[str, Told]) -> Iterator[str]:
    """Each command line that differs, and how."""
    nothing: Told = {"status": None, "out": [], "places": []}
    for line in {**before, **after}:
        if text := difference(before.get(line, nothing), after.get(line, nothing)):
            yield f"$ {line}\n{text}\n"


def write(group: str, found: dict[str, Told]) -> None:
    """Pin this."""
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(found, indent=0, ensure_ascii=False)
    (FOLDER / f"{group}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main(words: list[str]) -> None:
    """Compare with what is pinned, or pin it."""
    for group in GROUPS:
        runs = []
        for seed in (1, 2):
            with tempfile.TemporaryDirectory() as folder, Runner(PYTHONHASHSEED=str(seed)) as runner:
                lay_out(Path(folder))
                runs.append(run_group(group, Path(folder), runner))
        if unsteady := list(differences(*runs)):
            sys.exit("these are not the same in two runs:\n" + "\n".join(unsteady))
        if words == ["--write"]:
            write(group, runs[0])
        else:
            print(*differences(pinned(group), runs[0]), sep="\n", end="")


if __name__ == "__main__":
    main(sys.argv[1:])

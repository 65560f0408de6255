"""Makes a failing input smaller, line by line, as long as it fails in the same way, and keeps it in a folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from .damage import Damaged
from .invariants import Broken
from .judging import Case, judge, signature
from .neighbours import undamaged
from .reading import Reading, Way, read
from .samples import Sample

MOST_SECONDS = 20.0
"""CPU for making one input smaller."""
AGAIN = "python -m tests.trust.fuzz --again"


def smallest(lines: list[bytes], fails: Callable[[list[bytes]], bool], seconds: float = MOST_SECONDS) -> list[bytes]:
    """Fewer lines that still fail: blocks of lines are left out, smaller and smaller ones."""
    begin, size = time.process_time(), len(lines) // 2
    while size:
        place = 0
        while place < len(lines):
            if time.process_time() - begin > seconds:
                return lines
            fewer = lines[:place] + lines[place + size :]
            if fewer and fails(fewer):
                lines = fewer
            else:
                place += size
        size //= 2
    return lines


def minimised(case: Case, broken: Broken, collector: str) -> Case:
    """A smaller case that fails in the same way."""
    wanted = signature(broken, collector)
    said = _said(read(case.sample.data)) if case.damaged.first else set()

    def fails_as(smaller: Case) -> bool:
        known = None
        if smaller.damaged.first:
            whole = read(smaller.sample.data)
            if _said(whole) != said:  # without these lines the text means something else
                return False
            known = undamaged(whole)
        verdict = judge(smaller, known)
        return any(signature(one, verdict.collector) == wanted for one in verdict.broken)

    return _smaller_around(case, fails_as) if case.damaged.first else _smaller(case, fails_as)


def _said(found: Reading) -> set[str]:
    return {text.partition(": ")[2] for text in found.said}


def _smaller(case: Case, fails_as: Callable[[Case], bool]) -> Case:
    def with_lines(lines: list[bytes]) -> Case:
        return case._replace(damaged=case.damaged._replace(data=b"\n".join(lines)))

    return with_lines(smallest(case.damaged.data.split(b"\n"), lambda lines: fails_as(with_lines(lines))))


def _smaller_around(case: Case, fails_as: Callable[[Case], bool]) -> Case:
    """For local damage: lines are left out of both texts, before the damage and behind it."""
    old, new = case.sample.data.split(b"\n"), case.damaged.data.split(b"\n")
    place = case.damaged.first - 1
    tail = len(old) - place - 2
    between = (old[place : place + 2], new[place : len(new) - tail])

    def around(head: list[bytes], rest: list[bytes]) -> Case:
        first = len(head) + 1
        damage = Damaged(
            b"\n".join([*head, *between[1], *rest]),
            case.damaged.kinds,
            first,
            first + case.damaged.last - case.damaged.first,
        )
        whole = Sample(case.sample.name, b"\n".join([*head, *between[0], *rest]))
        return case._replace(sample=whole, damaged=damage)

    head, rest = old[:place], old[place + 2 :]
    rest = smallest(rest, lambda lines: fails_as(around(head, lines)), MOST_SECONDS / 2)
    head = smallest(head, lambda lines: fails_as(around(lines, rest)), MOST_SECONDS / 2)
    return around(head, rest)


def save(folder: Path, seed: int, case: Case, broken: Broken) -> Path:
    """Keep a failing case: the input, the undamaged text if the damage is local, and how to judge it again."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{broken.kind.replace(' ', '-')}-{seed}-{case.number}"
    path = folder / f"{stem}.json"
    (folder / f"{stem}.input").write_bytes(case.damaged.data)
    if case.damaged.first:
        (folder / f"{stem}.undamaged").write_bytes(case.sample.data)
    told = {
        "kind": broken.kind,
        "what": broken.what,
        "again": f"{AGAIN} {path}",
        "sample": case.sample.name,
        "damage": case.damaged.kinds,
        "first": case.damaged.first,
        "last": case.damaged.last,
        "way": case.way,
        "size": case.size,
        "chunk": case.chunk,
        "seed": seed,
        "number": case.number,
    }
    path.write_text(json.dumps(told, indent=1) + "\n")
    return path


def saved(path: Path) -> Case:
    """A case that was kept."""
    told = json.loads(path.read_text())
    data, first = path.with_suffix(".input").read_bytes(), told["first"]
    whole = path.with_suffix(".undamaged").read_bytes() if first else b""
    damage = Damaged(data, tuple(told["damage"]), first, told["last"])
    sample = Sample(told["sample"], whole)
    return Case(told["number"], sample, damage, Way(*told["way"]), tuple(told["size"]), told["chunk"])

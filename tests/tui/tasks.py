"""What the tests of tasks share: three days of two disks with an incident, and keys that are counted."""

import random
from datetime import datetime, timezone
from typing import Any

BEGIN = int(datetime(2026, 3, 2, tzinfo=timezone.utc).timestamp())
STEP, DAY = 60, 86_400
INCIDENT = (BEGIN + DAY + 3 * 3600 + 12 * 60, BEGIN + DAY + 3 * 3600 + 32 * 60)
RESTART = BEGIN + DAY + 15 * 3600 + 30 * 60
GAP = (BEGIN + 2 * DAY + 8 * 3600, BEGIN + 2 * DAY + 9 * 3600)
NORMAL = {64: 500, 128: 400, 8192: 80, 16384: 20}
SLOW = {131_072: 30, 262_144: 90}
"""Bounds in microseconds and events a minute; the reader takes them as the upper ends of log2 buckets."""


def three_days() -> str:
    """Totals of ``sda``, a record a minute, and ``sdb``, one in ten: an incident of ``sda``, a restart, an hour without
    records.
    """
    chance = random.Random(7)
    totals = {name: dict.fromkeys([*NORMAL, *SLOW], 0) for name in ("sda", "sdb")}
    lines = []
    for end in range(BEGIN + STEP, BEGIN + 3 * DAY + STEP, STEP):
        if end == RESTART:
            for counts in totals.values():
                counts.update(dict.fromkeys(counts, 0))
        for name, counts in totals.items():
            for bucket, usual in NORMAL.items():
                counts[bucket] += round(usual * chance.uniform(0.8, 1.2))
            if name == "sda" and INCIDENT[0] < end <= INCIDENT[1]:
                for bucket, usual in SLOW.items():
                    counts[bucket] += usual
            due = name == "sda" or end % (10 * STEP) == 0
            if due and not GAP[0] < end <= GAP[1]:
                lines.append(record(name, end, counts))
    return "".join(lines)


def record(name: str, end: int, counts: dict[int, int]) -> str:
    rows = "".join(f"{bucket},{count}\n" for bucket, count in counts.items())
    head = f"<begin record>\ntimestamp,microsec,{end * 1_000_000},no date\nlabel,{name}\nlatencyunit,microsec\n"
    return f"{head}datasource,bpf\n{rows}<end record>\n"


def pressed(view: Any, *keys: str) -> int:
    """Press keys; returns how many they were."""
    for key in keys:
        view.press(key)
    return len(keys)

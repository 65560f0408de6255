"""Headers of tools that print a line per event: which columns there are, and how a line of them is taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LATENCY = re.compile(r"LAT(?:ENCY)?_?\(?(ms|us|ns)\)?|MS")
_TIME = re.compile(r"(START|END)?TIME_?\(?(s|ms|us|ns)?\)?|(STARTs|ENDs)")
_QUEUE = re.compile(r"QUE\((ms|us|ns)\)")
_SPACES = re.compile(r"\bPREV (COMM|TID)\b")
_WHO = {"COMM", "TASK", "PID", "TID"}
_LAST_TWO = re.compile(r"\S+\s+\S+$")
_COLUMN = re.compile(r"[A-Z][\w()]{0,20}")

_NUMBER = r"-?\d{1,18}(?:\.\d{1,9})?"
_MOMENT = rf"(?:\d\d:\d\d:\d\d(?:\.\d{{1,9}})?|{_NUMBER})"
COMMANDS = ("COMM", "TASK", "PREV_COMM")
NUMBERS = ("PID", "TID", "PREV_TID", "SECTOR", "BLOCK", "OFF_KB")
_NAME, _COMMAND, _REST = r"\S{1,80}", r"\S(?:.{0,38}?\S)?", r".+"
_KINDS = {
    **dict.fromkeys(COMMANDS, _COMMAND),
    **dict.fromkeys(NUMBERS, r"-?\d{1,20}"),
    "BYTES": r"(?:\d{1,20}|LL_MAX)",
}
DIRECTIONS = ("T", "D", "TYPE", "DIR")
DISKS = ("DISK", "DEV", "DEVICE")
_STARTS = ("STARTs", "STARTTIME")
_QUERIES = {"MS", "QUERY"}
"""dbslower and mysqld_qslower print when a query began."""
_PEERS = {"SADDR", "DADDR"}
"""tcpconnlat prints times with -t only, as iosnoop does."""


@dataclass(frozen=True)
class HeaderLayout:
    """Columns of a text. ``row`` finds a line; its groups are called time, end, lat, que, disk and dir.

    ``units`` are those of the headers by group, "" for HH:MM:SS. Where a latency stands at the end, ``length`` is that
    of the header, and ``tail`` how far its end is from the start of the last column but one, if that begins at one
    place in all lines; 0 elsewhere. ``names`` are the headers where blanks separate columns.
    """

    latency: str
    row: re.Pattern[str]
    units: dict[str, str] = field(default_factory=dict)
    starts: bool = False
    length: int = 0
    tail: int = 0
    label: str = ""
    names: tuple[str, ...] = ()


def header_layout(line: str) -> HeaderLayout | None:
    """The layout that a header tells; None for any other line."""
    text = _SPACES.sub(r"PREV_\1", line.strip())
    comma = "," in text
    names = text.split(",") if comma else text.split()
    if len(names) > 20 or not all(map(_COLUMN.fullmatch, names)) or not _WHO & set(names):
        return None
    latencies = [name for name in names if _LATENCY.fullmatch(name)]
    timed = any(map(_TIME.fullmatch, names))
    if len(latencies) != 1 or ("MS" in latencies and not set(names) >= _QUERIES):
        return None
    if not (timed or "BLOCK" in names or set(names) >= _PEERS):
        return None
    units: dict[str, str] = {}
    pieces = [_piece(name, names, units) for name in names]
    try:
        row = re.compile(r"\s*" + _joined(names, pieces, comma) + r"\s*$")
    except re.error:  # two columns of a kind
        return None
    ends = names[-1] == latencies[0] and not comma
    return HeaderLayout(
        latencies[0],
        row,
        units,
        starts=set(names) >= _QUERIES or any(name.startswith(_STARTS) for name in names),
        length=len(line.rstrip()) if ends else 0,
        tail=len(_LAST_TWO.findall(text)[0]) if ends and "que" not in units else 0,
        label=_label(set(names)),
        names=() if comma else tuple(names),
    )


def _joined(names: list[str], pieces: list[str], comma: bool) -> str:
    """The pieces with what stands between them; commands, and flags before a sector, may be missing."""
    between = "," if comma else r"\s+"
    row = ""
    for number, (name, piece) in enumerate(zip(names, pieces, strict=True)):
        gap = between if number + 1 < len(names) else ""
        may_miss = name in COMMANDS or (name in DIRECTIONS and "SECTOR" in names)
        row += f"(?:{piece}{gap})?" if may_miss else f"{piece}{gap}"
    return row


def _piece(name: str, names: list[str], units: dict[str, str]) -> str:
    """The expression of one column; notes the unit of times."""
    if name == names[-2]:
        return f"(?P<before>{_plain(name, names, units)})"
    return _plain(name, names, units)


def _plain(name: str, names: list[str], units: dict[str, str]) -> str:
    for group, pattern in (("lat", _LATENCY), ("que", _QUEUE)):
        if found := pattern.fullmatch(name):
            units[group] = found[1] or "ms"
            return rf"(?P<{group}>{_NUMBER})"
    if found := _TIME.fullmatch(name):
        group = "end" if name.startswith("END") else "time"
        units[group] = found[2] or ("s" if found[3] else "")
        return f"(?P<{group}>{_MOMENT})"
    if name in DIRECTIONS:
        return r"(?P<dir>[A-Z]{1,8})"
    if name in DISKS:
        return rf"(?P<disk>{_NAME})"
    if name == names[-1]:
        return _REST
    return _KINDS.get(name, r"[^,]*" if "ENDTIME" in names[0] else _NAME)


def _label(names: set[str]) -> str:
    if names & set(DISKS):
        return "block I/O"
    if names & {"FILENAME", "FILE"}:
        return "file operations"
    if names >= _PEERS:
        return "TCP connections"
    return "queries" if "QUERY" in names else "run queue latency" if "LAT(us)" in names else "latency"

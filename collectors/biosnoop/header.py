"""The headers of tools that print a line per event: which columns there are, and the pattern that parses a line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from .._aligned import with_joints

_LATENCY = re.compile(r"LAT(?:ENCY)?_?\(?(ms|us|ns)\)?|MS")
_TIME = re.compile(r"(START|END)?TIME_?\(?(s|ms|us|ns)?\)?|(STARTs|ENDs)")
_QUEUE = re.compile(r"QUE\((ms|us|ns)\)")
_SPACES = re.compile(r"\bPREV (COMM|TID)\b")
_WHO = {"COMM", "TASK", "PID", "TID"}
_LAST_TWO = re.compile(r"\S+\s+\S+$")
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
_COLUMN = re.compile(r"[A-Z][\w()]{0,20}")

_NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,9})?"
_MOMENT = rf"(?:[0-9][0-9]:[0-9][0-9]:[0-9][0-9](?:\.[0-9]{{1,9}})?|{_NUMBER})"
LONGEST = 1_000
"""Characters of a line in which values with blanks are looked for."""
ARGUMENTS = "ARGS"
"""funcslower prints them only with -a, and only for functions that have some."""
COMMANDS = ("COMM", "TASK", "PREV_COMM")
SECTORS = ("SECTOR", "BLOCK")
NUMBERS = ("PID", "TID", "PREV_TID", *SECTORS, "OFF_KB")
_NAME, _COMMAND, _REST = r"\S{1,80}", r"\S(?:.{0,38}?\S)?", r".+"
_KINDS = {
    **dict.fromkeys(COMMANDS, _COMMAND),
    **dict.fromkeys(NUMBERS, r"-?[0-9]{1,20}"),
    "BYTES": r"(?:[0-9]{1,20}|LL_MAX)",
}
DIRECTIONS = ("T", "D", "TYPE", "DIR")
DISKS = ("DISK", "DEV", "DEVICE")
_STARTS = ("STARTs", "STARTTIME")
_QUERIES = {"MS", "QUERY"}
"""dbslower and mysqld_qslower print when a query began."""
_PACKETS = {"TID", "LADDR", "RADDR"}
"""tcppktlat prints how long packets waited to be received; tcplife, with TX_KB, how long connections were open."""
_MAYBE_TIME = re.compile(r"(?!LAT|QUE)[A-Z]\w*\((?:s|ms|us|ns)\)")
"""A column that can be a time under another name: its values decide, and ``columns`` looks at these."""
_PEERS = {"SADDR", "DADDR"}
"""tcpconnlat prints times only with -t, as iosnoop does."""

_LABELS = (
    ("block I/O", set(DISKS)),
    ("file operations", {"FILENAME", "FILE"}),
    ("queries", {"QUERY"}),
    ("function calls", {"FUNC"}),
    ("soft interrupts", {"SOFTIRQ"}),
    ("memory compaction", {"ZONE"}),
    ("direct reclaim", {"PAGES"}),
    ("TCP packets", {"RADDR"}),
)
_RUN_QUEUE = {"TIME", "TIME(s)", "COMM", "TASK", "PID", "TID", "LAT(us)", "PREV_COMM", "PREV_TID", "CPU"}


@dataclass(frozen=True)
class HeaderLayout:
    """The columns of a text. ``row`` matches a line; its groups are named time, end, lat, que, disk and dir.

    ``units`` are the units in the header by group, "" for HH:MM:SS. ``columns`` are all column names, and ``names``
    the same if blanks separate the columns. If the latency is the last column, ``length`` is the length of the header,
    and ``tail`` is the distance from the start of the column before it to the end of the latency, if that column starts
    at the same position in all lines, else 0. Both are 0 if the latency is not the last column.
    """

    latency: str
    row: re.Pattern[str]
    units: dict[str, str] = field(default_factory=dict)
    starts: bool = False
    length: int = 0
    tail: int = 0
    label: str = ""
    names: tuple[str, ...] = ()
    header: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_timed(self) -> bool:
        """Whether its lines have times."""
        return "time" in self.units or "end" in self.units

    def matched(self, text: str) -> re.Match[str] | None:
        """The values of a line, some of which can contain blanks; None if the line does not fit."""
        found = self.row.match(text)
        if found is None and self.names and len(text) <= LONGEST:
            found = self.row.match(with_joints(text, self.header))
        return found

    def values(self, found: re.Match[str]) -> dict[str, str]:
        """The values of a line that matched, by the names of the columns; those that the line lacks are left out."""
        again = _by_column(self.columns, not self.names).match(found.string)
        values = again.groups() if again is not None else ()
        return {name: value for name, value in zip(self.columns, values, strict=False) if value is not None}

    def may_be_row(self, text: str) -> bool:
        """Whether a line that does not fit has nearly as many words as there are columns."""
        return len(text.split(None, len(self.names))) >= max(len(self.names) - 1, 2)


def header_layout(line: str) -> HeaderLayout | None:
    """The layout that a header describes; None for any other line."""
    text = _SPACES.sub(r"PREV_\1", line.strip())
    comma = "," in text
    names = text.split(",") if comma else text.split()
    if len(names) > 20 or not all(map(_COLUMN.fullmatch, names)) or not _WHO & set(names):
        return None
    latencies = [name for name in names if _LATENCY.fullmatch(name)]
    timed = any(map(_TIME.fullmatch, names))
    if len(latencies) != 1 or ("MS" in latencies and not _is_ms_clear(set(names))):
        return None
    if not (timed or "BLOCK" in names or set(names) >= _PEERS or not any(map(_MAYBE_TIME.fullmatch, names))):
        return None
    units: dict[str, str] = {}
    pieces = [_piece(name, names, units) for name in names]
    try:
        row = re.compile(r"\s*" + _joined(names, pieces, comma) + r"\s*$")
    except re.error:  # two columns of one kind
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
        header=_SPACES.sub(r"PREV_\1", line).rstrip(),
        columns=tuple(names),
    )


@lru_cache(maxsize=16)
def _by_column(names: tuple[str, ...], comma: bool) -> re.Pattern[str]:
    """The pattern of a line with one group for each column, and no other."""
    columns = list(names)
    pieces = [f"({_NAMED_GROUP.sub('(?:', _piece(name, columns, {}))})" for name in columns]
    return re.compile(r"\s*" + _joined(columns, pieces, comma) + r"\s*$")


def is_measured(name: str) -> bool:
    """Whether a column holds times or latencies."""
    return any(pattern.fullmatch(name) for pattern in (_LATENCY, _QUEUE, _TIME))


def _is_ms_clear(names: set[str]) -> bool:
    """Whether a column MS is the time that something took, and not for how long a connection was open."""
    return names >= _QUERIES or (names >= _PACKETS and "TX_KB" not in names)


def _joined(names: list[str], pieces: list[str], comma: bool) -> str:
    """Join the patterns of the columns with separators; commands, flags before a sector, and arguments at the end can
    be missing.
    """
    between = "," if comma else r"\s+"
    end = ""
    if names[-1] == ARGUMENTS and len(names) > 1:
        names, end = names[:-1], f"(?:{between}{pieces[-1]})?"
    row = ""
    for number, (name, piece) in enumerate(zip(names, pieces, strict=False)):
        gap = between if number + 1 < len(names) else end
        may_miss = name in COMMANDS or (name in DIRECTIONS and "SECTOR" in names)
        row += f"(?:{piece}{gap})?" if may_miss else f"{piece}{gap}"
    return row


def _piece(name: str, names: list[str], units: dict[str, str]) -> str:
    """The pattern of one column; also notes the unit of a time."""
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
    for label, some in _LABELS:
        if names & some:
            return label
    if names >= _PEERS:
        return "TCP connections"
    return "run queue latency" if "LAT(us)" in names and names <= _RUN_QUEUE else "latency"

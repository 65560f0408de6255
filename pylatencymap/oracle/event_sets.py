"""Sets of wait events that are looked at together, by a short name.

Sources of the names: Real Application Clusters Administration and Deployment Guide, "Block-Related Wait Events" and
the pages after it; Exadata System Software User's Guide, "Using Database Statistics and Wait Events"; Database
Reference, appendix C of 12.1 and 12.2, for SYNC and ASYNC Remote Write. In no page of Oracle's that we have seen, but
in what users published: the LGWR worker groups (AWR reports and traces of 12c and later), LNS wait on SENDREQ and
LGWR-LNS wait on channel (AWR reports of 11.2), the RFS events (lists of V$EVENT_NAME, class System I/O), standby query
scn advance (such a list, and a trace of an Active Data Guard). A database knows only the names of its release: the
others are left out.
"""

from __future__ import annotations

from typing import NamedTuple


class EventSet(NamedTuple):
    """Events, some as patterns with ``*``. ``pair``: the two of them that are drawn above each other.
    ``in_one_container``: sessions wait for both, so that a container has both; the log writers belong to the root.
    """

    about: str
    events: tuple[str, ...]
    pair: tuple[str, str]
    in_one_container: bool = True


_COMMIT, _LOG_WRITE = "log file sync", "log file parallel write"

EVENT_SETS = {
    "commits": EventSet(
        "commits, the writes of the log behind them, and what the log writers wait for",
        (_COMMIT, _LOG_WRITE, "LGWR any worker group", "LGWR all worker groups", "SYNC Remote Write"),
        (_COMMIT, _LOG_WRITE),
        in_one_container=False,
    ),
    "reads": EventSet(
        "reads of data files: single blocks, many blocks, past the buffer cache, and those of another session",
        (
            "db file sequential read",
            "db file scattered read",
            "db file parallel read",
            "direct path read",
            "direct path read temp",
            "read by other session",
        ),
        ("db file sequential read", "db file scattered read"),
    ),
    "rac": EventSet(
        "blocks from other instances of a cluster, by the number of messages, and what makes them late",
        (
            "gc cr block 2-way",
            "gc current block 2-way",
            "gc cr block 3-way",
            "gc current block 3-way",
            "gc cr block busy",
            "gc current block busy",
            "gc cr block congested",
            "gc current block congested",
            "gc cr grant 2-way",
            "gc current grant 2-way",
            "gc buffer busy acquire",
            "gc buffer busy release",
        ),
        ("gc cr block 2-way", "gc current block 2-way"),
    ),
    "adg": EventSet(
        "redo on its way to a standby, what commits wait for meanwhile, and its writes over there",
        (
            _COMMIT,
            "SYNC Remote Write",
            "ASYNC Remote Write",
            "LNS wait on SENDREQ",
            "LGWR-LNS wait on channel",
            "RFS write",
            "RFS random i/o",
            "standby query scn advance",
            "recovery read",
        ),
        (_COMMIT, "SYNC Remote Write"),
        in_one_container=False,
    ),
    "exadata": EventSet(
        "reads from storage cells: single blocks, from flash, memory and disk, many blocks, and smart scans",
        (
            "cell single block physical read*",
            "cell multiblock physical read*",
            "cell list of blocks physical read*",
            "cell smart table scan*",
            "cell smart index scan*",
        ),
        ("cell single block physical read", "cell multiblock physical read"),
    ),
}

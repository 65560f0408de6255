"""Waits in which nobody works: think time and idle waits of Oracle traces. They come last, and are not divided by keys.

Source: wait class Idle in the appendix "Oracle Wait Events" of the Database Reference, as far as sessions that are
traced have them.
"""

from __future__ import annotations

import re
from functools import lru_cache

THINK_TIME = "SQL*Net message from client"
IDLE_WAITS = frozenset(
    {
        THINK_TIME,
        "DIAG idle wait",
        "EMON slave idle wait",
        "HS message to agent",
        "KSV master wait",
        "PL/SQL lock timer",
        "PX Deq Credit: need buffer",
        "PX Deq: Execute Reply",
        "PX Deq: Execution Msg",
        "PX Deq: Join ACK",
        "PX Deq: Msg Fragment",
        "PX Deq: Parse Reply",
        "PX Deq: Table Q Normal",
        "PX Deq: Table Q Sample",
        "PX Deque wait",
        "PX Idle Wait",
        "Space Manager: slave idle wait",
        "Streams AQ: waiting for messages in the queue",
        "VKTM Logical Idle Wait",
        "class slave wait",
        "dispatcher timer",
        "i/o slave wait",
        "jobq slave wait",
        "lock manager wait for remote message",
        "null event",
        "pipe get",
        "pmon timer",
        "rdbms ipc message",
        "single-task message",
        "smon timer",
        "virtual circuit next request",
        "virtual circuit status",
        "wait for unread message on broadcast channel",
        "watchdog main loop",
    }
)
BETWEEN_CALLS = frozenset(
    {
        THINK_TIME,
        "SQL*Net message to client",
        "PX Deq: Execution Msg",
        "PX Idle Wait",
        "Space Manager: slave idle wait",
        "class slave wait",
        "dispatcher timer",
        "jobq slave wait",
        "pmon timer",
        "rdbms ipc message",
        "single-task message",
        "smon timer",
        "virtual circuit next request",
        "virtual circuit status",
    }
)
"""Waits that lie between the calls of a session, and not in one of them. Source: Millsap and Holt, Optimizing Oracle
Performance (O'Reilly 2003), chapter 5, with the names that later releases have.
"""
_BEHIND = re.compile(r"(?:@| \().*")
"""What can follow the name of an event: its instance, or one of several files."""


@lru_cache(4096)
def is_apart(series: str) -> bool:
    """Whether the events of a series are think time or idle waits."""
    return series in IDLE_WAITS or _BEHIND.sub("", series) in IDLE_WAITS


def is_between_calls(series: str) -> bool:
    """Whether the waits of a series lie between calls."""
    return _BEHIND.sub("", series) in BETWEEN_CALLS

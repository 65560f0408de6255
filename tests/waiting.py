"""How long tests wait for other processes and threads, and on which port they talk."""

import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds; they matter only to a test that fails. A machine may stall for many seconds at any place."""
TICK = 0.05
"""Seconds between two looks at what another process does, where nothing tells of it."""
TIME_IS_UP_BY_FILE = """
import os
from pylatencymap.session.ending import EndingRule
EndingRule.__init__.__kwdefaults__["monotonic"] = lambda: 1e9 if os.path.exists("over") else 0.0
"""
"""What Python imports by itself, as sitecustomize: the clock of --duration stands still until there is a file of this
name in the working folder. So it does not matter how long a busy machine takes to come so far."""


def wait_until(happened: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for what another process does."""
    latest = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < latest
        time.sleep(TICK)


def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def catches(process: int, number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal (Linux tells)."""
    (line,) = re.findall(r"^SigCgt:\s*(\w+)", Path(f"/proc/{process}/status").read_text(), re.MULTILINE)
    return bool(int(line, 16) >> (number - 1) & 1)

"""How long tests wait for other processes and threads."""

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

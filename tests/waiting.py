"""How long tests wait for other processes and threads."""

PATIENCE = 120.0
"""Seconds; they matter only to a test that fails. A machine may stall for many seconds at any place."""
TICK = 0.05
"""Seconds between two looks at what another process does, where nothing tells of it."""

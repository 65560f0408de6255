"""Probes: programs that measure, started by us, ended with us, and the only part that gets root."""

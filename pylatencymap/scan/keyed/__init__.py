"""Scans by a key of the events, as ``obj#``: which values waited most, and the counts of each of these."""

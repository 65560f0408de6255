"""Scans large files of events many lines at a time.

What a scan is not sure of goes through the line decoder of its collector, its twin, so that the events are the same.
"""

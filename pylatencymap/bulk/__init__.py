"""Traces in files, scanned many lines at a time.

What a scan is not sure of goes through the ordinary decoder line by line, so that the events are the same.
"""

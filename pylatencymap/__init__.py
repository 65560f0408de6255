"""Latency over time in a terminal: two heat maps, frequency and intensity."""

__version__ = "0.1.0"

"""Intervals to time x latency matrices, and the statistics of what they show."""

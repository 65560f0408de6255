"""Shared by the collectors of metrics: what a metric measures, and the names of its histograms."""

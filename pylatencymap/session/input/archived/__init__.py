"""Inputs that were aggregated before."""

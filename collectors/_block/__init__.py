"""Shared by the collectors of block-layer events: the events themselves, and the pairing of issues with completions."""

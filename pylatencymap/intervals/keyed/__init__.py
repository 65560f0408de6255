"""Series by a key of the events, as ``obj#``: those values that waited most, and all others together."""

"""The embedded default: a simulated cache in front of a spindle, as a source of records."""

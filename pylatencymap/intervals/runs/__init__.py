"""Runs: many records of a recording at once, as arrays, and what the stages do with them instead of one by one."""

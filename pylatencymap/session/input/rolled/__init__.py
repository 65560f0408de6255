"""Logs that are a folder of files, which follow one another."""

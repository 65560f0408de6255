"""Writes the words and numbers around the maps."""

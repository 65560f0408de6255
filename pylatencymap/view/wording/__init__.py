"""The words and numbers around the maps."""

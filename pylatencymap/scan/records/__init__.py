"""Recordings, read many records at a time with the same result as the line decoder."""

"""Decompresses what a file or a pipe holds, as it comes, and says why a text breaks off."""

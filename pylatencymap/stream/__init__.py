"""The record stream: histograms as text, read and written. docs/stream.md specifies it."""

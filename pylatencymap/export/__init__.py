"""Pictures as files, one format per module."""

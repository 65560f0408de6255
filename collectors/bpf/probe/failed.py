"""Why the probe cannot run."""


class Failed(Exception):
    """The message says why, and what to do."""

"""Why the probe cannot run."""


class Failed(Exception):
    """Raised with a message that gives the reason and the remedy."""

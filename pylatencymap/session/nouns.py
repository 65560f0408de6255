"""What the events of a source are called."""

_BY_LABEL = {"biolatency": "I/Os", "demo": "I/Os"}
_BY_SOURCE = {"oracle": "waits"}


def noun_of(label: str, source: str) -> str:
    """A plural: I/Os, waits or events."""
    known = _BY_LABEL.get(label.lower()) or _BY_SOURCE.get(source)
    return known or ("I/Os" if "i/o" in label.lower() else "events")

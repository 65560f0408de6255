"""What these texts are recognised by."""

import re

COLUMNS = (
    *("day", "series", "label", "source", "unit", "start", "end", "seconds", "bucket", "lower", "upper", "count"),
    *("waited", "estimated", "gap", "reset", "doubtful", "clock", "note"),
)
CSV_HEADING = re.compile(r"\ufeff?" + ",".join(COLUMNS[:12]))
"""The first columns; others can follow those that we know."""
JSON_LINE = re.compile(r'\{"series": "(?:[^"\\]|\\.){0,5000}", "label": "(?:[^"\\]|\\.){0,5000}", "source": "')

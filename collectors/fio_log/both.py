"""Lines with an average and the largest latency, as ``log_window_value=both`` writes them."""

import re

_LINE = re.compile(
    r"[0-9]{1,16}, ?([0-9]{1,18}), ?([0-9]{1,18}), ?[0-2], ?[0-9]{1,15}, ?[0-9]{1,18}, ?"
    r"(?:0x[0-9a-f]{1,8}|[0-9]{1,8})\s*"
)


def is_both(text: str) -> bool:
    """Whether a line is ``time, average, largest, direction, block size, offset, priority``."""
    found = _LINE.fullmatch(text)
    return found is not None and int(found[1]) <= int(found[2]) and int(found[2]) > 3

"""Lines with an average and the largest latency, as ``log_window_value=both`` writes them."""

import re

_LINE = re.compile(r"\d{1,16}, ?(\d{1,18}), ?(\d{1,18}), ?[0-2], ?\d{1,15}, ?\d{1,18}, ?(?:0x[\da-f]{1,8}|\d{1,8})\s*")


def is_both(text: str) -> bool:
    """Whether a line is ``time, average, largest, direction, block size, offset, priority``."""
    found = _LINE.fullmatch(text)
    return found is not None and int(found[1]) <= int(found[2]) and int(found[2]) > 3

"""Waits of which samples of sessions have seen some: what they say of a cell."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .recorded_waits import RecordedWaits as RecordedWaits, is_recording as is_recording
    from .seen_waits import (
        ENOUGH as ENOUGH,
        NOT_ALONE as NOT_ALONE,
        SeenWait as SeenWait,
        WaitsShown as WaitsShown,
        answer_of as answer_of,
    )
    from .wait_lines import wait_line as wait_line
else:
    __getattr__ = lazily(
        __name__,
        {
            "recorded_waits": "RecordedWaits is_recording",
            "seen_waits": "ENOUGH NOT_ALONE SeenWait WaitsShown answer_of",
            "wait_lines": "wait_line",
        },
    )

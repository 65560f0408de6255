"""Waits of which samples of sessions have seen some: what they say of a cell."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .seen_waits import (
        ENOUGH as ENOUGH,
        NOT_ALONE as NOT_ALONE,
        SeenWait as SeenWait,
        WaitsShown as WaitsShown,
        answer_of as answer_of,
    )
else:
    __getattr__ = lazily(__name__, {"seen_waits": "ENOUGH NOT_ALONE SeenWait WaitsShown answer_of"})

"""Aggregations on Spark: the same steps as on this machine, in tasks of Spark, with the same output.

Executors read inputs and splits (``tasks``), add what is of one time (``adding``) and write the output (``writing``).
The driver plans and gets accounts, names and totals (``run``); counts travel as the blocks of portions.
"""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .frames import NO_EVENT as NO_EVENT, EventColumns as EventColumns, FrameAggregation as FrameAggregation
    from .run import SparkAggregation as SparkAggregation
    from .session import (
        SparkOptions as SparkOptions,
        opened_session as opened_session,
        packed_package as packed_package,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "frames": "NO_EVENT EventColumns FrameAggregation",
            "run": "SparkAggregation",
            "session": "SparkOptions opened_session packed_package",
        },
    )

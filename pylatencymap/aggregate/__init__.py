"""Archives: many files of any kind as one recording or table, on this machine.

An input yields portions (``file_reading``), each of which is complete or not there. Portions are added or merged by
time (``streams``, ``merging``), however the inputs were divided, and written (``outputs``).
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .archive import archived_inputs as archived_inputs
    from .merging import AggregateSummary as AggregateSummary
    from .naming import BY as BY
    from .outputs import FORMATS as FORMATS, output_at as output_at
    from .run import AggregateQuestion as AggregateQuestion, Aggregation as Aggregation
    from .work_folder import SUFFIX as SUFFIX
else:
    __getattr__ = lazily(
        __name__,
        {
            "archive": "archived_inputs",
            "merging": "AggregateSummary",
            "naming": "BY",
            "outputs": "FORMATS output_at",
            "run": "AggregateQuestion Aggregation",
            "work_folder": "SUFFIX",
        },
    )

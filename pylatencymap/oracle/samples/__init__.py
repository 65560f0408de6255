"""Samples: of wait events, of reads by data file, of the apply lag of a standby. Each is one statement."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .apply_lag import ApplyLagSamples as ApplyLagSamples
    from .event_samples import EventSamples as EventSamples
    from .file_reads import FileReadSamples as FileReadSamples, files_read as files_read
else:
    __getattr__ = lazily(
        __name__,
        {
            "apply_lag": "ApplyLagSamples",
            "event_samples": "EventSamples",
            "file_reads": "FileReadSamples files_read",
        },
    )

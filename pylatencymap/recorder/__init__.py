"""Records what a session reads: into one file, or always on into the hourly segments of a folder."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .keep import Keep as Keep, parse_keep as parse_keep
    from .recorder import Recorder as Recorder
    from .recording import Recording as Recording
    from .segmented_recording import SegmentedRecording as SegmentedRecording
    from .segments import (
        Segment as Segment,
        first_line as first_line,
        runs_within as runs_within,
        segment_name as segment_name,
        segments_in as segments_in,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "keep": "Keep parse_keep",
            "recorder": "Recorder",
            "recording": "Recording",
            "segmented_recording": "SegmentedRecording",
            "segments": "Segment first_line runs_within segment_name segments_in",
        },
    )

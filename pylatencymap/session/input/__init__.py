"""From files and pipes to intervals."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .archived.parquet_source import ParquetSource as ParquetSource
    from .by_key.choice import FileValues as FileValues, no_such_key as no_such_key, values_of_file as values_of_file
    from .excerpt import (
        Excerpt as Excerpt,
        MomentWords as MomentWords,
        micros_of_day as micros_of_day,
        parse_moment as parse_moment,
    )
    from .followed import Followed as Followed, open_followed as open_followed
    from .large_files import (
        chunks_of as chunks_of,
        file_to_scan as file_to_scan,
        fit_of as fit_of,
        scanner_of as scanner_of,
    )
    from .pipeline import (
        decoded_text as decoded_text,
        events_of as events_of,
        intervals_from as intervals_from,
        intervals_of as intervals_of,
        known_by_key as known_by_key,
        recognised as recognised,
    )
    from .plan import (
        ProbeHints as ProbeHints,
        ReadPlan as ReadPlan,
        RecognisedText as RecognisedText,
        dividing as dividing,
        limit_events as limit_events,
    )
    from .pulses import with_pulses as with_pulses
    from .recorded_folder import RECORDS as RECORDS, RecordedFolder as RecordedFolder, open_path as open_path
    from .rolled.followed_log import LOG_FORMAT as LOG_FORMAT, FollowedLog as FollowedLog
    from .rolled.log import RolledLog as RolledLog, open_rolled as open_rolled, rolled_files as rolled_files
    from .several_files import series_of_events as series_of_events, short_names as short_names
    from .source import (
        STDIN as STDIN,
        ReadProgress as ReadProgress,
        Source as Source,
        StopRequest as StopRequest,
        ignore_progress as ignore_progress,
        neighbour as neighbour,
        open_source as open_source,
        source_of as source_of,
    )
    from .sources import ReadSource as ReadSource, Sources as Sources
else:
    __getattr__ = lazily(
        __name__,
        {
            "archived.parquet_source": "ParquetSource",
            "by_key.choice": "FileValues no_such_key values_of_file",
            "excerpt": "Excerpt MomentWords micros_of_day parse_moment",
            "followed": "Followed open_followed",
            "large_files": "chunks_of file_to_scan fit_of scanner_of",
            "pipeline": "decoded_text events_of intervals_from intervals_of known_by_key recognised",
            "plan": "ProbeHints ReadPlan RecognisedText dividing limit_events",
            "pulses": "with_pulses",
            "recorded_folder": "RECORDS RecordedFolder open_path",
            "rolled.followed_log": "LOG_FORMAT FollowedLog",
            "rolled.log": "RolledLog open_rolled rolled_files",
            "several_files": "series_of_events short_names",
            "source": "ReadProgress STDIN Source StopRequest ignore_progress neighbour open_source source_of",
            "sources": "ReadSource Sources",
        },
    )

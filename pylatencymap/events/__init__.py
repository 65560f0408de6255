"""Who is in a cell: a file of single events, read again for a time and a range of latencies."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .event_file import EventFile as EventFile
    from .found import (
        SCHEMA as SCHEMA,
        VERSION as VERSION,
        Amount as Amount,
        EventsFound as EventsFound,
        FoundKey as FoundKey,
        FoundLine as FoundLine,
        FoundValue as FoundValue,
    )
    from .inputs import (
        CellQuestion as CellQuestion,
        EventInputs as EventInputs,
        EventSupplier as EventSupplier,
        FilteredInputs as FilteredInputs,
        Only as Only,
        only_text as only_text,
        parse_only as parse_only,
        reading_alone as reading_alone,
    )
    from .question import (
        EventQuestion as EventQuestion,
        FileChanged as FileChanged,
        FileIdentity as FileIdentity,
        NoSingleEvents as NoSingleEvents,
        identity_of as identity_of,
    )
    from .tally import EventTally as EventTally
    from .text_page import PageOptions as PageOptions, events_page as events_page
else:
    __getattr__ = lazily(
        __name__,
        {
            "event_file": "EventFile",
            "found": "SCHEMA VERSION Amount EventsFound FoundKey FoundLine FoundValue",
            "inputs": "CellQuestion EventInputs EventSupplier FilteredInputs Only only_text parse_only reading_alone",
            "question": "EventQuestion FileChanged FileIdentity NoSingleEvents identity_of",
            "tally": "EventTally",
            "text_page": "PageOptions events_page",
        },
    )

"""Samples wait events of Oracle Database, through restarts and lost connections, and makes records of them."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from . import queries as queries
    from .connection_status import ConnectionStatus as ConnectionStatus
    from .event_names import EventNames as EventNames, NamedEvents as NamedEvents
    from .event_sets import EVENT_SETS as EVENT_SETS, EventSet as EventSet
    from .packs import (
        SWITCHED_OFF as SWITCHED_OFF,
        WHO_ALLOWS as WHO_ALLOWS,
        is_switched_off as is_switched_off,
    )
    from .queries import Views as Views
    from .ranking import BusyEvent as BusyEvent, rank_events as rank_events, ranking_table as ranking_table
    from .records import RecordMaker as RecordMaker
    from .sampling_loop import SamplingLoop as SamplingLoop
    from .server_clock import utc_offset as utc_offset
    from .views import (
        SessionPlace as SessionPlace,
        can_read as can_read,
        file_views as file_views,
        find_place as find_place,
        find_views as find_views,
        missing_starts as missing_starts,
        missing_views_loss as missing_views_loss,
        standby_views as standby_views,
        wanted_views as wanted_views,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "connection_status": "ConnectionStatus",
            "event_names": "EventNames NamedEvents",
            "event_sets": "EVENT_SETS EventSet",
            "packs": "SWITCHED_OFF WHO_ALLOWS is_switched_off",
            "queries": "Views",
            "ranking": "BusyEvent rank_events ranking_table",
            "records": "RecordMaker",
            "sampling_loop": "SamplingLoop",
            "server_clock": "utc_offset",
            "views": "SessionPlace can_read file_views find_place find_views missing_starts missing_views_loss"
            " standby_views wanted_views",
        },
    )

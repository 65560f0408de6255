"""One run of a command: where data come from, what is made of them, and when it ends."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .ending import LAST_WORDS as LAST_WORDS, EndingRule as EndingRule, SignalWatcher as SignalWatcher
    from .feed import Feed as Feed
    from .headless import (
        Collected as Collected,
        UseBatch as UseBatch,
        drain as drain,
        ends_soon as ends_soon,
        run_to_end as run_to_end,
        run_until_spoken as run_until_spoken,
    )
    from .messages import (
        FirstAdvice as FirstAdvice,
        NoticeQueue as NoticeQueue,
        SilenceNotice as SilenceNotice,
        SilenceTimer as SilenceTimer,
    )
    from .picture import (
        SUM_SERIES as SUM_SERIES,
        MarkList as MarkList,
        Picture as Picture,
        PictureOptions as PictureOptions,
        TerminalSize as TerminalSize,
    )
    from .replay import ReplayPlayer as ReplayPlayer, parse_speed as parse_speed, speed_text as speed_text
    from .save import record_of as record_of, save_files as save_files
    from .series_overview import (
        event_noun as event_noun,
        overview_lines as overview_lines,
        series_shares as series_shares,
    )
    from .viewpoint import Viewpoint as Viewpoint
else:
    __getattr__ = lazily(
        __name__,
        {
            "ending": "EndingRule LAST_WORDS SignalWatcher",
            "feed": "Feed",
            "headless": "Collected UseBatch drain ends_soon run_to_end run_until_spoken",
            "messages": "FirstAdvice NoticeQueue SilenceNotice SilenceTimer",
            "picture": "MarkList Picture PictureOptions SUM_SERIES TerminalSize",
            "replay": "ReplayPlayer parse_speed speed_text",
            "save": "record_of save_files",
            "series_overview": "event_noun overview_lines series_shares",
            "viewpoint": "Viewpoint",
        },
    )

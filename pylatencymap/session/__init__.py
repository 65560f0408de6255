"""One run of a command: where data come from, what is made of them, and when it ends."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .alerts import AlertCommand as AlertCommand, AlertNews as AlertNews, AlertWatch as AlertWatch
    from .detail import (
        DetailReader as DetailReader,
        OpenPart as OpenPart,
        PartJob as PartJob,
        PartReader as PartReader,
    )
    from .ending import LAST_WORDS as LAST_WORDS, EndingRule as EndingRule, SignalWatcher as SignalWatcher
    from .feed import (
        CaughtUp as CaughtUp,
        Collected as Collected,
        Feed as Feed,
        UseBatch as UseBatch,
        drain as drain,
        ends_soon as ends_soon,
        run_to_end as run_to_end,
        run_until_spoken as run_until_spoken,
        taker as taker,
    )
    from .marks import MarkFile as MarkFile, MarkList as MarkList, read_mark_file as read_mark_file
    from .messages import (
        FirstAdvice as FirstAdvice,
        NoticeQueue as NoticeQueue,
        SilenceNotice as SilenceNotice,
        SilenceTimer as SilenceTimer,
    )
    from .moments import NotableMoment as NotableMoment
    from .page import page_content as page_content
    from .picture import (
        SUM_SERIES as SUM_SERIES,
        Picture as Picture,
        TerminalSize as TerminalSize,
    )
    from .replay import (
        ReplayPlayer as ReplayPlayer,
        end_of_recording as end_of_recording,
        parse_speed as parse_speed,
        speed_text as speed_text,
    )
    from .save import save_beside as save_beside, save_recording as save_recording
    from .series_overview import (
        event_noun as event_noun,
        overview_lines as overview_lines,
        series_shares as series_shares,
    )
    from .stack.choice import usual_stack as usual_stack
    from .viewpoint import (
        PictureOptions as PictureOptions,
        SelectionWords as SelectionWords,
        Viewpoint as Viewpoint,
        files_name as files_name,
        parse_selection as parse_selection,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "alerts": "AlertCommand AlertNews AlertWatch",
            "ending": "EndingRule LAST_WORDS SignalWatcher",
            "feed": "CaughtUp Collected Feed UseBatch drain ends_soon run_to_end run_until_spoken taker",
            "detail": "DetailReader OpenPart PartJob PartReader",
            "marks": "MarkFile MarkList read_mark_file",
            "messages": "FirstAdvice NoticeQueue SilenceNotice SilenceTimer",
            "moments": "NotableMoment",
            "page": "page_content",
            "picture": "Picture SUM_SERIES TerminalSize",
            "replay": "ReplayPlayer end_of_recording parse_speed speed_text",
            "save": "save_beside save_recording",
            "series_overview": "event_noun overview_lines series_shares",
            "stack.choice": "usual_stack",
            "viewpoint": "PictureOptions SelectionWords Viewpoint files_name parse_selection",
        },
    )

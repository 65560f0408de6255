"""Alerts: conditions that are watched while data come, and the command that is run when one begins to hold.

    watch = AlertWatch(picture, [parse_lasting("p99 > 20ms for 1m")], keep=recorder.event, command=None)
    watch.extend(intervals)     # instead of picture.extend
    for news in watch.news(): ...

docs/viewer.md says what users see of it.
"""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .command import AlertCommand as AlertCommand
    from .watch import AlertNews as AlertNews, AlertWatch as AlertWatch
else:
    __getattr__ = lazily(__name__, {"command": "AlertCommand", "watch": "AlertNews AlertWatch"})

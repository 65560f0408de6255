"""Streams of many hosts at once: the commands that print them, their ends and silences, their clocks."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .host_commands import (
        HostCommand as HostCommand,
        hosts_of_file as hosts_of_file,
        named_command as named_command,
    )
    from .many_hosts import ManyHosts as ManyHosts
    from .time_order import RecordingInOrder as RecordingInOrder, TimeOrder as TimeOrder
else:
    __getattr__ = lazily(
        __name__,
        {
            "host_commands": "HostCommand hosts_of_file named_command",
            "many_hosts": "ManyHosts",
            "time_order": "RecordingInOrder TimeOrder",
        },
    )

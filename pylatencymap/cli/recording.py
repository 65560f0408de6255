"""``--record`` and ``--keep``: the recording that a command writes; and the marks of ``--marks``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..record import Mark
from ..session import NoticeQueue
from .standard_streams import print_notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..interval import Interval
    from ..recorder import Recorder
    from ..session import MarkFile, MarkList


def begin_recording(options: argparse.Namespace, on_notice: Callable[[str], object]) -> Recorder | None:
    """The recording that the options ask for; None if they ask for none. ``on_notice`` receives what happens to it,
    from any thread, and the new name of an older recording. Raises UsageError or SourceError.
    """
    path, keep = getattr(options, "record", None), getattr(options, "keep", None)
    if not path:
        if keep is not None:
            raise UsageError(f"--keep needs a folder to record into: {KEEP_EXAMPLE}")
        return None
    from ..text import zone_named

    zone = zone_named(getattr(options, "tz", None))
    if path.endswith("/") or os.path.isdir(path):
        from ..recorder import Keep, SegmentedRecording

        return SegmentedRecording(path, keep or Keep(), on_notice, zone)
    if keep is not None:
        raise UsageError(f"--record {path}: --keep removes the oldest files of a folder: {KEEP_EXAMPLE}")
    from ..recorder import Recording

    recording = Recording(path, on_notice, zone)
    if recording.replaced:
        on_notice(f"{path} was there before; it is now {recording.replaced}")
    return recording


KEEP_EXAMPLE = "--record latency/ --keep 7d"


def flags_of(recording: Recorder | None) -> tuple[str, ...]:
    """What the title of the view says about a recording."""
    return (recording.flag,) if recording is not None and recording.flag else ()


def marks_of(options: argparse.Namespace, say: Callable[[str], None]) -> MarkFile | None:
    """The marks of ``--marks``; None if there is no such option. ``say``: see MarkFile."""
    path = getattr(options, "marks", None)
    if path is None:
        return None
    from ..session import read_mark_file
    from ..session.input import STDIN
    from ..text import zone_named

    if path == STDIN:
        raise UsageError("--marks -: name a file; standard input can be data only")
    return read_mark_file(path, zone_named(options.tz), say)


class OwnRecording:
    """The recording of a command that makes its records itself, if its options ask for one, and the marks of
    ``--marks``. ``live``: messages about them wait until the live view has ended; meanwhile it shows them as
    ``current_notice``.
    """

    def __init__(self, options: argparse.Namespace, *, live: bool) -> None:
        self._held = NoticeQueue()
        self.current_notice = self._held.current_notice
        self._marks = marks_of(options, self._held.add if live else print_notice)
        self._recorder = begin_recording(options, self._held.add if live else print_notice)
        self.tee = None if self._recorder is None else self._recorder.event
        self.aside = None if self._recorder is None else self._recorder.aside

    def keep(self, mark: Mark) -> None:
        """Record a mark that the user has made."""
        if self._recorder is not None:
            self._recorder.event(mark)

    def marked(self, intervals: Iterator[Interval], marks: MarkList) -> Iterator[Interval]:
        """The intervals, with the marks of ``--marks`` among those of a picture."""
        if self._marks is None:
            return intervals
        self._marks.hand_to(marks)
        return self._marks.watched(intervals)

    def flags(self) -> tuple[str, ...]:
        """What the title says about the recording."""
        return flags_of(self._recorder)

    def close(self) -> None:
        """Finish the recording, and print the messages that waited."""
        if self._recorder is not None:
            self._recorder.close()
        for message in self._held.release():
            print_notice(message)

"""``--baseline FILE``: another recording, read beside the view, which is B until the user names another one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from ...errors import LatencyMapError, NoInterval
from ...window import DEFAULT_MB, Window
from ..detail import PartReader

SHARE = 0.25
"""The part of the memory for the history that a baseline may take."""


class Baseline:
    """A recording that is being read in another thread. ``name``: the file, as texts have it; ``word``: as the user
    named it, with its part of the time.

    ``window`` is None until all is read; ``problem`` says why it cannot be.
    """

    def __init__(
        self,
        word: str,
        name: str,
        open_it: Callable[[], PartReader],
        megabytes: float = SHARE * DEFAULT_MB,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        self.word = word
        self.name = name
        self.window: Window | None = None
        self.problem = ""
        self._wake = wake
        self._error: BaseException | None = None
        self._reader: PartReader | None = None
        self._megabytes = megabytes
        self._open = open_it
        self._thread: Thread | None = None
        self._was_seen = False

    def begin(self, wake: Callable[[], object] | None = None) -> None:
        """Begin to read. ``wake`` is called, in the thread, when that is over. Raises what cannot be opened."""
        self._wake = wake or self._wake
        self._reader = self._open()
        self._thread = Thread(target=self._read, args=(self._reader,), name="baseline", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Read no further."""
        if self._reader is not None:
            self._reader.stop()

    def wait(self) -> None:
        """Wait until all is read."""
        if self._thread is not None:
            self._thread.join()

    @property
    def has_news(self) -> bool:
        """Whether it has been read, or has failed, since this was asked last. Raises an error of the program."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        was, self._was_seen = self._was_seen, self.window is not None or bool(self.problem)
        return self._was_seen and not was

    def progress(self) -> str:
        """What to say while it is being read; empty if it is not."""
        is_over = self.window is not None or self.problem or self._reader is None
        return "" if is_over or self._reader is None else self._reader.progress()

    def series_like(self, name: str, *, single: bool) -> str | None:
        """The series of the baseline to compare with one of this name: that of the same name; where both have a
        ``single`` one, its name does not matter. None if there is none.
        """
        names = [] if self.window is None else self.window.by_time_waited()
        if name in names:
            return name
        return names[0] if single and len(names) == 1 else None

    def _read(self, reader: PartReader) -> None:
        window = Window(self._megabytes)
        try:
            for interval in reader.intervals(window.take):
                window.add(interval)
            if not len(window):
                raise NoInterval(f"{self.word}: there is no interval in it")
            self.window = window
        except LatencyMapError as error:
            self.problem = str(error)
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self._error = error
        finally:
            reader.close()
            self._wake()

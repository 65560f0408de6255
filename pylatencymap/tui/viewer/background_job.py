"""Jobs that write files in the background while the view goes on."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

from ...errors import LatencyMapError


class BackgroundJob:
    """Runs ``work``, which can take long, in a thread of its own. ``work`` returns a message about its result. It is
    never stopped: the end of the view waits for it. ``following``: the work of the job to begin after this one, unless
    this one fails.
    """

    def __init__(self, work: Callable[[], str], following: Callable[[], str] | None = None) -> None:
        self._work = work
        self._following = following
        self._said = ""
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._run, name="saving")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._said = self._work()
        except LatencyMapError as error:
            self._said, self._following = f"not saved: {error}", None
        except BaseException as error:  # noqa: BLE001
            self._failure = error

    @property
    def is_done(self) -> bool:
        """Whether ``result`` returns without waiting."""
        return not self._thread.is_alive()

    def next_job(self) -> BackgroundJob | None:
        """Begin the job that follows this one, if there is one."""
        return BackgroundJob(self._following) if self._following is not None else None

    def result(self) -> str:
        """Wait for the end and return the message. A LatencyMapError becomes a message; other exceptions are raised."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._said

"""Three days of minutes, with an incident, a restart and a gap; and how a part of a file is read again."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.input import ReadPlan, Sources, open_path
from tests.tui.tasks import three_days as text_of_three_days


@pytest.fixture(scope="session")
def three_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("days") / "three.lmap"
    path.write_text(text_of_three_days())
    return path


class Part:
    """A time of a file, read once more."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def intervals(self, take_batch: Any) -> Iterator[Interval]:
        return self._sources.read(lambda _: None, take_batch)

    def progress(self) -> str:
        return ""

    def stop(self) -> None:
        self._sources.stop.set()

    def close(self) -> None:
        self._sources.close_all()


@pytest.fixture
def read_again() -> Callable[[Path], Any]:
    def reader(path: Path) -> Callable[[int, int], Part]:
        whole = Sources(ReadPlan(), lambda _: None)
        whole.add(open_path(str(path), whole.stop))
        return lambda begin, end: Part(whole.part(begin, end))

    return reader

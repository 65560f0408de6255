"""A part of the sources, read once more, has the intervals that all of them have there."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.record import Record, Semantics, Stamp
from pylatencymap.recorder import SegmentedRecording
from pylatencymap.session.input import ReadPlan, Sources, open_path
from pylatencymap.units import Unit
from pylatencymap.window import Window, kept_intervals

EXAMPLES = Path(__file__).parents[3] / "examples"
BEGIN = 1_700_000_000
SECOND = 1_000_000


def one_example(_: Path) -> list[Path]:
    return [EXAMPLES / "flags.lmap.gz"]


def two_examples(_: Path) -> list[Path]:
    return [EXAMPLES / "steady.lmap.gz", EXAMPLES / "spindle.lmap.gz"]


def uncompressed(folder: Path) -> list[Path]:
    path = folder / "flags.lmap"
    path.write_bytes(gzip.decompress((EXAMPLES / "flags.lmap.gz").read_bytes()))
    return [path]


def prints(folder: Path) -> list[Path]:
    path = folder / "biolatency.txt"
    path.write_text(
        "".join(
            f"10:{second // 60:02}:{second % 60:02}\n     usecs               : count     distribution\n"
            f"         0 -> 1          : {second % 7:<8} |****|\n       128 -> 255        : {second:<8} |**  |\n\n"
            for second in range(1, 120)
        )
    )
    return [path]


def events(folder: Path) -> list[Path]:
    path = folder / "ping.txt"
    path.write_text(
        "".join(
            f"[{BEGIN + second}.500000] 64 bytes from 10.0.0.1: icmp_seq={second} ttl=64 time={1 + second % 9}.5 ms\n"
            for second in range(99)
        )
    )
    return [path]


def recorded(folder: Path) -> list[Path]:
    now = [float(BEGIN)]
    recording = SegmentedRecording(str(folder / "kept"), now=lambda: now[0])
    for number in range(0, 3 * 3600, 30):
        now[0] = float(BEGIN + number)
        ranges = ((64, 128, 10 * number), (8192, 16384, number))
        recording.event(Record("sda", Unit.US, ranges, Semantics.CUMULATIVE, Stamp((BEGIN + number) * SECOND)))
    recording.close()
    return [folder / "kept"]


KINDS = [one_example, two_examples, uncompressed, prints, events, recorded]


def opened(paths: list[Path]) -> Sources:
    sources = Sources(ReadPlan(), lambda _: None)
    for path in paths:
        sources.add(open_path(str(path), sources.stop))
    return sources


def kept(sources: Sources) -> list[Interval]:
    """All intervals, one series after the other."""
    window = Window()

    for interval in sources.read(lambda _: None, window.take):
        window.add(interval)
    return [interval for name in sorted(window.names()) for interval in kept_intervals(window[name])]


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("share", [(0.0, 0.3), (0.4, 0.6), (0.7, 1.0)])
def test_a_part_has_the_same_intervals(
    make: Callable[[Path], list[Path]], share: tuple[float, float], tmp_path: Path
) -> None:
    sources = opened(make(tmp_path))
    whole = kept(sources)
    begin, end = min(one.start for one in whole), max(one.end for one in whole)
    first, last = (begin + round(part * (end - begin)) for part in share)
    found = kept(sources.part(first, last))
    assert [one for one in found if not one.gap] == [one for one in whole if first < one.end <= last and not one.gap]
    gaps = [(one.start, one.end) for one in whole if one.gap]
    assert all(any(start <= one.start < one.end <= end for start, end in gaps) for one in found if one.gap)
    assert found
    assert sources.bad_count() == 0


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    (path,) = prints(tmp_path)
    sources = opened([path])
    whole = kept(sources)
    path.write_text("10:00:00\n")
    with pytest.raises(SourceError, match="has changed since it was read"):
        sources.part(whole[0].start, whole[-1].end)


def test_the_limits_of_the_first_reading_do_not_count(tmp_path: Path) -> None:
    sources = Sources(ReadPlan(count=50, last=None), lambda _: None)
    sources.add(open_path(str(prints(tmp_path)[0]), sources.stop))
    whole = kept(sources)
    assert len({one.end for one in whole}) == 50
    assert kept(sources.part(whole[20].end, whole[30].end)) == whole[21:31]

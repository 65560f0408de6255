"""Hours of a fast stream, kept and drawn, stay within the memory of a small machine."""

import subprocess
import sys
from pathlib import Path

import pytest

STREAM = """
import sys
from dataclasses import replace
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.report import Report
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.stream.reader import read_stream
from pylatencymap.text.lines import Line
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.view.terminal.encoder import ScreenEncoder
from pylatencymap.view.style.options import ViewOptions

SECONDS, HERTZ, SERIES = int(sys.argv[1]), 10, 3
DECODED = 600  # seconds that come as text; what follows is made of their last intervals, which is far cheaper
FRAME_SECONDS = 10
EPOCH = 1_700_000_000_000_000


def lines():
    # Counters of three disks, each with a cache and a spindle.
    number = 0
    for tick in range(DECODED * HERTZ + 1):
        now = EPOCH + tick * 1_000_000 // HERTZ
        for disk in range(SERIES):
            buckets = (f"{1 << bit},{tick * (bit + disk + 1)}" for bit in range(4, 20))
            head = (f"timestamp,microsec,{now}", f"label,disk{disk}", "latencyunit,microsec", "datasource,bpf")
            for text in ("<begin record>", *head, *buckets, "<end record>"):
                number += 1
                yield Line(number, text, tick / HERTZ)


def all_intervals():
    last = {}
    for interval in to_intervals(resolve_times(read_stream(lines(), report), TimeOptions(started=0.0), report)):
        last[interval.series] = interval
        yield interval
    for tick in range(1, (SECONDS - DECODED) * HERTZ + 1):
        later = tick * 1_000_000 // HERTZ
        for interval in last.values():
            yield replace(interval, start=interval.start + later, end=interval.end + later)


report = Report("endurance", strict=True)
picture = Picture(PictureOptions(Viewpoint(resolution=2)))
window = picture.window
viewer, encoder = Viewer(picture, Presentation("LIVE"), MainView()), ScreenEncoder(ViewOptions())
viewer.size = (120, 40)
written = 0
for number, interval in enumerate(all_intervals()):
    picture.extend([interval])
    if number % (FRAME_SECONDS * HERTZ * SERIES) == 0:
        # Each series, their sum, and columns of different lengths by turns.
        frame = number // (FRAME_SECONDS * HERTZ * SERIES)
        viewer.viewpoint = viewer.viewpoint._replace(summed=frame % 7 == 0, width=(None, 5.0, 60.0)[frame // 10 % 3])
        written += len(encoder.encode(viewer.layers[-1].draw(viewer)))
assert written > 0
assert [len(window[name]) for name in window.names()] == [SECONDS * HERTZ] * SERIES, len(window)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.parametrize(("seconds", "most_mb"), [(2400, 75), pytest.param(7200, 150, marks=pytest.mark.thorough)])
def test_ten_records_a_second_of_three_series(root: Path, seconds: int, most_mb: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STREAM, str(seconds)], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) / 1024 < most_mb

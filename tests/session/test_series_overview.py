"""Lines about the series that are not drawn."""

from pylatencymap.interval import Interval
from pylatencymap.session.series_overview import overview_lines
from pylatencymap.units import Unit
from pylatencymap.window.window import Window

SECOND = 1_000_000


def test_rates_are_over_all_that_is_kept_and_gaps_are_no_part_of_it() -> None:
    window = Window()
    for n in (*range(100), *range(150_100, 150_200)):
        if n == 150_100:
            window.add(Interval("a", Unit.US, 100 * SECOND, n * SECOND, 150_000.0, gap=True))
        count = 30 if n < 100 else 10
        window.add(Interval("a", Unit.US, n * SECOND, (n + 1) * SECOND, 1.0, ((64, 128, count),), 0.002))
    assert overview_lines(window, ["a"]) == ("a  20.0/s, 1.85 ms/s waited, avg 92.3 us",)

"""How wide a time column may be: the steps of zooming out and in."""

LADDER = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400)
"""Seconds, to a day."""
MORE = 1.05
"""A step below so many times the usual interval would draw what is there already: intervals are rarely exact."""


def longer(width: float | None, usual: float) -> float:
    """The next step out from ``width`` seconds (None: one interval each) of a series with a usual interval.

    From the last step, or an interval longer than it, there is no step further: what is shown is returned.
    """
    above = [step for step in LADDER if step > (width or 0.0) and step > MORE * usual]
    return float(above[0]) if above else width or usual


def shorter(width: float | None, usual: float) -> float | None:
    """The next step in; None: one interval each."""
    below = [step for step in LADDER if width is not None and MORE * usual < step < width]
    return float(below[-1]) if below else None

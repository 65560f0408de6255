"""Speeds of a replay: as written, as shown, and the next one up and down."""

from __future__ import annotations

from ..errors import UsageError

LADDER = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)


def parse_speed(text: str) -> float | None:
    """``10x``, ``0.5x`` or ``10``; None is ``max``, as fast as possible. Raises UsageError."""
    if text == "max":
        return None
    try:
        speed = float(text.removesuffix("x"))
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise UsageError(f"--speed {text}: write a number as in 10x, or max")
    return speed


def speed_text(speed: float | None) -> str:
    """``10x``, or ``max``."""
    return "max" if speed is None else f"{speed:g}x"


def faster(speed: float | None) -> float | None:
    """The next step of the ladder; beyond its end as fast as possible."""
    return next((step for step in LADDER if speed is not None and step > speed), None)


def slower(speed: float | None) -> float:
    """The step of the ladder below; the lowest is the end."""
    return next((step for step in reversed(LADDER) if speed is None or step < speed), LADDER[0])

"""Reports of logs whose latencies are whole milliseconds: the tools cut off the rest."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pylatencymap as lm

Command = Callable[..., Any]
CLOCK = "the clock counts in whole ms; what is shorter than 1 ms cannot be told apart"


def latencies(seed: int = 1) -> list[float]:
    """Milliseconds: nine of ten about 3.3, the others about 24."""
    rng = np.random.default_rng(seed)
    both = np.where(rng.random(6000) < 0.9, rng.lognormal(1.2, 0.5, 6000), rng.lognormal(3.2, 0.3, 6000))
    return [float(one) for one in both]


def biosnoop(words: Callable[[float], str]) -> str:
    """Events of 30 seconds."""
    head = "TIME(s)     COMM           PID     DISK      T  SECTOR     BYTES   LAT(ms)\n"
    return head + "".join(
        f"{number / 200:<11.6f} fio            1234    sda       R  {number:<10} 4096   {words(one):>8}\n"
        for number, one in enumerate(latencies())
    )


def table(words: Callable[[float], str]) -> str:
    return "time,latency_ms\n" + "".join(
        f"{1_772_409_600 + number / 200:.6f},{words(one)}\n" for number, one in enumerate(latencies())
    )


@pytest.mark.parametrize("text", [biosnoop, table])
def test_whole_ms_are_told_as_such(quick: Command, text: Callable[..., str]) -> None:
    whole = " ".join(quick("report", "--full", given=text(lambda one: str(int(one)))).out.split())
    assert CLOCK in whole
    assert " 1-8 ms typically 3." in whole
    finer = " ".join(quick("report", "--full", given=text(lambda one: f"{one:.3f}")).out.split())
    assert CLOCK not in finer
    assert " 1-8 ms typically " not in finer


def test_modes_know_the_tick(tmp_path: Any) -> None:
    file = tmp_path / "whole.txt"
    file.write_text(biosnoop(lambda one: str(int(one))))
    found = lm.read(str(file)).modes()
    assert (found.tick, found.sure) == (1e-3, 2)
    for mode in found.modes:
        assert round(mode.lower * 1e3, 6).is_integer()
        assert round(mode.upper * 1e3, 6).is_integer()


def test_octaves_of_ms_are_no_clock(quick: Command) -> None:
    """A histogram in ms has ranges of a doubling: what its clock counts in is not known."""
    prints = "".join(
        f"{second // 60:02d}:{second % 60:02d}:00\n     msecs               : count     distribution\n"
        + "".join(f"{low:>10} -> {high:<10} : {n:<8} |    |\n" for low, high, n in ((0, 1, 90), (2, 3, 40), (4, 7, 9)))
        + "\n"
        for second in range(40)
    )
    ran = quick("report", "--full", given=prints)
    assert ran.status == 0
    assert "whole ms" not in ran.out

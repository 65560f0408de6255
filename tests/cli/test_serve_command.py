"""What ``serve`` says of its source."""

import subprocess
import sys

import pytest

RANGES = """\
Attaching 3 probes...
@usecs[sda]:
[0, 100)              50 |@@@@@@@@@@|
[100, 200)            20 |@@@@      |
[1000, ...)            5 |@         |

@usecs[sda]:
[0, 100)              50 |@@@@@@@@@@|
[100, 200)            20 |@@@@      |
[1000, ...)            4 |@         |

"""
"""Of bpftrace's lhist, with a range that has no upper end."""
SERVE = [sys.executable, "-m", "pylatencymap", "serve", "--pipe", "--listen", "127.0.0.1:0", "--linger", "0"]


@pytest.mark.parametrize("more", [[], ["--max-latency", "1000us"]])
def test_a_range_without_an_end_below_the_last_bound_is_said_once(more: list[str]) -> None:
    done = subprocess.run([*SERVE, *more], input=RANGES, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    told = "how long events above 1 ms are: they are in the last bucket, which begins at 134 s"
    assert done.stderr.count(told) == (0 if more else 1)
    assert ("--max-latency 1000us lets it begin there" in done.stderr) is not bool(more)


def test_a_last_bound_below_the_first_is_refused() -> None:
    done = subprocess.run([*SERVE, "--max-latency", "1us"], input="", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, "pylatencymap: --max-latency 1 us: must be at least 2us\n")

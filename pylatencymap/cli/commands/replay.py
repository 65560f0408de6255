"""``pylatencymap replay FILE...``: play recordings, as they were recorded or at another speed."""

from __future__ import annotations

from . import view

HELP = """\
usage: pylatencymap replay [OPTION...] FILE...

Plays recordings or saved text as they were recorded; the clock at the top says
how long it is and where it stands.

  pylatencymap replay monday.lmap                  as it was recorded
  pylatencymap replay --speed 10x monday.lmap      ten times as fast
  pylatencymap replay --from 03:00 monday.lmap     from three o'clock on

  --speed X     10x, 0.5x or max
  --delay S     S seconds between records, each drawn; 0: as fast as possible
  --help-all    all options: those of pylatencymap FILE

While it plays, Space pauses, . steps, < and > change the speed, End reads to
the end, and ? lists the keys.
"""


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    return view.run(argv, plays=True, help_text=HELP)

"""``pylatencymap [FILE...]`` and ``... | pylatencymap``: draw all of a file, or what a program prints."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ...errors import SourceError, UsageError
from ..acceptance import Acceptance
from ..alerts import Alerts, add_alert_options
from ..arguments import (
    WITH_ONCE,
    Parser,
    add_baseline_option,
    add_condition_options,
    add_data_options,
    add_excerpt_options,
    add_filter_option,
    add_follow_option,
    add_marks_option,
    add_replay_options,
    add_run_options,
    add_text_options,
    add_view_options,
    parser,
)
from ..main import COMMANDS
from ..setup import check_picture, has_live_view, plan_of
from ..standard_streams import programs_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...interval import Interval
    from ...intervals import TakeBatch
    from ...session import Picture, ReplayPlayer
    from ..inputs import Inputs
    from ..session import CommandSession

HELP = """\
usage: pylatencymap [OPTION...] [FILE...]
       PROGRAM | pylatencymap [OPTION...]
       pylatencymap COMMAND ...      (pylatencymap COMMAND --help)

Latency over time in a terminal: two heat maps, frequency and intensity.

  biolatency 1 | pylatencymap            draw the output of a tool
  pylatencymap monday.lmap               draw all of a recording or saved text
  pylatencymap --follow latency/         look at a recording being written
  oralatencymap db_file_sequential_read  draw the waits of an Oracle database
  pylatencymap demo                      a simulated disk; no data, no root

  replay      play recordings as they were recorded, or with --speed
  live        measure on this machine and draw it; collect prints records
  report      say in words what recordings hold: modes, percentiles, changes
  compare     say whether two recordings differ, and how sure that is
  events      who waited: the keys of single events, and the worst lines
  export      write a picture, a page, a film, a table or a recording
  convert     any supported text to the record stream or to JSON lines
  aggregate   many files, of any size, to one recording or Parquet
  merge       draw many hosts on one screen
  serve       offer a collector or a pipe to Prometheus
  collectors  list the formats that can be read, and what can measure here
  completions   bash, zsh or fish: print what completes the words of a line
  help        COMMAND: what it does, and its options

  --series GLOB         only these series; sum: all added up
  --last 2h             only the end; --from T and --to T: a part
  --interval S          columns of S seconds; a file is fitted to the screen
  --slo 10ms            mark a latency, and show the share of slower events
  --once                print one picture, without the live view
  --record FILE|DIR/    record everything meanwhile
  --fail-if "p99 > 10ms"   with --once: exit status 6 if it holds
  --help-all            all options, and what the exit status says

In the view, ? lists the keys. docs/ explains the rest.
"""
EPILOG = """\
exit status:
  0 all is well   1 there was nothing to draw, or a condition cannot be told   2 wrong options
  3 the source cannot be read   4 a bad record, with --strict   5 a plug-in failed
  6 a condition of --fail-if holds   130 Ctrl-C
"""
AS_RECORDED = 1.0
ADVICE = "if it asks for a password, type it; otherwise try stdbuf -oL biolatency 1, or Ctrl-C for what it has so far"
LATER_ADVICE = "it has stopped, or a block of its output fills (stdbuf -oL prevents that)"
SQLPLUS = "sqlplus"
SQLPLUS_ADVICE = "if sqlplus asks for a password, type it; otherwise it waits for the database, or found no such script"
LATER_SQLPLUS_ADVICE = "sqlplus waits for the database, or the script has ended"


def arguments(help_text: str = HELP) -> Parser:
    """The parser of this command."""
    made = parser("", "Latency over time in a terminal: two heat maps, frequency and intensity.", EPILOG, help_text)
    made.add_argument("files", metavar="FILE", nargs="*", help="recordings or saved text; none or -: standard input")
    add_data_options(made, draws=True)
    add_excerpt_options(made)
    add_filter_option(made)
    add_marks_option(made)
    add_baseline_option(made)
    add_text_options(made)
    add_view_options(made)
    add_run_options(made)
    add_follow_option(made)
    add_condition_options(made, WITH_ONCE)
    add_alert_options(made)
    add_replay_options(made)
    return made


def run(argv: list[str], *, plays: bool = False, help_text: str = HELP) -> int:
    """Run with these arguments; the exit status. ``plays``: files are played, even if no speed is given.
    ``help_text``: what ``--help`` prints.
    """
    options = arguments(help_text).parsed(argv)
    _check(options)
    options.plays = plays or "speed" in options or options.delay is not None
    acceptance, alerts = Acceptance(options), Alerts(options)
    return acceptance.run(lambda: _drawn(options, acceptance, alerts))


def _drawn(options: argparse.Namespace, acceptance: Acceptance, alerts: Alerts) -> int:
    """Draw the inputs that the options name; returns the exit status."""
    from ..inputs import Inputs

    live_view = has_live_view(options)
    if options.follow:
        _check_followed(options, live_view)
    inputs = Inputs(options, plan_of(options), hold_messages=live_view)
    if options.files:
        _check_word(options.files[0])
    inputs.open(options.files, _stdin_data(live_view))
    session = acceptance.of(_session(options, inputs, live_view, alerts))
    return session.run(live_view)


def _session(options: argparse.Namespace, inputs: Inputs, live_view: bool, alerts: Alerts) -> CommandSession:
    """A session with open inputs."""
    from ...session import FirstAdvice, SilenceTimer
    from ...view.layout import LIVE, READING, REPLAY
    from ..session import CommandSession

    player = _player(options, inputs) if live_view and options.plays and not inputs.live else None

    def produce(picture: Picture, take: TakeBatch) -> Iterator[Interval]:
        inputs.hand_marks_to(picture.marks)
        return inputs.intervals(picture.mark, None if player else take)

    return CommandSession(
        options=options,
        produce=produce,
        stop=inputs.stop,
        pipe=inputs.live,
        caught_up=inputs.caught_up,
        open_part=None if inputs.live else inputs.part_again,
        state=LIVE if inputs.live else READING if player is None else REPLAY,
        player=player,
        keep=inputs.keep,
        has_spoken=inputs.has_spoken,
        waiting_notices=inputs.waiting_notices,
        first_advice=FirstAdvice(_first_advice, inputs.begun).due,
        silence=SilenceTimer(inputs.heard, _later_advice) if inputs.live else inputs,
        closing_notice=inputs.closing_notice,
        current_notice=inputs.current_notice,
        bad_count=inputs.bad_count,
        why_empty=inputs.plan.why_empty,
        close=inputs.close,
        flags=inputs.recording_flags,
        seconds=options.duration if inputs.live else None,
        alerts=alerts,
        events=inputs.event_inputs() if live_view else None,
    )


def _first_advice() -> str:
    """What to do while nothing has come from the pipe."""
    return SQLPLUS_ADVICE if SQLPLUS in programs_beside() else ADVICE


def _later_advice() -> str:
    """What to do while nothing comes any longer."""
    return LATER_SQLPLUS_ADVICE if SQLPLUS in programs_beside() else LATER_ADVICE


def _player(options: argparse.Namespace, inputs: Inputs) -> ReplayPlayer:
    """The player that hands out recorded intervals at the speed of the options."""
    from ...session import ReplayPlayer, end_of_recording

    last = None
    if inputs.takes_all and not options.start:
        ends = [end_of_recording(source.descriptor) for source in inputs.sources]
        known = [end for end in ends if end is not None]
        last = max(known) if len(known) == len(ends) else None
    return ReplayPlayer(getattr(options, "speed", AS_RECORDED), options.delay, last=last)


def _check(options: argparse.Namespace) -> None:
    from ...session.input import STDIN

    commands = [name for name in options.files if name in COMMANDS]
    if commands:
        raise UsageError(
            f"write the command first: pylatencymap {commands[0]} ...  (a file of that name: ./{commands[0]})"
        )
    if STDIN in options.files and len(options.files) > 1:
        raise UsageError("standard input cannot be merged with files: it has no end yet")
    if not options.files and sys.stdin.isatty():
        raise UsageError(
            "nothing to draw. Pipe a tool into it (biolatency 1 | pylatencymap), name a file, "
            "or look at 'pylatencymap demo' and 'pylatencymap --help'"
        )
    check_picture(options)


def _check_followed(options: argparse.Namespace, live_view: bool) -> None:
    """Raise UsageError for what does not go together with ``--follow``."""
    if options.once or not live_view:
        needs = "--once draws what there is" if options.once else "its view needs a terminal"
        raise UsageError(f"--follow has no end, and {needs}: leave out --follow to draw what has been recorded so far")
    if options.plays:
        raise UsageError("--follow shows what comes as it comes; a replay has its own pace: leave out one of them")
    if len(options.files) != 1:
        raise UsageError("--follow takes one file or folder, as in pylatencymap --follow latency/")
    if options.record:
        raise UsageError("--follow looks at a recording that is being written: leave out --record")
    if options.last is not None or options.until is not None:
        raise UsageError("--follow goes on to the newest: leave out --last and --to, or write --from -2h")


NEARLY = 0.7
"""From this similarity on, 0 to 1, a word is a command with a typing error."""
LIST = "; 'pylatencymap help' lists the commands"


def meant_command(word: str, otherwise: str = "") -> str:
    """A hint with the command that a word is near; else ``otherwise``, or where the commands are listed."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), COMMANDS, 1, NEARLY)
    return f"; did you mean the command {close[0]}?" if close else otherwise or LIST


def _check_word(word: str) -> None:
    """Raise SourceError if a word looks like a command but is neither a command nor a file."""
    if word.isalpha() and not os.path.exists(word):
        from ...session.input import neighbour

        raise SourceError(f"{word}: no such file or command{meant_command(word, neighbour(word))}")


def _stdin_data(live_view: bool) -> int:
    """The descriptor of piped data. For a live view, the keyboard takes the place of standard input."""
    if not live_view:
        return 0
    from ...tui.terminal import free_stdin_for_keys

    return free_stdin_for_keys()

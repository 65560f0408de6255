"""Reads the inputs of a command to their end: for commands that write, or print, instead of showing."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import Exit
from ..interval import Interval
from ..intervals import Batch
from ..session import (
    Collected,
    EndingRule,
    Feed,
    SignalWatcher,
    UseBatch,
    drain,
    run_to_end,
    taker,
)
from .inputs import Inputs
from .setup import plan_of
from .standard_streams import notice_or_raise

if TYPE_CHECKING:
    from ..session import Picture, PictureOptions
    from ..session.input import Excerpt


def run_inputs(feed: Feed[Collected], use: UseBatch[Collected], inputs: Inputs, seconds: float | None) -> EndingRule:
    """Read ``inputs`` through a feed to their end, programs in a pipe for at most ``seconds``. Returns how it ended."""
    with SignalWatcher(feed.wake) as signals:
        ending = EndingRule(
            signals, pipe=inputs.live, seconds=seconds if inputs.live else None, ask_to_end=inputs.ask_to_end
        )
        try:
            run_to_end(feed, use, ending)
            inputs.stop.set()
            if inputs.live and ending.shows_result:
                drain(feed, use)
        finally:
            inputs.stop.set()
            feed.abandon()
            inputs.close()
    return ending


def read_to_end(
    options: argparse.Namespace, paths: list[str], chosen: PictureOptions
) -> tuple[Picture, Inputs, EndingRule]:
    """The picture of all that the inputs hold, and how reading them ended. Raises what broke it off, unless that was
    an interruption.
    """
    from ..session import Picture

    inputs = Inputs(options, plan_of(options))
    inputs.open(paths)
    picture = Picture(chosen, inputs.bad_count)
    inputs.hand_marks_to(picture.marks)
    feed: Feed[Interval | Batch] = Feed(lambda: inputs.intervals(picture.mark, taker(feed)))
    ending = run_inputs(feed, picture.extend, inputs, options.duration)
    notice_or_raise(feed.error, interrupted=ending.status is not Exit.OK)
    return picture, inputs, ending


def read_excerpts_to_end(
    options: argparse.Namespace, path: str, excerpts: Sequence[Excerpt | None], pictures: Sequence[Picture]
) -> tuple[Inputs, EndingRule]:
    """As ``read_to_end``, of several excerpts of one file: each fills the picture of the same number."""
    inputs = Inputs(options, plan_of(options))
    inputs.open([path])
    for picture in pictures:
        inputs.hand_marks_to(picture.marks)

    def produced() -> Iterator[tuple[int, Interval | Batch]]:
        for number, one in inputs.intervals_by_excerpt(excerpts, lambda number, mark: pictures[number].mark(mark)):
            if isinstance(one, Interval):
                yield number, one
                continue
            for batch in one.by_series():
                feed.put((number, batch), batch.nbytes)

    def use(arrived: list[tuple[int, Interval | Batch]]) -> None:
        for number, one in arrived:
            pictures[number].extend([one])

    feed: Feed[tuple[int, Interval | Batch]] = Feed(produced)
    ending = run_inputs(feed, use, inputs, options.duration)
    notice_or_raise(feed.error, interrupted=ending.status is not Exit.OK)
    return inputs, ending

"""What another thread does between two steps of a function, without a thread: at each place, and each time."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any


@contextmanager
def acting_within(function: Callable[..., Any], step: int | None, act: Callable[[], object]) -> Iterator[None]:
    """While this lasts, ``act`` is called once, before the given step of the function, or before each if it is None.
    Steps are those of the interpreter, between which threads can take turns, and count from 1.
    """
    steps = count(1)

    def at_step(_frame: FrameType, event: str, _arg: object) -> Callable[..., Any]:
        if event == "opcode" and step in (None, next(steps)):
            act()
        return at_step

    def at_call(frame: FrameType, _event: str, _arg: object) -> Callable[..., Any] | None:
        if frame.f_code is not function.__code__:
            return None
        frame.f_trace_opcodes = True
        return at_step

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        yield
    finally:
        sys.settrace(before)

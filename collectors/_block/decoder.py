"""Turns lines of any tool that prints block-layer events into samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...collector import Known
from ...errors import Refused
from ...record import Decoded, Pause
from ...report import Report
from ...text.lines import Line, Lines
from .pairing import Pairing
from .request import Odd, Request

ReadRequest: TypeAlias = Callable[[str], Request | Odd | None]
"""Reads one line: a request, an Odd, or None if the line is not the tool's. Raises Refused, with only the reason as its
text, if the text can never be used.
"""

ENOUGH = 2_000
"""After this many other events, no block-layer events are expected any more."""
_LOST = re.compile(r"\bLOST ([0-9]{1,18}) EVENTS", re.IGNORECASE)


class BlockEventDecoder:
    """Reads one text. ``works`` completes "what would work is ..." in the message if the text holds nothing useful."""

    def __init__(self, report: Report, pairing: Pairing, read: ReadRequest, works: str) -> None:
        self._report = report
        self._pairing = pairing
        self._read = read
        self._works = works
        self._requests = self._others = 0

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order in which they are completed; raise Refused if there are none."""
        last = 0
        for line in lines:
            if line is None:
                yield Pause()
                continue
            last = line.number
            try:
                found = self._read(line.text)
            except Refused as reason:
                raise Refused(f"{self._report.where(line.number)}: {reason}") from None
            if isinstance(found, Request):
                self._requests += 1
                yield from self._pairing.add(found, line)
            else:
                self._odd(found, line)
                if self._others >= ENOUGH and not self._requests:
                    break
        self._account(last)

    def _odd(self, found: Odd | None, line: Line) -> None:
        if found is Odd.CUT:
            self._report.bad(line.number, f"an event that cannot be read: {line.text}")
        elif found is Odd.COMMAND:
            self._pairing.count("commands to the device itself, left out")
        elif found is Odd.OTHER:
            self._others += 1
        elif "LOST" in line.text and (lost := _LOST.search(line.text)):
            self._pairing.count("events lost by the tracer", int(lost[1]))

    def _account(self, last: int) -> None:
        where = self._report.where(last)
        if not self._requests:
            raise Refused(f"{where}: no issue or completion of a block request in this text; {self._works}")
        self._pairing.account(last)
        if not self._pairing.samples:
            raise Refused(f"{where}: no block request was both issued and completed in this text; {self._works}")


def block_event_decoder(report: Report, known: Known, read: ReadRequest, source: str, works: str) -> BlockEventDecoder:
    """Create the decoder for one tool."""
    return BlockEventDecoder(report, Pairing(report, known, source), read, works)

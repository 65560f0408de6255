"""Ledgers, for trying all that a collector of histograms may yield:

    ledger shop
    at 1700000001000000
    rows reads interval us 64:128=6,1024:=2 waited=0.25 note=warm
    mark cache dropped

``at MICROS [CLOCK] [whole] [date=TEXT]`` is a print, ``now`` one without a time. ``rows SERIES MEANING UNIT RANGES`` is
a histogram, whose further words are ``waited=``, ``start=``, ``seconds=``, ``note=``, ``flags=A,B``. ``mark NOTE`` and
``mark SERIES: NOTE`` are remarks, ``known`` prints what is known of the text, ``totals`` refuses it.
"""

from collections.abc import Iterator
from typing import Any

from pylatencymap.collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from pylatencymap.errors import Refused
from pylatencymap.record import Clock, Decoded, Mark, Range, Record, Semantics, Stamp, Tick, tidy_ranges
from pylatencymap.report import Report
from pylatencymap.text.clean import printable
from pylatencymap.text.lines import Line, Lines
from pylatencymap.units import Unit

DESCRIPTION = "ledgers: histograms with all that there is"


def detect(head: str) -> Likelihood:
    """Sure where the first word is the right one."""
    return Likelihood(value=0.95, reason="its first line") if head.startswith("ledger ") else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """What each line says, as soon as it is there."""
    label, tick = "", Tick()
    for line in lines:
        if line is None:
            continue
        word, _, rest = line.text.partition(" ")
        try:
            if word == "ledger":
                label = printable(rest, 20)
            elif word in ("at", "now"):
                tick = _tick(rest.split(" "), line) if word == "at" else Tick(stamp=None, arrival=line.arrival)
                yield tick
            elif word == "rows":
                yield _record(rest.split(" "), tick, label, known, report)
            elif word == "mark" and tick.stamp:
                yield _mark(rest, tick.stamp)
            elif word == "known":
                _tell(report, line, known)
            elif word == "totals":
                raise Refused(f"{report.name}:{line.number}: totals; what would work is a ledger by the second")
            else:
                report.bad(line.number, f"no line of a ledger: {line.text}")
        except ValueError as error:
            report.bad(line.number, str(error))


def _tick(words: list[str], line: Line) -> Tick:
    clock = next((Clock(word) for word in words[1:] if word in {one.value for one in Clock}), Clock.EPOCH)
    text = next((word.removeprefix("date=") for word in words if word.startswith("date=")), "")
    stamp = Stamp(micros=int(words[0]), clock=clock, whole="whole" in words, text=text)
    return Tick(stamp=stamp, arrival=line.arrival, line=line.number)


def _record(words: list[str], tick: Tick, label: str, known: Known, report: Report) -> Record:
    series, meaning, unit, text, *more = words
    told: dict[str, Any] = dict(word.split("=", 1) for word in more)
    record = Record(
        series=printable(series),
        unit=known.unit or Unit(unit),
        ranges=tidy_ranges([_range(part) for part in text.split(",") if part != "-"]),
        semantics=Semantics(meaning),
        stamp=tick.stamp,
        start=int(told["start"]) if "start" in told else None,
        seconds=float(told["seconds"]) if "seconds" in told else None,
        waited=float(told["waited"]) if "waited" in told else None,
        label=label,
        source="ledger",
        flags=frozenset(told["flags"].split(",")) if "flags" in told else frozenset(),
        note=told.get("note", ""),
        arrival=tick.arrival,
        line=tick.line,
    )
    if record.events > 1000:
        report.note(tick.line, f"{record.events} events from {record.ranges[0][0] * record.unit.seconds:g} s")
    return record


def _range(text: str) -> Range:
    bounds, _, count = text.partition("=")
    lower, _, upper = bounds.partition(":")
    return int(lower), int(upper) if upper else None, float(count) if "." in count else int(count)


def _mark(text: str, stamp: Stamp) -> Mark:
    series, colon, note = text.rpartition(": ")
    return Mark(stamp=stamp, note=printable(note), series=series) if colon else Mark(stamp, note)


def _tell(report: Report, line: Line, known: Known) -> None:
    unit = known.unit.stream_name if known.unit else "none"
    report.note(
        line.number,
        f"unit {unit}, live {known.live}, zone {known.tz}, tim {known.tim_unit}, columns {known.columns}, "
        f"arrival {line.arrival is not None}, bad {report.bad_count}, strict {report.strict}",
    )
    report.say("a ledger says this")

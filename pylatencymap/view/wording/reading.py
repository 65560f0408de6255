"""The reading: says in plain words which modes the window has, and what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...number_text import (
    NO_MODE,
    count_text,
    count_words,
    events_words,
    lasted_text,
    range_text,
    share_text,
    tail_words,
)
from ...text import text_width
from ...units import format_latency
from ...window import FloatArray
from ..layout.latency_rows import HiddenRows
from ..layout.scene import ChangeWords, Reading
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style

if TYPE_CHECKING:
    from ...analysis import Modes

DIFFERENT_SHARE = 0.30
"""If the shares of events and wait differ by more than this, "but" joins them, else "and"."""
EVENT_STYLE = style(Ink.FREQUENCY)
WAIT_STYLE = style(Ink.INTENSITY)
_SIGN = style(Ink.MARK, bold=True)


class ShownMode(NamedTuple):
    """A mode, or what is above the last one, as the line names it: ``text`` is its range; ``events`` and ``waited`` are
    its shares (0 to 1) of the window. ``tail``: the events of a tail; ``rate``: events per second, of a mode.
    """

    place: int
    text: str
    events: float
    waited: float
    tail: float = 0.0
    rate: float | None = None


def modes_of(reading: Reading) -> tuple[ShownMode, ...]:
    """The modes that a reading names, fastest first, and then the tail, below it what is between both. All shares add
    up to 1.
    """
    found = reading.modes
    if found is None or found.too_few:
        return ()
    modes, tail = found.shown(reading.named), found.tail
    shown = [
        ShownMode(place, range_text(mode.lower, mode.upper), mode.share.value, mode.wait.value, rate=mode.rate)
        for place, mode in enumerate(modes)
    ]
    part = found.last
    if part is None or len(modes) != found.sure:
        return tuple(shown)
    rate = modes[-1].rate
    if rate is not None:
        rate *= part.events / modes[-1].events
    shown[-1] = shown[-1]._replace(events=part.share.value, waited=part.wait.value, rate=rate)
    if beyond := found.beyond:
        text = f"above {format_latency(beyond.lower)}" if tail is None else range_text(beyond.lower, beyond.upper)
        shown.append(ShownMode(len(shown), f"{text}, {NO_MODE}", beyond.share.value, beyond.wait.value))
    if tail is not None:
        above = f"above {format_latency(tail.bound)}"
        shown.append(ShownMode(len(shown), above, tail.share.value, tail.wait.value, tail.events))
    return tuple(shown)


MOST_LINES = 4
"""Lines on which modes are named, or changes."""


def reading_text(reading: Reading, noun: str, width: int, *, short: bool, single: bool) -> StyledText:
    """The modes on one line, fastest first, then the tail. If they do not fit, the smallest are left out and their
    number is shown.

    ``short`` is the wording for small terminals. ``single`` names only the mode with the most wait.
    """
    found = reading.modes
    if found is None or not found.events:
        return ()
    if found.too_few:
        return ((_too_few(found, noun), DIM),)
    modes = modes_of(reading)
    by_wait = sorted(modes, key=lambda mode: mode.waited, reverse=True)
    kept = by_wait[:1] if single else sorted(by_wait, key=size_of, reverse=True)
    if not (short or single) and width_of(_joined(modes, noun, short=False)) > width:
        short = True  # rather all modes in few words than few of them in many
    while kept:
        spans = _joined(sorted(kept, key=lambda mode: mode.place), noun, short=short)
        if len(kept) < len(modes):
            spans.append((f"   +{len(modes) - len(kept)} more", DIM))
        elif found.possible > len(found.shown(reading.named)):
            doubt = (f"   possibly {found.possible} modes", DIM)
            spans += [doubt] if width_of([*spans, doubt]) <= width else []
        if width_of(spans) <= width or len(kept) == 1:
            return tuple(spans)
        kept.pop()
    return ()


def reading_texts(
    reading: Reading, noun: str, width: int, *, short: bool, single: bool
) -> tuple[tuple[StyledText, ...], ...]:
    """The modes on one line, on two, and so on, until all of them are named."""
    first = reading_text(reading, noun, width, short=short, single=single)
    texts: list[tuple[StyledText, ...]] = [(first,)] if first else []
    modes = modes_of(reading)
    while texts and len(texts) < MOST_LINES and not _names_all(texts[-1], modes):
        texts.append(_on_lines(len(texts) + 1, modes, noun, width, short=short))
    return tuple(texts)


def _names_all(lines: tuple[StyledText, ...], modes: tuple[ShownMode, ...]) -> bool:
    said = {text for line in lines for text, _ in line}
    return all(_named(mode) in said for mode in modes)


def _on_lines(
    count: int, modes: tuple[ShownMode, ...], noun: str, width: int, *, short: bool
) -> tuple[StyledText, ...]:
    """The modes on at most ``count`` lines, the fastest first; if they do not fit, without the smallest."""
    kept = sorted(modes, key=size_of, reverse=True)
    for _ in modes:
        more = ((f"   +{len(modes) - len(kept)} more", DIM),) if len(kept) < len(modes) else ()
        for brief in (short, True):
            lines = _packed([mode for mode in modes if mode in kept], noun, width, short=brief)
            last: StyledText = (*lines[-1], *more)
            if len(lines) <= count and width_of(last) <= width:
                return (*lines[:-1], last)
        if len(kept) > 1:
            kept.pop()
    return tuple(lines[:count])


def _packed(modes: Sequence[ShownMode], noun: str, width: int, *, short: bool) -> list[StyledText]:
    """As many modes on each line as fit."""
    lines: list[list[ShownMode]] = [[]]
    for mode in modes:
        if lines[-1] and width_of(_joined([*lines[-1], mode], noun, short=short)) > width:
            lines.append([])
        lines[-1].append(mode)
    return [tuple(_joined(line, noun, short=short)) for line in lines]


def _too_few(found: Modes, noun: str) -> str:
    """Why no modes are named."""
    from ...analysis import ENOUGH

    events = events_words(found.events, noun)
    if found.events < ENOUGH:
        return f"{events}: too few to tell modes, which takes {ENOUGH}"
    single = count_words(round(found.events / found.bunch))
    return f"{events} in bursts, worth {single} single ones: too few to tell modes"


def change_text(changes: Sequence[ChangeWords], width: int) -> StyledText:
    """The change that cost most, and how many more there are; empty if there is none. If it does not fit, less is said
    of it, and at last of the others; no number is cut.
    """
    if not changes:
        return ()
    first = changes[0]
    more = f"   +{len(changes) - 1} more" if len(changes) > 1 else ""
    sign = f"{first.sign} " if first.sign else ""
    begun = ((sign, _SIGN), (first.when, STRONG), ("  ", TEXT))
    room = width - width_of(begun)
    for what, cost, others in _wordings(first, more, room):
        if text_width(what) + len(cost) + len(others) <= room:
            break
    text = (*begun, (what, TEXT), (cost, DIM), (others, DIM))
    return tuple(span for span in text if span[0])


def change_texts(changes: Sequence[ChangeWords], width: int) -> tuple[tuple[StyledText, ...], ...]:
    """What changed on one line, on two, and so on, until each change has one; empty if nothing changed."""
    texts = []
    for last in range(min(len(changes), MOST_LINES)):
        before = [change_text([change], width) for change in changes[:last]]
        texts.append((*before, change_text(changes[last:], width)))
    return tuple(texts)


def _wordings(change: ChangeWords, more: str, room: int) -> Iterator[tuple[str, str, str]]:
    """A change, what it cost and that there are others, in fewer and fewer words."""
    brief = change.what.partition("; ")[0]
    shorter = brief.replace(" of the wait", " wait")
    shortest = shorter.removeprefix("the ")
    yield change.what, f"; {change.cost}" if change.cost else "", more
    for others in (more, more.removesuffix(" more"), ""):
        yield from ((what, "", others) for what in (change.what, brief, shorter, shortest))
    words = shortest.split(" ")
    while len(words) > 1 and text_width(" ".join(words)) + 1 > room:
        words.pop()
    yield f"{' '.join(words)}…", "", ""


def recurring_text(sentences: Sequence[str], width: int) -> StyledText:
    """What recurs, and how much more does; empty where nothing does, or its sentence is too long. No number is cut."""
    if not sentences:
        return ()
    more = f"   +{len(sentences) - 1} more" if len(sentences) > 1 else ""
    said = sentences[0]
    for what, others in ((said, more), (said, ""), (said.partition(", and ")[0], "")):
        if text_width(what) + len(others) <= width:
            return tuple(span for span in ((what, TEXT), (others, DIM)) if span[0])
    return ()


def hidden_text(hidden: HiddenRows, seconds: FloatArray, noun: str) -> StyledText:
    """What is below the lowest row shown, over the window."""
    total = float(seconds.sum())
    rate = float(hidden.counts.sum()) / total if total else 0.0
    text = range_text(0.0, hidden.bound).removeprefix("< ")
    said = ((f"below {text}, not shown: ", DIM), (f"{count_text(rate, '0')} {noun}/s", TEXT))
    return (*said, (f" over the window of {lasted_text(total)}", DIM)) if total else said


def size_of(mode: ShownMode) -> float:
    """The size of a mode: its share of the events or of the wait, whichever is larger."""
    return max(mode.events, mode.waited)


def _joined(modes: Iterable[ShownMode], noun: str, *, short: bool) -> list[StyledSpan]:
    spans: list[StyledSpan] = []
    for mode in modes:
        spans += [("   " if short else "      ", TEXT)] if spans else []
        spans += _short(mode, noun) if short else _full(mode, noun)
    return spans


def _full(mode: ShownMode, noun: str) -> list[StyledSpan]:
    joint = " but " if abs(mode.events - mode.waited) > DIFFERENT_SHARE else " and "
    return [
        (_named(mode), STRONG),
        ("  ", TEXT),
        (f"{share_text(mode.events, '0 %')} of {noun}", EVENT_STYLE),
        (joint, DIM),
        (f"{share_text(mode.waited, '0 %')} of the wait", WAIT_STYLE),
    ]


def _short(mode: ShownMode, noun: str) -> list[StyledSpan]:
    return [
        (_named(mode), STRONG),
        (" ", TEXT),
        (f"{share_text(mode.events, '0 %')} {noun}", EVENT_STYLE),
        (" ", TEXT),
        (f"{share_text(mode.waited, '0 %')} wait", WAIT_STYLE),
    ]


def _named(mode: ShownMode) -> str:
    return f"{mode.text}, {tail_words(mode.tail)}" if mode.tail else mode.text

"""The sentence about an episode: what happened, and what it was like before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import gt, lt

from ..analysis import BandChange, BandChangeKind, BandShift, Episode, EpisodeKind, Level, Zigzag
from ..number_text import RESET_WORDS, count_words, gap_words, length_words, number_word, percent_text, range_words

LASTING = (EpisodeKind.STEP, EpisodeKind.DRIFT)
RATE_FACTOR = 1.5
"""A change of latencies mentions the rate if that changed by this factor or more."""
MORE_LOAD = 2.0
"""If the rate rose by more than this factor, a band with most of the events is new load, not the old band moved."""
SPILL, SPILL_PART = 0.001, 0.1
"""A band is absent where its share of all events is below the first, and below the second as a part of its share while
it is there: these few events are the outermost of another band.
"""
SLOWER = 3.0
"""A way that takes so many times as long as the way back is no jump."""
LEAVES = 0.5
"""A band went away if less than this part of its share is left, or came if there was less than that before."""


def change_words(episode: Episode, noun: str, seconds: float) -> str:
    """The sentence about an episode that lasted so long."""
    if episode.kind is EpisodeKind.GAP:
        return gap_words(length_words(seconds))
    if episode.kind is EpisodeKind.RESET:
        return RESET_WORDS
    if episode.kind is EpisodeKind.STALL:
        before = episode.before or episode.after
        side = "around" if episode.before and episode.after else "before" if episode.before else "after"
        usual = f", {count_words(before.rate)}/s {side} it" if before else ""
        return f"stall: no {noun} for {length_words(seconds)}{usual}"
    if episode.low is None or episode.high is None:
        return _rate_words(episode, noun)
    if episode.zigzag:
        return _zigzag_words(episode.zigzag, _at(episode.low, episode.high), noun)
    if episode.shift:
        return _shift_words(episode.shift, episode, noun) + _rate_clause(episode)
    if episode.band and not _has_more_load(episode):
        return band_change_words(episode.band, episode) + _rate_clause(episode)
    return _band_words(episode, noun) + _rate_clause(episode)


def _shift_words(shift: BandShift, episode: Episode, noun: str) -> str:
    """The sentence about a band whose events only became faster or slower: no share of anything fell."""
    where, there = _at(shift.from_low, shift.from_high), range_words(shift.to_low, shift.to_high)
    if episode.kind in LASTING:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "moved"
        what = f"the band {where} {verb} to {there}"
    else:
        what = f"the band {where} moves to {there} and returns"
    shares = f"{percent_text(shift.to_shares[1])} of {noun} there, {_some(shift.to_shares[0])} before"
    return f"{what}: {shares}"


def _at(low: float, high: float) -> str:
    """``at 8.19-16.4 ms``, ``below 4 us``."""
    words = range_words(low, high)
    return words if words.startswith(("above", "below")) else f"at {words}"


def _zigzag_words(zigzag: Zigzag, latencies: str, noun: str) -> str:
    """The sentence about what goes and comes back several times."""
    times = "twice" if zigzag.times == 2 else f"{number_word(zigzag.times)} times"
    band = zigzag.band
    if band is None or band.kind is not BandChangeKind.MOVED:
        shares = _different(*zigzag.shares)
        return f"the share of {noun} {latencies} rises to {shares[1]} and falls back {times}; {shares[0]} otherwise"
    slow, fast = ("climbs", "jumps") if band.to[0][0] > band.where[0] else ("sinks", "drops")
    go = slow if zigzag.going >= SLOWER * zigzag.coming else fast if zigzag.coming >= SLOWER * zigzag.going else "moves"
    back = {slow: "jumps back", fast: "slowly returns", "moves": "returns"}[go]
    return f"the band {_at(*band.where)} {go} to {range_words(*band.to[0])} and {back} {times}"


def _rate_words(episode: Episode, noun: str) -> str:
    """The sentence about a change of the rate."""
    before, inside, after = episode.before, episode.inside, episode.after
    if episode.kind in LASTING:
        verb = "drifted" if episode.kind is EpisodeKind.DRIFT else "went"
        if before and after:
            return f"the rate {verb} from {count_words(before.rate)} to {count_words(after.rate)} {noun} per second"
    if inside is None:
        return "the rate changed"
    around = [level for level in (before, after) if level]
    others = [f"{count_words(level.rate)} {side}" for level, side in ((before, "before"), (after, "after")) if level]
    verb = _verb(inside.rate, [level.rate for level in around], count_words, ("rises", "falls", "goes"))
    burst = episode.burst
    part = "" if burst is None else "all" if burst.share >= 1 else percent_text(burst.share)
    where = f", {part} of them {_at(burst.low, burst.high)}" if burst else ""
    return f"the rate {verb} to {count_words(inside.rate)} {noun} per second{where}; {', '.join(others)}".rstrip("; ")


def _band_words(episode: Episode, noun: str) -> str:
    """The sentence about latencies whose share changed."""
    before, inside, after = episode.before, episode.inside, episode.after
    band = _at(episode.low or 0.0, episode.high or 0.0)
    if episode.kind in LASTING:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "goes"
        if before and after:
            if (new := _is_spill(before, after)) or _is_spill(after, before):
                verb, level, other = ("appears", after, "before") if new else ("is gone", before, "after")
                some = _hardly(before if new else after, other)
                return f"a band {band} {verb}: {_shares(level, noun)}{'' if new else ' before'}; {some}"
            moved = " to ".join(_different(before.share, after.share))
            return f"the share of {noun} {band} {verb} from {moved}"
        return f"the share of {noun} {band} changes"
    if inside is None:
        return f"{noun} {band} change"
    around = [level for level in (before, after) if level is not None]
    if inside.events and around and all(_is_spill(level, inside) for level in around):
        sides = "before or after" if len(around) == 2 else "before" if before else "after"
        return f"a band appears {band}: {_shares(inside, noun)}; {_hardly(max(around, key=_share), sides)}"
    if episode.kind is EpisodeKind.MOVE:
        what = _move_words(episode, inside, around, noun)
    else:
        verb = _verb(inside.share, [level.share for level in around], percent_text, ("rise", "fall", "go"))
        what = f"{noun} {band} {verb} to {percent_text(inside.share)}, {percent_text(inside.time_share)} of the wait"
    others = [f"{_some(level.share)} {side}" for level, side in ((before, "before"), (after, "after")) if level]
    return f"{what}; {', '.join(others)}".rstrip("; ")


def _verb(value: float, around: Sequence[float], text: Callable[[float], str], verbs: tuple[str, str, str]) -> str:
    """``rise`` or ``fall``, as the numbers read that a sentence has; the third of ``verbs`` where they do neither."""
    more, less = (all(compare(value, one) and text(value) != text(one) for one in around) for compare in (gt, lt))
    return verbs[0] if more and around else verbs[1] if less and around else verbs[2]


def _move_words(episode: Episode, inside: Level, around: Sequence[Level], noun: str) -> str:
    """About a band that went and came back, and nobody knows where it was meanwhile; or one that came and went."""
    shares, latencies = _shares(inside, noun), (episode.low or 0.0, episode.high or 0.0)
    if around and inside.share < LEAVES * min(map(_share, around)):
        return f"the band {_at(*latencies)} goes and comes back: {shares} meanwhile"
    if around and LEAVES * inside.share > max(map(_share, around)):
        return f"a band comes to {range_words(*latencies)} and goes: {shares}"
    return f"the band moves within {range_words(*latencies)} and returns: {shares}"


def _some(share: float) -> str:
    return percent_text(share) if share else "none"


def _share(level: Level) -> float:
    return level.share


def _is_spill(level: Level, whole: Level) -> bool:
    """Whether a time has nothing of a band, or only the outermost events of another."""
    return whole.share > 0 and level.share < SPILL and level.share <= whole.share * SPILL_PART


def _hardly(level: Level, sides: str) -> str:
    return f"hardly any {sides}" if level.events else f"none {sides}"


def _different(before: float, after: float) -> tuple[str, str]:
    """Two shares that differ, with as many digits as it takes to see that."""
    texts = percent_text(before), percent_text(after)
    if texts[0] != texts[1] or before == after:
        return texts
    digits = next((one for one in range(1, 6) if f"{before:.{one + 2}f}" != f"{after:.{one + 2}f}"), 6)
    return f"{100 * before:.{digits}f} %", f"{100 * after:.{digits}f} %"


def _has_more_load(episode: Episode) -> bool:
    """Whether there is so much more that it is not what was there before, only slower."""
    level = episode.after if episode.kind in LASTING else episode.inside
    return bool(level and episode.before and level.rate > MORE_LOAD * episode.before.rate)


def band_change_words(change: BandChange, episode: Episode) -> str:
    """What became of a band; if it returned, that it did."""
    where = f"the band {_at(*change.where)}"
    there = " and ".join(range_words(*part) for part in change.to)
    back = "" if episode.kind in LASTING else " and returns"
    if change.kind is BandChangeKind.MOVED:
        verb = "drifts" if episode.kind is EpisodeKind.DRIFT else "moves" if back else "moved"
        return f"{where} {verb} to {there}{back}"
    if change.kind is BandChangeKind.WIDENED:
        return f"{where} {'widens' if back else 'widened'} to {there}{back}"
    return f"{where} {'splits' if back else 'split'} into two, at {there}{back}"


def _shares(level: Level, noun: str) -> str:
    return f"{percent_text(level.share)} of {noun}, {percent_text(level.time_share)} of the wait"


def _rate_clause(episode: Episode) -> str:
    """How the rate changed with the latencies; empty where it did not."""
    level = episode.after if episode.kind in LASTING else episode.inside
    if level is None or episode.before is None or min(level.rate, episode.before.rate) <= 0:
        return ""
    factor = level.rate / episode.before.rate
    if 1 / RATE_FACTOR < factor < RATE_FACTOR:
        return ""
    return f"; rate {count_words(episode.before.rate)} -> {count_words(level.rate)}/s"

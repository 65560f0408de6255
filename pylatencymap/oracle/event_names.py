"""Finds the wait events that the user means: with underscores or blanks, in any case, by unique abbreviations, by
patterns, by the names of sets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import takewhile
from typing import NamedTuple

from ..errors import UsageError
from .event_sets import EVENT_SETS, EventSet

SHOWN = 8
"""The most candidates that an error lists."""


class NamedEvents(NamedTuple):
    """The events that arguments name. ``open``: some of them come from patterns, so that any of them may be left out.
    ``sets``: the sets among the arguments. ``remarks``: what the user should know about the choice.
    """

    names: list[str]
    open: bool = False
    sets: tuple[EventSet, ...] = ()
    remarks: tuple[str, ...] = ()


class EventNames:
    """All wait events of a database, by the words of their names. ``sets``: those that can be named in their place."""

    def __init__(self, names: Iterable[str], sets: Mapping[str, EventSet] = EVENT_SETS) -> None:
        self._by_words = {words_of(name): name for name in sorted(names)}
        self._sets = sets

    def named(self, arguments: Sequence[str]) -> NamedEvents:
        """As ``chosen``, where an argument can also be a set or a pattern with ``*``. An event of exactly the name of a
        set goes before it.
        """
        several = [self._several(argument) for argument in arguments]
        if not any(several):
            together = self._pattern(" ".join(arguments))
            if together and not any(len(self.matching(argument)) == 1 for argument in arguments):
                return NamedEvents(together, open=True)
            return NamedEvents(self.chosen(arguments), remarks=self._hidden_sets(arguments))
        names, sets = list[str](), list[EventSet]()
        for argument, found in zip(arguments, several, strict=True):
            names += found or self.chosen([argument])
            if found and (one := self._sets.get(argument.strip().lower())):
                sets.append(one)
        patterns = len(sets) < sum(map(bool, several))
        return NamedEvents(list(dict.fromkeys(names)), patterns, tuple(sets), self._hidden_sets(arguments))

    def _several(self, argument: str) -> list[str]:
        """The events of a set, or of a pattern; none if the argument is neither, or the name of an event."""
        if words_of(argument) in self._by_words:
            return []
        one = self._sets.get(argument.strip().lower())
        if one is None:
            return [] if self.matching(argument) else self._pattern(argument)
        found = [name for event in one.events for name in self._of_set(event)]
        if not found:
            known = ", ".join(one.events)
            raise UsageError(f"no event of the set {argument.strip()!r} is known to this database: {known}")
        return found

    def _of_set(self, event: str) -> list[str]:
        exact = self._by_words.get(words_of(event))
        return [exact] if exact else self._pattern(event)

    def _pattern(self, argument: str) -> list[str]:
        """The events that a pattern matches; none if the argument has no ``*``."""
        if "*" not in argument:
            return []
        wanted = " ".join(words_of(argument)).replace("[", "[[]").replace("?", "[?]")
        return [name for words, name in self._by_words.items() if fnmatchcase(" ".join(words), wanted)]

    def _hidden_sets(self, arguments: Sequence[str]) -> tuple[str, ...]:
        named = [word for word in arguments if word.lower() in self._sets and words_of(word) in self._by_words]
        events = {word: ", ".join(self._sets[word.lower()].events) for word in named}
        return tuple(f"{word} is an event of this database; it is drawn, not the set {events[word]}" for word in named)

    def chosen(self, arguments: Sequence[str]) -> list[str]:
        """The events that the arguments name: each argument one event, or all arguments together one event. Raises
        UsageError, which lists similar names.
        """
        found = [self.matching(argument) for argument in arguments]
        if all(len(names) == 1 for names in found):
            return list(dict.fromkeys(names[0] for names in found))
        together = " ".join(arguments)
        joined = self.matching(together)
        if len(joined) == 1:
            return joined
        one_name = all(len(words_of(argument)) == 1 for argument in arguments)
        asked = [(together, joined)] if joined or one_name else zip(arguments, found, strict=True)
        argument, names = next(pair for pair in asked if len(pair[1]) != 1)
        raise UsageError(_ambiguous(argument, names) if names else self._unknown(argument))

    def matching(self, argument: str) -> list[str]:
        """The event with exactly this name, else all events whose words begin with the words of the argument."""
        words = words_of(argument)
        if words in self._by_words:
            return [self._by_words[words]]
        return [name for known, name in self._by_words.items() if words and _abbreviates(words, known)]

    def near(self, argument: str) -> list[str]:
        """Names that are similar to the argument or contain all its words; else those that share most first words."""
        from difflib import get_close_matches

        wanted = words_of(argument)
        joined = {" ".join(words): name for words, name in self._by_words.items()}
        close = get_close_matches(" ".join(wanted), joined, SHOWN, 0.6)
        holding = [text for text in joined if all(word in text for word in wanted)]
        found = dict.fromkeys([*close, *holding]) or self._begin_alike(wanted)
        return [joined[text] for text in found][:SHOWN]

    def _begin_alike(self, wanted: tuple[str, ...]) -> list[str]:
        """The names that share the most first words with the wanted name, at least one."""
        shared = {" ".join(words): _shared(wanted, words) for words in self._by_words}
        most = max(shared.values(), default=0)
        return [text for text, count in shared.items() if count == most > 0]

    def _unknown(self, argument: str) -> str:
        near = self.near(argument)
        hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        also = f"; sets of events are {', '.join(self._sets)}" if len(words_of(argument)) == 1 else ""
        return f"no wait event is called {argument!r}{hint} (--list-events shows what waits now{also})"


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case."""
    return tuple(re.split(r"[\s_]+", name.strip(" _").lower())) if name.strip(" _") else ()


def _abbreviates(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    return len(words) <= len(name) and all(whole.startswith(part) for part, whole in zip(words, name, strict=False))


def _shared(words: tuple[str, ...], name: tuple[str, ...]) -> int:
    """How many words, from the first on, abbreviate the words of the name."""
    return sum(1 for _ in takewhile(lambda pair: pair[1].startswith(pair[0]), zip(words, name, strict=False)))


def _ambiguous(argument: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{argument!r} may be {', '.join(map(repr, names[:SHOWN]))}{more}; write more of it"

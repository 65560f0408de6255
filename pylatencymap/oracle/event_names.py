"""Finds the wait events that the user means: with underscores or blanks, in any case, by unique abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from ..errors import UsageError

SHOWN = 8
"""The most candidates that an error lists."""


class EventNames:
    """All wait events of a database, by the words of their names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_words = {words_of(name): name for name in sorted(names)}

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
        return f"no wait event is called {argument!r}{hint} (--list-events shows what waits now)"


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

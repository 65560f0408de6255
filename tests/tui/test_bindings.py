"""The table of keys."""

from collections import Counter
from itertools import product

from pylatencymap.tui.bindings import BINDINGS, actions_by_event, key_hints


def test_no_key_has_two_meanings() -> None:
    counted = Counter(key for binding in BINDINGS for key in binding.acts)
    assert [key for key, times in counted.items() if times > 1] == []
    assert actions_by_event().keys() == counted.keys()


def test_every_hint_names_keys_that_the_help_has() -> None:
    words = {word for binding in BINDINGS for word in binding.keys.split()} | {"Tab"}
    names = ("paused", "pointing", "selected", "replay", "several", "ended", "whole")
    for choices in product((False, True), repeat=len(names)):
        shown = key_hints(**dict(zip(names, choices, strict=True)))
        assert {word for keys, _ in shown for word in keys.split()} <= words
        assert shown[-1] == ("q", "quit")

"""The table of keys."""

from collections import Counter

from pylatencymap.tui.bindings import BINDINGS, actions_by_event, key_hints


def test_no_key_has_two_meanings() -> None:
    counted = Counter(key for binding in BINDINGS for key in binding.acts)
    assert [key for key, times in counted.items() if times > 1] == []
    assert actions_by_event().keys() == counted.keys()


def test_every_hint_names_keys_that_the_help_has() -> None:
    words = {word for binding in BINDINGS for word in binding.keys.split()} | {"Tab"}
    for choice in range(16):
        paused, pointing, replay, several = (bool(choice & 1 << bit) for bit in range(4))
        shown = key_hints(paused=paused, pointing=pointing, replay=replay, several=several)
        assert {word for keys, _ in shown for word in keys.split()} <= words
        assert shown[-1] == ("q", "quit")

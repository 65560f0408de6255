"""Which wait event is meant."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import UsageError
from pylatencymap.oracle.event_names import EventNames

NAMES = (
    "db file sequential read",
    "db file scattered read",
    "db file parallel read",
    "log file sync",
    "log file sync: SCN ordering",
    "log file parallel write",
    "cell single block physical read",
    "Disk file I/O Calibration",
    "Disk file operations I/O",
    "SQL*Net message from client",
    "enq: TX - row lock contention",
    "read by other session",
)
EVENTS = EventNames(NAMES)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["db_file_sequential_read"], ["db file sequential read"]),
        (["DB File Sequential Read"], ["db file sequential read"]),
        (["  db__file sequential_read "], ["db file sequential read"]),
        (["log file sync"], ["log file sync"]),
        (["db", "file", "sequential", "read"], ["db file sequential read"]),
        (["log", "file", "sync"], ["log file sync"]),
        (["db_file_seq"], ["db file sequential read"]),
        (["d_f_sc_r"], ["db file scattered read"]),
        (["cell"], ["cell single block physical read"]),
        (["disk", "file", "cal"], None),
        (["disk file i/o cal"], ["Disk file I/O Calibration"]),
        (["sql*net_message"], ["SQL*Net message from client"]),
        (["enq:_tx"], ["enq: TX - row lock contention"]),
        (["log_file_sync", "db_file_seq"], ["log file sync", "db file sequential read"]),
        (["cell", "cell_single"], ["cell single block physical read"]),
    ],
)
def test_names(arguments: list[str], meant: list[str] | None) -> None:
    if meant is None:
        with pytest.raises(UsageError):
            EVENTS.chosen(arguments)
    else:
        assert EVENTS.chosen(arguments) == meant


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["db_file"], "'db file parallel read', 'db file scattered read', 'db file sequential read'"),
        (["log", "file", "s"], "'log file sync', 'log file sync: SCN ordering'"),
        (["log", "file", "synk"], "no wait event is called 'log file synk'; did you mean 'log file sync'"),
        (["db_file_sequental_reed"], "did you mean 'db file sequential read'"),
        (["log_file_sync", "nothing_like_it"], "no wait event is called 'nothing_like_it' ("),
        (["db_file_zzz"], "did you mean 'db file parallel read' or 'db file scattered read' or 'db file seq"),
        (["scattered"], "did you mean 'db file scattered read'"),
        ([""], "no wait event is called ''"),
        (["_"], "no wait event is called '_'"),
    ],
)
def test_what_is_not_one_event_is_told_with_near_names(arguments: list[str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        EVENTS.chosen(arguments)
    assert told in str(error.value)


@given(st.sampled_from(NAMES), st.randoms())
def test_every_name_is_found_in_any_case_and_with_underscores(name: str, random: object) -> None:
    changed = "".join(random.choice([c.upper(), c.lower()]) for c in name)  # type: ignore[attr-defined]
    assert EVENTS.chosen([changed.replace(" ", "_")]) == [name]
    assert EVENTS.chosen(changed.split()) == [name]


@given(st.lists(st.text(), min_size=1))
def test_any_words_are_answered(arguments: list[str]) -> None:
    with suppress(UsageError):
        assert set(EVENTS.chosen(arguments)) <= set(NAMES)


WIDE = EventNames([*NAMES, "gc cr block 2-way", "gc current block 2-way", "SYNC remote write", "rac"])


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["commits"], ["log file sync", "log file parallel write", "SYNC remote write"]),
        (["COMMITS"], ["log file sync", "log file parallel write", "SYNC remote write"]),
        (["reads"], [*NAMES[:3], "read by other session"]),
        (["gc *"], ["gc cr block 2-way", "gc current block 2-way"]),
        (["gc_*"], ["gc cr block 2-way", "gc current block 2-way"]),
        (["gc", "cr*"], ["gc cr block 2-way"]),
        (["*2-way", "log_file_sync"], ["gc cr block 2-way", "gc current block 2-way", "log file sync"]),
        (["sql*net_message"], ["SQL*Net message from client"]),
        (["exadata"], ["cell single block physical read"]),
    ],
)
def test_sets_and_patterns(arguments: list[str], meant: list[str]) -> None:
    found = WIDE.named(arguments).names
    assert set(found) == set(meant)
    assert len(found) == len(meant)


def test_what_a_set_does_not_hide() -> None:
    """This database has an event of the name of a set, which goes before it."""
    found = WIDE.named(["rac"])
    assert found.names == ["rac"]
    assert not found.sets
    assert "rac is an event of this database; it is drawn, not the set gc cr block 2-way, " in found.remarks[0]
    assert EventNames([*NAMES, "gc cr block 2-way"]).named(["rac"]).names == ["gc cr block 2-way"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["comits"], "sets of events are commits, reads, rac, adg, exadata"),
        (["gb *"], "no wait event is called 'gb *'"),
        (["gc *", "nothing_like_it"], "no wait event is called 'nothing_like_it'"),
    ],
)
def test_unknown_words_are_told_what_there_is(arguments: list[str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        WIDE.named(arguments)
    assert told in str(error.value)
    with pytest.raises(UsageError, match="no event of the set 'exadata' is known to this database: cell single block"):
        EventNames(["log file sync"]).named(["exadata"])


@given(st.lists(st.text(), min_size=1))
def test_any_words_are_answered_with_sets(arguments: list[str]) -> None:
    with suppress(UsageError):
        assert set(WIDE.named(arguments).names) <= {*NAMES, *WIDE.named(["*"]).names}

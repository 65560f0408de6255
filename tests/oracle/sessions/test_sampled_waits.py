"""What is kept of samples: each wait once, its length as far as it is known, and not more than has room."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from pylatencymap.events import CellQuestion, EventsFound
from pylatencymap.events.sampled import ENOUGH
from pylatencymap.oracle.sessions.sampled_waits import KEPT_SECONDS, MOST_WAITS, SampledWaits
from pylatencymap.oracle.sessions.statements import MOST_ROWS, SessionRow, keys_of
from pylatencymap.session.input import StopRequest

READS = "db file sequential read"
START = datetime(2026, 1, 1, 10)
BLOCKS = {"object": 18, "wait_class": "User I/O", "p2text": "block#", "p2": 5, "p3text": "blocks", "p3": 8}
SERIES = f"{READS}@1"


def row(second: float, micros: int, *, sid: int = 7, seq: int = 1, over: int | None = None, **more: Any) -> SessionRow:
    """A row of a sample at a second; ``over``: the wait ended so many microseconds ago."""
    state = "WAITING" if over is None else "WAITED SHORT TIME"
    empty = dict.fromkeys(SessionRow._fields)
    told = {"instance": 1, "sid": sid, "serial": 1, "seq": seq, "event": READS, "state": state, "micros": micros}
    at = {"sampled": START + timedelta(seconds=second), "since": over or 0, "place": 1}
    return SessionRow(**{**empty, **told, **at, **more})


def waits_of(*samples: list[SessionRow]) -> SampledWaits:
    waits = SampledWaits()
    for sample in samples:
        waits.add(sample)
    return waits


def lengths(waits: SampledWaits) -> list[tuple[int, bool]]:
    return [(wait.micros, wait.is_over) for wait in waits.all()]


def ask(waits: SampledWaits, low: int, high: int | None, **more: Any) -> EventsFound:
    begin = int((START - datetime(1970, 1, 1)).total_seconds() * 1e6)
    asked = CellQuestion(
        begin, begin + 3600 * 10**6, low / 1e6, None if high is None else high / 1e6, [SERIES], [SERIES]
    )
    (found,) = waits.read(asked._replace(**more), StopRequest(), lambda *_: None)
    return found


def test_a_wait_that_is_over_has_its_length() -> None:
    assert lengths(waits_of([row(0, 400)], [row(1, 900, over=50)])) == [(900, True)]
    assert lengths(waits_of([row(0, 900, over=50)], [row(1, 900, over=9000)])) == [(900, True)]


def test_another_number_is_another_wait() -> None:
    assert len(waits_of([row(0, 400)], [row(1, 400, seq=2)]).all()) == 2
    assert len(waits_of([row(0, 400), row(0, 400, sid=8)]).all()) == 2


def test_a_long_wait_that_is_gone_ended_between_two_samples() -> None:
    waits = waits_of([row(0, 2_000_000)], [row(1, 3_000_000)], [row(2, 100, sid=8)])
    assert lengths(waits) == [(3_500_000, True), (100, False)]
    assert waits.all()[0].end - waits.all()[1].end == -500_000


def test_of_a_short_wait_that_is_gone_the_length_is_not_known() -> None:
    assert lengths(waits_of([row(0, 400)], [row(1, 100, sid=8)])) == [(400, False), (100, False)]


def test_a_wait_that_only_seemed_to_be_gone() -> None:
    """A member of a cluster was missing from one sample."""
    waits = waits_of([row(0, 2_000_000)], [row(1, 100, sid=8)], [row(2, 4_000_000)])
    assert (4_000_000, False) in lengths(waits)
    waits.add([row(3, 4_200_000, over=300)])
    assert (4_200_000, True) in lengths(waits)


def test_what_is_under_way_counts_where_most_waits_end() -> None:
    waits = waits_of([row(0.1 + n, 9_000, sid=n) for n in range(30)], [row(31, 12_000, sid=99, over=10)])
    assert ask(waits, 8192, 16384, ending=0.7).seen == 31
    assert ask(waits, 8192, 16384, ending=0.3).seen == 1
    assert ask(waits, 8192, None).seen == 31
    assert ask(waits, 16384, None).seen == 0


def test_what_took_as_long_as_the_end_of_a_row_is_in_the_next_one() -> None:
    waits = waits_of([row(1, 1024, over=10)])
    assert (ask(waits, 512, 1024).seen, ask(waits, 1024, 2048).seen) == (0, 1)


def test_only_so_many_and_only_so_long() -> None:
    waits = SampledWaits()
    for sample in range(MOST_WAITS // 500 + 4):
        waits.add([row(sample, 400, sid=sid, seq=sample) for sid in range(500)])
    assert len(waits.all()) == MOST_WAITS
    waits.add([row(KEPT_SECONDS + 1000, 400, sid=1, seq=9999)])
    assert len(waits.all()) == 1


def test_a_sample_with_more_sessions_than_are_looked_at_says_so() -> None:
    waits = waits_of([row(0, 3_000_000, sid=MOST_ROWS)], [row(1, 9_000, sid=sid) for sid in range(MOST_ROWS)])
    assert (3_000_000, False) in lengths(waits)  # it may be among those that were not looked at
    assert f"of more than {MOST_ROWS} sessions some are not looked at" in ask(waits, 8192, None).note


def test_around_a_cell_until_there_are_enough() -> None:
    waits = SampledWaits()
    for second in range(600):
        waits.add([row(second, 9_000, sid=1, seq=second, over=100)])
    found = ask(waits, 8192, 16384, first=waits.all()[300].end, last=waits.all()[302].end)
    assert found.seen == 2
    assert ENOUGH <= found.total.events <= 2 * ENOUGH
    assert found.note.startswith(f"shown: {found.total.events} as long, from ")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"object": 18, "wait_class": "User I/O"}, "18"),
        ({"object": 18, "wait_class": "User I/O", "container": 3}, "18 in container 3"),
        ({"object": 18, "wait_class": "Commit"}, None),
        ({"object": -1, "wait_class": "User I/O"}, None),
        ({"object": 18, "wait_class": "User I/O", "p2text": "block#", "p2": 5, "block": 5}, "18"),
        ({"object": 18, "wait_class": "User I/O", "p2text": "block#", "p2": 5, "block": 6}, None),
        (
            {
                "object": 18,
                "wait_class": "User I/O",
                "p2text": "block#",
                "p2": 5,
                "p3text": "blocks",
                "p3": 8,
                "block": 12,
            },
            "18",
        ),
    ],
)
def test_the_object_is_that_of_this_wait_or_none(more: dict[str, Any], said: str | None) -> None:
    assert {key.name: key.value for key in keys_of(row(0, 400, **more))}.get("obj#") == said


def test_who_blocks() -> None:
    blocked = {"is_blocked": "VALID", "blocker": 44, "blocking_instance": 2}
    assert {key.name: key.value for key in keys_of(row(0, 400, **blocked))}["blocker"] == "44@2"
    assert "blocker" not in {key.name for key in keys_of(row(0, 400, **{**blocked, "is_blocked": "NO HOLDER"}))}

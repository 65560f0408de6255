"""A trace that is scanned holds the events that the line decoder finds, on every text."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap import registry
from pylatencymap.collector import Known
from pylatencymap.collectors.oracle_trace.clock import EARLIEST, LATEST
from pylatencymap.collectors.oracle_trace.scan import OracleTraceScan
from pylatencymap.errors import Refused
from pylatencymap.intervals.batch import batch_events
from pylatencymap.record import Event, Record
from pylatencymap.report import Report
from pylatencymap.scan import reader
from pylatencymap.scan.contract import Fit
from pylatencymap.scan.reader import NotScannable
from pylatencymap.text.byte_stream import file_chunks
from pylatencymap.text.lines import split_lines
from tests.amounts import seeds
from tests.scan.alike import SCANNED, UNFIT, alike, decoded_lines, of_samples, plain

TRACE = registry.load_collector("oracle_trace")
TIM = 1_769_850_000_000_000
NAMES = [
    "db file sequential read",
    "log file sync",
    "x",
    "enq: TX - row lock contention",
    "a,b (c)",
    "abcdefg",
    "abcdefgh",
    "db file scattered read",
    "latch: cache buffers chains",
    "latch: cache buffers lru chain",
    "a name that is longer than any that an Oracle database has, so that no scan looks for it, nor has to",
]


def wait(tim: int, random: random.Random) -> str:
    name, cursor = (
        random.choice(NAMES),
        random.choice(["1", "4711", "140223890", "46929157733848", "18446744073709551615"]),
    )
    ela = random.choice([0, 7, random.randrange(20_000), random.randrange(10_000_000), 10**8])
    return f"WAIT #{cursor}: nam='{name}' ela= {ela} p1=1 p2=2 p3=3 obj#=1 tim={tim}"


def other(tim: int, random: random.Random) -> str:
    return random.choice(
        [
            f"FETCH #4711:c=0,e=5,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim={tim}",
            "WAIT #1: nam='old release' ela= 1500 p1=1 p2=2 p3=3",
            f"WAIT #1: nam='x' ela= 12 p1=1 tim={tim % 10**9}",
            f"WAIT #1: nam='x' ela=12 p1=1 tim={tim}\r",
            f"wait #1: name='x' ela=   12 p1=1 TIM= {tim} ",
            f"WAIT #1: nam='x' ela= -1 p1=1 tim={tim}",
            f"WAIT #1: nam='x' ela= 12p1=1 tim={tim}",
            f"WAIT #x: nam='x' ela= 12 p1=1 tim={tim}",
            f"WAIT #12x4: nam='x' ela= 12 p1=1 tim={tim}",
            f"WAIT #4711: nam='log file sync' ela={tim % 10**7} p1=1 tim={tim}",
            f"WAIT #4711: nam='log file sync' ela=  12 p1=1 tim={tim}",
            f"WAIT #4711: NAM='log file sync' ELA= 12 p1=1 tim={tim}",
            f"wait #4711: nam='log file sync' ela= 12 p1=1 tim={tim}",
            f"WA\u0131T #4711: nam='log file sync' ela= 12 p1=1 tim={tim}",
            f"WAIT\0#4711: nam='log file sync' ela= 12 p1=1 tim={tim}",
            f"WAIT #4711: nam='log file sync' ela= 12 p1=1 tim={tim // 10}",
            f"WAIT #4711: nam='log file sync' ela= 12 p1=1 tim=1{tim}",
            "WAIT #4711: nam='log file sync' ela= 12 p1=1 tim=0631151999999999",
            "WAIT #4711: nam='log file sync' ela= 12 p1=1 tim=4102444800000000",
            f"WAIT #4711: nam='log file sync' ela= 12 p1=1 tim=0{TIM // 10}",
            f"WAIT #4711: nam='log file sync' ela= 12\ttim={tim}",
            "WAIT #4711: nam='log file sync' ela= 12",
            "WAIT #4711: nam='log",
            "waste",
            f"WAIT #1: nam='x' ela= 12 tim={tim}",
            f"\x1b[1mWAIT #1: nam='x' ela= 12 p1=1 tim={tim}\x1b[0m",
            f"WAIT #1: nam='\u00e9\x1b[31m' ela= 12 p1=1 tim={tim}",
            "*** 2026-01-31 09:00:00.123",
            "*** SESSION ID:(1.2)",
            "SELECT 'WAIT #1: nam=''x'' ela= 1 ' FROM t",
            "",
            "=====================",
        ]
    )


def made(seed: int, lines: int) -> str:
    numbers = random.Random(seed)
    tim, text = TIM, []
    for _ in range(lines):
        tim += numbers.choice([10, 1000, 300_000, 9_000_000, -2_000_000])
        text.append(wait(tim, numbers) if numbers.random() < 0.7 else other(tim, numbers))
    return "\n".join(text) + numbers.choice(["", "\n"])


def by_line(path: Path, known: Known) -> list[Event]:
    report = Report("t")
    with path.open("rb") as file:
        return of_samples(TRACE.decode(split_lines(file_chunks(file)), report, known), report)


def in_bulk(path: Path, known: Known, jobs: int) -> list[Event]:
    with path.open("rb") as file:
        bulk = plain(file.fileno(), path.stat().st_size, Fit(OracleTraceScan()), jobs)
        return list(batch_events(bulk.batches(TRACE, Report("t"), known)))


def told(events: list[Event]) -> list[tuple[object, ...]]:
    return [
        (event.stamp, event.series, event.unit, event.ranges, event.waited, event.start)
        for event in events
        if isinstance(event, Record)
    ]


@pytest.fixture
def same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Event]]:
    """The events of a text, found in pieces of a few lines."""

    def check(text: str | bytes, piece: int = 1000, jobs: int = 2) -> list[Event]:
        path = tmp_path / "t.trc"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        monkeypatch.setattr(reader, "PIECE", piece)
        expected = by_line(path, Known())
        try:
            found = in_bulk(path, Known(), jobs)
        except NotScannable:
            return expected
        assert told(found) == told(expected)
        return found

    return check


@pytest.mark.parametrize("seed", seeds(15, 40))
def test_any_mixture(same: Callable[..., list[Event]], seed: int) -> None:
    same(made(seed, 300), random.Random(seed).choice([400, 1000, 7000, 1 << 20]), seed % 3 + 1)


@given(
    seed=st.integers(0, 10**6),
    cut=st.integers(1, 400),
    damage=st.lists(st.tuples(st.integers(0, 5000), st.binary(max_size=3))),
)
@settings(max_examples=60, deadline=None)
def test_damage(tmp_path_factory: pytest.TempPathFactory, seed: int, cut: int, damage: list[tuple[int, bytes]]) -> None:
    text = bytearray(made(seed, 60).encode())
    for place, garbage in damage:
        text[place % len(text) : place % len(text) + len(garbage)] = garbage
    path = tmp_path_factory.mktemp("trace") / "t.trc"
    path.write_bytes(bytes(text[:-cut]))
    try:
        found = in_bulk(path, Known(), 1)
    except NotScannable:
        return
    assert told(found) == told(by_line(path, Known()))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_more_names_than_are_looked_for(same: Callable[..., list[Event]], end: str) -> None:
    lines = (f"WAIT #{n}: nam='event {n % 250}' ela= {n} p1=1 tim={TIM + n * 10_000}{end}" for n in range(2000))
    assert len({event.series for event in same("".join(lines), 20_000) if isinstance(event, Record)}) == 250


def test_cursors_of_many_widths(same: Callable[..., list[Event]]) -> None:
    numbers = (10 ** (n * n % 19) for n in range(600))
    lines = (f"WAIT #{cursor}: nam='x' ela= {n} p1=1 tim={TIM + n * 10_000}" for n, cursor in enumerate(numbers))
    same("\n".join(lines) + "\n", 9000)


def test_times_that_are_far_apart(same: Callable[..., list[Event]]) -> None:
    numbers = random.Random(1)
    lines = (wait(TIM + numbers.randrange(-(10**14), 10**14), numbers) for _ in range(400))
    same("\n".join(lines) + "\n", 5000)


def lines_at(tims: list[int]) -> str:
    return "".join(f"WAIT #77: nam='log file sync' ela= {n} p1=1 p2=2 p3=3 tim={tim}\n" for n, tim in enumerate(tims))


@pytest.mark.parametrize("place", [0, 1, 2, 17, 50, 98, 99])
@pytest.mark.parametrize("piece", [90, 400, 1000, 1 << 20])
def test_a_time_that_is_wrong(tmp_path: Path, place: int, piece: int) -> None:
    """Also where the wait is the decoder's anyway."""
    tims = [TIM + n * 1000 for n in range(100)]
    tims[place] += 6 * 10**14
    text = lines_at(tims)
    for one in (text, text.replace(f" tim={tims[place]}", f"  tim= {tims[place]}"), text + text):
        assert alike("oracle_trace", tmp_path / "t.trc", one.encode(), piece) == SCANNED


@pytest.mark.parametrize("piece", [90, 400, 1000, 1 << 20])
def test_traces_of_other_days_one_behind_another(tmp_path: Path, piece: int) -> None:
    tims = [TIM + day * 86_400_000_000 + n * 1000 for day in (0, 3, 1, 400) for n in range(31)]
    assert alike("oracle_trace", tmp_path / "t.trc", lines_at(tims).encode(), piece) == SCANNED


def test_a_time_that_is_wrong_costs_the_scan_a_few_lines(tmp_path: Path) -> None:
    tims = [TIM + n * 1000 for n in range(5000)]
    tims[2000] += 6 * 10**14
    path = tmp_path / "t.trc"
    assert decoded_lines("oracle_trace", path, lines_at(tims).encode()) < 20
    with path.open("rb") as file:
        report = Report("t", say=lambda _: None)
        bulk = plain(file.fileno(), path.stat().st_size, Fit(OracleTraceScan()))
        assert bulk.count(TRACE, report, Known()) == (5000, sum(range(5000)))
    assert report.bad_count == 1


DAY = 86_400_000_000
STEPS = (-DAY, DAY // 3, DAY // 2, DAY // 2 + 5, DAY, DAY + 1, 3 * DAY, 400 * DAY)


def wrong(tim: int, random: random.Random) -> int:
    """A time with a wrong digit, cut off, days away, or at the ends of what is taken for an epoch."""
    digits = list(str(tim))
    digits[random.randrange(len(digits))] = str(random.randrange(10))
    others = tim // 10, tim * 10, tim + DAY + 1, tim - DAY // 2 - 1, 123_456, EARLIEST, EARLIEST - 1, LATEST - 1, LATEST
    return random.choice([int("".join(digits)), *others])


def of_wrong_times(random: random.Random) -> str:
    """Waits and calls over days, some of them at times with a wrong digit, some in forms that are not scanned."""
    jumps, astray, odd, calls, astray_calls = (random.choice([0, 0.02, 0.1, 0.4]) for _ in range(5))
    tim, lines = TIM, list[str]()
    for _ in range(random.randrange(1, 200)):
        tim += random.randrange(1, 2_000_000) + (random.choice(STEPS) if random.random() < jumps else 0)
        if random.random() < calls:
            at = wrong(tim, random) if random.random() < astray_calls else tim
            call = random.choice(
                ["FETCH #12:c=0,e=5,p=0,cr=4,cu=0,plh=1,", "PARSING IN CURSOR #12 len=22 dep=0 uid=1 "]
            )
            lines.append(f"{call}tim={at}")
        if random.random() < 0.02:
            lines.append("*** 2026-02-01 10:00:00.123")
        at = wrong(tim, random) if random.random() < astray else tim
        blanks, end = (random.randrange(3), random.random() < 0.8) if random.random() < odd else (1, True)
        name = random.choice(NAMES[:3])
        ela = at % random.choice([20_011, 10**9 + 7])
        lines.append(f"WAIT #12: nam='{name}' ela={' ' * blanks}{ela} p1=1" + f" tim={at}" * end)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", seeds(60, 200))
def test_wrong_times_of_all_kinds(tmp_path: Path, seed: int) -> None:
    numbers = random.Random(seed)
    text, piece = of_wrong_times(numbers).encode(), numbers.choice([300, 1000, 5000, 1 << 20])
    assert alike("oracle_trace", tmp_path / "t.trc", text, piece) in (SCANNED, UNFIT)


def test_a_name_ends_in_its_line(same: Callable[..., list[Event]]) -> None:
    lines = [f"WAIT #1: nam='x' ela= 5 p1=1 tim={TIM + number}" for number in range(20)]
    lines[7:7] = [f"WAIT #7: nam='log fi tim={TIM + 7}", f"WAIT #18 sync' ela= 18383 p1=0 obj#=-1 tim={TIM + 7}"]
    records = [event for event in same("\n".join(lines) + "\n") if isinstance(event, Record)]
    assert [sum(count for *_, count in record.ranges) for record in records] == [20]


def test_a_call_of_another_time_before_a_wait_without_one(tmp_path: Path) -> None:
    """The time goes on from the last one that is right, however many wrong ones are in between."""
    calls = [f"PARSING IN CURSOR #12 len=22 dep=0 uid=1 tim={EARLIEST + n}" for n in range(3)]
    lines = [*lines_at([TIM + n * 1_000_000 for n in range(50)]).splitlines(), *calls[:1]]
    for more in (calls[:0], calls[1:]):
        text = "\n".join([*lines, *more, "WAIT #1: nam='z' ela= 7 p1=1 tim=77", lines[-2], ""])
        assert alike("oracle_trace", tmp_path / "t.trc", text.encode(), 1 << 20) == SCANNED


def test_a_wait_that_the_decoder_judges_otherwise(tmp_path: Path) -> None:
    """Between two lines of a wrong time it is the one that is wrong."""
    first = f"WAIT #1: nam='z' ela= 12345678 p1=1 tim={EARLIEST}"
    call = f"FETCH #12:c=0,e=5,p=0,cr=4,cu=0,plh=1,tim={EARLIEST + 5}"
    text = "\n".join([first, lines_at([TIM]).strip(), call, lines_at([TIM + n for n in range(30)])])
    assert alike("oracle_trace", tmp_path / "t.trc", text.encode(), 1 << 20) == UNFIT


def test_one_trace_behind_another_of_the_same_time(same: Callable[..., list[Event]]) -> None:
    same(made(1, 200) + "\n" + made(1, 200) + "\n" + made(2, 200), 3000)


def test_the_scan_finds_nearly_all(tmp_path: Path) -> None:
    path = tmp_path / "t.trc"
    path.write_text(
        "".join(f"WAIT #77: nam='log file sync' ela= {n} p1=1 p2=2 p3=3 tim={TIM + n}\n" for n in range(50_000))
    )
    seen: list[int] = []

    class Counting:
        DESCRIPTION = detect = None

        def decode(self, lines, *_):  # type: ignore[no-untyped-def]
            for line in lines:
                seen.append(line.number)
            yield from ()

    with path.open("rb") as file:
        bulk = plain(file.fileno(), path.stat().st_size, Fit(OracleTraceScan()), 2)
        events = batch_events(bulk.batches(Counting(), Report("t"), Known()))  # type: ignore[arg-type]
        records = [event for event in events if isinstance(event, Record)]
    pieces = -(-path.stat().st_size // reader.PIECE)
    assert sum(record.events for record in records) == 50_000 - pieces, "the last of each piece is the decoder's"
    assert len(seen) <= 4 * pieces


def test_a_trace_without_waits_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "calls.trc"
    path.write_text(f"FETCH #4711:c=0,e=5,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim={TIM}\n" * 50)
    with pytest.raises(Refused, match="waits => true"):
        in_bulk(path, Known(), 1)


def test_the_decoder_sees_what_changes_the_time_of_others(same: Callable[..., list[Event]]) -> None:
    """Found among random texts: what the time of a wait depends on stands in lines that leave no doubt."""
    untimed = "WAIT #4711: nam='old' ela= 12 p1=1 "
    timed = [f"WAIT #4711: nam='x' ela= 12 p1=1 tim={TIM + n * 9_000_000}" for n in range(6)]
    same("\n".join([untimed, *timed]) + "\n")
    same("\n".join([untimed, "", *timed]) + "\n", 60)
    same("\n".join(["*** 2026-01-31 09:00:00.123", untimed, "", timed[0].replace("=17", "=7"), *timed]) + "\n")
    same("\n".join([timed[0], timed[1].replace("tim=", "tim=1"), timed[2]]) + "\n")


def test_waits_between_calls_are_waits(same: Callable[..., list[Event]]) -> None:
    call = f"FETCH #4711:c=0,e=5,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim={TIM}\n"
    assert same(f"{call}WAIT #4711: nam='x' ela= 12 p1=1 tim={TIM}\n{call}")


def test_the_trace_of_the_earlier_tool(same: Callable[..., list[Event]], shared: Path) -> None:
    trace = (shared / "data/earlier-tools/test_10046_tracefile.trc").read_bytes()
    for text in (trace, trace.replace(b"\n", b"\r\n"), trace[:-37], trace * 2):
        same(text, 100_000)


def truncated(random: random.Random, tim: int) -> list[str]:
    """Text that is cut off, or does not end where it should, with lines in it that look like waits."""
    tricks = [
        wait(tim, random),
        "*** 2026-01-31 09:00:00.123",
        "END OF STMT",
        'value="x',
        "PARSING IN CURSOR #9 len=40 dep=0",
    ]
    text = [random.choice([*tricks, "and a = b", "  from t", ""]) for _ in range(random.randrange(1, 40))]
    size = len("\n".join(text))
    shown = text[: random.randrange(len(text) + 1)] if random.random() < 0.5 else text
    end = ["END OF STMT"] if random.random() < 0.3 else []
    if random.random() < 0.3:
        return ["BINDS #4:", " Bind#0", '  value="' + text[0], *text[1:], *(['last"'] if end else [])]
    said = size + random.choice([0, 0, 0, 0, 1, -1, 50, 5000])
    return [f"PARSING IN CURSOR #4 len={said} dep=0 uid=0 tim={tim} hv=1", *shown, *end]


@pytest.mark.parametrize("seed", seeds(20, 60))
def test_text_that_crosses_the_border_of_pieces_and_has_no_end(tmp_path: Path, seed: int) -> None:
    numbers, tim, lines = random.Random(seed), TIM, list[str]()
    while len(lines) < 400:
        tim += numbers.choice([10, 1000, 300_000])
        lines += truncated(numbers, tim) if numbers.random() < 0.05 else [wait(tim, numbers)]
    for piece in (300, 1000, 3000):
        assert alike("oracle_trace", tmp_path / "t.trc", ("\n".join(lines) + "\n").encode(), piece) == SCANNED

"""Texts made for damaging: sources that print many snapshots, in the forms whose damage is hard to see.

Each is long enough that a damaged record has undamaged ones on both sides, and small enough to be read thousands of
times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from pylatencymap.record import ESTIMATED, KEPT, Clock, Mark, Range, Record, Semantics, Stamp
from pylatencymap.stream.writer import StreamWriter
from pylatencymap.units import Unit

PRINTS = 11
EPOCH = 1_700_000_000
_Lines = Iterator[str]


def _time_of_day(second: int) -> str:
    return f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def _bars(counts: dict[int, int], width: int) -> _Lines:
    most = max([*counts.values(), 1])
    for count in counts.values():
        yield "|" + ("*" * (width * count // most)).ljust(width) + "|"


def _grown(random: Random, totals: dict[int, int]) -> dict[int, int]:
    for bucket in totals:
        totals[bucket] += int(random.expovariate(1 / 40)) + (bucket % 3)
    return totals


# Histograms.


def record_stream(random: Random) -> _Lines:
    """Totals of three series, one of which starts late and one of which restarts."""
    totals = [dict.fromkeys(range(4 + disk, 14), 1000 * (disk + 1)) for disk in range(3)]
    for second in range(PRINTS):
        for disk in range(3):
            if disk == 2 and second < 3:
                continue
            if disk == 1 and second == 9:
                totals[disk] = dict.fromkeys(totals[disk], 3)
            yield from ("<begin record>", f"timestamp,microsec,{(EPOCH + second) * 10**6},from a clock")
            yield from (f"label,disk{disk}", f"latencyunit,{('microsec', 'millisec', 'nanosec')[disk]}")
            yield from (f"datasource,{('bpf', 'oracle', 'other')[disk]}",)
            yield from (f"{1 << bucket},{count}" for bucket, count in _grown(random, totals[disk]).items())
            yield "<end record>"
        yield "15 rows selected."


def recorded(random: Random) -> _Lines:
    """A recording with all that records can hold: exact ranges, times, flags, notes, fractions, open rows, marks."""
    texts: list[str] = []
    writer = StreamWriter(texts.append)
    for second in range(PRINTS):
        end = (EPOCH + second) * 1_000_000 + 250_000
        for series in ("sda,read", "log file sync", "漢字 x"):
            ranges: tuple[Range, ...] = tuple(
                (lower, lower + 7, random.randrange(1, 90)) for lower in sorted(random.sample(range(0, 700, 7), 4))
            ) + (((4096, None, 2.5),) if random.random() < 0.3 else ())
            flags = frozenset({KEPT} if series == "sda,read" else {ESTIMATED} if second % 5 == 0 else ())
            semantics = Semantics.CUMULATIVE if series == "log file sync" else Semantics.INTERVAL
            if semantics is Semantics.CUMULATIVE:
                ranges, flags = ((64, 128, 100 + 11 * second), (128, None, 5 + second)), frozenset()
            writer.event(
                Record(
                    *(series, Unit.US, ranges, semantics, Stamp(end, Clock.EPOCH)),
                    start=end - 1_000_000 if semantics is Semantics.INTERVAL else (EPOCH - 500) * 1_000_000,
                    waited=None if second % 3 else 0.125 * (second + 1),
                    label=f"label of {series}",
                    source="generated",
                    flags=flags,
                    note="a note" if second == 6 else "",
                )
            )
        if second == 8:
            writer.event(Mark(Stamp(end), "cache dropped", "sda,read"))
    yield from "".join(texts).split("\n")


def bcc_prints(random: Random, *, stamped: bool, disks: tuple[str, ...]) -> _Lines:
    """biolatency, per interval."""
    yield "Tracing block device I/O... Hit Ctrl-C to end."
    for second in range(PRINTS):
        yield ""
        if stamped:
            yield _time_of_day(36_000 + second)
        for disk in disks:
            counts = {bucket: int(random.expovariate(1 / 30)) for bucket in range(14)}
            if disk:
                yield from ("", f"disk = {disk}")
            yield "     usecs               : count    distribution"
            for (bucket, count), bar in zip(counts.items(), _bars(counts, 40), strict=True):
                lower = 1 << bucket if bucket else 0
                yield f"{lower:>10} -> {(2 << bucket) - 1:<10} : {count:<8} {bar}"


def _suffixed(value: int) -> str:
    return f"{value >> 10}K" if value >= 1024 else str(value)


def bpftrace_prints(random: Random, *, cumulative: bool, keys: tuple[str, ...]) -> _Lines:
    """hist(), cleared after each print or not."""
    yield "Attaching 4 probes..."
    totals = {key: dict.fromkeys(range(6, 15), 5) for key in keys}
    for second in range(PRINTS):
        yield _time_of_day(36_000 + second)
        for key in keys:
            if not cumulative:
                totals[key] = dict.fromkeys(range(6, 15), 0)
            counts = _grown(random, totals[key])
            yield f"@usecs{key}: "
            for (bucket, count), bar in zip(counts.items(), _bars(counts, 52), strict=True):
                bounds = f"[{_suffixed(1 << bucket)}, {_suffixed(2 << bucket)})"
                yield f"{bounds:<16} {count:>9} {bar.replace('*', '@')}"
            yield ""


def prometheus_scrapes(random: Random) -> _Lines:
    totals = {disk: [0] * 6 for disk in ("sda", "sdb")}
    for second in range(PRINTS):
        yield f"# scraped at {EPOCH + second}.250"
        yield from ("# HELP io_seconds Latency", "# TYPE io_seconds histogram")
        for disk, counts in totals.items():
            for place in range(6):
                counts[place] += random.randrange(50)
            bounds = ("0.0001", "0.001", "0.01", "0.1", "1", "+Inf")
            for place, bound in enumerate(bounds):
                yield f'io_seconds_bucket{{device="{disk}",le="{bound}"}} {sum(counts[: place + 1])}'
            yield f'io_seconds_sum{{device="{disk}"}} {sum(counts) * 0.0125}'
            yield f'io_seconds_count{{device="{disk}"}} {sum(counts)}'


def prometheus_server(random: Random) -> _Lines:
    """Scrapes with a stamp on each sample, of a busy server whose sums are those of its events; one range is open."""
    bounds = (0.005, 0.01, 0.1, 1.0)
    totals = {method: [1000, 500, 500, 500, 50] for method in ("GET", "POST")}
    sums = dict.fromkeys(totals, 700.0)
    for second in range(PRINTS):
        stamp = (EPOCH + 15 * second) * 1000
        yield "# TYPE http_request_duration_seconds histogram"
        for method, counts in totals.items():
            for place in range(5):
                grown = random.randrange(40) // (1 + 3 * (place == 4))
                counts[place] += grown
                sums[method] += grown * (0.004, 0.008, 0.05, 0.5, 2.0)[place]
            labels = f'method="{method}"'
            for place, bound in enumerate((*bounds, "+Inf")):
                events = sum(counts[: place + 1])
                yield f'http_request_duration_seconds_bucket{{{labels},le="{bound}"}} {events} {stamp}'
            yield f"http_request_duration_seconds_sum{{{labels}}} {sums[method]:.3f} {stamp}"
            yield f"http_request_duration_seconds_count{{{labels}}} {sum(counts)} {stamp}"


def mariadb_tables(random: Random) -> _Lines:
    """QUERY_RESPONSE_TIME in batch mode, with the server's time above each table."""
    bounds = ("0.000001", "0.000010", "0.000100", "0.001000", "0.010000", "0.100000", "1.000000")
    totals = {bound: 100 * (place + 1) for place, bound in enumerate(bounds)}
    for second in range(PRINTS):
        yield from (f"{EPOCH + second}", "TIME\tCOUNT\tTOTAL")
        for place, bound in enumerate(bounds):
            totals[bound] += random.randrange(30)
            yield f"{bound:>14}\t{totals[bound]:>7}\t{totals[bound] * 0.4 * 10.0 ** (place - 6):>17.6f}"
        yield "TOO LONG\t0\tTOO LONG"


def mysql_buckets(random: Random) -> _Lines:
    """events_statements_histogram_global in batch mode, with a moment in each row."""
    totals = [50 * (place % 5) for place in range(12)]
    for second in range(PRINTS):
        yield "now(6)\tBUCKET_NUMBER\tBUCKET_TIMER_LOW\tBUCKET_TIMER_HIGH\tCOUNT_BUCKET"
        for place in range(12):
            totals[place] += random.randrange(20)
            low, high = 10_000_000 * 2**place if place else 0, 10_000_000 * 2 ** (place + 1)
            high = high if place < 11 else (1 << 64) - 1
            yield f"2026-01-05 10:00:{second:02d}.250000\t{place}\t{low}\t{high}\t{totals[place]}"


def fio_histogram_log(random: Random) -> _Lines:
    for second in range(PRINTS):
        for direction in (0, 1):
            bins = [0] * 29
            for _ in range(40):
                bins[min(int(random.expovariate(1 / 6)) + 6, 28)] += 1
            yield f"{1000 * (second + 1)}, {direction}, 4096, " + ", ".join(map(str, bins))


# Traces of single events.


def strace_lines(random: Random, *, day: bool) -> _Lines:
    moment = float(36_000 if day else EPOCH)
    for number in range(110):
        moment += random.expovariate(14)
        clock = f"{_time_of_day(int(moment))}.{int(moment % 1 * 1e6):06d}" if day else f"{moment:.6f}"
        took = random.expovariate(300)
        if number % 23 == 5:
            yield f"{700 + number % 3} {clock} futex(0x7f10, FUTEX_WAIT, 2, NULL <unfinished ...>"
            yield f"{700 + number % 3} {moment + took:.6f} <... futex resumed>) = 0 <{took:.6f}>" if not day else ""
            continue
        call = random.choice(("pread64", "write", "fsync"))
        yield f'{700 + number % 3} {clock} {call}(3, "a\\"b, <0.5> = 1", 4096, {number * 4096}) = 4096 <{took:.6f}>'


def fio_log_lines(random: Random) -> _Lines:
    moment = 0
    for number in range(140):
        moment += random.randrange(120)
        yield f"{moment}, {random.randrange(10**4, 10**7)}, {number % 2}, 4096, {number * 4096}"


def oracle_trace_lines(random: Random) -> _Lines:
    moment = EPOCH * 1_000_000
    yield from ("*** 2026-01-05 10:00:00.123", "*** SESSION ID:(1.2) 2026-01-05 10:00:00.123")
    names = ("db file sequential read", "log file sync", "SQL*Net message from client")
    for number in range(110):
        took = int(random.expovariate(1 / 900)) + 1
        moment += took + random.randrange(120_000)
        if number % 30 == 17:
            yield f"PARSE #140:c=0,e=5,p=0,cr=0,cu=0,mis=0,r=0,dep=0,og=1,plh=1,tim={moment}"
        wait = f"nam='{random.choice(names)}' ela= {took} file#=4 block#={number} blocks=1 obj#=88"
        yield f"WAIT #{140 + number % 3}: {wait} tim={moment}"


def biosnoop_lines(random: Random) -> _Lines:
    yield "TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)"
    moment = 0.0
    for number in range(110):
        moment += random.expovariate(14)
        comm, disk = random.choice(("fio", "kworker/0", "a b")), random.choice(("sda", "nvme0n1"))
        yield (
            f"{moment:<11.6f} {comm:<14} {random.randrange(9999):<6} {disk:<9} {random.choice('RW')} "
            f"{number * 8:<10} 4096   {random.expovariate(2):7.2f}"
        )


FORMS: dict[str, Callable[[Random], _Lines]] = {
    "record stream": record_stream,
    "recording": recorded,
    "bcc stamped": lambda random: bcc_prints(random, stamped=True, disks=("",)),
    "bcc unstamped": lambda random: bcc_prints(random, stamped=False, disks=("",)),
    "bcc disks": lambda random: bcc_prints(random, stamped=True, disks=("sda", "nvme0n1")),
    "bpftrace cumulative": lambda random: bpftrace_prints(random, cumulative=True, keys=("",)),
    "bpftrace cumulative keys": lambda random: bpftrace_prints(random, cumulative=True, keys=("[8, R]", "[8, W]")),
    "bpftrace per interval": lambda random: bpftrace_prints(random, cumulative=False, keys=("[8, R]", "[8, W]")),
    "prometheus": prometheus_scrapes,
    "prometheus server": prometheus_server,
    "mysql mariadb": mariadb_tables,
    "mysql statements": mysql_buckets,
    "fio histogram log": fio_histogram_log,
    "strace -ttt": lambda random: strace_lines(random, day=False),
    "strace -tt": lambda random: strace_lines(random, day=True),
    "fio log": fio_log_lines,
    "oracle trace": oracle_trace_lines,
    "biosnoop": biosnoop_lines,
}


def generated(form: str, seed: int) -> bytes:
    """A text of a form of FORMS."""
    return "".join(line + "\n" for line in FORMS[form](Random(f"{form} {seed}"))).encode()

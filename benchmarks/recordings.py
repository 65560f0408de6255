"""A recording made longer by repeating it: the load and the jitter of a real machine for as long as a benchmark needs.

python benchmarks/recordings.py examples/steady.lmap.gz --moments 1000 > steady.lmap

A moment is a time at which records end, of however many series. The first pass is the recording as it is. Each further
one takes what follows the first moment, and moves it in time to where the pass before it ended: every interval keeps
its length, and every stamp its own jitter. The running sums of each series, which a recording holds whatever its source
printed, go on from where they were.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

EXAMPLES = Path(__file__).parents[1] / "examples"
HEADER = "#lmap "
END = "<end record>\n"


class Record(NamedTuple):
    """A record of a recording; ``sums`` by the text of the bucket, ``lines`` are all others as they stand."""

    header: dict[str, Any]
    micros: int
    lines: list[str]
    sums: dict[str, int]

    @property
    def series(self) -> object:
        return self.header["series"]

    @property
    def is_baseline(self) -> bool:
        """Whether it only says where counting began."""
        return "baseline" in (self.header.get("flags") or ())

    def text(self) -> str:
        moment = datetime.fromtimestamp(self.micros / 1e6, timezone.utc)
        stamp = f"timestamp,microsec,{self.micros},{moment:%Y-%m-%d %H:%M:%S.%f} +00:00\n"
        rows = "".join(f"{bucket},{number}\n" for bucket, number in self.sums.items())
        return f"{HEADER}{json.dumps(self.header)}\n<begin record>\n{stamp}{''.join(self.lines)}{rows}{END}"


def records(path: Path) -> list[Record]:
    """The records of a recording, .gz or not. Ends the benchmark at a line that it does not know."""
    found: list[Record] = []
    header, micros, lines, sums = {}, 0, [], {}
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as file:
        for line in file:
            name, _, rest = line.partition(",")
            if line.startswith(HEADER):
                header, lines, sums = json.loads(line.removeprefix(HEADER)), [], {}
            elif name == "timestamp":
                micros = int(rest.split(",")[1])
            elif name.isdigit():
                sums[name] = int(rest)
            elif name in ("label", "latencyunit", "datasource"):
                lines.append(line)
            elif line == END:
                found.append(Record(header, micros, lines, sums))
            elif line != "<begin record>\n":
                sys.exit(f"{path}: what is {line!r}?")
    return found


def repeated(found: list[Record]) -> Iterator[Record]:
    """The records, then again and again what follows the first moment, later each time; without end."""
    yield from found
    first, last = min(_moments(found)), max(_moments(found))
    again, growth = _to_repeat(found, first), _growth(found)
    for passes in count(1):
        for record in again:
            yield _moved(record, passes * (last - first), passes, growth[record.series])


def _moments(found: list[Record]) -> set[int]:
    return {record.micros for record in found if not record.is_baseline}


def _to_repeat(found: list[Record], first: int) -> list[Record]:
    """Records behind the first moment. What begins where the record before it ended does not say so; where that record
    is a baseline, which is not repeated, it has to.
    """
    again: list[Record] = []
    baselines: dict[object, int] = {}
    for record in found:
        if record.is_baseline:
            baselines[record.series] = record.micros
            continue
        begin = baselines.pop(record.series, None)
        if record.micros <= first:
            continue
        if begin is not None:
            record = record._replace(header=record.header | {"start": begin})
        again.append(record)
    return again


def _growth(found: list[Record]) -> dict[object, dict[str, int]]:
    """By how much the sums of each series grow by what is repeated, by bucket."""
    first, last = min(_moments(found)), {record.series: record.sums for record in found}
    before: dict[object, dict[str, int]] = {name: {} for name in last}
    before |= {record.series: record.sums for record in found if record.micros <= first}
    return {
        name: {bucket: number - before[name].get(bucket, 0) for bucket, number in sums.items()}
        for name, sums in last.items()
    }


def _moved(record: Record, micros: int, passes: int, growth: dict[str, int]) -> Record:
    """A record so much later, its sums increased by the growth of so many passes."""
    header = record.header
    if "start" in header:
        header = header | {"start": header["start"] + micros}
    sums = {
        bucket: record.sums.get(bucket, 0) + passes * growth.get(bucket, 0)
        for bucket in sorted(record.sums.keys() | growth.keys(), key=int)
    }
    return record._replace(header=header, micros=record.micros + micros, sums=sums)


def extended(path: Path, moments: int) -> Iterator[str]:
    """The texts of the records of so many moments."""
    seen: set[int] = set()
    for record in repeated(records(path)):
        if not record.is_baseline and record.micros not in seen:
            if len(seen) == moments:
                return
            seen.add(record.micros)
        yield record.text()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a longer recording on stdout.", allow_abbrev=False)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--moments", type=int, default=1000)
    options = parser.parse_args()
    sys.stdout.writelines(extended(options.recording, options.moments))


if __name__ == "__main__":
    main()

"""The reference of the frame benchmark: two maps, drawn as the tools before us drew them.

python benchmarks/plain.py FILE COLUMNS ROWS

For every record the screen is cleared and every row of both maps is built again, cell by cell, each cell with its own
colour sequence, the empty ones too, in 256 colours; labels on the left, the latest values on the right. There are as
many columns and rows as the command line says, from the first frame to the last and whatever the data are, and no
options. It reads records of running sums of powers of two, .gz or not, and needs nothing but Python.

Those tools know one series. Of a file with several the first one that begins is drawn, and the records of all others
are read and passed over.
"""

import gzip
import json
import sys

COOL = (18, 20, 26, 32, 38, 80, 87)
WARM = (52, 88, 124, 166, 208, 214, 221)
EMPTY = 15
HEADER = "#lmap "


def records(path):
    """Time in microseconds and sums by bucket of each record of the first series."""
    first = None
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as file:
        series = ""
        for line in file:
            line = line.strip()
            if line.startswith(HEADER):
                series = json.loads(line[len(HEADER) :]).get("series", "")
            elif line == "<begin record>":
                micros, sums = 0, {}
                first = series if first is None else first
            elif line == "<end record>":
                if series == first:
                    yield micros, sums
            elif line.startswith("timestamp,"):
                micros = int(line.split(",")[2])
            elif line.split(",")[0].isdigit():
                bucket, number = line.split(",")
                sums[int(bucket)] = int(number)


def intervals(path):
    """Events per second, and milliseconds waited per second, by bucket of each interval."""
    last = None
    for micros, sums in records(path):
        if last is not None:
            seconds = (micros - last[0]) / 1e6
            rates = {bucket: (number - last[1].get(bucket, 0)) / seconds for bucket, number in sums.items()}
            yield rates, {bucket: rate * bucket * 0.75 / 1e3 for bucket, rate in rates.items()}
        last = micros, sums


def coloured(value, maximum, ramp):
    """One cell."""
    step = min(len(ramp) - 1, int(value / maximum * len(ramp))) if value > 0 else -1
    return "\x1b[48;5;" + str(ramp[step] if step >= 0 else EMPTY) + "m "


def map_text(title, history, columns, buckets, ramp):
    """One map: a row for each bucket, highest first; the columns that no record has reached are empty."""
    maximum = 0
    for values in history:
        for bucket in buckets:
            maximum = max(maximum, values.get(bucket, 0))
    text = title + "\n"
    for bucket in reversed(buckets):
        line = f"{bucket:>20} |"
        for _ in range(columns - len(history)):
            line += coloured(0, maximum, ramp)
        for values in history:
            line += coloured(values.get(bucket, 0), maximum, ramp)
        text += line + f"\x1b[0m| {history[-1].get(bucket, 0):12.1f}\n"
    return text


def rows_from(highest, rows):
    """So many powers of two: the highest in use and those below it, and if these are too few, higher ones too."""
    lowest = max(1, highest >> (rows - 1))
    return [lowest << row for row in range(rows)]


def main():
    path, columns, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    frequency, intensity, buckets = [], [], []
    for rates, waits in intervals(path):
        frequency = [*frequency, rates][-columns:]
        intensity = [*intensity, waits][-columns:]
        buckets = buckets or rows_from(max((bucket for bucket, rate in rates.items() if rate), default=1), rows)
        sys.stdout.write(
            "\x1b[2J\x1b[H"
            + map_text("frequency: events/s", frequency, columns, buckets, COOL)
            + map_text("intensity: ms waited/s", intensity, columns, buckets, WARM)
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""The reference of the frame benchmark: the same two maps, drawn as the tools before us drew them.

python benchmarks/plain.py FILE COLUMNS

For every record the screen is cleared and every row of both maps is built again, cell by cell, each cell with its own
colour sequence; labels on the left, the latest values on the right. It reads records of cumulative counts of powers of
two, and needs nothing but Python.
"""

import sys

COOL = (18, 20, 26, 32, 38, 80, 87)
WARM = (52, 88, 124, 166, 208, 214, 221)


def records(path):
    """Time in microseconds and counts by bucket of each record."""
    with open(path) as file:
        for line in file:
            line = line.strip()
            if line == "<begin record>":
                micros, counts = 0, {}
            elif line == "<end record>":
                yield micros, counts
            elif line.startswith("timestamp,"):
                micros = int(line.split(",")[2])
            elif line.split(",")[0].isdigit():
                bucket, count = line.split(",")
                counts[int(bucket)] = int(count)


def intervals(path):
    """Events per second, and milliseconds waited per second, by bucket of each interval."""
    last = None
    for micros, counts in records(path):
        if last is not None:
            seconds = (micros - last[0]) / 1e6
            rates = {bucket: (count - last[1].get(bucket, 0)) / seconds for bucket, count in counts.items()}
            yield rates, {bucket: rate * bucket * 0.75 / 1e3 for bucket, rate in rates.items()}
        last = micros, counts


def coloured(value, maximum, ramp):
    """One cell."""
    if value <= 0:
        return "\x1b[0m "
    step = min(len(ramp) - 1, int(value / maximum * len(ramp)))
    return "\x1b[48;5;" + str(ramp[step]) + "m \x1b[0m"


def map_text(title, history, buckets, ramp):
    """One map: a row for each bucket, highest first."""
    maximum = 0
    for values in history:
        for bucket in buckets:
            maximum = max(maximum, values.get(bucket, 0))
    text = title + "\n"
    for bucket in reversed(buckets):
        line = f"{bucket:>20} |"
        for values in history:
            line += coloured(values.get(bucket, 0), maximum, ramp)
        text += line + f"| {history[-1].get(bucket, 0):12.1f}\n"
    return text


def main():
    path, columns = sys.argv[1], int(sys.argv[2])
    frequency, intensity, buckets = [], [], []
    for rates, waits in intervals(path):
        frequency = [*frequency, rates][-columns:]
        intensity = [*intensity, waits][-columns:]
        buckets = buckets or sorted(bucket for bucket, rate in rates.items() if rate)
        sys.stdout.write(
            "\x1b[2J\x1b[H"
            + map_text("frequency: events/s", frequency, buckets, COOL)
            + map_text("intensity: ms waited/s", intensity, buckets, WARM)
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()

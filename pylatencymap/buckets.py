"""The log-linear grid of latency buckets.

Octave 0 is [0, 1). Octave k is [2^(k-1), 2^k) in the series' own unit. Each octave is divided into ``resolution`` equal
buckets, but no bucket is narrower than one unit. Buckets are numbered from 0 without holes. All of this is integer
arithmetic, so 2^k starts its own octave for every k.

For example at resolution 4: the values 0 to 7 are buckets 0 to 7, then [8, 10) is bucket 8, [10, 12) bucket 9,
[12, 14) bucket 10, [14, 16) bucket 11, [16, 20) bucket 12.

Source: the same scheme as bpftrace ``hist(n, k)``, fio, HdrHistogram and rezolus H2.
"""

from functools import lru_cache

from .errors import UsageError

MAX_RESOLUTION = 64


def check_resolution(resolution: int) -> int:
    """Return the resolution; raises UsageError unless it is a power of two from 1 to 64."""
    if not 1 <= resolution <= MAX_RESOLUTION or resolution & (resolution - 1):
        raise UsageError(f"resolution {resolution} is none of 1, 2, 4, 8, 16, 32, 64 buckets per octave")
    return resolution


def bucket_of(value: int, resolution: int = 1) -> int:
    """The number of the bucket that holds an integer latency of at least 0."""
    if value < 2 * resolution:
        return value
    shift = value.bit_length() - resolution.bit_length()
    return shift * resolution + (value >> shift)


def bounds_of(bucket: int, resolution: int = 1) -> tuple[int, int]:
    """The half-open range [lower, upper) of a bucket, in the unit of the series."""
    if bucket < 2 * resolution:
        return bucket, bucket + 1
    shift, part = divmod(bucket - resolution, resolution)
    lower = (resolution + part) << shift
    return lower, lower + (1 << shift)


def bounds_around(value: int, resolution: int = 1) -> tuple[int, int]:
    """The half-open range [lower, upper) of the bucket that holds an integer latency of at least 0."""
    return bounds_of(bucket_of(value, resolution), resolution)


def on_grid(bound: float, resolution: int) -> bool:
    """Whether a bound is the lower bound of some bucket."""
    whole = int(bound)
    return whole == bound and bounds_around(whole, resolution)[0] == whole


@lru_cache(maxsize=1 << 14)
def fits(lower: float, upper: float | None, resolution: int) -> bool:
    """Whether a range needs no resampling: it lies within one bucket or is a union of whole buckets.

    An open range (upper None) fits if it begins on the grid. The cache helps because a series has the same ranges in
    each interval.
    """
    if upper is None:
        return on_grid(lower, resolution)
    first_lower, first_upper = bounds_around(int(lower), resolution)
    if first_lower <= lower and upper <= first_upper:
        return True
    return on_grid(lower, resolution) and on_grid(upper, resolution)

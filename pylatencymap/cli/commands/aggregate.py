"""``pylatencymap aggregate PATH... -o OUT``: many files as one recording or table."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from ... import __version__
from ...errors import Exit, SourceError, UsageError
from ..arguments import Parser, add_series_option, add_text_options, parser
from ..option_values import interval, resolution, whole_number
from ..setup import plan_of
from ..standard_streams import print_notice, show_progress

if TYPE_CHECKING:
    from ...aggregate import AggregateQuestion, AggregateSummary, Aggregation
    from ...aggregate.spark import SparkAggregation

DESCRIPTION = (
    "Aggregates archives: traces, logs, saved text and recordings, in any number, to counts per series,\n"
    "interval and bucket, as one recording (.lmap, .lmap.gz), one Parquet file, or a folder of days."
)
EPILOG = """Counts of single events are added over all files; series of other files that meet in time are named by file.
A run that was killed goes on where it was: give the same command again. Until OUT is complete, what is done lies in
OUT.unfinished. With --engine spark, all machines have to see the files, or PATH has a scheme that Spark reads, as
hdfs://; a run begins anew; OUT has the same bytes.

exit status:
  0 done   1 no interval in any input   2 wrong command line   3 an input that was named cannot be read (the rest is
  written), or OUT cannot be written   4 a bad record, with --strict   130 Ctrl-C"""
BY = ("event", "file", "host")
"""Words that stand for no key of the events."""
FORMATS = ("parquet", "lmap")
TOP_HELP = "so many values of the key with a series of their own, those that waited most; default: 9, of tables all"
TABLES = "columns"
SHOWN = 10
ENGINES = LOCAL, SPARK = ("local", "spark")
DEFAULT_SPLIT_MB = 64
URI = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+):(?://)?/")

Told = TypeVar("Told")


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("aggregate", DESCRIPTION, EPILOG)
    made.add_argument(
        "files", metavar="PATH", nargs="+", help="files, folders, patterns in quotes; plain, .gz or .zst, of any kind"
    )
    made.add_argument(
        "-o", "--output", metavar="OUT", required=True, help="NAME.lmap, NAME.lmap.gz, NAME.parquet, or a folder DIR/"
    )
    made.add_argument("--to", choices=FORMATS, help="what a folder holds, a file for each day; default: parquet")
    made.add_argument(
        "--by",
        dest="apart",
        action="append",
        metavar="KEY",
        default=[],
        help="keep series apart by file or host, or by a key of the events, as obj#, sql_id, pid, path; of tables by a "
        "column; default: by event alone (repeatable: file, host and one key)",
    )
    made.add_argument("--top", type=whole_number, metavar="N", help=TOP_HELP)
    made.add_argument(
        "--resolution", type=resolution, metavar="N", help="buckets per doubling, 1 to 64; default: as in the source"
    )
    made.add_argument("--afresh", action="store_true", help="begin again, whatever a killed run has done")
    group = made.add_argument_group("data")
    add_series_option(group, draws=False)
    group.add_argument(
        "--interval", type=interval, metavar="S", help="intervals of S seconds; default: 1 of events, else as recorded"
    )
    group.add_argument("--jobs", type=whole_number, default=2, metavar="N", help="processes that read; default: 2")
    _add_spark_options(made)
    group.add_argument("--tz", metavar="ZONE", help="time zone of stamps without one; default: local")
    add_text_options(made, by="--series-by", start=False)
    made.set_defaults(count=None, duration=None)
    return made


def _add_spark_options(made: Parser) -> None:
    group = made.add_argument_group("Spark")
    group.add_argument(
        "--engine", choices=ENGINES, default=LOCAL, help="what reads: this program, or tasks of Spark; default: local"
    )
    group.add_argument("--master", metavar="URL", help="master of the cluster; default: this machine, --jobs threads")
    group.add_argument("--split-mb", type=whole_number, metavar="N", help="MB of a task of Spark; default: 64")
    group.add_argument(
        "--spark-conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of Spark (repeatable)"
    )


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    aggregation = _aggregation(options)
    try:
        summary = aggregation.run()
    except OSError as error:
        raise SourceError(f"-o {options.output}: cannot be written: {error.strerror or error}") from error
    return _print_summary(options, summary)


def _aggregation(options: argparse.Namespace) -> Aggregation | SparkAggregation:
    """What runs, on this machine or on Spark. Raises UsageError."""
    if options.engine == LOCAL:
        for name in ("master", "split_mb", "spark_conf"):
            if getattr(options, name):
                raise UsageError(f"--{name.replace('_', '-')} is about Spark: add --engine spark")
        for word in _local_and_remote(options.files)[1]:
            if not os.path.lexists(word):
                raise UsageError(f"{word}: only Spark reads this: add --engine spark")
        from ...aggregate import Aggregation

        return Aggregation(_question(options), print_notice, show_progress)
    from ...aggregate.spark import SparkAggregation, SparkOptions

    settings = [tuple(one.split("=", 1)) for one in options.spark_conf]
    for one in settings:
        if len(one) != 2 or not one[0]:
            raise UsageError(f"--spark-conf {'='.join(one)}: write KEY=VALUE, such as spark.executor.memory=4g")
    split = (options.split_mb or DEFAULT_SPLIT_MB) << 20
    options.files, remote = _local_and_remote(options.files)
    spark = SparkOptions(options.master, tuple((one[0], one[1]) for one in settings), split, options.jobs, remote)
    return SparkAggregation(_question(options), spark, print_notice, show_progress)


def _local_and_remote(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """What a user of Spark means: paths of this machine, and what only Spark reaches."""
    found = [(word, URI.match(word)) for word in words]
    remote = tuple(word for word, uri in found if uri is not None and uri["scheme"] != "file")
    return [word if uri is None else word[uri.end() - 1 :] for word, uri in found if word not in remote], remote


def _question(options: argparse.Namespace) -> AggregateQuestion:
    from ...aggregate import SUFFIX, AggregateQuestion, archived_inputs, output_at

    if "-" in options.files:
        raise UsageError("aggregate reads files, again if it has to: save standard input to a file first")
    if keys := _keys(options):
        if options.by:
            raise UsageError("--series-by is for columns of tables: leave out --by KEY, or --series-by")
        options.by = keys
    elif options.by and options.format is None:
        options.format = TABLES
    output = output_at(options.output, options.to)
    besides = [options.output, f"{options.output.rstrip('/')}{SUFFIX}"]
    return AggregateQuestion(
        archived_inputs(options.files, besides) if options.files else (),
        output,
        plan_of(options),
        options.resolution,
        tuple(word for word in options.apart if word in BY),
        options.jobs,
        bool(options.strict),
        options.afresh,
        __version__,
    )


def _keys(options: argparse.Namespace) -> list[str]:
    """The key by which events are divided. Raises UsageError for several."""
    keys = [word for word in options.apart if word not in BY]
    if len(keys) > 1:
        raise UsageError(f"--by {keys[0]} --by {keys[1]}: one key at a time divides the events; leave out the other")
    return keys


def _print_summary(options: argparse.Namespace, summary: AggregateSummary) -> int:
    """Print what came of it; returns the exit status."""
    for path, number in _first(summary.bad):
        print_notice(f"{path}: {number:,} bad {'record' if number == 1 else 'records'}, left out")
    for _, what in _first(summary.without_key):
        print_notice(what)
    _tell_failed(summary.failed)
    if not summary.series:
        print_notice("no interval in any input: nothing is written")
        return summary.status or Exit.NO_INTERVAL
    read = summary.inputs - len(summary.failed)
    before = f" ({summary.known_before} of them before)" if summary.known_before else ""
    bad = sum(summary.bad.values())
    print_notice(
        f"{options.output}: {summary.events:,.0f} events of {summary.series} series in {summary.intervals:,} "
        f"intervals, {summary.waited:,.3f} s waited; from {read} of {summary.inputs} files{before}; "
        f"bad records: {bad:,}"
    )
    return summary.status


def _tell_failed(failed: Mapping[str, str]) -> None:
    """Say why files cannot be read; which formats are known only once, after several of them."""
    from ...recognise import KNOWN_FORMATS

    known: dict[str, None] = {}
    for path, why in _first(failed):
        about, mark, formats = why.rpartition(f". {KNOWN_FORMATS}")
        if mark and len(failed) > 1:
            known[formats] = None
            why = about
        print_notice(why if why.startswith(path) else f"{path}: {why}")
    for formats in known:
        print_notice(f"{KNOWN_FORMATS}{formats}")


def _first(of: Mapping[str, Told]) -> list[tuple[str, Told]]:
    """The first files with something to say, after how many there are."""
    if len(of) > SHOWN:
        print_notice(f"of {len(of)} files with something to be said, the first {SHOWN}:")
    return sorted(of.items())[:SHOWN]

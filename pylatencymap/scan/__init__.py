"""Scans large event files many lines at a time with numpy, with the same result as the line decoder.

A scan passes every line that it is not sure about to its collector's line decoder, its twin.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .byte_words import (
        BYTES as BYTES,
        ZEROS as ZEROS,
        ByteWords as ByteWords,
        Flags as Flags,
        Places as Places,
        WordRows as WordRows,
        all_within as all_within,
        as_word as as_word,
        eight_digits as eight_digits,
        first_bytes as first_bytes,
        headroom as headroom,
        number_before_blank as number_before_blank,
        run_starts as run_starts,
    )
    from .chunk import Chunk as Chunk
    from .contract import (
        HEAD_BYTES as HEAD_BYTES,
        ChunkCounts as ChunkCounts,
        ChunkEvents as ChunkEvents,
        FileHead as FileHead,
        Fit as Fit,
        HasKeyContext as HasKeyContext,
        Head as Head,
        KeyContext as KeyContext,
        Scan as Scan,
        ScanModule as ScanModule,
        account_of as account_of,
    )
    from .counts import (
        Axis as Axis,
        PackedBins as PackedBins,
        batches_of as batches_of,
        buckets_of as buckets_of,
        sums_of_bins as sums_of_bins,
    )
    from .fields import (
        Bytes as Bytes,
        DecimalFormat as DecimalFormat,
        FieldReader as FieldReader,
        WordStarts as WordStarts,
        as_signed as as_signed,
        decimal_format as decimal_format,
        doubtful_lines as doubtful_lines,
        lines_at as lines_at,
        matching_places as matching_places,
    )
    from .file import (
        DeferredReport as DeferredReport,
        FileScanner as FileScanner,
        FileToScan as FileToScan,
        MakeBins as MakeBins,
        count_pieces as count_pieces,
        count_split as count_split,
    )
    from .keyed.distinct import (
        NumberFields as NumberFields,
        SaidBySome as SaidBySome,
        first_of_words as first_of_words,
        keys_alike as keys_alike,
        keys_said as keys_said,
        numbers_said as numbers_said,
        value_named as value_named,
    )
    from .keyed.said import HasKeys as HasKeys, KeysOfLines as KeysOfLines
    from .keyed.scanners import KeyedScanner as KeyedScanner, ValueScanner as ValueScanner
    from .patterns import (
        LONGEST_PREFIX as LONGEST_PREFIX,
        Categories as Categories,
        LinePrefix as LinePrefix,
        LinePrefixes as LinePrefixes,
        RowSubset as RowSubset,
        usual_number as usual_number,
    )
    from .reader import (
        PIECE as PIECE,
        CountedChunks as CountedChunks,
        NotScannable as NotScannable,
        PlainChunks as PlainChunks,
        Seam as Seam,
        SplitChunks as SplitChunks,
        StreamedChunks as StreamedChunks,
        TextChunks as TextChunks,
        scan_chunks as scan_chunks,
        tail as tail,
    )
    from .records.reader import BulkReader as BulkReader
    from .selection import EventScanner as EventScanner, EventsOfChunk as EventsOfChunk, WantedEvents as WantedEvents
    from .sums import NO_SUMS as NO_SUMS, SERIES as SERIES, OwnerSums as OwnerSums, sum_events as sum_events
    from .time_check import StrayTimes as StrayTimes
    from .workers import FORKS as FORKS
else:
    __getattr__ = lazily(
        __name__,
        {
            "byte_words": (
                "BYTES ByteWords Flags Places WordRows ZEROS all_within as_word eight_digits first_bytes "
                "headroom number_before_blank run_starts"
            ),
            "chunk": "Chunk",
            "contract": (
                "ChunkCounts ChunkEvents FileHead Fit HEAD_BYTES HasKeyContext Head KeyContext Scan ScanModule "
                "account_of"
            ),
            "fields": (
                "Bytes DecimalFormat FieldReader WordStarts as_signed decimal_format doubtful_lines "
                "lines_at matching_places"
            ),
            "counts": "Axis PackedBins batches_of buckets_of sums_of_bins",
            "file": "DeferredReport FileScanner FileToScan MakeBins count_pieces count_split",
            "keyed.distinct": "NumberFields SaidBySome first_of_words keys_alike keys_said numbers_said value_named",
            "keyed.said": "HasKeys KeysOfLines",
            "keyed.scanners": "KeyedScanner ValueScanner",
            "patterns": "Categories LONGEST_PREFIX LinePrefix LinePrefixes RowSubset usual_number",
            "reader": "CountedChunks NotScannable PIECE PlainChunks Seam SplitChunks StreamedChunks TextChunks "
            "scan_chunks tail",
            "records.reader": "BulkReader",
            "selection": "EventScanner EventsOfChunk WantedEvents",
            "sums": "NO_SUMS OwnerSums SERIES sum_events",
            "time_check": "StrayTimes",
            "workers": "FORKS",
        },
    )

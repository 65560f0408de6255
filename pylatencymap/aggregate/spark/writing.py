"""Writes the output in one task, from blocks that were added, and sends it to the driver in pieces."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from ..merging import AggregateSummary, ToWrite
from ..outputs import Output
from ..portions import EVENTS, Portion, PortionBlock
from ..streams import EventStream
from .rows import PIECES, BlockRow, PieceRow, batches_of_rows, rows_of

_PIECE = 1 << 20
SUMMARY = -1
"""The offset of the row with the summary."""


def write_output(to_write: ToWrite, output: Output, batches: Iterable[Any]) -> Iterator[Any]:
    """Write the streams whose blocks come as rows; yields the pieces of the output, and a summary: for
    ``mapInArrow``.
    """
    with TemporaryDirectory(prefix="pylatencymap-") as name:
        folder, summary = Path(name), AggregateSummary()
        with open(folder / "blocks", "w+b") as spool:
            _take_in(to_write, spool, rows_of(batches))
            output.target = folder / output.target.name
            to_write.write(output, folder, summary)
            made = output.complete()
        told = {name: asdict(summary)[name] for name in ("intervals", "events", "waited")}
        rows = (PieceRow(number, *one) for number, one in enumerate(_pieces(made)))
        yield from batches_of_rows(rows, PIECES)
        yield from batches_of_rows([PieceRow(0, "", SUMMARY, json.dumps(told).encode())], PIECES)


def _take_in(to_write: ToWrite, spool: BinaryIO, rows: Iterable[tuple[Any, ...]]) -> None:
    """Put the blocks into a file, and tell the streams where they are."""
    blocks: dict[int, list[PortionBlock]] = defaultdict(list)
    for row in map(BlockRow._make, rows):
        blocks[row.stream].append(PortionBlock(row.number, spool.tell(), len(row.data)))
        spool.write(row.data)
    spool.flush()
    read = partial(_block_in, spool)
    for number, (stream, named) in enumerate(zip(to_write.streams, to_write.names, strict=True)):
        of_stream = sorted(blocks[number])
        if isinstance(stream, EventStream):
            series = sorted(one.words for one in named)
            index = {"kind": EVENTS, "series": series, "extents": [], "blocks": of_stream, "about": {}}
            stream.hold(Portion(index, read))
        else:
            stream.portion.blocks, stream.portion.read = of_stream, read


def _block_in(spool: BinaryIO, block: PortionBlock) -> bytes:
    return os.pread(spool.fileno(), block.length, block.offset)


def _pieces(made: Path) -> Iterator[tuple[str, int, bytes]]:
    """The files of the output, in pieces: name below the output, place and bytes. A file without any bytes is one."""
    files = [made] if made.is_file() else sorted(one for one in made.rglob("*") if one.is_file())
    for path in files:
        name = "" if path == made else str(path.relative_to(made))
        with path.open("rb") as file:
            place = 0
            while (data := file.read(_PIECE)) or not place:
                yield name, place, data
                place += max(len(data), 1)


def received(rows: Iterable[Any], folder: Path, summary: AggregateSummary) -> Path:
    """Put the pieces of an output together in a folder; returns where it is."""
    made = folder / "received"
    for _, name, offset, data in rows:
        if offset == SUMMARY:
            for field, value in json.loads(bytes(data)).items():
                setattr(summary, field, value)
            continue
        path = made / name if name else made
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
        try:
            os.pwrite(descriptor, bytes(data), offset)
        finally:
            os.close(descriptor)
    return made

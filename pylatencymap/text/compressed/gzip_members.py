"""Decompresses the members of a gzip file, up to the first damage."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from .breaks import CHUNK, DAMAGED, WRONG_SUM, DamagedData

GZIP_MAGIC = b"\x1f\x8b"
_WRONG_SUMS = ("incorrect data check", "incorrect length check")
"""How zlib says that the end of a member does not fit its text."""


class GzipMembers:
    """Decompresses the members of a gzip file one after the other; zero bytes between and after members are padding."""

    def __init__(self) -> None:
        self._member = _new_member()
        self._begun = False

    @property
    def is_within(self) -> bool:
        """Whether a member has begun but not ended."""
        return self._begun

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data := data if self._begun else data.lstrip(b"\0"):
            self._begun = True
            before = self._member.copy()
            try:
                text = self._member.decompress(data, CHUNK)
            except zlib.error as error:
                if text := _undamaged(before, data):
                    yield text
                is_sum = str(error).endswith(_WRONG_SUMS)
                raise DamagedData(WRONG_SUM if is_sum else DAMAGED) from error
            if text:
                yield text
            data = self._member.unconsumed_tail
            if self._member.eof:
                data = self._member.unused_data
                self._member, self._begun = _new_member(), False

    def rest(self) -> bytes:
        return self._member.flush()


def _new_member() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def _undamaged(member: zlib._Decompress, data: bytes) -> bytes:
    """The text of the bytes before the damage: they are decompressed again, in ever smaller steps."""
    found, place, step = b"", 0, len(data)
    while step and place < len(data):
        before = member.copy()
        try:
            text = member.decompress(data[place : place + step], CHUNK - len(found))
        except zlib.error:
            member, step = before, step // 2
            continue
        found += text
        if member.unconsumed_tail or member.eof or len(found) >= CHUNK:
            break
        place += step
    return found

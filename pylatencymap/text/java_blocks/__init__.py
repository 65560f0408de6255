"""Blocks of the Java libraries lz4-java and snappy-java, as Spark writes them: neither is the format of the command lz4
or of snzip.
"""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .blocks import BLOCK_MAGICS as BLOCK_MAGICS, block_text as block_text
else:
    __getattr__ = lazily(__name__, {"blocks": "BLOCK_MAGICS block_text"})

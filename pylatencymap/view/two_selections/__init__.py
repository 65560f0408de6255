"""A and B: their signs on the time axis, and the table of what they differ in."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .columns import (
        SIDE_ENDS as SIDE_ENDS,
        SideColumns as SideColumns,
        SideTexts as SideTexts,
        average_text as average_text,
        columns_beside as columns_beside,
        side_texts as side_texts,
        signed_text as signed_text,
    )
    from .signs import (
        LEFT_OF_SCREEN as LEFT_OF_SCREEN,
        SideBrace as SideBrace,
        chip_style as chip_style,
        find_braces as find_braces,
        word_style as word_style,
    )
    from .table import (
        has_table as has_table,
        least_table_lines as least_table_lines,
        lines_of_table as lines_of_table,
        maps_beside as maps_beside,
        sides_lines as sides_lines,
        table_demand as table_demand,
        without_texts as without_texts,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "columns": "SIDE_ENDS SideColumns SideTexts average_text columns_beside side_texts signed_text",
            "signs": "LEFT_OF_SCREEN SideBrace chip_style find_braces word_style",
            "table": "has_table least_table_lines lines_of_table maps_beside sides_lines table_demand without_texts",
        },
    )

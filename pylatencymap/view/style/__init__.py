"""Defines what the other stages draw with: view options, styles, glyphs, colours and styled text."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .background import (
        BACKGROUND_QUERY as BACKGROUND_QUERY,
        background_from_environment as background_from_environment,
        background_from_rgb as background_from_rgb,
        parse_osc11 as parse_osc11,
    )
    from .colour_depth import (
        ColourDepth as ColourDepth,
        detect_depth as detect_depth,
        environ_as_given as environ_as_given,
    )
    from .options import (
        AUTO as AUTO,
        AUTO_CURVES as AUTO_CURVES,
        BACKGROUNDS as BACKGROUNDS,
        BOTH_MAPS as BOTH_MAPS,
        CURVES as CURVES,
        FALLBACK_SIZE as FALLBACK_SIZE,
        FREQUENCY as FREQUENCY,
        INTENSITY as INTENSITY,
        LEAST_SIZE as LEAST_SIZE,
        MAPS as MAPS,
        MOST_COLUMNS as MOST_COLUMNS,
        MOST_LINES as MOST_LINES,
        NO_CURVES as NO_CURVES,
        ON_MAP as ON_MAP,
        PALETTES as PALETTES,
        SCALES as SCALES,
        STRIP as STRIP,
        ViewOptions as ViewOptions,
    )
    from .ramps import Rgb as Rgb, hex_of as hex_of
    from .styled_text import StyledText as StyledText
    from .styles import NOTICE as NOTICE, Ink as Ink, style_parts as style_parts
    from .theme import GROUNDS as GROUNDS, faded_theme as faded_theme, rgb_of as rgb_of, theme_of as theme_of
else:
    __getattr__ = lazily(
        __name__,
        {
            "background": "BACKGROUND_QUERY background_from_environment background_from_rgb parse_osc11",
            "colour_depth": "ColourDepth detect_depth environ_as_given",
            "options": (
                "AUTO AUTO_CURVES BACKGROUNDS BOTH_MAPS CURVES FALLBACK_SIZE FREQUENCY INTENSITY LEAST_SIZE MAPS "
                "MOST_COLUMNS MOST_LINES NO_CURVES ON_MAP PALETTES SCALES STRIP ViewOptions"
            ),
            "ramps": "Rgb hex_of",
            "styled_text": "StyledText",
            "styles": "Ink NOTICE style_parts",
            "theme": "GROUNDS faded_theme rgb_of theme_of",
        },
    )

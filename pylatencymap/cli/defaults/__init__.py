"""Options that a user sets once for all commands, in the environment or in the configuration file."""

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .configured import CONFIGURABLE as CONFIGURABLE, parsed_with_defaults as parsed_with_defaults
else:
    __getattr__ = lazily(__name__, {"configured": "CONFIGURABLE parsed_with_defaults"})

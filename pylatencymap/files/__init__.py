"""Writes files that are whole at every moment: replaced at once when the new one is complete, or grown piece by piece.
And finds and reads the configuration file.

``replace_file``, ``replacing`` and ``saving_folder`` are for files that appear when they are complete, ``GrowingFile``
is for those that others can read while they are written.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .config_file import ConfigFile as ConfigFile, config_path as config_path, read_config as read_config
    from .growing_file import GrowingFile as GrowingFile
    from .whole_file import (
        replace_file as replace_file,
        replacing as replacing,
        saving_folder as saving_folder,
        sync_file as sync_file,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "config_file": "ConfigFile config_path read_config",
            "growing_file": "GrowingFile",
            "whole_file": "replace_file replacing saving_folder sync_file",
        },
    )

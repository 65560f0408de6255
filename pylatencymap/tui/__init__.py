"""The live terminal."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .app import App as App
    from .main_view import MainView as MainView
else:
    __getattr__ = lazily(
        __name__,
        {
            "app": "App",
            "main_view": "MainView",
        },
    )

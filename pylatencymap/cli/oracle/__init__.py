"""The command oralatencymap: live wait events, history from AWR, and the login both need."""

from .command import run as run

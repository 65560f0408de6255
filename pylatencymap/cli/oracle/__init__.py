"""The command oralatencymap: live wait events, history from AWR or Statspack, and the login that all need."""

from .command import run as run

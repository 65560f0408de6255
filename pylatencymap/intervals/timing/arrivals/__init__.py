"""Corrects the times of arrival of live snapshots that were held up, in the source or in our own reading."""

from .by_arrival import time_by_arrival as time_by_arrival

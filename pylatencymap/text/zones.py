"""Time zones by name, and the machine's own zone."""

import time
from datetime import datetime, timedelta, timezone, tzinfo

from ..errors import UsageError


class LocalZone(tzinfo):
    """The machine's own zone, with the zone name and the daylight saving time of each moment."""

    def fromutc(self, moment: datetime) -> datetime:
        local = time.localtime(moment.replace(tzinfo=timezone.utc).timestamp())
        shifted = moment + timedelta(seconds=local.tm_gmtoff)
        repeated = shifted.timestamp() != moment.replace(tzinfo=timezone.utc).timestamp()
        return shifted.replace(fold=int(repeated))

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(seconds=self._local(moment).tm_gmtoff)

    def dst(self, _: datetime | None) -> timedelta | None:
        return None  # time.localtime does not give its share of the offset, and no caller asks for it

    def tzname(self, moment: datetime | None) -> str:
        return self._local(moment).tm_zone

    def _local(self, moment: datetime | None) -> time.struct_time:
        return time.localtime() if moment is None else time.localtime(moment.replace(tzinfo=None).timestamp())


def zone_named(name: str | None) -> tzinfo:
    """The zone with a name such as ``Europe/Zurich`` or ``UTC``; None is the local zone. Raises UsageError."""
    if name is None:
        return LocalZone()
    if name.upper() == "UTC":
        return timezone.utc
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(f"--tz {name}: no such time zone; write a name as in Europe/Zurich or UTC") from error

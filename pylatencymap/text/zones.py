"""Time zones by name, the machine's own zone, and moments as options take them."""

import os
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
        if moment is None:
            return timedelta(seconds=time.localtime().tm_gmtoff)
        whole = moment.replace(microsecond=0, tzinfo=None)  # where clocks skip it, its offset is that of no moment
        return (whole - datetime(1970, 1, 1)) - timedelta(seconds=round(whole.timestamp()))

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


def micros_at(moment: datetime) -> int:
    """Epoch microseconds of a moment that has a zone. A time of day that clocks skip, when they are put forward, is the
    moment at which they are.
    """
    whole = moment.replace(microsecond=0)
    early, late = (round(whole.replace(fold=fold).timestamp()) for fold in (1, 0))
    if early >= late:  # where it comes once both are the same, where it comes twice the first has fold=0
        return round(whole.timestamp()) * 1_000_000 + moment.microsecond
    offset = datetime.fromtimestamp(early, moment.tzinfo).utcoffset()
    while late - early > 1:
        middle = (early + late) // 2
        if datetime.fromtimestamp(middle, moment.tzinfo).utcoffset() == offset:
            early = middle
        else:
            late = middle
    return late * 1_000_000


LOCAL_ZONE = "/etc/localtime"
_ZONES = "zoneinfo/"


def zone_name(zone: tzinfo) -> str:
    """The name by which ``zone_named`` finds a zone on any machine; empty where there is none. The machine's own zone
    has it in $TZ, else in the path of its file.
    """
    if zone is timezone.utc:
        return "UTC"
    if not isinstance(zone, LocalZone):
        return str(getattr(zone, "key", ""))
    given = os.environ.get("TZ")
    path = os.path.realpath(LOCAL_ZONE) if given is None else given.removeprefix(":")
    name = path.rpartition(_ZONES)[2].removeprefix("posix/").removeprefix("Etc/")
    if not name or (given is None and not os.path.exists(path)):
        return "UTC"  # as the C library has it
    try:
        zone_named(name)
    except UsageError:
        return ""
    return name


def comes_twice(at: datetime) -> bool:
    """Whether a moment is in an hour that comes twice, when clocks are put back."""
    return at.replace(fold=0).utcoffset() != at.replace(fold=1).utcoffset()


def moment_option(micros: int, zone: tzinfo) -> str:
    """A moment as ``--from``, ``--to`` and ``FILE@FROM..TO`` take it, with ``--tz`` or without: exact seconds of the
    epoch where it is within a second. Where clocks are put back, or the zone has no name, its offset tells which of two
    moments is meant.
    """
    seconds, rest = divmod(micros, 1_000_000)
    if rest:
        return f"{seconds}.{rest:06d}"
    at = datetime.fromtimestamp(seconds, zone)
    return at.isoformat(" ") if comes_twice(at) or not zone_name(zone) else f"{at:%Y-%m-%d %H:%M:%S}"

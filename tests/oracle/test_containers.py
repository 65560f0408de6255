"""Whose waits: series of each container, with exact times, through the real driver's socket and without it."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.oracle.connection.privileges import container_data
from pylatencymap.oracle.views import SessionPlace, find_place, find_views
from tests.oracle.conftest import READS, SYNC, InProcess, Story

Make = Callable[..., Story]


@pytest.fixture
def cdb(story: Make) -> Make:
    """A story in a CDB, in the root or in the container ``pdb``."""

    def make(pdb: str | None = None, **given: Any) -> Story:
        told = story(exact=True, by_container=True, **{"containers": (), **given})
        told.mock.containers = {1: "CDB$ROOT", 2: "PDB$SEED", 3: "SALES", 4: "HR"}
        told.mock.default_session = told.mock.session_for("mon", pdb)
        return told

    return make


def waits_of(told: Story, found: list[Interval], series: str) -> tuple[float, float]:
    """Events and seconds of a series, and those of the mock in the same time."""
    from datetime import datetime, timezone

    own = [one for one in found if one.series == series]
    event, _, rest = series.rpartition("@")
    number, _, container = rest.partition("/")
    span = (datetime.fromtimestamp(at / 1e6, timezone.utc) for at in (own[0].start, own[-1].end))
    con = told.mock.container_number(container)
    before, after = (told.mock.exact(event, instance=int(number), at=at, container=con) for at in span)
    assert sum(one.events for one in own) == after[0] - before[0]
    assert not any(one.estimated for one in own)
    return sum(one.waited or 0 for one in own), (after[1] - before[1]) / 1e6


def test_from_the_root_each_container_has_series_of_its_own(cdb: Make) -> None:
    told = cdb(events=[READS, SYNC])
    found = told.run(300)
    names = {one.series for one in found}
    assert {f"{READS}@1/SALES", f"{READS}@2/HR", f"{SYNC}@1/HR", f"{SYNC}@2/SALES"} <= names
    assert not [name for name in names if "SEED" in name or "/" not in name]
    for name in (f"{READS}@1/SALES", f"{READS}@2/HR", f"{SYNC}@1/HR"):
        ours, true = waits_of(told, found, name)
        assert ours == pytest.approx(true, rel=1e-6)


def test_only_the_containers_that_are_named(cdb: Make) -> None:
    told = cdb(containers=("SALES",))
    assert {one.series for one in told.run(30)} == {f"{READS}@1/SALES", f"{READS}@2/SALES"}


def test_from_a_container_its_own(cdb: Make) -> None:
    told = cdb("HR")
    told.mock.hide_view("v$containers")
    found = told.run(60)
    assert {one.series for one in found} == {f"{READS}@1/HR", f"{READS}@2/HR"}
    (said,) = told.said
    assert said.startswith("containers are called by their numbers")
    assert "GRANT READ ON SYS.V_$CONTAINERS TO mon;" in said


def test_from_the_root_without_their_names_they_have_numbers(cdb: Make) -> None:
    told = cdb()
    told.mock.hide_view("v$containers")
    assert {f"{READS}@1/3", f"{READS}@1/4"} <= {one.series for one in told.run(30)}


def test_members_that_come_and_go(cdb: Make) -> None:
    told = cdb("SALES")
    told.happens[31.0] = lambda: told.mock.leave(2)
    told.happens[61.0] = lambda: told.mock.join(2)
    told.happens[91.0] = lambda: told.mock.join(3)
    found = told.run(300)
    assert {one.series for one in found} == {f"{READS}@{number}/SALES" for number in (1, 2, 3)}
    assert any(one.reset for one in found if one.series == f"{READS}@2/SALES")
    assert all(one.waited is None or one.waited >= 0 for one in found)
    ours, true = waits_of(told, found, f"{READS}@1/SALES")
    assert ours == pytest.approx(true, rel=1e-6)


@pytest.mark.parametrize("version", ["12.2.0.1.0", "12.1.0.1.0"])
def test_a_release_without_the_view_is_told_what_to_do(cdb: Make, version: str) -> None:
    told = cdb()
    told.mock.set_version(version)
    with pytest.raises(SourceError) as error:
        told.run(30)
    for part in ("GV$CON_EVENT_HISTOGRAM_MICRO", "from 18c", "GRANT READ ON SYS.GV_$CON_EVENT_HISTOGRAM_MICRO TO mon;"):
        assert part in str(error.value)
    assert "Without --container" in str(error.value)


@pytest.mark.parametrize("fault", ["hide_view", "refuse_view"])
def test_without_the_sums_by_container_times_are_estimated(
    behind_a_socket: Callable[..., tuple[Story, Any]], fault: str
) -> None:
    told, _ = behind_a_socket(exact=True, by_container=True)
    told.mock.containers = {1: "CDB$ROOT", 3: "SALES"}
    told.mock.default_session = told.mock.session_for("mon")
    getattr(told.mock, fault)("gv$con_system_event")
    assert all(one.estimated for one in told.run(30))
    (said,) = told.said
    assert said.startswith("GV$CON_SYSTEM_EVENT cannot be read (ORA-")
    assert "GRANT READ ON SYS.GV_$CON_SYSTEM_EVENT TO mon;" in said


def test_where_we_are(cdb: Make, story: Make) -> None:
    for told, place in (
        (cdb("SALES"), SessionPlace(1, 3, "SALES")),
        (cdb(), SessionPlace(1, 1, "CDB$ROOT")),
        (story(), SessionPlace(1, 0, "mock")),
    ):
        connection: Any = InProcess(told.mock, told.dropped)
        assert find_place(connection) == place


def test_a_release_that_knows_of_no_container(story: Make) -> None:
    told = story()
    told.mock.fail_next(2003, match="CON_ID")
    connection: Any = InProcess(told.mock, told.dropped)
    assert find_place(connection) == SessionPlace(1, 0, "")
    views, notices = find_views(connection, False, "mon", SessionPlace(1, 0, ""))
    assert (views.sums, notices) == ("gv$system_event", [])


def test_a_common_user_needs_one_statement_more() -> None:
    assert container_data("c##mon").splitlines()[-1] == (
        "ALTER USER c##mon SET CONTAINER_DATA = ALL CONTAINER = CURRENT;"
    )
    assert all(line.startswith("--") for line in container_data("mon").splitlines())

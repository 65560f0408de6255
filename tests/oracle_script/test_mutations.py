"""A line of the script that is broken is noticed: each of these changes makes a test of the maps fail."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pylatencymap.oracle_script import script

Noticed = (AssertionError, LookupError, StopIteration, ValueError, AttributeError, RuntimeError)


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mutated_{name}", Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


maps, same, stream = _module("test_drawing"), _module("test_same_picture"), _module("test_stream_mode")


def truth(still: Any, run: Any, _: Any) -> None:
    maps.test_the_numbers_are_the_true_rates(still, run, maps.SYNC, 2)


def exact(still: Any, run: Any, _: Any) -> None:
    maps.test_averages_and_totals_are_exact(still, run, "")


def of_other_waits(_: Any, run: Any, rig: Any) -> None:
    stream.test_sums_that_come_to_count_other_waits_are_left_out(rig, run)


def any_case(still: Any, run: Any, _: Any) -> None:
    maps.test_an_event_with_capitals(still, run)


def restart(still: Any, run: Any, _: Any) -> None:
    maps.test_a_restart_of_one_instance_lets_the_others_stand(still, run)


def overflow(still: Any, run: Any, _: Any) -> None:
    maps.test_the_overflow_row_stands_apart(still, run)


def merged(still: Any, run: Any, _: Any) -> None:
    maps.test_rows_merge_at_the_edges(still, run)


def statistics(still: Any, run: Any, _: Any) -> None:
    maps.test_statistics_are_those_of_the_buckets(still, run)


def ending(still: Any, run: Any, sqlplus: Any) -> None:
    maps.test_sqlplus_is_left_as_it_was(still, sqlplus)
    maps.test_the_end_says_how_to_go_on(still, run)


def cancelled(still: Any, _: Any, sqlplus: Any) -> None:
    maps.test_no_error_ends_the_session(still, sqlplus, 1013)


def missing(still: Any, _: Any, sqlplus: Any) -> None:
    views = ("gv$event_histogram_micro", "gv$event_histogram")
    maps.test_what_is_missing_is_said_once_and_nothing_is_drawn(still, sqlplus, "19.12.0.0.0", views, True, "ORA-00942")


def arguments(still: Any, run: Any, _: Any) -> None:
    for case in ((), maps.READS, "3"), (("Log File Sync", "0.5"), maps.SYNC, "0.50"):
        maps.test_arguments_in_either_order(still, run, *case)


def sums(still: Any, run: Any, _: Any) -> None:
    maps.test_all_instances_are_added_up(still, run)


EDGES = "an edge that comes to hide much"


def order(still: Any, run: Any, _: Any) -> None:
    maps.test_it_sleeps_first_and_samples_after(still, run)


def cells(story: str, frames: int = same.FEW_FRAMES) -> Callable[[Any, Any, Any], None]:
    """The pictures of script and tool for a story; its script is broken too."""

    def check(still: Any, run: Any, _: Any) -> None:
        same.compare(same.STORIES[story], frames, still, run, run.path)

    return check


MUTATIONS: list[tuple[str, str, Callable[[Any, Any, Any], None]]] = [
    ("WHERE LOWER(REPLACE(event, '_', ' ')) = :olm_event &5", "WHERE event = :olm_event &5", any_case),
    (":olm_event := LOWER(REPLACE(", ":olm_event := (REPLACE(", any_case),
    (" = :olm_event &5", " = :olm_event", truth),
    ("SUM(wait_count) AS waits", "MAX(wait_count) AS waits", sums),
    ("GROUP BY inst_id, event, &olm_bound", "GROUP BY inst_id, event", sums),
    (":olm_sampled := sampled_micros;", ":olm_sampled := sampled_micros - 1000000;", truth),
    ("powers(k) := powers(k - 1) * 2;", "powers(k) := powers(k - 1) * 3;", truth),
    ("lower_micros(bucket) * grown(turn + LN(2)) / grown(turn)", "powers(bucket) * unit", truth),
    ("labels(row_at(position)) := latency_text(powers(position) * unit);", "labels(row_at(position)) := 'x';", truth),
    ("WHEN 'ms' THEN 1000\n", "WHEN 'ms' THEN 1024\n", truth),
    ("measured_digits(amount / thousands_of(amount))", "measured_digits(CEIL(amount / thousands_of(amount)))", sums),
    ("WHEN amount < 999.5 THEN TO_CHAR(ROUND(amount))", "WHEN amount < 999.5 THEN TO_CHAR(CEIL(amount) + 1)", truth),
    ("share_text(rate / total)", "share_text(rate / total / 2)", truth),
    ("WHEN part < 0.01 THEN '<1 %'", "WHEN part < 0.5 THEN '<1 %'", truth),
    ("OR totals(newest) = 0 THEN 0.001", "OR totals(newest) = 0 THEN 0.002", truth),
    ("CASE WHEN restarted THEN 0 ELSE number_at(old_counts, spot) END", "number_at(old_counts, spot)", restart),
    ("restarts := restarts + 1;", "NULL;", restart),
    ("new_counts(spot) < number_at(old_counts, spot)", "FALSE", restart),
    ("IF flags(col) IN ('R', 'G') THEN", "IF flags(col) IN ('G') THEN", restart),
    (":olm_open := k - 1;", ":olm_open := k;", overflow),
    ("THEN 4294967295 ELSE 4194304 END", "THEN 4294967297 ELSE 4194304 END", overflow),
    ("IF has_open AND line_no = row_count THEN", "IF FALSE THEN", overflow),
    ("'>= ' END || measured_text", "'' END || measured_text", overflow),
    ("labels(row_count) := open_label(powers(lowest - 1) * unit);", "NULL;", merged),
    ("IF below <= above THEN", "IF below > above THEN", cells(EDGES)),
    ("low_row := low_row + 1;", "low_row := low_row + 2;", cells(EDGES)),
    ("RETURN GREATEST(part_at(", "RETURN LEAST(part_at(", cells("an edge with much time")),
    ("hidden_at_edges(TRUE)) > 0.01;", "hidden_at_edges(TRUE)) > 0.03;", cells(EDGES)),
    ("RETURN total - largest;", "RETURN total;", cells(EDGES)),
    ("CEIL((position - first_bucket + 1) *", "CEIL((position - first_bucket + 0.5) *", cells("wide, few rows")),
    ("THEN ' ' ELSE '*' END;", "THEN ' ' ELSE ' ' END;", cells(EDGES)),
    ("IF held(columns_at) >= hold_columns THEN", "IF FALSE THEN", cells("shrinking", same.FRAMES)),
    ("held(columns_at) + new_columns", "held(columns_at) + 2", cells("shrinking", same.FRAMES)),
    ("first_bucket := -held_value(3, -used_low);", "first_bucket := used_low;", cells("shrinking", same.FRAMES)),
    (":olm_held := items;", ":olm_held := NULL;", cells("shrinking", same.FRAMES)),
    ("CEIL(maxima.COUNT / 20) + 1", "CEIL(maxima.COUNT / 20)", cells("hot")),
    ("most <= 2 * follower", "most <= 200 * follower", cells("hot")),
    ("beyond_scale CONSTANT NUMBER := 1.25;", "beyond_scale CONSTANT NUMBER := 1;", cells("noisy")),
    ("maximum * step * step / (top_step * top_step)", "maximum * step / top_step", cells("steady")),
    ("cool CONSTANT VARCHAR2(21) := ' 18 20", "cool CONSTANT VARCHAR2(21) := ' 18 19", cells("steady")),
    ("top_step CONSTANT PLS_INTEGER := 7;", "top_step CONSTANT PLS_INTEGER := 6;", cells("steady")),
    (
        "spike_factor CONSTANT PLS_INTEGER := 10;",
        "spike_factor CONSTANT PLS_INTEGER := 1000;",
        cells("restart from high"),
    ),
    ("ROUND(span / usual_of(:olm_spans))", "1", cells("slow")),
    (
        "new_counts(spot) := old_counts(spot);\n        END IF;\n      END LOOP;\n      is_known",
        "NULL;\n        END IF;\n      END LOOP;\n      is_known",
        cells("vanishing"),
    ),
    ("found := possible_micros(own, wanted);", "found := wanted * 1.01;", cells("hot, exact")),
    ("room_of(spot - base) * GREATEST", "0 * GREATEST", cells("noisy, exact")),
    ("RETURN ABS(total - counted) <= 20", "RETURN ABS(total - counted) >= 20", exact),
    (" AND agree(total - first_total, counted - first_counted, widest);", ";", of_other_waits),
    ("OR present.COUNT = 0 THEN", "THEN", cells("restart from high")),
    ("surplus := surplus - 1;", "surplus := 0;", cells("slow")),
    ("found(bucket) + missing * unsure(bucket) / whole", "found(bucket)", cells("noisy, exact")),
    ("low := middle;\n      ELSE", "NULL;\n      ELSE", cells("noisy, exact")),
    ("/ from_there);", "/ upto);", cells("idle, exact")),
    ("total := total + counts(bucket);", "total := total + 1;", statistics),
    ("below := below + counts(bucket);", "below := below + 1;", statistics),
    ("percentile(counts, total, 0.9,", "percentile(counts, total, 0.8,", statistics),
    ("UNDEFINE 1 2 3 4 5 ", "UNDEFINE 1 2 3 4 ", ending),
    ("COLUMN olm_view CLEAR\n", "", ending),
    ("SET LINESIZE 80 LONG 80 LONGCHUNKSIZE 80 TAB ON SQLBLANKLINES OFF\n", "", ending),
    ("SET FEEDBACK 6 VERIFY ON HEADING ON PAGESIZE 14\n", "", ending),
    ("WHEN 'stream' THEN 'OFF' ELSE 'ON'", "WHEN 'stream' THEN 'OFF' ELSE 'OFF'", ending),
    ("ELSE 'CONTINUE'", "ELSE 'EXIT FAILURE'", cancelled),
    ("WHEN 1 THEN '--' END AS olm_skip", "WHEN 2 THEN '--' ELSE '--' END AS olm_skip", missing),
    ("ELSE 'NULL' END AS olm_pause", "ELSE '&olm_sleep(3)' END AS olm_pause", missing),
    ("seconds_given := event_given;\n      event_given := held_back;", "event_given := held_back;", arguments),
    ("SELECT '' \"1\", '' \"2\",", "SELECT '' \"1\",", arguments),
    ("NVL(event_given, 'db file sequential read')", "event_given", arguments),
    ("EXEC &olm_pause\n/\nPRINT", "/\nEXEC &olm_pause\nPRINT", order),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new", "check"), MUTATIONS, ids=[str(number) for number in range(len(MUTATIONS))])
def test_a_broken_line_is_noticed(
    old: str,
    new: str,
    check: Callable[[Any, Any, Any], None],
    still: Callable[..., Any],
    run: Callable[..., Any],
    sqlplus: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(hours: float = 1 / 60) -> str:
        text = script(hours)
        assert old in text, "the line is no more: change this test with it"
        return text.replace(old, new)

    path = tmp_path / "broken.sql"
    path.write_text(broken())
    monkeypatch.setattr(same, "script", broken)

    def run_broken(*args: str, **options: Any) -> Any:
        return run(*args, **{"path": path} | options)

    run_broken.path = tmp_path / "story.sql"  # type: ignore[attr-defined]

    def sqlplus_broken(*args: str, **options: Any) -> Any:
        return sqlplus(*args, **{"path": path} | options)

    with pytest.raises(Noticed):
        check(still, run_broken, sqlplus_broken)

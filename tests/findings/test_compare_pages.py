"""Pages of comparisons: what stands where, and that names from outside cannot become anything else."""

import json

import numpy as np

from pylatencymap.api.comparing import draw_compared
from pylatencymap.findings import SeriesComparison, SeriesRun, compare_sides, table_lines, verdict_lines
from pylatencymap.findings.comparison.table import table_rows
from pylatencymap.text import text_width
from pylatencymap.view.style import ViewOptions
from tests.findings.sides import SLOWER, UTC, compared, findings, gap, load, run_of


def test_the_table_has_a_row_for_each_thing() -> None:
    lines = table_lines(compared(load(seed=1), load(seed=2, shares=SLOWER)), 80)
    labels = [line[:13].strip() for line in lines]
    assert labels == [
        "", "rate", "time waited", "p50", "p90", "p99", "above 1.02 ms", "of the wait", "32-256 us", "4.10-16.4 ms",
    ] or labels[:8] == ["", "rate", "time waited", "p50", "p90", "p99", "above 1.02 ms", "of the wait"]  # fmt: skip
    assert lines[0].split() == ["BEFORE", "AFTER", "change", "95", "%", "interval"]
    assert max(map(len, lines)) <= 80
    assert not any("interval" in line for line in table_lines(compared(load(), load(seed=2)), 70))


def test_the_time_waited_is_estimated_or_known() -> None:
    estimated = table_lines(compared(load(seed=1), load(seed=2)), 80)[2]
    assert estimated.startswith("time waited")
    assert estimated.endswith("estimated")
    one = load(seed=1)
    counts = one.selection.counts.T
    exact = table_lines(compared(run_of(counts, waited=0.5), run_of(counts, waited=1.0)), 80)[2]
    assert exact.split() == ["time", "waited", "500", "ms/s", "1.00", "s/s", "x", "2.0", "2.0", "to", "2.0"]


def interval_of_wait(before: SeriesRun, after: SeriesRun) -> tuple[float, float]:
    (row,) = [row for row in table_rows(compared(before, after)) if row.label == "time waited"]
    low, _, high = row.interval.removesuffix(", estimated").partition(" to ")
    return float(low), float(high)


def test_the_interval_of_the_time_waited_holds_what_was_planted() -> None:
    """In rows of an octave an estimate may be wrong by more than the ratio of two runs of one load differs from 1."""
    low, high = interval_of_wait(load(seed=1), load(seed=2))
    assert 0.6 < low < 1 < high < 1.7
    low, high = interval_of_wait(load(seed=1), load(seed=2, rate=1200.0))
    assert 1 < low < 3 < high
    steady = load(seed=1).selection.counts.T
    low, high = interval_of_wait(run_of(steady, waited=0.50), run_of(steady, waited=0.51))
    assert low == high == 1.02


def test_a_table_has_what_there_is_room_for() -> None:
    one = compared(load(seed=1), load(seed=2, shares=SLOWER))
    heads = {columns: table_lines(one, columns)[0].split() for columns in (80, 60, 40)}
    assert heads[60] == ["BEFORE", "AFTER", "change"]
    assert heads[40] == ["BEFORE", "->", "AFTER"]
    for columns in (80, 60, 40, 24):
        assert max(map(text_width, table_lines(one, columns))) <= columns
        page = findings(load(seed=1), load(seed=2, shares=SLOWER)).text(columns)
        assert max(map(text_width, page.splitlines())) <= columns


def test_a_narrow_page_cuts_nothing() -> None:
    """Every word and figure of the wide table stands in the narrow list, in order, but the intervals."""
    one = compared(load(seed=1), load(seed=2, shares=SLOWER))
    for columns in range(24, 60):
        head, *lines = table_lines(one, columns)
        between, last = (" -> ", ", ") if head == "BEFORE -> AFTER" else (" ", " ")
        said = " ".join(" ".join(lines).split())
        for row in table_rows(one):
            assert f"{row.label.strip()} {row.before}{between}{row.after}{last}{row.change}" in said
    for columns in range(24, 120):
        assert "\u2026" not in findings(load(seed=1), load(seed=2, shares=SLOWER)).text(columns)


def test_the_bold_part_of_a_verdict_is_the_same_at_each_width() -> None:
    one = compared(load(seed=1), load(seed=2, shares=SLOWER))
    for columns in (24, 31, 40, 77):
        bold = " ".join(head.strip() for head, _ in verdict_lines(one, columns) if head)
        assert bold.startswith("AFTER is slower, sure:")
        said = " ".join(f"{head}{rest}" for head, rest in verdict_lines(one, columns))
        assert said == " ".join(f"{head}{rest}" for head, rest in verdict_lines(one, 2000))


def cells_of(one: SeriesComparison) -> dict[str, tuple[str, ...]]:
    return {row.label: row[1:] for row in table_rows(one)}


def test_a_side_without_data_has_no_figures_and_no_change() -> None:
    cells = cells_of(compared(gap(60), load(60)))
    assert cells["rate"] == ("no data", "399/s", "", "")
    assert cells["time waited"][0] == "no data"
    assert cells["p99"][0] == "no data"
    assert not any("above" in label or "-" in label for label in cells)
    assert findings(gap(60), load(60)).as_dict()["series"][0]["before"]["rate"] is None
    assert "UTC, no data" in findings(gap(60), load(60)).text()


def test_a_side_without_events_has_a_rate_of_zero() -> None:
    cells = cells_of(compared(run_of(np.zeros((24, 60))), load(60)))
    assert cells["rate"] == ("0/s", "399/s", "", "")
    assert cells["time waited"][0] == "none"
    assert cells["p99"][0] == "no I/Os"
    said = findings(run_of(np.zeros((24, 60))), load(60)).as_dict()["series"][0]
    assert (said["before"]["rate"], said["modes"], said["rate"]["ratio"]) == (0, [], None)


def test_verdicts_in_lines_keep_what_stands_out() -> None:
    one = compared(load(seed=1), load(seed=2, shares=SLOWER))
    lines = verdict_lines(one, 40)
    assert all(len(bold + rest) <= 40 for bold, rest in lines)
    assert lines[0][0] == "AFTER is slower, sure:"
    assert "".join(bold for bold, _ in lines[1:3]) == ""
    assert (
        findings(load(seed=1), load(seed=2, shares=SLOWER)).verdict.split()
        == " ".join(bold + rest for bold, rest in lines).split()
    )


def test_a_long_head_goes_on_in_the_next_line() -> None:
    one = compared(load(seed=1), load(seed=2))
    lines = verdict_lines(one, 24)
    assert lines[0] == ("No difference that these", "")
    assert lines[1][0] == "data could show:"


def test_markdown_escapes_names() -> None:
    page = compare_sides([{"<b>|x|": load(seed=1)}], [{"<b>|x|": load(seed=2)}], UTC).markdown()
    assert page.startswith("## \\<b\\>\\|x\\|\n")
    assert "<b>" not in page
    assert "| rate |" in page


def test_control_characters_in_names_are_escaped() -> None:
    assert "\x1b" not in compare_sides([{"a\x1b[2J": load(seed=1)}], [{"b\x1b[2J": load(seed=2)}], UTC).text()


def test_json_is_plain_and_complete() -> None:
    said = json.loads(json.dumps(findings(load(seed=1), load(seed=2, shares=SLOWER)).as_dict(), allow_nan=False))
    assert (said["schema"], said["version"]) == ("pylatencymap-comparison", 1)
    assert said["files"] == {"before": ["old.lmap"], "after": ["new.lmap"]}
    (one,) = said["series"]
    assert (one["verdict"], one["direction"], one["rate"]["different"]) == ("sure", "slower", one["rate"]["sure"])
    assert one["stated"]["upper"] is None
    assert one["before"]["columns"] == one["after"]["columns"] == 100
    assert one["before"]["begin"] == "2026-03-02T00:00:00+00:00"
    assert one["percentiles"]["p99"]["ratio"] is None or one["percentiles"]["p99"]["ratio"]["value"] > 0
    assert said["verdict"] == " ".join(one["sentences"])


def test_other_series_have_a_line_each() -> None:
    sides = ({"sda": load(seed=1), "sdb": load(seed=3)}, {"sda": load(seed=2), "sdb": load(seed=4, shares=SLOWER)})
    page = " ".join(compare_sides([sides[0]], [sides[1]], UTC).text().split())
    assert "sdb: AFTER is slower, sure:" in page or "sda: No difference" in page


def test_nothing_is_drawn_per_second_where_the_length_of_an_interval_is_only_assumed() -> None:
    found = findings(run_of(load(1).selection.counts.T, clock=False), load(20))
    text = found.text()
    assert "1 interval of unknown length" in text
    assert "There are no rates and no maps" in text
    page = "\n".join(draw_compared(found, (120, 40), ViewOptions(), plain=True).text())
    assert "per second  " not in page
    assert "FREQUENCY" not in page
    timed = draw_compared(findings(load(1), load(20)), (120, 40), ViewOptions(), plain=True)
    assert "FREQUENCY" in "\n".join(timed.text())

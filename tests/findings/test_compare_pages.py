"""Pages of comparisons: what stands where, and that names from outside cannot become anything else."""

import json

from pylatencymap.findings import compare_sides, table_lines, verdict_lines
from tests.findings.sides import SLOWER, UTC, compared, findings, load, run_of


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
    assert exact.split() == ["time", "waited", "500", "ms/s", "1.00", "s/s", "x", "2.0"]


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

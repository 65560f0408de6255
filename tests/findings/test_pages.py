"""The pages: a screen, Markdown, JSON. Nothing from outside gets through unescaped, and every line fits."""

import json
import shlex
from dataclasses import fields, replace

import numpy as np
import pytest

from pylatencymap.findings import RunFindings
from pylatencymap.number_text import waiting_words
from pylatencymap.text import text_width
from tests.analysis.loads import EDGES, mode, poisson
from tests.analysis.shapes import FloatArray
from tests.findings.data import findings, load, mixture, series
from tests.findings.test_changes import with_incident


@pytest.fixture(scope="module")
def run() -> RunFindings:
    return findings(
        series(with_incident(), gaps=(40, 41), resets=(50,)), *(series(load(seed=n), f"sd{n}") for n in range(9))
    )


@pytest.mark.parametrize("columns", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("lines", [10, 24, 50, None])
def test_every_line_fits(run: RunFindings, columns: int, lines: int | None) -> None:
    text = run.text(columns, lines)
    assert max(map(text_width, text.splitlines())) <= columns
    assert lines is None or len(text.splitlines()) <= lines


def test_what_matters_most_stays(run: RunFindings) -> None:
    short, whole = run.text(80, 14), run.text(80, None)
    joined = " ".join(short.split())
    assert run.verdict in joined
    assert "--full shows all; " in joined
    assert "--full" not in whole
    assert all(" ".join(line.split()) in " ".join(whole.split()) for line in short.splitlines()[:-1])


def test_a_number_keeps_its_unit(run: RunFindings) -> None:
    for columns in range(40, 121):
        for line in run.text(columns, None).splitlines():
            assert line.split()[:1] not in (["%"], ["ms"], ["us"], ["s"], ["min"]), line


def test_nothing_is_cut_and_no_heading_stands_alone(run: RunFindings) -> None:
    for columns in (40, 47, 60, 80):
        assert "\u2026" not in run.text(columns, None)
        for lines in range(8, 60):
            text = run.text(columns, lines).splitlines()
            assert "\u2026" not in "".join(text)
            for line, following in zip(text, [*text[1:], ""], strict=True):
                if line.startswith(("What ", "Marks")):
                    assert following.startswith("  ")
                    assert "--full" not in following


def test_the_command_that_shows_a_change_can_be_pasted(run: RunFindings) -> None:
    several = replace(run, files=("/a folder/with a long name/three days of it.lmap",))
    whole = shlex.split(several.text(500, None).partition("see it: ")[2])
    assert whole[:2] == ["pylatencymap", several.files[0]]
    assert whole[2::2] == ["--from", "--to", "--tz"]
    for columns in (40, 60, 80):
        assert shlex.split(several.text(columns, None).partition("see it: ")[2].replace("\\\n", "")) == whole


def test_the_command_shows_the_series_that_changed() -> None:
    run = findings(series(30 * load(seed=3), "sdb"), series(with_incident()))
    assert run.series[0].name == "sdb"
    shown = replace(run, files=("x.lmap",)).text(200, None).partition("see it: ")[2]
    assert shown.rstrip().endswith("--series sda")


def test_where_less_was_waited_it_is_told() -> None:
    counts = load(seed=4)
    counts[:, :100] = poisson(400 * np.repeat((0.2 * mode(6.6) + 0.8 * mode(13.2))[:, None], 100, axis=1))
    ((change),) = findings(series(counts)).changes
    text = " ".join(findings(series(counts)).text(80, None).split())
    assert (change.cost or 0) < 0
    assert f"; {waiting_words(-(change.cost or 0))} less waiting than before it" in text
    assert "costliest" not in text


def test_names_from_outside_cannot_control_anything() -> None:
    evil = "a\x1b[31m\x07\u202e|`<b>*\n# x"
    run = findings(series(load(), evil), series(with_incident(), "中文" * 20))
    for text in (run.text(80, None), run.markdown(), json.dumps(run.as_dict())):
        assert text.replace("\n", "").isprintable()
    assert all(character not in run.markdown().replace(f"\\{character}", "") for character in "`<")
    assert "\n# x" not in run.markdown()
    assert run.as_dict()["series"][1]["name"] == evil or run.as_dict()["series"][0]["name"] == evil
    assert max(map(text_width, run.text(80, None).splitlines())) <= 80


def test_markdown_has_tables_of_one_width(run: RunFindings) -> None:
    rows = [line for line in run.markdown().splitlines() if line.startswith("|")]
    assert {row.replace("\\|", "").count("|") for row in rows} <= {3, 6}
    assert run.markdown().startswith("## sda and 9 more series, 5 min\n")


def test_json_has_no_infinity() -> None:
    edges = np.append(EDGES[:-1], np.inf)
    counts = load()
    counts[-1] = 30
    data = findings(series(counts, edges=edges)).as_dict()
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text) == data
    assert data["series"][0]["waited"]["high"] is None


def test_findings_are_values(run: RunFindings) -> None:
    assert str(run) == run.text() == run.text(80, 24)
    assert {field.name for field in fields(run)} >= {"series", "changes", "who", "meaning", "limits"}


def test_of_a_few_events_it_is_said_once_that_they_tell_nothing() -> None:
    counts = np.zeros((24, 300))
    counts[8, ::5] = 1
    few = findings(series(counts))
    assert few.verdict == "60 I/Os: too few to tell what changed, or modes, which takes 100."
    assert few.text(80, None).count("too few") == 1
    counts[8, ::2] = 1
    assert findings(series(counts)).verdict.startswith("No change that lasts or stands out in 300 intervals.")


def test_the_range_of_the_only_mode_is_said_to_hold_most_and_not_all() -> None:
    text = findings(series(mixture((100e-6, 0.3, 900.0)))).text(80, None)
    assert "all I/Os, 90 % of them here" in text
    assert "90 % of them" not in findings(series(load())).text(80, None)


def stalled(*begins: int, seed: int = 1, length: int = 3) -> FloatArray:
    """A steady load without events in ``length`` columns from each of these."""
    counts = load(seed=seed)
    for begin in begins:
        counts[:, begin : begin + length] = 0
    return counts


def test_many_stalls_have_one_row_and_programs_get_each() -> None:
    run = findings(series(stalled(40, 80, 120, 160, 200, 240)), series(load(seed=2), "sdb"))
    page = run.text(100, None)
    assert "sda alone, 6 stalls of 3 s, 18 s together: no I/Os in them; the longest" in " ".join(page.split())
    assert page.count("stall") == 2
    assert run.verdict.startswith("Six stalls, the longest: 00:00:40-00:00:43, sda alone.")
    assert "| 00:00:40-00:04:03 | sda alone, 6 stalls of 3 s" in run.markdown()
    assert [one["kind"] for one in run.as_dict()["changes"]] == ["stall"] * 6


def test_the_row_of_stalls_says_how_long_they_are() -> None:
    counts = stalled(40, 80, 120, 160)
    counts[:, 220:226] = 0
    page = " ".join(findings(series(counts)).text(100, None).split())
    assert "5 stalls of 3 s to 6 s, 18 s together: no I/Os in them; the longest 00:03:40-00:03:46" in page


def test_a_few_stalls_and_those_of_other_series_have_rows_of_their_own() -> None:
    run = findings(series(stalled(40, 80, 120, 160)), series(stalled(60, 140, seed=2), "sdb"))
    page = run.text(100, None)
    assert page.count("stall: no I/Os for 3 s") == 6
    assert "stalls of" not in page

"""Text for Prometheus: what its own parsers read of it, and what promtool says."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm

parser: Any = pytest.importorskip("prometheus_client.parser")
open_parser: Any = pytest.importorskip("prometheus_client.openmetrics.parser")
EXAMPLE = Path(__file__).parents[2] / "examples" / "cold-start.lmap.gz"
METRIC = "pylatencymap_latency_seconds"


@pytest.fixture(scope="module")
def run() -> lm.Run:
    return lm.read(EXAMPLE, tz="UTC")


def samples(text: str, families: Any) -> dict[tuple[str, ...], float]:
    return {
        (one.name, one.labels.get("series", ""), one.labels.get("le", "")): one.value
        for family in families(text)
        for one in family.samples
    }


@pytest.mark.parametrize("extension", ["prom", "om"])
def test_its_parsers_read_the_truth(run: lm.Run, tmp_path: Path, extension: str) -> None:
    target = tmp_path / f"x.{extension}"
    run.save(target)
    families = {"prom": parser.text_string_to_metric_families, "om": open_parser.text_string_to_metric_families}
    found = samples(target.read_text(), families[extension])
    for name in run.series:
        intervals = [*run.intervals(name)]
        assert found[f"{METRIC}_count", name, ""] == sum(one.events for one in intervals)
        assert found[f"{METRIC}_sum", name, ""] == pytest.approx(run.summary(name).waited)
        assert found[f"{METRIC}_created", name, ""] == pytest.approx(intervals[0].start / 1e6)
        for bound in (128, 1024, 16384):
            below = sum(count for one in intervals for _, upper, count in one.ranges if upper and upper <= bound)
            (le,) = [
                key[2] for key in found if key[1] == name and key[2] and float(key[2]) == pytest.approx(bound / 1e6)
            ]
            assert found[f"{METRIC}_bucket", name, le] == below
        assert found[f"{METRIC}_bucket", name, "+Inf"] == found[f"{METRIC}_count", name, ""]


@pytest.mark.parametrize("extension", ["prom", "om"])
def test_a_sum_is_read_again_as_what_it_was(run: lm.Run, tmp_path: Path, extension: str) -> None:
    """The recording has counts only; the sums of the other one are facts."""
    text = Path(tmp_path / "exact.lmap")
    text.write_text(
        '#lmap {"v": 1, "series": "sda", "counts": "interval", "time": 0.0192, "source": "bpf",'
        ' "start": 1699999999000000, "buckets": [[128, 256, 100]]}\n'
        "<begin record>\ntimestamp,microsec,1700000000000000,x\nlabel,sda\nlatencyunit,microsec\ndatasource,bpf\n"
        "<end record>\n"
    )
    for source, is_estimated in ((run, True), (lm.read(text, tz="UTC"), False)):
        assert {one.estimated for name in source.series for one in source.intervals(name)} == {is_estimated}
        source.save(tmp_path / f"again.{extension}")
        again = lm.read(tmp_path / f"again.{extension}", tz="UTC")
        assert sorted(again.series) == sorted(source.series)
        assert {one.estimated for name in again.series for one in again.intervals(name)} == {is_estimated}


@pytest.mark.parametrize("extension", ["prom", "om"])
@pytest.mark.parametrize("resolution", [1, 4])
def test_how_long_the_events_of_an_open_range_took_is_not_made_up(
    tmp_path: Path, extension: str, resolution: int
) -> None:
    """Up to its lower end they are known; that none of them took less than 134 s is not."""
    text = Path(tmp_path / "open.jsonl")
    about = {"label": "x", "source": "x", "unit": "us", "start": 1.7e9, "end": 1.7e9 + 1, "seconds": 1.0}
    flags = {"estimated": False, "reset": False, "gap": False, "resampled": False, "clock": True}
    rows = [("a", [[128, 256, 10], [1_048_576, None, 2]], 3.0), ("b", [[128, 256, 10]], 0.002)]
    lines = [{"series": name, **about, "counts": counts, "time": time, **flags} for name, counts, time in rows]
    text.write_text("".join(json.dumps(line) + "\n" for line in lines))
    source, target = lm.read(text, tz="UTC"), tmp_path / f"x.{extension}"
    source.save(target, resolution=resolution)
    families = {"prom": parser.text_string_to_metric_families, "om": open_parser.text_string_to_metric_families}
    found = samples(target.read_text(), families[extension])
    bounds = {name: [float(key[2]) for key in found if key[1] == name and key[2]] for name in "ab"}
    assert bounds["a"][-2:] == [1.048576, float("inf")]
    assert bounds["b"][-2:] == [134.217728, float("inf")]
    assert found[f"{METRIC}_bucket", "a", "1.048576"] == 10
    assert found[f"{METRIC}_bucket", "a", "+Inf"] == found[f"{METRIC}_count", "a", ""] == 12
    again = lm.read(target, tz="UTC")
    (one,) = again.intervals("a")
    assert (one.waited, one.estimated) == (3.0, False), "the sum is possible, and is believed"


def test_open_metrics_ends_and_text_has_no_times(run: lm.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "x.om")
    run.save(tmp_path / "x.prom")
    assert (tmp_path / "x.om").read_text().endswith("# EOF\n")
    lines = [line for line in (tmp_path / "x.prom").read_text().splitlines() if not line.startswith("#")]
    assert all(len(line.rpartition("} ")[2].split()) == 1 for line in lines)
    assert not any("source_up" in line for line in lines)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_accepts_it(run: lm.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "x.prom")
    checked = subprocess.run(
        ["promtool", "check", "metrics"], input=(tmp_path / "x.prom").read_bytes(), capture_output=True, check=False
    )
    assert b"error" not in checked.stderr.lower(), checked.stderr

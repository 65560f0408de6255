"""The generated inputs of the benchmarks are what the real tools print."""

import re
import runpy
from itertools import islice

import pytest

from pylatencymap.collectors.bpf import decode, detect
from pylatencymap.record import Record
from pylatencymap.report import Report
from pylatencymap.text.lines import lines_of


@pytest.fixture(scope="module")
def generate(root) -> dict:
    return runpy.run_path(str(root / "benchmarks" / "generate.py"))


def test_the_stages_of_a_picture_are_functions_of_the_product(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    runpy.run_path(str(root / "benchmarks" / "stages.py"))["check"]()


def test_biolatency_text_is_recognised_and_holds_two_disks_a_second(generate):
    text = "".join(islice(generate["biolatency"](), 11))
    report = Report("generated")
    records = [event for event in decode(lines_of(text), report) if isinstance(event, Record)]
    assert detect(text).value > 0.5
    assert (len(records), report.bad_count) == (20, 0)
    assert {record.series for record in records} == set(generate["DISKS"])
    assert sum(record.events for record in records) == sum(map(int, re.findall(r": (\d+)", text)))


def test_biolatency_text_looks_like_a_capture(generate, shared):
    """Line by line the same shape as a real one, digits and stars aside."""

    def shapes(text: str) -> list[str]:
        return [re.sub(r"\*+ *| {2,}", " ", re.sub(r"\w+", "w", line)) for line in text.splitlines()]

    capture = (shared / "data" / "captures" / "libbpf-biolatency-D-T.txt").read_text()
    assert set(shapes("".join(islice(generate["biolatency"](), 20)))) <= set(shapes(capture))


def test_the_stream_is_cumulative(generate):
    records = list(islice(generate["stream"](), 5))
    sums = [sum(int(count) for count in re.findall(r"^\d+,(\d+)$", record, re.M)) for record in records]
    assert sums == sorted(sums)
    assert sums[0] > 0
    assert all(record.startswith("<begin record>\n") and record.endswith("<end record>\n") for record in records)


def test_the_size_is_met_with_whole_prints(generate):
    pieces = list(generate["up_to"](50_000, generate["stream"]()))
    assert 50_000 <= sum(map(len, pieces)) < 50_000 + len(pieces[-1])
    assert list(islice(generate["stream"](), len(pieces))) == pieces

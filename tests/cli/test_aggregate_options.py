"""Options of ``aggregate`` that contradict each other, before anything is read or a session of Spark begins."""

from pathlib import Path

import pytest

from pylatencymap.cli.main import run


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--master", "local[2]"], "--master is about Spark: add --engine spark"),
        (["--split-mb", "8"], "--split-mb is about Spark"),
        (["--engine", "spark", "--spark-conf", "memory"], "--spark-conf memory: write KEY=VALUE"),
        (["s3a://bucket/x.trc"], "s3a://bucket/x.trc: only Spark reads this: add --engine spark"),
        (["--engine", "spark", "file:///no/such.trc"], "/no/such.trc: no such file"),
    ],
)
def test_what_is_wrong_is_said_first(
    tmp_path: Path, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.trc").write_text("x")
    assert run(["aggregate", *words, str(tmp_path / "x.trc"), "-o", str(tmp_path / "x.lmap")]) in (2, 3)
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["x.trc"]

"""Nothing from outside reaches a terminal, a picture or a file as a command: every surface is walked with hostile text.

A surface is a text from outside in one place, and one way in which it is shown: names, notes, marks, dates, messages,
names of files, values of options, environment, programs in the PATH, plug-ins, settings.
"""

import importlib
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.cli import main
from tests.trust.hostile import (
    CONTROLS,
    ENCODINGS,
    EVIL,
    FILE_NAME,
    INPUTS,
    INVISIBLE,
    WORD,
    encoded,
    leaks,
    record,
    stream,
)

WAITED = 120
Shown = Callable[..., tuple[str, str]]
WAYS = {
    "JSON lines": ["convert", "--to", "jsonl"],
    "records": ["convert"],
    "a picture in ASCII": ["--once", "--depth", "ascii"],
    "a picture in colours": ["--once", "--depth", "truecolor"],
    "a narrow picture": ["--once", "--depth", "256", "--columns", "20", "--rows", "4"],
    "a report": ["report", "--full"],
    "a report in Markdown": ["report", "--markdown"],
    "a report as JSON": ["report", "--json"],
    "a comparison in ASCII": ["compare", "--depth", "ascii", "given"],
    "a comparison as a picture in colours": ["compare", "--depth", "256", "given"],
    "a comparison in Markdown": ["compare", "--markdown", "given"],
    "a comparison as JSON": ["compare", "--json", "given"],
    "a stop at the first bad line": ["convert", "--strict"],
    "a traceback": ["convert", "--strict", "--traceback"],
}
SVG_ELEMENTS = {"svg", "rect", "g", "text", "path", "title", "desc", "style"}
OPTIONS = re.findall(
    r"\S+",
    """
    --series --format --tz --regex --by --latency --time --slo --interval --date --unit --depth --palette
    --min-latency --max-latency -n --speed --delay --semantics --tim-unit --jobs --resolution --history-mb --count
    --duration --map --scale --background --start --rows --frequency-max --intensity-max --screen_delay -d
    """,
)
COMMANDS = [
    [EVIL],
    ["live", EVIL],
    ["live", "bpf", "--disk", EVIL],
    ["live", "bpf", "--min-bytes", EVIL],
    ["live", "records"],
    ["collect", EVIL],
    ["collect", "bpf", "--" + EVIL],
    ["collectors", "--check", EVIL],
    ["collectors", EVIL],
    ["demo", "--" + EVIL],
    ["demo", "--seed", EVIL],
    ["convert", "--to", EVIL],
    ["convert", "--format", EVIL, os.devnull],
    ["export", EVIL, "-o", "x.svg"],
    ["export", os.devnull, "-o", EVIL],
    ["report", EVIL],
    ["report", f"{EVIL}@{EVIL}.."],
    ["compare", EVIL],
    ["compare", EVIL, EVIL],
    ["compare", f"{EVIL}@{EVIL}..", os.devnull],
    ["compare", os.devnull, os.devnull, "--svg", EVIL],
    ["events", EVIL],
    ["events", f"{EVIL}@{EVIL}.."],
    ["events", os.devnull, "--by", EVIL],
    ["replay", "--speed", EVIL, os.devnull],
    ["--" + EVIL],
    ["-" + EVIL],
    ["--record", f"/nonexistent/{FILE_NAME}", os.devnull],
]
ORACLE = [
    [EVIL, "--dsn", "127.0.0.1:1/x", "--user", "u"],
    ["x", "--dsn", EVIL, "--user", "u"],
    ["x", "--dsn", f"({EVIL}", "--user", "u"],
    ["x", "--dsn", "127.0.0.1:1/x", "--user", WORD.replace("/", "")],
    ["x", "--dsn", "127.0.0.1:1/x", "--user", "u", "--password-file", FILE_NAME],
    ["x", "--wallet", EVIL],
    ["x", "--thick", "/" + EVIL],
    ["x", "--instance", EVIL],
    ["x", "--awr", "--licensed", "diagnostics", "--from", EVIL],
    ["--grants", "--user", WORD.replace("/", "")],
    ["--" + EVIL],
]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shown:
    """Runs a command in this process, in an empty folder; what it printed and what it said."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*words: str, oracle: bool = False) -> tuple[str, str]:
        command = importlib.import_module("pylatencymap.cli.oracle.command").run if oracle else main.run
        capsys.readouterr()
        command(list(words))
        said = capsys.readouterr()
        return said.out, said.err

    return run


def walk(shown: Shown, *words: str, oracle: bool = False, colours: bool = False) -> None:
    """Run a command and look at all that it prints and says."""
    out, err = shown(*words, oracle=oracle)
    assert out or err
    assert not leaks(out, colours=colours)
    assert not leaks(err)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("place", INPUTS)
def test_texts(place: str, encoding: str, shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(encoded(INPUTS[place], encoding))
    for way, words in WAYS.items():
        walk(shown, *words, "given", colours="picture" in way)
    recorded, _ = shown("convert", "given")
    (tmp_path / "own.lmap").write_text(recorded, encoding="utf-8")
    if recorded:
        assert "bad" not in shown("convert", "--to", "jsonl", "own.lmap")[1]


@pytest.mark.parametrize("place", INPUTS)
def test_drawings(place: str, shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(encoded(INPUTS[place], "utf-8"))
    shown("export", "given", "-o", "x.svg")
    if not (tmp_path / "x.svg").exists():
        return  # the text was refused
    svg = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert not leaks(svg)
    elements = list(ElementTree.fromstring(svg).iter())
    assert {element.tag.split("}")[1] for element in elements} <= SVG_ELEMENTS
    assert not [name for element in elements for name in element.attrib if name.startswith("on") or "href" in name]
    styles = [element.text for element in elements if element.tag.endswith("style")]
    assert all(re.fullmatch(r"\.latencymap{font-family:[\w', -]*monospace}", style or "") for style in styles)
    shown("export", "given", "-o", "x.png")
    with pytest.importorskip("PIL.Image").open(tmp_path / "x.png") as image:
        texts = dict(image.text)
    assert set(texts) == {"Title", "Description", "Software"}
    assert not [text for text in texts.values() if leaks(text)]


@pytest.mark.parametrize(
    "name", [FILE_NAME, os.fsdecode(b"\xff\xfe\x9b"), "-x", "a\nb", INVISIBLE, CONTROLS.replace("/", "")]
)
def test_names_of_files(name: str, shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.lmap"
    path.write_text(stream().replace("64,20", "nonsense\n64,20"))
    (tmp_path / "other").write_text(stream(label="other"))
    target = str(path)
    for words in (
        ["--once", target],
        ["--once", target, "other"],
        ["convert", target],
        ["convert", "--to", "jsonl", target, "other"],
        ["convert", "--strict", "--traceback", target],
        ["export", target, "-o", target + ".svg"],
        ["export", target, "-o", target + ".xyz"],
        ["export", target, "-o", f"{target}/x.svg"],
        [target + "missing"],
        ["--once", "--start", f"{target}=x", target],
        ["--once", "--start", f"{name}=2020-01-01", target],
        ["--once", "--record", f"{target}/no", "other"],
        ["--once", "--record", target, "other"],
    ):
        out, err = shown(*words)
        assert not leaks(out)
        assert not leaks(err)


@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str, shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(encoded(INPUTS["label"], "utf-8"))
    for value in (EVIL, EVIL + "(", f"/nonexistent/{EVIL}", f"1{EVIL}"):
        walk(shown, "--once", option, value, "given")
    walk(shown, "--once", f"{option}{EVIL}", "given")


@pytest.mark.parametrize("words", COMMANDS, ids=range(len(COMMANDS)))
def test_commands(words: list[str], shown: Shown) -> None:
    walk(shown, *words)
    walk(shown, *words, "--traceback")


@pytest.mark.parametrize("words", ORACLE, ids=range(len(ORACLE)))
def test_oracle(words: list[str], shown: Shown, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("oracledb")
    monkeypatch.setenv("ORALATENCYMAP_PASSWORD", "x")
    monkeypatch.setenv("HOME", str(tmp_path))
    walk(shown, *words, oracle=True)


@pytest.mark.parametrize("name", ["ORALATENCYMAP_DSN", "ORALATENCYMAP_USER", "TWO_TASK", "TNS_ADMIN", "ORACLE_HOME"])
def test_environment_of_oracle(name: str, shown: Shown, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("oracledb")
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable, value in {"DSN": "127.0.0.1:1/x", "USER": "u", "PASSWORD": "x"}.items():
        monkeypatch.setenv(f"ORALATENCYMAP_{variable}", value)
    if name == "TWO_TASK":
        monkeypatch.delenv("ORALATENCYMAP_DSN")
    monkeypatch.setenv(name, EVIL.replace("/", ""))
    walk(shown, "x", oracle=True)


@pytest.mark.parametrize(
    "text",
    [
        f"[oracle]\n{EVIL}\n",
        f'[oracle]\n"{WORD}" = 1\n',
        f"[{EVIL}",
        f"[oracle]\ndsn = [1]\n# {EVIL}\n",
        "[oracle]\n\x9b\xff",
    ],
)
def test_settings(text: str, shown: Shown, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / CONTROLS.replace("/", "")
    (home / ".config/pylatencymap").mkdir(parents=True)
    (home / ".config/pylatencymap/config.toml").write_bytes(text.encode("latin-1", "replace"))
    monkeypatch.setenv("HOME", str(home))
    for name in ("ORALATENCYMAP_DSN", "TWO_TASK", "ORACLE_SID", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    walk(shown, "x", oracle=True)


@pytest.mark.parametrize(
    "name",
    ["TERM", "COLUMNS", "LINES", "TZ", "COLORFGBG", "COLORTERM", "LANG", "LC_ALL", "PYTHONIOENCODING", "NO_COLOR"],
)
def test_environment(name: str, tmp_path: Path) -> None:
    (tmp_path / "given").write_bytes(encoded(INPUTS["label"], "utf-8"))
    value = "utf-8:surrogateescape" if name == "PYTHONIOENCODING" else EVIL
    for words in (["--once", "given"], ["--help"], ["collectors"], ["convert", "given"]):
        look(words, tmp_path, {name: value})


# Programs in the PATH, and plug-ins: found once a process.


def look(words: list[str], folder: Path, environ: dict[str, str]) -> str:
    """Run a command in a process of its own and look at what it prints and says; returns it."""
    done = subprocess.run(
        [sys.executable, "-m", "pylatencymap", *words],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "LC_ALL": "C.UTF-8", **environ},
        cwd=folder,
        timeout=WAITED,
        check=False,
    )
    for raw in (done.stdout, done.stderr):
        assert not leaks(raw.decode("utf-8", "surrogateescape"))
    return (done.stdout + done.stderr).decode("utf-8", "replace")


SPEAKS = b"#!/bin/sh\nprintf '\\033]0;PWNED\\007\\233 bad \\342\\200\\256\\n' >&2; exit 3\n"
PROGRAMS = {
    "evil": SPEAKS,
    "bangs": b"#!/bin/\x1b]0;PWNED\x07\x9b\nx\n",
    "rubbish": b"\x1b]0;PWNED\x07\x9b\n",
    CONTROLS.replace("/", ""): SPEAKS,
    INVISIBLE: SPEAKS,
    "a\nb\rc": SPEAKS,
    os.fsdecode(b"\xff\x9b"): SPEAKS,
}


@pytest.fixture
def path(tmp_path: Path) -> dict[str, str]:
    """The environment with hostile programs in the PATH, in a hostile folder."""
    folder = tmp_path / f"bin{CONTROLS}".replace("/", "").replace(":", "")
    folder.mkdir()
    for name, text in PROGRAMS.items():
        (folder / f"pylatencymap-{name}").write_bytes(text)
        (folder / f"pylatencymap-{name}").chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


@pytest.mark.parametrize(
    "command", [["collectors"], ["live", "--help"], ["collect", "--help"], ["live", "x"], ["live"]]
)
def test_names_of_programs(command: list[str], path: dict[str, str], tmp_path: Path) -> None:
    assert "PWNED" in look(command, tmp_path, path) or command == ["live"]


@pytest.mark.parametrize("command", [["live"], ["collect"], ["collectors", "--check"], ["collect", "--help"]])
@pytest.mark.parametrize("name", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs(name: str, command: list[str], path: dict[str, str], tmp_path: Path) -> None:
    assert look([*command, name], tmp_path, path)


PLUGIN = f"""
from pylatencymap.record import Mark, Record, Sample, Semantics, Stamp
from pylatencymap.units import Unit
EVIL = {EVIL!r}
DESCRIPTION = EVIL
def detect(head): return (0.99, EVIL) if "MINE" in head else (0.0, "")
def decode(lines, report, known):
    for second in range(4):
        report.bad(second, EVIL)
        report.note(second, EVIL)
        stamp = Stamp((1_700_000_000 + second) * 1_000_000)
        yield Record(EVIL, Unit.US, ((64, 128, 5),), Semantics.INTERVAL, stamp, label=EVIL, source=EVIL, note=EVIL,
                     flags=frozenset([EVIL]))
        yield Mark(stamp, EVIL, EVIL)
    if "RAISES" in next(iter(lines)).text: raise ValueError(EVIL)
"""


def test_plugins(tmp_path: Path) -> None:
    about = tmp_path / "evil-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: evil{WORD}\nVersion: 0.1{WORD}\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(
        "[pylatencymap.collectors]\nevil = evil_plugin\n\x1b]0;PWNED\x07\u202e = broken_plugin\n", encoding="utf-8"
    )
    (tmp_path / "evil_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "broken_plugin.py").write_text(f"raise ValueError({EVIL!r})", encoding="utf-8")
    (tmp_path / "given").write_text("MINE\nx\n")
    (tmp_path / "fails").write_text("MINE\nx\nRAISES\n")
    environ = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
    for words in (
        ["collectors"],
        ["--once", "given"],
        ["convert", "given"],
        ["convert", "--to", "jsonl", "given"],
        ["export", "given", "-o", "x.svg"],
        ["--once", "fails"],
        ["--once", "--strict", "fails"],
        ["--once", "--format", "\x1b]0;PWNED\x07\u202e", "given"],
        ["--once", "--format", "nothing", "given"],
        ["collectors", "--check", "\x1b]0;PWNED\x07\u202e"],
    ):
        look(words, tmp_path, environ)
    assert "PWNED" in look(["convert", "given"], tmp_path, environ)
    assert not leaks((tmp_path / "x.svg").read_text(encoding="utf-8"))


def test_what_is_looked_for_is_found() -> None:
    assert leaks(record(1, 1, label=EVIL))
    assert leaks("\x1b[31mred\x1b[0m")
    assert not leaks("\x1b[31mred\x1b[0m", colours=True)

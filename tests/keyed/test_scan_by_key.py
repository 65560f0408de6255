"""A trace that is scanned by a key has the series that the line decoder finds, on every text."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from pylatencymap.scan.keyed.scanners import KeyedScanner
from tests.amounts import examples
from tests.keyed.reading import scanned_or_not, written

TIM = 1_769_850_000_000_000
KEYS = ("obj#", "file#", "p1", "p2", "cursor", "sql_id", "hv", "dep", "module", "client_id", "session", "first dba")
EVENTS = (
    ("db file sequential read", "file#={} block#={} blocks=1"),
    ("direct path read temp", "file number={} first dba={} block cnt=7"),
    ("enq: TX - row lock contention", "name|mode={} usn<<16 | slot={} sequence=3"),
    ("SQL*Net message from client", "driver id={} #bytes={} p3=0"),
    ("log file sync", "p1={} p2={} p3=0"),
)
CURSORS = ("4711", "140527448017464", "18446744073709551615", "7")
ODD = (
    "WAIT #7: nam='a=b' ela= 5 file#=1 obj#=2 tim={}",
    "WAIT #7: nam='x' ela= 5 file#=007 obj#=-0 tim={}",
    "WAIT #7: nam='x' ela= 5 file#=1 obj#=99999999999999999 tim={}",
    "WAIT #7: nam='x' ela= 5 abc obj#=3 file#=1 tim={}",
    "WAIT #7: nam='x' ela= 5 file#= obj#=3 tim={}",
    "WAIT #7: nam='x' ela= 5 OBJ#=4 File#=2 tim={}",
    "WAIT #7: nam='x' ela= 5 obj#=4 obj#=5 tim={}",
    "WAIT #7: nam='x' ela= 5 p1 = 3 obj#=5 tim={}",
    "WAIT #007: nam='x' ela= 5 obj#=5 tim={}",
    "wait #7: nam='x' ela=5 obj#=5 junk tim={}",
    "WAIT # 7: nam='x' ela= 5 obj#=5 tim={}",
    "WAIT #7: nam='x' ela= 5 tim={}",
    "WAIT #7: nam='x' ela= -5 obj#=5 tim={}",
    "FETCH #7:c=0,e=5,p=0,cr=1,cu=0,mis=0,r=1,dep=0,og=1,plh=1,tim={}",
    '  value="WAIT #7: nam=',
    "*** 2026-01-31 09:00:00.000",
)
WHOSE = ("MODULE NAME", "ACTION NAME", "CLIENT ID", "SESSION ID")


def statement(rng: random.Random, tim: int, traps: bool) -> list[str]:
    number = rng.randrange(4)
    named = rng.choice((f" sqlid='sql{number}'", ""))
    text = [f"select {number} from t", "where a = 1", "  and b = 2"]
    if traps:  # lines that would count if they were not quoted
        text[1:] = ["*** MODULE NAME:(quoted) 2026-01-31", "WAIT #1: nam='quoted' ela= 5 obj#=1 tim=1"]
    size = sum(len(line) + 1 for line in text) - 1
    head = (
        f"PARSING IN CURSOR #{rng.choice(CURSORS)} len={size} dep={rng.randrange(3)} uid=0 tim={tim} hv={number}{named}"
    )
    return [head, *text, "END OF STMT"]


def a_trace(seed: int, lines: int = 400, traps: bool = True) -> list[str]:
    rng, tim, text = random.Random(seed), TIM, list[str]()
    while len(text) < lines:
        tim += rng.randrange(1, 400_000)
        kind = rng.random()
        if kind < 0.1:
            text += statement(rng, tim, traps)
        elif kind < 0.15:
            text.append(f"*** {rng.choice(WHOSE)}:({rng.choice(('', 'one', 'two (2)'))}) 2026-01-31 09:00:00.000")
        elif kind < 0.17:
            text.append(f"APPNAME mod='app{rng.randrange(3)}' mh=1 act='a' ah=2")
        elif kind < 0.27:
            text.append(rng.choice(ODD).format(tim))
        else:
            event, parameters = rng.choice(EVENTS)
            said = parameters.format(rng.randrange(5), rng.randrange(10**6))
            behind = rng.choice((f" obj#={rng.randrange(-1, 6)}", f" obj#={rng.randrange(6)}", ""))
            head = f"WAIT #{rng.choice(CURSORS)}: nam='{event}' ela= {rng.randrange(20_000)}"
            text.append(f"{head} {said}{behind} tim={tim}")
    return text


def damaged(text: str, rng: random.Random) -> str:
    for _ in range(rng.randrange(12)):
        place = rng.randrange(len(text))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:place] + rng.choice("x =#\n'0") + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + text[place + rng.randrange(1, 60) :]
        elif kind == 2:
            text = text[:place] + text[place - min(place, 90) : place] + text[place:]
        else:
            text = text[: max(place, len(text) // 2)]
    return text


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(
    seed=243, piece=500, hurt=True, packed=False
)  # a name of an event that begins in one line and ends in the next one
@example(seed=147, piece=500, hurt=True, packed=False)  # a statement whose second line is damaged in one place
@example(
    seed=952151, piece=500, hurt=True, packed=False
)  # a wait with a parameter that is called as a key of statements
@given(seed=st.integers(0, 10**6), piece=st.integers(500, 20_000), hurt=st.booleans(), packed=st.booleans())
def test_a_scan_by_key_finds_what_the_decoder_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, seed: int, piece: int, hurt: bool, packed: bool
) -> None:
    text = "\n".join(a_trace(seed, traps=not hurt)) + "\n" * (seed % 2)
    path = tmp_path / "x.trc"
    written(path, damaged(text, random.Random(seed)) if hurt else text, packed=packed)
    scanned, by_line = scanned_or_not(monkeypatch, [path], piece, by=key, top=4)
    assert scanned == by_line


def test_statements_across_two_pieces_are_shown_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = a_trace(2, traps=False)
    path = tmp_path / "x.trc"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    scanned, by_line = scanned_or_not(monkeypatch, [path], 500, by="sql_id", top=4)
    assert scanned == by_line


@pytest.mark.parametrize("piece", [200, 500, 5_000])
@pytest.mark.parametrize("left", ["WAIT", "WAIT PARSING", "WAIT PARSING END", "WAIT PARSING select", "PARSING select"])
def test_what_grep_leaves_of_a_trace_explains_no_statement_by_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, left: str
) -> None:
    path = tmp_path / "x.trc"
    text = [line for line in a_trace(5, traps=False) if line.startswith(tuple(left.split()))]
    path.write_text("\n".join([*text, "WAIT #7: nam='x' ela= 5 obj#=1 tim=1769850100000000", ""]), encoding="utf-8")
    scanned, by_line = scanned_or_not(monkeypatch, [path], piece, by="sql_id")
    assert scanned == by_line


@pytest.mark.parametrize("other", ["select 1 from u", "", " " * 500 + "select 1 from t\nwhere a = 1"])
@pytest.mark.parametrize("piece", [200, 5_000])
def test_a_statement_that_is_not_always_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str, piece: int
) -> None:
    path, text, tim = tmp_path / "x.trc", list[str](), TIM
    for number in range(40):
        sql = other if number in (7, 8, 20) else "select 1 from t\nwhere a = 1"
        text += [f"PARSING IN CURSOR #{number % 2} len={len(sql)} dep=0 uid=0 tim={tim} hv=1 sqlid='same'"]
        text += [*([sql] if sql else []), "END OF STMT"]
        text += [f"WAIT #{number % 3}: nam='e{number % 4}' ela= {number} p1=0 p2=0 p3=0 obj#=1 tim={tim + 5}"] * 3
        tim += 100_000
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    scanned, by_line = scanned_or_not(monkeypatch, [path], piece, by="sql_id")
    assert scanned == by_line


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("key", KEYS)
def test_a_usual_trace_is_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, packed: bool) -> None:
    finished = list[bool]()
    count = KeyedScanner.counted

    def counted(self: KeyedScanner, *about: object) -> object:
        found = count(self, *about)  # type: ignore[arg-type]
        finished.append(True)
        return found

    monkeypatch.setattr(KeyedScanner, "counted", counted)
    text = [line for line in a_trace(3, 3_000) if not line.startswith(("  value", "***"))]
    path = tmp_path / "x.trc"
    session = "*** SESSION ID:(1.2) 2026-01-31 09:00:00.000\n*** CLIENT ID:(c) 2026-01-31 09:00:00.000\n"
    written(path, session + "\n".join(text) + "\n", packed=packed)
    scanned, by_line = scanned_or_not(monkeypatch, [path], 20_000, by=key)
    assert scanned == by_line
    assert finished

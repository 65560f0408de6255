"""The script is what its template makes of it, and keeps to what SQL*Plus and PL/SQL of all versions understand."""

import re
from pathlib import Path

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.oracle_script import script
from pylatencymap.oracle_script.generator import REPETITION

RESERVED = set(
    re.findall(
        r"\w+",
        """
        ACCESS ADD ALL ALTER AND ANY AS ASC AT AUDIT BEGIN BETWEEN BY CASE CHAR CHECK CLUSTER
        CLUSTERS COLAUTH COLUMN COLUMNS COMMENT COMPRESS CONNECT CRASH CREATE CURRENT CURSOR DATE
        DECIMAL DECLARE DEFAULT DELETE DESC DISTINCT DROP ELSE END EXCEPTION EXCLUSIVE EXISTS EXIT
        FETCH FILE FLOAT FOR FROM FUNCTION GOTO GRANT GROUP HAVING IDENTIFIED IF IMMEDIATE IN
        INCREMENT INDEX INDEXES INITIAL INSERT INTEGER INTERSECT INTO IS LEVEL LIKE LOCK LONG
        MAXEXTENTS MINUS MLSLABEL MODE MODIFY NOAUDIT NOCOMPRESS NOT NOWAIT NULL NUMBER OF OFFLINE
        ON ONLINE OPTION OR ORDER OVERLAPS PCTFREE PRIOR PROCEDURE PUBLIC RAISE RAW RENAME RESOURCE
        REVOKE ROW ROWID ROWNUM ROWS SELECT SESSION SET SHARE SIZE SMALLINT SQL START SUBTYPE
        SUCCESSFUL SYNONYM SYSDATE TABAUTH TABLE THEN TO TRIGGER TYPE UID UNION UNIQUE UPDATE USER
        VALIDATE VALUES VARCHAR VARCHAR2 VIEW VIEWS WHEN WHENEVER WHERE WITH
        """,
    )
)
"""Reserved in SQL or PL/SQL, by the language references of 11.2 to 19c."""

DECLARED = re.compile(
    r"^ +(?:(?:FUNCTION|PROCEDURE|TYPE|CURSOR) (\w+)|FOR (\w+) IN"
    r"|(\w+) (?:CONSTANT )?(?:NUMBER|PLS_INTEGER|BOOLEAN|VARCHAR2|CLOB|TIMESTAMP|numbers|texts)\b)"
    r"|[(,] ?(\w+) (?:IN OUT )?(?:NUMBER|PLS_INTEGER|BOOLEAN|VARCHAR2|TIMESTAMP|numbers)\b",
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return script(1 / 60).splitlines()


def test_the_file_is_what_the_template_makes(root: Path) -> None:
    assert (root / "oralatencymap.sql").read_text(encoding="utf-8") == script(), (
        "make it anew: oralatencymap --print-sql"
    )


def test_the_template_is_short_and_uses_each_part_once(root: Path) -> None:
    folder = root / "pylatencymap" / "oracle_script"
    outline = (folder / "template.sql").read_text(encoding="utf-8").splitlines()
    used = [line.strip("{}") for line in outline if re.fullmatch(r"{{\w+}}", line)]
    parts = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "parts").iterdir()}
    assert sorted(used) == sorted([*parts, "repetitions"])
    assert len(outline) < 120
    assert max(text.count("\n") for text in parts.values()) <= 180


@pytest.mark.parametrize(
    ("hours", "seconds", "frames", "said"),
    [
        (1.0, 3, 1200, "one hour at 3 seconds"),
        (8.0, 3, 9600, "8 hours at 3 seconds"),
        (0.5, 3, 600, "30 minutes at 3 seconds"),
        (1.0, 10, 360, "one hour at 10 seconds"),
        (1 / 3600, 3, 1, "3 seconds at 3 seconds"),
    ],
)
def test_a_script_of_any_length(hours: float, seconds: int, frames: int, said: str) -> None:
    text = script(hours, seconds)
    assert text.count(REPETITION) == frames
    assert REPETITION * frames in text
    assert said in text
    assert f"Those were {frames} frames." in text
    assert "{{" not in text


@pytest.mark.parametrize(("hours", "seconds"), [(0.0, 3), (-1.0, 3), (1e9, 3), (float("nan"), 3), (1.0, 0)])
def test_no_length_of_time(hours: float, seconds: int) -> None:
    with pytest.raises(UsageError):
        script(hours, seconds)


def test_it_is_plain_text_that_sqlplus_takes(lines: list[str]) -> None:
    """No character set is relied on, and a hyphen at the end would go on in the next line."""
    assert all(line.isascii() and line == line.rstrip() and len(line) <= 130 for line in lines)
    assert not [line for line in lines if line.endswith("-")]
    assert not [line for line in lines if line.lstrip().startswith("--") and "&" in line]


def test_only_known_variables_are_substituted(lines: list[str]) -> None:
    used = {name for line in lines for name in re.findall(r"&(\w+)", line)}
    defined = {name for line in lines for name in re.findall(r"(?:NEW_VALUE|^DEFINE) (\w+)", line)}
    assert used == defined


def test_no_name_is_reserved_or_too_long(lines: list[str]) -> None:
    names = {name for found in DECLARED.findall("\n".join(lines)) for name in found if name}
    assert {"numbers", "counters", "esc", "put_row", "largest", "ink", "col"} <= names
    assert not {name.upper() for name in names} & RESERVED
    assert max(map(len, names)) <= 30


def test_every_sequence_ends(lines: list[str]) -> None:
    """What SQL*Plus would ask for, or wait for, is an error here: blocks end by a slash of their own."""
    assert lines.count("/") == 5 + 20
    assert [line for line in lines if re.match(r"(DECLARE|BEGIN)\b", line)] == ["BEGIN"] * 2 + ["DECLARE", "BEGIN"] * 3


def test_every_setting_that_is_made_is_set_back(lines: list[str]) -> None:
    """The defaults are those of the SQL*Plus User's Guide."""
    last_frame = len(lines) - lines[::-1].index("PRINT olm_screen")
    begun, ended = (_settings(part) for part in (lines[:last_frame], lines[last_frame:]))
    assert {"TIMING", "ECHO", "TRIMOUT", "FLUSH", "DEFINE"} <= begun.keys()
    assert begun.keys() == ended.keys()
    assert ended == {
        "DEFINE": "ON",
        "ECHO": "OFF",
        "FEEDBACK": "6",
        "FLUSH": "ON",
        "HEADING": "ON",
        "LINESIZE": "80",
        "LONG": "80",
        "LONGCHUNKSIZE": "80",
        "PAGESIZE": "14",
        "SQLBLANKLINES": "OFF",
        "TAB": "ON",
        "TERMOUT": "ON",
        "TIMING": "OFF",
        "TRIMOUT": "ON",
        "VERIFY": "ON",
    }


def _settings(lines: list[str]) -> dict[str, str]:
    """What the SET commands leave behind."""
    words = [word for line in lines if line.startswith("SET ") for word in line.split()[1:]]
    return dict(zip(words[::2], words[1::2], strict=True))

"""The panel about a cell: what fits is shown, sums are of all, and what is chosen is marked."""

from collections.abc import Callable

import pytest

from pylatencymap.events.by_line import NO_EVENTS
from pylatencymap.view.boxes.overlay import PanelPlace, panel_room, with_panel
from pylatencymap.view.boxes.who_page import (
    WhoKey,
    WhoLine,
    WhoPage,
    WhoValue,
    who_hints,
    who_lines,
    who_part,
    who_remarks,
    who_text,
    who_title,
)
from pylatencymap.view.paint.canvas import Area, Canvas, Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styled_text import width_of
from pylatencymap.view.style.styles import FADED_BIT

SQL = "SELECT COUNT(C2) FROM CF1 WHERE CUSTID > ( :B1 - :B2 ) AND (CUSTID < :B1 ) /* a long statement, which is cut */"
KEYS = (
    WhoKey(
        "series", (WhoValue("db file sequential read", 110, 1.121), WhoValue("log file sync", 4, 0.04)), total=1.161
    ),
    WhoKey("obj#", (WhoValue("82008", 109, 1.109), WhoValue("82015", 1, 0.012))),
    WhoKey(
        "block#",
        tuple(WhoValue(str(28_000_000 + number), 1, 0.0147 - number / 1e4) for number in range(20)),
        (WhoValue("90 others", 90, 0.85),),
        is_flat=True,
    ),
    WhoKey("file#", (WhoValue("7", 110, 1.121),)),
    WhoKey("sqlid", (WhoValue("309mwpa4tk161", 110, 1.121, SQL),)),
    *(WhoKey(name, (WhoValue(name.upper(), 110, 1.121),)) for name in ("blocks", "session", "service", "module")),
)
LINES = tuple(
    WhoLine(17069 + number, 0.0147, f"WAIT #469: nam='db file sequential read' ela= {14770 - number} file#=7")
    for number in range(110)
)
PAGE = WhoPage("12:42:03-12:42:05", "8.19-16.4 ms", "reads", 110, 1.121, KEYS, LINES, ("reading: 12 %",))
OPTIONS = ViewOptions()


def plain(line: object) -> str:
    return "".join(text for text, _ in line)  # type: ignore[attr-defined]


def shown(page: WhoPage, room: tuple[int, int], chosen: tuple[str, str] = ("", ""), most: int = 0) -> str:
    return "\n".join(plain(line) for line in who_text(page, chosen, OPTIONS, room, most).lines)


@pytest.mark.parametrize("columns", [40, 58, 76, 106, 134])
@pytest.mark.parametrize("lines", [6, 14, 19, 30, 60])
def test_it_is_never_wider_and_shows_what_fits(columns: int, lines: int) -> None:
    text = who_text(PAGE, ("", ""), OPTIONS, (columns, lines))
    assert all(width_of(line) <= columns for line in text.lines)
    assert len(who_part(text, lines)) <= lines
    if lines >= 30:
        assert len(text.lines) <= lines
        assert "Longest lines" in shown(PAGE, (columns, lines))


def test_the_sums_of_what_is_shown_and_of_the_rest_are_all() -> None:
    for most in (0, 1, 2, 20):
        text = shown(PAGE, (106, 24), most=most)
        section = text[text.index("block#") :].splitlines()[1:]
        events = 0
        for line in section:
            if not line.strip():
                break
            events += int(line[: line.index(" s " if " s " in line else " ms ")].split()[-2])
        assert events == 110


def test_the_first_key_that_puts_events_together_is_chosen() -> None:
    text = who_text(PAGE, ("", ""), OPTIONS, (106, 40))
    choice = text.choices[text.chosen]
    assert (KEYS[choice.key].name, choice.value) == ("obj#", 0)
    assert plain(text.lines[choice.line]).startswith("▸ 82008")
    other = who_text(PAGE, ("sqlid", "309mwpa4tk161"), OPTIONS, (106, 40))
    assert "309mwpa4tk161" in plain(other.lines[other.choices[other.chosen].line])


def test_a_key_with_hardly_any_value_twice_is_not_chosen_first() -> None:
    blocks = WhoKey("block#", tuple(WhoValue(str(number), 1, 0.01) for number in range(6)))
    page = PAGE._replace(keys=(blocks, WhoKey("obj#", (WhoValue("82008", 6, 0.06),))), events=6, waited=0.06)
    text = who_text(page, ("", ""), OPTIONS, (106, 40))
    assert text.choices[text.chosen].key == 1


def test_every_choice_can_be_scrolled_to() -> None:
    page = PAGE
    for number, key in enumerate(KEYS):
        for value in key.values[:2]:
            text = who_text(page, (key.name, value.value), OPTIONS, (58, 9), most=20)
            assert text.choices[text.chosen].key == number
            assert any(plain(line).startswith("▸") for line in who_part(text, 9))


@pytest.mark.parametrize(("lines", "longest"), [(24, 3), (22, 3), (16, 1), (12, 1), (9, 0)])
def test_the_longest_lines_stay_where_there_are_too_many_keys(lines: int, longest: int) -> None:
    many = tuple(WhoKey(f"key{number}", (WhoValue("a", 60, 0.6), WhoValue("b", 50, 0.521))) for number in range(9))
    page = PAGE._replace(keys=(*KEYS, *many))
    for key in page.keys:
        for value in key.values[:1]:
            text = who_text(page, (key.name, value.value), OPTIONS, (106, lines))
            part = [plain(line) for line in who_part(text, lines)]
            assert len(part) == lines
            assert any("Longest lines" in line for line in part) == bool(longest)
            assert len(text.end) == (longest + 2 if longest else 0)


def test_a_statement_is_told_once() -> None:
    cursor = WhoKey("cursor", (WhoValue("#469", 110, 1.121, SQL),))
    text = shown(PAGE._replace(keys=(*KEYS, cursor)), (134, 60))
    assert text.count("SELECT COUNT(C2)") == 1
    assert "#469" in text


def test_statements_are_cut_and_what_lines_share_is_said_once() -> None:
    assert "AND (CUSTID" in shown(PAGE, (106, 40))
    assert "which is cut" not in shown(PAGE, (76, 40))
    lines = [plain(line) for line in who_lines(LINES[:3], 100)]
    assert lines[0] == "Longest lines  each begins  WAIT #469: nam='db file sequential read' ela="
    assert lines[1] == "  17069   14.7 ms  14770 file#=7"
    assert plain(who_lines(LINES[:1], 100)[1]).endswith("ela= 14770 file#=7")
    named = [one._replace(file="a.trc") for one in LINES[:2]]
    assert "a.trc:17069" in plain(who_lines(named, 100)[1])


def test_control_characters_never_come_through() -> None:
    evil = "\x1b[31mx\x07"
    page = PAGE._replace(
        keys=(WhoKey("k", (WhoValue("v", 1, 1.0, evil),)),), lines=(WhoLine(1, 1.0, evil),), remarks=(evil,)
    )
    text = who_text(page, ("", ""), OPTIONS, (76, 30))
    canvas = Canvas(76, len(text.lines) + 1)
    for number, line in enumerate((*text.lines, *who_remarks(page, 76))):
        canvas.put_text(number, 0, line)
    assert not any(ord(char) < 32 for line in canvas.cells().text() for char in line)


def test_titles_and_hints_drop_what_finds_no_room() -> None:
    assert plain(who_title(PAGE, 100, "Esc closes")).startswith("Who is in this cell   12:42:03-12:42:05  8.19-16.4 ms")
    assert plain(who_title(PAGE, 100, "Esc closes")).endswith("   Esc closes")
    for columns in range(20, 130, 7):
        assert width_of(who_title(PAGE, columns, "Esc closes")) == columns
        assert width_of(who_hints([("Enter", "draw it alone"), ("Esc", "close")], columns)) <= columns
    assert "1 read " in plain(who_title(PAGE._replace(events=1), 100, ""))


@pytest.mark.parametrize(("depth", "size"), [("mono", (120, 40)), ("ascii", (80, 24)), ("mono", (60, 20))])
def test_as_in_the_files(golden: Callable[[str, Cells], None], depth: str, size: tuple[int, int]) -> None:
    options = ViewOptions(depth=ColourDepth(depth))
    panel = PanelPlace(1 if size[1] < 40 else 13, size[1] - 1, is_roomy=size[1] >= 40)
    columns, lines = panel_room(size[0], panel)
    text = who_text(PAGE, ("", ""), options, (columns, lines - 1))
    part = who_part(text, lines - 1)
    part = (*part, *[()] * (lines - 1 - len(part)), *who_remarks(PAGE, columns))
    picture = Canvas(*size, ascii_only=depth == "ascii")
    for line in range(size[1]):
        picture.put(line, 0, "~" * size[0])
    drawn = with_panel(picture.cells(), part, options, panel, who_title(PAGE, columns, "Esc closes"))
    golden(f"who-{depth}-{size[0]}x{size[1]}", drawn)


def test_what_is_bright_stays_as_it_was() -> None:
    picture = Canvas(120, 40)
    for line in range(40):
        picture.put(line, 0, "~" * 120)
    cells = picture.cells()
    drawn = with_panel(cells, (), OPTIONS, PanelPlace(20, 39, (Area(5, 10, 7, 14),)), ())
    assert not (drawn.styles[5:7, 10:14] & FADED_BIT).any()
    assert (drawn.styles[4, 10:14] & FADED_BIT).all()
    assert not (cells.styles & FADED_BIT).any()


def test_shares_of_a_sample_are_of_what_it_has_seen() -> None:
    """The title has the sums of the cell. One statement alone is first, not last."""
    keys = (WhoKey("sql_id", (WhoValue("3q7tqyz9cy1ck", 8, 0.08),)), KEYS[1])
    seen = (WhoLine(0, 0.012, "10:00:01  sql_id=3q7tqyz9cy1ck"), WhoLine(0, 0.011, "10:00:02  sql_id=1"))
    page = WhoPage("10:00-10:01", "8.19-16.4 ms", "waits", 22_300, 260.0, keys, seen, sampled=0.1)
    lines = ["".join(text for text, _ in line) for line in who_text(page, ("", ""), OPTIONS, (110, 24)).lines]
    assert "22.3k waits" in "".join(text for text, _ in who_title(page, 110, ""))
    assert lines[0].split()[:4] == ["sql_id", "seen", "waited", "share"]
    assert "80 %" in lines[1]
    assert any(line.startswith("Longest waits seen") for line in lines)
    assert "Longest lines" not in "".join(lines)


@pytest.mark.parametrize("columns", [40, 76, 106])
def test_a_remark_about_a_file_with_a_long_name_is_said_to_its_end(columns: int) -> None:
    remark = NO_EVENTS.format(name="pylatencymap-20261129-144906-of-the-third-night.lmap.gz")
    lines = [plain(line) for line in who_remarks(PAGE._replace(remarks=(remark,)), columns)]
    assert " ".join(" ".join(lines).split()).endswith("read by pylatencymap events FILE")
    assert max(map(len, lines)) <= columns

"""SVG and PNG are true to the cells."""

import io
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import pylatencymap
from pylatencymap.errors import MissingPackage, UsageError
from pylatencymap.export import EXPORTERS, exporter_for
from pylatencymap.export.styled_runs import rgb_of
from pylatencymap.export.svg import CELL_HEIGHT, CELL_WIDTH, MARGIN, render_svg
from pylatencymap.view.paint.canvas import Canvas, Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import Ink, style

SVG = "{http://www.w3.org/2000/svg}"
STEP_3 = (0x2D, 0x4C, 0xA9)
STEP_12 = (0xFB, 0xEA, 0x62)


def sample() -> Cells:
    canvas = Canvas(12, 4)
    canvas.put(0, 0, "a<b & c>", style(bold=True))
    canvas.put(1, 2, "   ", style(0, Ink.FREQUENCY_RAMP + 3))
    canvas.put(2, 2, "▀▄", style(Ink.FREQUENCY_RAMP + 3, Ink.INTENSITY_RAMP + 12))
    canvas.put(3, 0, "╱╱│█", style(Ink.FREQUENCY_RAMP + 3))  # noqa: RUF001
    return canvas.cells()


def test_svg_has_the_runs_where_the_cells_are() -> None:
    root = ElementTree.fromstring(render_svg(sample(), ViewOptions()))
    assert (root.get("width"), root.get("height")) == (
        str(12 * CELL_WIDTH + 2 * MARGIN),
        str(4 * CELL_HEIGHT + 2 * MARGIN),
    )
    rectangles = [
        (*(float(rect.get(key) or 0) for key in ("x", "y", "width", "height")), rect.get("fill"))
        for rect in root.iter(f"{SVG}rect")
    ]
    assert (2 * CELL_WIDTH, CELL_HEIGHT, 3 * CELL_WIDTH, CELL_HEIGHT, "#2d4ca9") in rectangles
    assert (2 * CELL_WIDTH, 2 * CELL_HEIGHT, CELL_WIDTH, CELL_HEIGHT / 2, "#2d4ca9") in rectangles
    assert (2 * CELL_WIDTH, 2 * CELL_HEIGHT, 2 * CELL_WIDTH, CELL_HEIGHT, "#fbea62") in rectangles
    words = {text.text: (text.get("x"), text.get("font-weight")) for text in root.iter(f"{SVG}text")}
    assert words == {"a<b": ("0", "bold"), "&": ("36", "bold"), "c>": ("54", "bold")}


def worded() -> Cells:
    canvas = Canvas(40, 5)
    canvas.put(0, 1, "m.lmap  </title><b>&  日本", style(bold=True))
    canvas.put(1, 1, "16 ms │", style())
    canvas.put(1, 8, "   ", style(0, Ink.FREQUENCY_RAMP + 3))
    canvas.put(1, 14, "<1  13 %  ██▏", style())
    canvas.put(2, 1, "└──┴──", style())
    canvas.put(4, 1, "p50 1 ms   p99 9 ms", style())
    return canvas.cells()


TITLE, DESCRIPTION = "m.lmap, </title><b>&, 日本", "16 ms, <1, 13 %\np50 1 ms, p99 9 ms"


def test_svg_has_its_words_as_title_and_description() -> None:
    root = ElementTree.fromstring(render_svg(worded(), ViewOptions()))
    assert (root[0].tag, root[0].text) == (f"{SVG}title", TITLE)
    assert (root[1].tag, root[1].text) == (f"{SVG}desc", DESCRIPTION)
    assert root.get("role") == "img"


def test_png_has_its_words_in_text_chunks() -> None:
    image = pytest.importorskip("PIL.Image")
    with image.open(io.BytesIO(EXPORTERS[".png"](worded(), ViewOptions()))) as read:
        assert read.text == {"Title": TITLE, "Description": DESCRIPTION, "Software": "pylatencymap"}


def test_an_empty_picture_has_a_title() -> None:
    root = ElementTree.fromstring(render_svg(Canvas(8, 2).cells(), ViewOptions()))
    assert (root[0].text, root[1].text) == ("pylatencymap", None)


def wide(name: str) -> Cells:
    canvas = Canvas(12, 1)
    canvas.put(0, 1, f"a{name}b", style(bold=True))
    return canvas.cells()


def test_svg_keeps_wide_characters_on_the_grid() -> None:
    root = ElementTree.fromstring(render_svg(wide("日本"), ViewOptions()))
    words = [(text.text, text.get("x"), text.get("textLength")) for text in root.iter(f"{SVG}text")]
    assert words == [("a", "9", "9"), ("日本", "18", "36"), ("b", "54", "9")]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without fonts."""
    monkeypatch.setattr("pylatencymap.export.character_fonts._WIDE_FONTS", ())
    monkeypatch.setattr("pylatencymap.export.character_fonts._NARROW_FONTS", ())


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("has_font", [False, True])
def test_png_draws_wide_characters_in_two_cells(has_font: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    image_module = pytest.importorskip("PIL.Image")
    if has_font:  # as if our own had the character
        monkeypatch.setattr("pylatencymap.export.character_fonts._has", lambda *_: True)
    drawn = []
    for name in ("日", "本", "  "):
        image = image_module.open(io.BytesIO(EXPORTERS[".png"](wide(name), ViewOptions())))
        drawn.append([image.crop(box(*cells)).tobytes() for cells in ((1, 2), (2, 4), (4, 5))])
    assert drawn[0][0] == drawn[1][0] == drawn[2][0]
    assert drawn[0][2] == drawn[1][2] == drawn[2][2], "what follows stands where it would without it"
    assert drawn[0][1] != drawn[2][1]
    assert has_font or drawn[0][1] != drawn[1][1], "names that differ look different"


@pytest.mark.usefixtures("bare")
def test_png_needs_no_installed_font() -> None:
    pytest.importorskip("PIL")
    from pylatencymap.export.character_fonts import CharacterFonts

    fonts = CharacterFonts(15)
    missing = {char for char in drawn_characters() if not all(fonts.font_of(char, bold) for bold in (False, True))}
    assert missing == set()
    assert fonts.font_of("\u0e01") is None, "a Thai letter, which is drawn as a box"
    assert {fonts.font_of(char, bold).getlength(char) for char in "iWä▸" for bold in (False, True)} == {9.0}


def drawn_characters() -> set[str]:
    """Printable ASCII, what modules write that is not ASCII, and letters of labels."""
    package = Path(pylatencymap.__file__).parent
    texts = "".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    return {chr(code) for code in range(33, 127)} | {char for char in texts if ord(char) > 160} | {*"µäßéçñøŁžΔσЖя€≤∞"}


@pytest.mark.usefixtures("bare")
def test_png_shows_which_character_no_font_has() -> None:
    image_module = pytest.importorskip("PIL.Image")
    drawn = set()
    for name in ("\u0e01", "\u0e02", " "):
        image = image_module.open(io.BytesIO(EXPORTERS[".png"](wide(name), ViewOptions())))
        drawn.add(image.crop(box(2, 3)).tobytes())
    assert len(drawn) == 3


def box(start: int, stop: int) -> tuple[int, int, int, int]:
    """The pixels of some cells of the first line."""
    return MARGIN + start * CELL_WIDTH, 0, MARGIN + stop * CELL_WIDTH, 2 * MARGIN + CELL_HEIGHT


def test_svg_needs_nothing_from_elsewhere() -> None:
    text = render_svg(sample(), ViewOptions())
    assert text.count("http") == 1, "the name space only"


def test_png_has_the_colours_of_the_cells() -> None:
    image_module = pytest.importorskip("PIL.Image")
    data = EXPORTERS[".png"](sample(), ViewOptions())
    image = image_module.open(io.BytesIO(data))
    assert image.size == (12 * CELL_WIDTH + 2 * MARGIN, 4 * CELL_HEIGHT + 2 * MARGIN)

    def at(column: float, line: float) -> tuple[int, int, int]:
        return image.getpixel((MARGIN + int(column * CELL_WIDTH), MARGIN + int(line * CELL_HEIGHT)))

    assert at(3.5, 1.5) == STEP_3
    assert (at(2.5, 2.2), at(2.5, 2.8)) == (STEP_3, STEP_12)
    assert (at(3.5, 2.2), at(3.5, 2.8)) == (STEP_12, STEP_3)
    assert at(3.5, 3.5) == STEP_3
    assert at(11.5, 1.5) == (0x12, 0x14, 0x17)
    assert len(image.crop((MARGIN, MARGIN, MARGIN + 9 * 8, MARGIN + 18)).getcolors()) > 2, "text is there"


@pytest.mark.parametrize("depth", ColourDepth)
@pytest.mark.parametrize("background", ["dark", "light"])
@pytest.mark.parametrize("extension", [".svg", ".png"])
def test_every_depth_can_be_written(depth: ColourDepth, background: str, extension: str) -> None:
    pytest.importorskip("PIL")
    data = exporter_for(f"picture{extension.upper()}")(sample(), ViewOptions(depth=depth, background=background))
    assert data.startswith(b"<svg" if extension == ".svg" else b"\x89PNG")


def test_png_without_pillow_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setattr(sys, "executable", "/some where/python")
    with pytest.raises(MissingPackage, match=r"^PNG pictures need Pillow: '/some where/python' -m pip install Pillow$"):
        EXPORTERS[".png"](sample(), ViewOptions())


@pytest.mark.parametrize("name", ["out.gif", "out", "out."])
def test_unknown_extensions_are_named(name: str) -> None:
    with pytest.raises(UsageError, match=r"known are \.svg \.png"):
        exporter_for(name)


def test_palette_indices_are_those_of_xterm() -> None:
    assert [rgb_of(index) for index in (16, 51, 208, 231, 232, 255)] == [
        (0, 0, 0), (0, 255, 255), (255, 135, 0), (255, 255, 255), (8, 8, 8), (238, 238, 238)
    ]  # fmt: skip

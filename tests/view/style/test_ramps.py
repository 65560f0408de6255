"""The measured claims about the ramps: lightness, smallest step, distance between hues, for four kinds of sight."""

from itertools import pairwise, product

import numpy as np
import pytest

from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import PALETTES
from pylatencymap.view.style.ramps import diverging_ramps, ramp, rgb
from pylatencymap.view.style.styles import Ink
from pylatencymap.view.style.theme import colours as theme_colours, rgb_of

SIGHTS = {
    "normal": np.eye(3),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
"""Machado, Oliveira and Fernandes 2009, full severity, on linear RGB."""
BACKGROUNDS = {
    "dark": ["000000", "121417", "1e1e1e", "282c34", "002b36", "300a24"],
    "light": ["ffffff", "fdf6e3", "fafafa", "eeeeee"],
}
"""Terminals' own, light and dark, Solarized and Ubuntu among them."""
ONE_RAMP = ["viridis", "cividis", "inferno"]
CASES = list(product(("frequency", "intensity"), ("dark", "light")))


def linear(colour: tuple[int, int, int], sight: str = "normal") -> np.ndarray:
    value = np.array(colour) / 255
    flat = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.clip(SIGHTS[sight] @ flat, 0, 1)


def oklab_lightness(rgb: np.ndarray) -> float:
    cones = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                      [0.0883024619, 0.2817188376, 0.6299787005]]) @ rgb  # fmt: skip
    return float(np.array([0.2104542553, 0.7936177850, -0.0040720468]) @ np.cbrt(cones))


def cielab(rgb: np.ndarray) -> np.ndarray:
    xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                    [0.0193339, 0.1191920, 0.9503041]]) @ rgb / np.array([0.95047, 1.0, 1.08883])  # fmt: skip
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    c1, c2 = np.hypot(a1 * (1 + g), b1), np.hypot(a2 * (1 + g), b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * (1 + g))) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    big = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (1 - 0.17 * np.cos(np.radians(hue - 30)) + 0.24 * np.cos(np.radians(2 * hue))
         + 0.32 * np.cos(np.radians(3 * hue + 6)) - 0.2 * np.cos(np.radians(4 * hue - 63)))  # fmt: skip
    sl = 1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    parts = (l2 - l1) / sl, (c2 - c1) / sc, big / sh
    return float(np.sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2]))


def colours(kind: str, background: str, depth: ColourDepth, palette: str = "cool-warm") -> list[tuple[int, int, int]]:
    return [rgb_of(colour) for colour in ramp(kind, palette, background, depth)]


def test_ciede2000_on_published_pairs() -> None:
    assert ciede2000(np.array([50, 2.6772, -79.7751]), np.array([50, 0, -82.7485])) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000(np.array([50, 2.5, 0]), np.array([73, 25, -18])) == pytest.approx(27.1492, abs=1e-4)


@pytest.mark.parametrize(("kind", "background"), CASES)
@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("depth", [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256])
@pytest.mark.parametrize("sight", SIGHTS)
def test_lightness_is_strictly_monotone(
    kind: str, background: str, palette: str, depth: ColourDepth, sight: str
) -> None:
    lightness = [oklab_lightness(linear(colour, sight)) for colour in colours(kind, background, depth, palette)]
    rising = 1 if background == "dark" else -1
    assert all(rising * (after - before) > 0 for before, after in pairwise(lightness))


@pytest.mark.parametrize(
    ("kind", "background", "steps", "first", "last"),
    [
        ("frequency", "dark", {"normal": 5.3, "deutan": 4.8, "protan": 5.3, "tritan": 3.4}, 0.34, 0.87),
        ("intensity", "dark", {"normal": 5.5, "deutan": 3.1, "protan": 4.0, "tritan": 5.2}, 0.36, 0.93),
        ("frequency", "light", {"normal": 4.4, "deutan": 4.8, "protan": 4.2, "tritan": 3.3}, 0.87, 0.29),
        ("intensity", "light", {"normal": 6.5, "deutan": 4.1, "protan": 5.3, "tritan": 5.1}, 0.90, 0.33),
    ],
)
def test_smallest_step(kind: str, background: str, steps: dict[str, float], first: float, last: float) -> None:
    shown = colours(kind, background, ColourDepth.TRUECOLOR)
    assert len(shown) == 12
    assert oklab_lightness(linear(shown[0])) == pytest.approx(first, abs=0.006)
    assert oklab_lightness(linear(shown[-1])) == pytest.approx(last, abs=0.006)
    for sight, step in steps.items():
        labs = [cielab(linear(colour, sight)) for colour in shown]
        assert min(ciede2000(*pair) for pair in pairwise(labs)) == pytest.approx(step, abs=0.15), sight


@pytest.mark.parametrize("background", ["dark", "light"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_no_cool_colour_is_near_a_warm_one(background: str, sight: str) -> None:
    cool, warm = (
        [cielab(linear(c, sight)) for c in colours(k, background, ColourDepth.TRUECOLOR)]
        for k in ("frequency", "intensity")
    )
    assert min(ciede2000(one, other) for one in cool for other in warm) >= 19.5


@pytest.mark.parametrize(("kind", "background"), CASES)
def test_sizes_and_kinds(kind: str, background: str) -> None:
    assert len(ramp(kind, "cool-warm", background, ColourDepth.COLOURS_256)) == 7
    assert len(ramp(kind, "cool-warm", background, ColourDepth.COLOURS_16)) == 3
    assert ramp(kind, "classic", background, ColourDepth.COLOURS_16) == ramp(
        kind, "cool-warm", background, ColourDepth.COLOURS_16
    )
    assert len(ramp(kind, "classic", background, ColourDepth.TRUECOLOR)) == (8 if background == "dark" else 6)
    assert ramp(kind, "cool-warm", background, ColourDepth.MONO) == ()
    assert 0 not in ramp(kind, "cool-warm", background, ColourDepth.COLOURS_16)


@pytest.mark.parametrize("background", ["dark", "light"])
@pytest.mark.parametrize(
    ("palette", "steps"),
    [
        ("viridis", {"normal": 6.7, "deutan": 4.2, "protan": 2.6, "tritan": 4.7}),
        ("cividis", {"normal": 4.7, "deutan": 4.4, "protan": 4.9, "tritan": 4.1}),
        ("inferno", {"normal": 6.6, "deutan": 4.2, "protan": 4.3, "tritan": 4.7}),
    ],
)
def test_smallest_step_of_shared_ramps(palette: str, background: str, steps: dict[str, float]) -> None:
    shown = colours("frequency", background, ColourDepth.TRUECOLOR, palette)
    assert len(shown) == 12
    assert shown == colours("intensity", background, ColourDepth.TRUECOLOR, palette)
    for sight, step in steps.items():
        labs = [cielab(linear(colour, sight)) for colour in shown]
        assert min(ciede2000(*pair) for pair in pairwise(labs)) >= step - 0.1, sight


@pytest.mark.parametrize(("kind", "background"), CASES)
@pytest.mark.parametrize("palette", ["cool-warm", *ONE_RAMP])
@pytest.mark.parametrize("depth", [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256])
def test_single_events_stand_out_from_every_background(
    kind: str, background: str, palette: str, depth: ColourDepth
) -> None:
    first = colours(kind, background, depth, palette)[0]
    for sight, ground in product(SIGHTS, map(rgb, BACKGROUNDS[background])):
        distance = ciede2000(cielab(linear(first, sight)), cielab(linear(ground, sight)))
        assert distance >= (12.9 if palette in ONE_RAMP else 8.0), (sight, ground)


@pytest.mark.parametrize(("kind", "background"), CASES)
@pytest.mark.parametrize("palette", ["cool-warm", *ONE_RAMP])
def test_clipped_cells_and_marks_are_on_no_ramp(kind: str, background: str, palette: str) -> None:
    shown = [cielab(linear(colour)) for colour in colours(kind, background, ColourDepth.TRUECOLOR, palette)]
    theme = theme_colours(palette, background, ColourDepth.TRUECOLOR)
    assert ciede2000(shown[-1], cielab(linear(rgb_of(theme[Ink.CLIP])))) >= 20
    assert min(ciede2000(colour, cielab(linear(rgb_of(theme[Ink.MARK])))) for colour in shown) >= 11


@pytest.mark.parametrize(("palette", "background"), list(product(ONE_RAMP, ("dark", "light"))))
def test_shared_ramps_in_fewer_colours(palette: str, background: str) -> None:
    assert len(ramp("frequency", palette, background, ColourDepth.COLOURS_256)) == 7
    few = ramp("frequency", palette, background, ColourDepth.COLOURS_16)
    lightness = [oklab_lightness(linear(rgb_of(colour))) for colour in few]
    assert sorted(lightness, reverse=background == "light") == lightness
    assert len(set(few)) == 3


def arms(background: str, depth: ColourDepth, sight: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """What became fewer, and what became more, from near zero outwards, as CIELAB for a kind of sight."""
    fewer, more = (
        [cielab(linear(rgb_of(colour), sight)) for colour in arm] for arm in diverging_ramps(background, depth)
    )
    return fewer, more


@pytest.mark.parametrize("background", ["dark", "light"])
@pytest.mark.parametrize(
    ("depth", "apart", "step"),
    [(ColourDepth.TRUECOLOR, 40, 6.5), (ColourDepth.COLOURS_256, 30, 10.5), (ColourDepth.COLOURS_16, 50, 5)],
)
@pytest.mark.parametrize("sight", ["normal", "deutan", "protan"])
def test_fewer_and_more_differ_for_red_green_blind_eyes(
    background: str, depth: ColourDepth, apart: float, step: float, sight: str
) -> None:
    """In a difference map any fewer is far from any more, each step is a step, and the first one is no background."""
    fewer, more = arms(background, depth, sight)
    assert min(ciede2000(one, other) for one in fewer for other in more) >= apart
    assert min(ciede2000(*pair) for arm in (fewer, more) for pair in pairwise(arm)) >= step
    if depth is ColourDepth.TRUECOLOR:
        grounds = [cielab(linear(rgb(ground), sight)) for ground in BACKGROUNDS[background]]
        assert min(ciede2000(arm[0], ground) for arm in (fewer, more) for ground in grounds) >= 11


@pytest.mark.parametrize("background", ["dark", "light"])
@pytest.mark.parametrize("sight", ["normal", "deutan", "protan", "tritan"])
def test_lightness_of_differences_is_monotone(background: str, sight: str) -> None:
    for arm in diverging_ramps(background, ColourDepth.TRUECOLOR):
        lightness = [oklab_lightness(linear(rgb_of(colour), sight)) for colour in arm]
        assert lightness == sorted(lightness, reverse=background == "light")

"""Writes a page: one HTML file with its style, its script and its data, which loads nothing."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ...number_text import average_text, count_words, quantile_text, quantile_words, share_text, waited_text
from ...text.clean import printable
from ...view.wording import slo_shares
from ...window import COLUMN_SECONDS, Quantity
from .content import PageContent, PageSeries
from .levels import MOST_BYTES, CodedSeries, coded_series, finest_words
from .looks import colours_for_script, style_variables
from .rows import page_rows, ranges_for_script, ranges_of, rows_for_script
from .times import title_time, zone_for_script

SCRIPTS = (
    *("words.js", "estimates.js", "columns.js", "picture.js", "sum.js", "drawing.js"),
    *("page.js", "readout.js", "texts.js", "keys.js", "gestures.js", "start.js"),
)
"""In the order in which they need each other."""
MOST_SENTENCES = 12
"""Moments of a series that the text in place of the picture tells."""


def render_page(content: PageContent, finest: float | None = None, most: int = MOST_BYTES) -> str:
    """A page of at most about ``most`` bytes; or in steps of ``finest`` seconds, whatever its size."""
    style, loader, program = _style(content), _bare(_asset("loader.js")), page_program()
    packed, about = _packed(program), _about(content)
    besides = sum(map(len, (style, loader, packed, script_json(about), _asset("page.html"))))
    step, coded = coded_series(content.histories, most - besides, finest)
    about["step"] = step
    for series, levels in zip(about["series"], coded, strict=False):  # a sum, the last one, has no data of its own
        series["every"], series["levels"] = levels.every, [level.about for level in levels.levels]
    return Template(_asset("page.html")).substitute(
        policy=_policy(style, loader, program),
        background=content.view.background,
        title=_text(content.title),
        generator="pylatencymap",
        time=_text(_time_words(content, step, coded)),
        style=style,
        loader=loader,
        program=packed,
        text="\n".join(_sentences(one) for one in content.series),
        about=script_json(about),
        data="\n".join(_data(number, levels) for number, levels in enumerate(coded)),
    )


FRAMED_BYTES = 300_000
"""The size of a page in a notebook, which is kept with it."""


def framed_page(content: PageContent) -> str:
    """A page as an element of another one: it can neither see nor change what is around it."""
    page = escape(render_page(content, most=FRAMED_BYTES))
    return (
        f'<iframe title="{_text(content.title)}: latency" sandbox="allow-scripts allow-modals" '
        f'style="width: 100%; height: 860px; border: 0" srcdoc="{page}"></iframe>'
    )


def _policy(style: str, *scripts: str) -> str:
    """What the page may do: use this style, run these scripts, and load nothing, from nowhere."""
    allowed = f"style-src {_digest(style)}", f"script-src {' '.join(map(_digest, scripts))}"
    return "; ".join(("default-src 'none'", *allowed, "img-src data:", "base-uri 'none'", "form-action 'none'"))


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _style(content: PageContent) -> str:
    return f"\n{style_variables(content.view)}\n{_asset('page.css')}"


@cache
def page_program() -> str:
    """What the page does in the browser, as one script."""
    parts = "\n".join(_bare(_asset(name)) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _bare(script: str) -> str:
    """A script without indentation and comments: in our modules these have lines of their own."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _packed(text: str) -> str:
    return b64encode(zlib.compress(text.encode(), 9)).decode()


def _asset(name: str) -> str:
    return files(__package__).joinpath("web", name).read_text(encoding="utf-8")


def _time_words(content: PageContent, step: int, coded: list[CodedSeries]) -> str:
    """From when to when, and in which steps."""
    said = f"{title_time(content)}, {finest_words(step, min(one.every for one in coded))}"
    bad = content.bad
    return f"{said}; {bad} bad record{'' if bad == 1 else 's'} left out" if bad else said


def _about(content: PageContent) -> dict[str, Any]:
    """All that the script has to know, in values of JSON, without the levels of zoom."""
    view = content.view
    return {
        "title": printable(content.title),
        "begin": content.begin,
        "end": content.end,
        "first": content.first,
        "steps": [round(step * 1e6) for step in COLUMN_SECONDS],
        "zone": zone_for_script(content),
        "scale": view.scale,
        "slo": view.slo,
        "pinned": {"frequency": view.frequency_max, "intensity": view.intensity_max},
        "colours": colours_for_script(view),
        "series": [_series(content, one) for one in content.series],
    }


def _series(content: PageContent, one: PageSeries) -> dict[str, Any]:
    history, ranges = one.history, ranges_of(one.history)
    return {
        "name": printable(history.name),
        "noun": printable(one.noun),
        "tick": one.tick,
        "estimated": one.summary.estimated,
        "ranges": ranges_for_script(ranges),
        "rows": rows_for_script(page_rows(ranges, content.view, content.resolution)),
        "members": ranges.places,
        "every": history.usual_seconds(),
        "bands": [_band(rank) for rank in (one.summary.p50, one.summary.p90, one.summary.p99)],
        "slow": one.summary.slow and slo_shares(one.summary.slow),
        "modes": [mode._asdict() for mode in one.modes],
        "moments": [moment._asdict() for moment in one.moments],
    }


def _band(quantity: Quantity | None) -> str:
    """What follows a percentile of all: `` (64-128)``."""
    words, text = (quantile_words(quantity), quantile_text(quantity)) if quantity else ("", "")
    return words.removeprefix(text) if words.startswith(text) else ""


def _sentences(one: PageSeries) -> str:
    """A series in words, for those who cannot see the picture: a paragraph and a list."""
    about, name = one.summary, _text(one.history.name)
    rate = about.events / about.span if about.span else 0.0
    waiting = about.waited / about.span if about.span else 0.0
    said = [f"{count_words(about.events)} {one.noun}", f"{count_words(rate)}/s", f"{waited_text(waiting)} waited"]
    if about.average is not None:
        said.append(f"average {average_text(about.average)}")
    for rank, found in (("p50", about.p50), ("p90", about.p90), ("p99", about.p99)):
        if found is not None:
            said.append(f"{rank} {quantile_words(found)}")
    if about.slow is not None:
        events, waited = slo_shares(about.slow)
        said.append(f"{events} of {one.noun} are slower than the SLO, with {waited} of the wait")
    modes = [
        f"{mode.range}: {share_text(mode.events, '0 %')} of {one.noun}, {share_text(mode.waited, '0 %')} of the wait"
        for mode in one.modes
    ]
    moments = [
        f"{moment.when}: {moment.what}" + (f"; {moment.cost}" if moment.cost else "")
        for moment in one.moments[:MOST_SENTENCES]
    ]
    more = len(one.moments) - MOST_SENTENCES
    listed = [*modes, *moments, *([f"and {more} more"] if more > 0 else [])]
    items = "".join(f"<li>{_text(line)}</li>" for line in listed)
    return f"<p><b>{name}</b>: {_text(', '.join(said))}</p>\n<ul>{items}</ul>"


def _data(number: int, levels: CodedSeries) -> str:
    return "\n".join(
        f'<script type="application/octet-stream" id="level-{number}-{place}">{level.text}</script>'
        for place, level in enumerate(levels.levels)
    )


def _text(text: str) -> str:
    """A text from outside as HTML: visible, and nothing but text."""
    return escape(printable(text, max(10 * len(text), 1)))


def script_json(values: object) -> str:
    """Values as JSON that can stand in a script element: no ``<`` that could end it."""
    text = json.dumps(values, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

"""Hostile text, inputs that hold it in every place where text from outside can be, and what must not come through."""

import json
import re

CONTROLS = "\x1b]0;PWNED\x07\x1b[99;99H\x1b[6n\x1b[?47h\x1bc\x9b99;98H\x9d0;PWN2\x9c\x08\x7f\x0b\x85"
"""Commands to a terminal: its title, the cursor, a question whose answer is typed, another screen, a reset; in 7 and
in 8 bits; backspace, delete, vertical tab, next line.
"""
INVISIBLE = "\u202egnp\u2066x\u2069\u200e\u061c\u200b\u200d\ufeff\u2028\u2029\u00ad\U000e0041"
"""What turns the order of letters, or hides between them."""
MARKUP = "\"><script>alert(1)</script>&lt;' onload=x ]]><!--"
EVIL = CONTROLS + INVISIBLE + MARKUP
WORD = EVIL.replace(",", "").replace('"', "").replace("'", "")
"""Without what ends a word in some formats."""
FILE_NAME = (CONTROLS + INVISIBLE + "\nnew\rline<script>").replace("/", "")[:80]
SEQUENCES = (
    "\x1b]0;",
    "\x1b[99;9",
    "\x1b[6n\x1b[?47h",
    "\x1b[?47h",
    "\x1bc",
    "\x9b",
    "\x9d",
    "\x9c",
    "\x07",
    "\x7f",
    *(sign for sign in INVISIBLE if not sign.isascii()),
)
"""What is looked for in a terminal's stream, which is full of our own commands."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def record(
    second: int, count: int, label: str = "sda", source: str = "bpf", date: str = "x", **extension: object
) -> str:
    """A record of the stream, with ``#lmap`` before it if there is an extension."""
    said = "#lmap " + json.dumps({"v": 1, **extension}, ensure_ascii=False) + "\n" if extension else ""
    return (
        f"{said}<begin record>\ntimestamp,microsec,{1_700_000_000 + second}000000,{date}\nlabel,{label}\n"
        f"latencyunit,microsec\ndatasource,{source}\n64,{count}\n<end record>\n"
    )


def stream(**texts: object) -> str:
    return "".join(record(second, 10 * second + 10, **texts) for second in range(5))  # type: ignore[arg-type]


def _repeated(text: str) -> str:
    """A text of four snapshots; NUMBER in it is the number of each."""
    return "".join(text.replace("NUMBER", str(number)) for number in range(1, 5))


_METRIC = f'lat_seconds_bucket{{le="0.1",op="{WORD}"}} NUMBER\nlat_seconds_bucket{{le="+Inf",op="{WORD}"}} NUMBER\n'
_ROWS = "   value  ------------- Distribution ------------- count    \n     32 |           0\n     64 |@@@ NUMBER\n"

INPUTS = {
    "label": stream(label=EVIL),
    "source": stream(source=EVIL),
    "date": stream(date=EVIL),
    "series": stream(series=EVIL + "\n\r\t\0"),
    "label of the extension": stream(label=EVIL) + record(6, 90, series="a", note=EVIL),
    "source of the extension": stream(series="a") + record(6, 90, source="bpf", flags=[EVIL, "\n"]),
    "note": stream(note=EVIL + "\n"),
    "flags": stream(flags=[EVIL]),
    "key of the extension": stream(series="a").replace('"v": 1', '"v": 1, ' + json.dumps(EVIL) + ": 1"),
    "version": stream().replace("<begin", '#lmap {"v": ' + json.dumps(EVIL) + "}\n<begin", 1),
    "no JSON": stream().replace("<begin", "#lmap {" + EVIL + "\n<begin", 1),
    "mark": stream()
    + "#lmap "
    + json.dumps({"v": 1, "mark": EVIL + "\n", "at": 1_700_000_002_000_000, "series": EVIL})
    + "\n"
    + record(6, 90),
    "bad line": stream().replace("64,20", EVIL + "\n64,20"),
    "bad bucket": stream().replace("64,20", f"64,{EVIL}\n64,20"),
    "unit": stream().replace("microsec\ndata", EVIL + "\ndata"),
    "prefix": "".join(f"{EVIL} {line}\n" for line in stream().splitlines()),
    "bcc": _repeated(
        f"\ndisk = '{EVIL}'\n     usecs               : count     distribution\n"
        "        64 -> 127        : NUMBER        |****|\n\n"
    ),
    "bpftrace": _repeated(f"@usecs[{EVIL}]: \n[64, 128) NUMBER |@@@|\n\n\n"),
    "bpftrace -f json": _repeated(
        json.dumps({"type": "hist", "data": {"@us": {EVIL: [{"min": 64, "max": 127, "count": "N"}]}}}).replace(
            '"N"', "NUMBER"
        )
        + "\n"
    ),
    "Prometheus": _repeated(
        f'# TYPE lat_seconds histogram\n{_METRIC}lat_seconds_count{{op="{WORD}"}} NUMBER\n# {EVIL}\n# EOF\n'
    ),
    "table": "time,latency_ms,op\n" + "".join(f"{1_700_000_000 + n},{n},{WORD}\n" for n in range(1, 5)),
    "heading": f"time {WORD},latency_ms,op{WORD}\n" + "".join(f"{1_700_000_000 + n},{n},a\n" for n in range(1, 5)),
    "JSON lines": "".join(
        json.dumps({"time": 1_700_000_000 + n, "latency_ms": n, EVIL: EVIL}) + "\n" for n in range(1, 9)
    ),
    "SQL trace": "".join(
        f"WAIT #140: nam='{WORD}' ela= {n} p1=1 p2=2 p3=3 obj#=1 tim={1_700_000_000_000_000 + n * 100_000}\n"
        for n in range(1, 50)
    ),
    "ping": f"PING {EVIL} (1.2.3.4) 56(84) bytes of data.\n"
    + "".join(f"64 bytes from {EVIL} (1.2.3.4): icmp_seq={n} ttl=64 time=0.{n} ms\n" for n in range(1, 9)),
    "DTrace": _repeated(f"\n  {EVIL}\n  {_ROWS}\n"),
    "HdrHistogram": "#[Histogram log format version 1.3]\n"
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'
    f"Tag={WORD},0.1,1.0,2.0,HISTFAAAABx4nJNpmSzMwMCgyQABzFCaEUzOmNZg/wEiAAA+ZAPm\n",
    "nothing known": f"{EVIL}\n{EVIL}\n",
}
"""Texts by the place that holds the hostile one."""
ENCODINGS = ("utf-8", "latin-1")
"""Latin-1 makes one byte of C1 controls: no UTF-8, and commands to old terminals."""


def encoded(text: str, encoding: str) -> bytes:
    return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "replace")


def leaks(text: str, *, colours: bool = False) -> list[str]:
    """What does not print in a text, each with what stands around it; line feeds may, and SGR sequences with
    ``colours``.
    """
    text = _COLOURS.sub("", text) if colours else text
    return [
        f"{sign!r} in {text[max(0, at - 30) : at + 20]!r}"
        for at, sign in enumerate(text)
        if not sign.isprintable() and sign != "\n"
    ][:3]

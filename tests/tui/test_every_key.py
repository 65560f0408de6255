"""Every key of the view, pressed on a terminal, and the numbers on the screen against the recording's own text."""

import gzip
import random
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.tui.bindings import actions_by_event
from pylatencymap.view.style.options import PALETTES, SCALES

Make = Callable[..., Any]
Truth = dict[str, dict[int, dict[int, float]]]
"""Events by series, by the second that they came before, by lower bound in microseconds."""

FIRST = 1_700_000_000
SECONDS = 240
NEWEST = FIRST + SECONDS - 1
SERIES = {"nvme0n1": 5, "sda": 3, "dm-0": 1}
"""Most waited first, and how much more each has than the last."""
BUCKETS = (64, 128, 256, 4096, 8192)
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
READ_OUT = re.compile(
    r"read-out +(?:\d\d:\d\d:\d\d-)?(?P<time>\d\d:\d\d:\d\d) +"
    r"(?P<low>[\d.]+)(?P<low_unit> \ws)?-(?P<high>[\d.]+) (?P<high_unit>\ws) "
    r"+(?P<rate>[\d.]+) events/s, (?P<share>[\d.]+) % of (?:this second|these (?P<length>\d+) s) "
    r"+(?P<waited>[\d.]+) (?P<waited_unit>\w*s)/s waited"
)


@pytest.fixture
def recorded(make_stream: Callable[..., str], tmp_path: Path) -> str:
    """The text of a recording of three series, counters that grow by chance."""
    chance, text = random.Random(5), ""
    sums = {name: dict.fromkeys(BUCKETS, 0) for name in SERIES}
    for second in range(SECONDS):
        for name, factor in SERIES.items():
            for bucket in BUCKETS:
                sums[name][bucket] += chance.randint(1, 90) * factor
            text += make_stream(name, [sums[name]], FIRST + second)
    (tmp_path / "r.lmap").write_text(text)
    return text


def truth_of(text: str) -> Truth:
    """What the running sums in a text of records say, read without the program; the first of a series is the start."""
    found: Truth = {name: {} for name in SERIES}
    before: dict[str, dict[int, float]] = {}
    series, end, sums = "", 0, dict[int, float]()
    for line in text.splitlines():
        key, _, value = line.partition(",")
        if key == "timestamp":
            end, sums = int(value.split(",")[1]) // 1_000_000, {}
        elif key == "label":
            series = value
        elif key.isdigit():
            sums[int(key)] = float(value)
        elif line == "<end record>":
            if series in before:
                found[series][end] = {low: total - before[series].get(low, 0) for low, total in sums.items()}
            before[series] = sums
    return found


def moment(text: str) -> int:
    """Epoch seconds of a time on the day of the recording."""
    hours, minutes, seconds = map(int, text.split(":"))
    return FIRST - FIRST % 86400 + hours * 3600 + minutes * 60 + seconds


class Keys:
    """Presses keys, remembers which, and tells what a view says."""

    def __init__(self, view: Any, truth: Truth) -> None:
        self.view = view
        self.truth = truth
        self.pressed: set[str] = set()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pressed.add(key)
            self.view.press(key)

    def type(self, key: str, text: str) -> None:
        """Press a key that asks something, and answer."""
        self.press(key)
        self.view.press("\x15" + text + "\r")

    @property
    def clock(self) -> int:
        """The moment that the title tells, epoch seconds."""
        found = re.search(r" (?:UTC|to) (\d\d:\d\d:\d\d) ", self.view.line(0))
        assert found, self.view.text
        return moment(found[1])

    def events(self, names: tuple[str, ...], second: int, low: float = 0, high: float = 1e12) -> float:
        counts = [self.truth[name][second] for name in names]
        return sum(count for one in counts for lower, count in one.items() if low <= lower < high)

    @property
    def columns(self) -> int:
        """Seconds that the screen shows, of one column each."""
        found = re.search(r"^ window +(\d+) s ", self.view.text, re.MULTILINE)
        return int(found[1]) if found else 1

    def in_window(self, low: float = 0, high: float = 1e12) -> float:
        """Events of the first series in what the screen shows when it is at the newest."""
        return sum(self.events(("nvme0n1",), NEWEST - back, low, high) for back in range(self.columns))

    def shows_total(self, *names: str, second: int = NEWEST) -> None:
        """The total is that of these series: of the last column, or where the source has ended, on average."""

        def is_right() -> bool:
            found = re.search(r"total .*?([\d.]+)(k?) +/s", self.view.text)
            of = range(second - self.columns + 1, second + 1) if "mean share" in self.view.text else [second]
            expected = sum(self.events(names, one) for one in of) / len(of)
            return bool(found) and float(found[1]) * (1000 if found[2] else 1) == pytest.approx(expected, rel=0.006)

        self.view.until(is_right, f"the total of {names}")

    def reads(self, second: int | None = None, low: int | None = None) -> tuple[int, int]:
        """Wait for a read-out, of a second and a lower bound where given, and check its numbers; which these were."""

        def said() -> "re.Match[str] | None":
            found = READ_OUT.search(self.view.text)
            fits = found and second in (None, moment(found["time"])) and low in (None, self._low(found))
            return found if fits else None

        self.view.until(said, f"a read-out of {second} and {low}")
        found = said()
        assert found
        end, lower, length = moment(found["time"]), self._low(found), int(found["length"] or 1)
        ends = [one for one in range(end - length + 1, end + 1) if one in self.truth["nvme0n1"]]
        counts = [self.events(("nvme0n1",), one, lower, 2 * lower) for one in ends]
        whole = [self.events(("nvme0n1",), one) for one in ends]
        least = sum(counts) / len(ends) * lower * 1e-6
        assert float(found["rate"]) == pytest.approx(sum(counts) / len(ends), rel=0.006)
        assert float(found["share"]) == pytest.approx(100 * sum(counts) / sum(whole), abs=0.51)
        assert 0.995 * least <= float(found["waited"]) * UNITS[found["waited_unit"]] <= 2.01 * least
        return end, lower

    @staticmethod
    def _low(found: "re.Match[str]") -> int:
        """Microseconds; printed with three digits, but a power of two."""
        printed = float(found["low"]) * UNITS[(found["low_unit"] or found["high_unit"]).strip()] * 1e6
        return min((1 << bit for bit in range(32)), key=lambda power: abs(power - printed))


@pytest.fixture
def keys(terminal: Make, recorded: str) -> Keys:
    view = terminal("L replay r.lmap", size=(120, 40))
    return Keys(view, truth_of(recorded))


def test_every_key(keys: Keys, tmp_path: Path) -> None:
    for part in (replay, cursor, time, selected, latencies, series, looks, kept):
        part(keys)
    check_saved(keys, tmp_path)
    keys.press("?")
    keys.view.shows("Compare the two")
    keys.press("KEY_ESCAPE")
    keys.view.until(lambda: "Compare the two" not in keys.view.text)
    keys.press("q")
    assert keys.view.ends() == 0
    keys.view.is_as_before()
    assert "this view again: pylatencymap pylatencymap-" in keys.view.after.replace("\n", " ")
    assert actions_by_event().keys() - keys.pressed == set(), "keys that no line above presses"


def replay(keys: Keys) -> None:
    view = keys.view
    view.shows("REPLAY", "nvme0n1", "total")
    keys.press(" ")
    view.shows("PAUSED")
    begin = keys.clock
    for further in range(1, 4):
        keys.press(".")
        view.until(lambda further=further: keys.clock == begin + further, f"{further} s further")
        keys.shows_total("nvme0n1", second=begin + further)
    keys.press(" ", ">")
    view.shows("REPLAY 2x")
    keys.press("<", "<")
    view.shows("REPLAY 0.5x")
    keys.press(*">>>>>>>>")
    view.shows_the_end()
    assert keys.clock == NEWEST
    keys.shows_total("nvme0n1")


def cursor(keys: Keys) -> None:
    keys.press("KEY_LEFT")
    second, low = keys.reads(NEWEST, 8192)
    for key, columns in (
        ("KEY_LEFT", -1),
        ("KEY_SLEFT", -10),
        ("KEY_RIGHT", 1),
        ("KEY_SRIGHT", 10),
        ("KEY_SLEFT", -10),
    ):
        keys.press(key)
        second += columns
        keys.reads(second, low)
    keys.press("KEY_DOWN")
    keys.reads(second, 4096)
    keys.press("KEY_UP")
    keys.reads(second, 8192)
    keys.press("KEY_SDOWN", "KEY_UP", "KEY_UP")
    keys.reads(second, 128)
    keys.press("KEY_SUP", "KEY_DOWN")
    keys.reads(second, 8192)
    who(keys, second, 8192)


def who(keys: Keys, second: int, low: int) -> None:
    """The shares of the series in the cursor's cell; a recording knows no more."""
    keys.press("w")
    keys.view.shows("Who is in this cell", "holds counts per interval and no single events")
    for name in SERIES:
        events = keys.events((name,), second, low, 2 * low)
        assert re.search(rf" {name} +{events:,.0f} ", keys.view.text), name
    keys.press("KEY_ESCAPE")
    keys.view.until(lambda: "Who is" not in keys.view.text, "no panel")


def time(keys: Keys) -> None:
    second, low = keys.reads()
    keys.press("]")
    keys.view.shows("these 2 s")
    keys.reads(second + second % 2, low)
    keys.press("[")
    keys.view.shows("this second")
    keys.press("KEY_HOME")
    assert keys.reads(FIRST + 1)[0] == FIRST + 1
    keys.press("KEY_END")
    keys.reads(NEWEST)
    keys.press("KEY_ESCAPE")
    keys.view.until(lambda: "read-out " not in keys.view.text, "no cursor")
    keys.press("KEY_PGUP")
    keys.view.until(lambda: keys.clock < NEWEST, "an older screen")
    page = NEWEST - keys.clock
    assert 2 * page < SECONDS < 3 * page, "columns of a screen: there are between two and three of them"
    for key, edge in (("KEY_PGUP", FIRST + page), ("KEY_PGDOWN", FIRST + 2 * page), ("KEY_PGDOWN", NEWEST)):
        keys.press(key)
        keys.view.until(lambda edge=edge: keys.clock == edge, f"{key} to {edge}")
        keys.shows_total("nvme0n1", second=edge)
    keys.type("t", "22:15:00")
    keys.reads(FIRST + 101)  # the column that begins there
    keys.press("KEY_ESCAPE", "KEY_END")
    keys.shows_total("nvme0n1")
    fitted(keys)


def fitted(keys: Keys) -> None:
    """All that is kept, one step into it, and back."""
    view = keys.view
    keys.press("a")
    view.shows("ALL 4 min")
    keys.press("KEY_LEFT", "KEY_ENTER")
    view.shows(" of 4 min")
    keys.press("KEY_BACKSPACE")
    view.shows("ALL 4 min")
    keys.press("KEY_ESCAPE")
    view.until(lambda: "read-out " not in view.text, "no cursor")
    keys.press("KEY_BACKSPACE")
    view.shows(" of 4 min")
    keys.shows_total("nvme0n1")


def selected(keys: Keys) -> None:
    """Ten seconds between ( and ), and the moments of even noise: none, or changes with their sentences."""
    view = keys.view
    keys.press("KEY_LEFT", "(", "KEY_SLEFT", "KEY_SLEFT", "(", "KEY_SRIGHT", ")", "KEY_ESCAPE")
    view.shows("selected", " 11 s ")
    found = re.search(r"all of this time: +rate ([\d.,k]+)/s", view.text)
    assert found
    newest = keys.clock
    total = sum(keys.events(("nvme0n1",), second) for second in range(newest - 20, newest - 9))
    assert float(found[1].replace(",", "").replace("k", "e3")) == pytest.approx(total / 11, rel=0.01)
    keys.press("A", "B", "KEY_ESCAPE")
    view.shows("A and B", "Too little to compare: 11 columns a side")
    row = re.search(r"^ rate +([\d.,k]+)/s +([\d.,k]+)/s", view.text, re.MULTILINE)
    assert row
    before = sum(keys.events(("nvme0n1",), second) for second in range(newest - 31, newest - 20))
    rates = [float(one.replace(",", "").replace("k", "e3")) for one in row.groups()]
    assert rates == pytest.approx([before / 11, total / 11], rel=0.01)
    keys.press("D")
    view.shows("DIFFERENCE", "less the average of B")
    keys.press("D")
    view.shows("A and B")
    keys.press("KEY_ESCAPE")
    view.until(lambda: "A and B" not in view.line(0), "no comparison")
    for key in ("n", "N"):
        keys.press(key)
        view.until(lambda: "nothing stands out" in view.text or "selected" in view.text, "a moment, or none")
    keys.press("l")
    view.until(lambda: "nothing stands out" in view.text or "most costly first" in view.text, "the list, or none")
    keys.press("KEY_ESCAPE", "KEY_ESCAPE", "KEY_ESCAPE", "KEY_END")
    keys.shows_total("nvme0n1")


def latencies(keys: Keys) -> None:
    view = keys.view
    for key in "+=":
        keys.press("c", key)
        view.shows("the source does not tell latencies apart further")
    keys.press("-")
    keys.type("o", "2048us")
    view.shows("SLO 2.05 ms")
    found = re.search(r"SLO 2.05 ms.*?([\d.]+) % ", view.text)
    assert found
    assert float(found[1]) == pytest.approx(100 * keys.in_window(2048) / keys.in_window(), abs=0.51)
    keys.type("o", "")
    view.until(lambda: "SLO 2.05 ms" not in view.text)
    keys.type("r", "128us-512us")
    view.until(lambda: rows(view) == {">512 us", "512 us", "256 us"}, "two rows and what is above them")
    for key, below in (("", 128), ("}", 256), ("{", 128)):
        keys.press(*key)
        hidden = keys.in_window(0, below) / keys.columns
        view.shows(f"below {below} us, not shown: {hidden:.0f} events/s")
    keys.type("r", "")
    view.until(lambda: "16.4 ms" in rows(view), "all rows")


def rows(view: Any) -> set[str]:
    """The labels of the first map."""
    return set(re.findall(r"^ *(>?[\d.]+ \ws) │", view.text.partition("INTENSITY")[0], re.MULTILINE))


def series(keys: Keys) -> None:
    view, names = keys.view, tuple(SERIES)
    for key, shown in (
        ("KEY_TAB", names[1]),
        ("KEY_TAB", names[2]),
        ("KEY_BTAB", names[1]),
        *zip("123", names, strict=True),
    ):
        keys.press(key)
        view.until(lambda shown=shown: view.line(0).split()[1] == shown, shown)
        keys.shows_total(shown)
    for number in "456789":
        keys.press("c", number)
        view.shows("only 3 series")
    keys.press("0")
    view.until(lambda: view.line(0).split()[1] == "sum", "the sum")
    keys.shows_total(*names)
    keys.press("v")
    view.shows("stack of 2", f"{names[0]} above {names[1]}")
    keys.press("KEY_TAB", "v")
    view.until(lambda: view.line(0).split()[1] == names[1], names[1])
    keys.press("/")
    view.shows("Series, over all")
    view.press("DM-\r")
    keys.shows_total("dm-0")
    keys.press("g")
    view.shows(*(f"{number} {name}" for number, name in enumerate(names, 1)))
    view.press("1")
    keys.shows_total("nvme0n1")


def looks(keys: Keys) -> None:
    view = keys.view
    keys.press("KEY_CTRL_L")
    for zone in ("UTC", "local time"):
        keys.press("u")
        view.shows(f"times are in {zone}")
    for key, shown, hidden in (("f", "FREQUENCY", "INTENSITY"), ("i", "INTENSITY", "FREQUENCY")):
        keys.press(key)
        view.until(lambda shown=shown, hidden=hidden: shown in view.text and hidden not in view.text, shown)
    keys.press("b")
    view.shows("FREQUENCY", "INTENSITY")
    for _ in SCALES:
        before = view.line(2)
        keys.press("c")
        view.until(lambda before=before: view.line(2) != before and "colour scale: " in view.text, "another scale")
    while " share " in view.line(2).partition("latest")[0] or "log" in view.line(2):
        before = view.line(2)
        keys.press("c")
        view.until(lambda before=before: view.line(2) != before, "another scale")
    for said in ("in the maps", "below the maps", "no percentiles"):
        keys.press("%")
        view.until(lambda said=said: said in view.text, said)
    keys.press("x")
    view.shows("pinned")
    keys.press("x")
    view.shows("the scales follow the data")
    for palette in (*PALETTES[1:], PALETTES[0]):
        keys.press("p")
        view.shows(f"palette: {palette}")
    for background in ("light", "dark"):
        keys.press("d")
        view.shows(f"colours for a {background} background")


def kept(keys: Keys) -> None:
    keys.type("m", "a note")
    keys.view.shows('"a note"', "M 22:17:19")
    keys.press("s")
    keys.view.shows("saved pylatencymap-", "this view again: pylatencymap pylatencymap-")
    keys.type("S", "picture")
    keys.view.shows(".png in " if find_spec("PIL") else ".svg in ")
    keys.press("y")
    keys.view.prints("\x1b]52;c;")


def check_saved(keys: Keys, folder: Path) -> None:
    """What was saved is what was recorded, and the note."""
    (saved,) = folder.glob("*.lmap.gz")
    text = gzip.decompress(saved.read_bytes()).decode()
    assert truth_of(text) == keys.truth
    assert "a note" in text

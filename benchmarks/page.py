"""The page of a long recording: its size, the time of its first picture, and that of a move of the pointer.

    .venv/bin/python benchmarks/page.py [--runs N] [--megabytes N] [--finest SECONDS]

``export`` writes the page of three days of two disks, in a process of its own; Chromium opens it without a window,
driven by chromedriver (both from the distribution; selenium is in the extra ``dev``). The first picture is timed by the
page, from the navigation until the maps are drawn; so is the unpacking of the finest counts. A move is timed around
the event that a pointer makes, with the layout of the read-out; a step of zoom from the event of the wheel to the
end of the picture.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from generate import days, up_to

GOAL_BYTES = 1_500_000
GOAL_FIRST, GOAL_MOVE = 300.0, 16.0
"""Milliseconds."""
MOVES, STEPS = 400, 12
DEADLINE = 60.0
TIMED = """
const [moves] = arguments, canvas = document.getElementById("picture");
const box = canvas.getBoundingClientRect(), readout = document.getElementById("readout");
const send = (kind, type, more) => canvas.dispatchEvent(new kind(type, {bubbles: true, cancelable: true, ...more}));
const timed = (action) => { const begun = performance.now(); action(); return performance.now() - begun; };
const found = [];
for (let move = 0; move < moves; move++) {
  const at = {clientX: box.x + 90 + (move * 37) % (box.width - 350), clientY: box.y + 40 + (move * 13) % 140};
  found.push(timed(() => { send(PointerEvent, "pointermove", {pointerType: "mouse", ...at}); readout.offsetHeight; }));
}
return found;
"""
STEP = """
const [number, done] = arguments, canvas = document.getElementById("picture");
const box = canvas.getBoundingClientRect(), begun = performance.now();
const at = {clientX: box.x + 412, clientY: box.y + 60, deltaY: number % 2 ? 400 : -400};
canvas.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, ...at}));
requestAnimationFrame(() => done(performance.now() - begun));
"""


def browser() -> Any:
    """Chromium without a window; ends the program if there is none."""
    from selenium import webdriver

    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(programs):
        sys.exit("page.py: no chromium and chromedriver; apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,800"):
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    driver.set_script_timeout(DEADLINE)
    return driver


def opened(driver: Any, page: Path) -> tuple[float, float]:
    """Milliseconds until the first picture, and until the finest counts are unpacked."""
    driver.get(page.as_uri())
    deadline = time.monotonic() + DEADLINE
    while not (found := driver.execute_script("return performance.getEntriesByType('mark').map(m => m.startTime)"))[2:]:
        if time.monotonic() > deadline:
            sys.exit("page.py: the page did not draw")
        time.sleep(0.05)
    return found[1], found[2]


def row(what: str, values: list[float], goal: float | None) -> str:
    """A line of the table: the median, the least and the largest."""
    wanted = "" if goal is None else f"{goal:.0f} ms"
    return f"| {what} | {median(values):.1f} ms | {min(values):.1f} to {max(values):.1f} ms | {wanted} |"


def exported(folder: Path, megabytes: int, finest: str | None) -> Path:
    recording, page = folder / "days.lmap", folder / "days.html"
    with recording.open("w") as file:
        file.writelines(up_to(megabytes * 1_000_000, days()))
    words = [sys.executable, "-m", "pylatencymap", "export", str(recording), "-o", str(page)]
    subprocess.run([*words, *(["--finest", finest] if finest else [])], check=True)
    return page


def main() -> None:
    """Print the table."""
    parsed = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parsed.add_argument("--runs", type=int, default=7)
    parsed.add_argument("--megabytes", type=int, default=112, help="of the recording; 112 are three days")
    parsed.add_argument("--finest", help="as of export")
    options = parsed.parse_args()
    with TemporaryDirectory() as name:
        page = exported(Path(name), options.megabytes, options.finest)
        driver = browser()
        try:
            opened(driver, page)  # warms the caches
            times = [opened(driver, page) for _ in range(options.runs)]
            moves = driver.execute_script(TIMED, MOVES)
            steps = [driver.execute_async_script(STEP, number) for number in range(STEPS)]
            about = json.loads(driver.execute_script("return document.getElementById('about').textContent"))
        finally:
            driver.quit()
        size, step = page.stat().st_size, about["step"] / 1e6
    print(
        f"{size:,} bytes (goal {GOAL_BYTES:,}), finest step {step or 'as recorded'} s, load {os.getloadavg()[0]:.1f}\n"
    )
    print("| | median | least to largest | goal |\n| --- | --- | --- | --- |")
    print(row("first picture", [first for first, _ in times], GOAL_FIRST))
    print(row("all counts unpacked", [last for _, last in times], None))
    print(row("a move of the pointer, with the read-out", moves, GOAL_MOVE))
    print(row("a step of zoom", steps, None))


if __name__ == "__main__":
    main()

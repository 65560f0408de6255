"""A real browser: Chromium, without a window, driven by its chromedriver."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE

OF_TESTS = "willReadFrequently"
"""What Chromium says of a test that looks at many pixels."""
DESKTOP, PHONE = (1200, 800), (390, 844)


class Browser:
    """One window. ``errors``: what its console has said since it was asked last."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path) -> None:
        """A page, once all of it is drawn."""
        self.driver.get(path.as_uri())
        self.until("return document.documentElement.dataset.drawn === 'finest'")

    def run(self, script: str, *given: object) -> Any:
        return self.driver.execute_script(script, *given)

    def until(self, script: str, *given: object) -> Any:
        """The value of a script once it is something: for states that last."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, PATIENCE, 0.02).until(lambda driver: driver.execute_script(script, *given))

    def until_in_frame(self, script: str) -> None:
        """The same in the first frame of the page, whose document may still be replaced by the one that it shows."""
        from selenium.webdriver.support.ui import WebDriverWait

        def is_so(driver: Any) -> bool:
            driver.switch_to.default_content()
            driver.switch_to.frame(0)
            return bool(driver.execute_script(script))

        WebDriverWait(self.driver, PATIENCE, 0.02).until(is_so)

    def drawn(self) -> None:
        """Wait until all that was asked for is drawn: pictures are drawn before the next but one frame."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));"
        )

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def texts(self, selector: str) -> list[str]:
        return list(self.run("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector))

    def key(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains, Keys

        chain = ActionChains(self.driver)
        for one in keys:
            chain.send_keys(getattr(Keys, one, one))
        chain.perform()
        self.drawn()

    def _chain(self) -> Any:
        from selenium.webdriver import ActionChains

        return ActionChains(self.driver, duration=10)

    def _to(self, chain: Any, x: float, y: float) -> Any:
        """Move to a place in the picture, in its own pixels."""
        box = self.box()
        body = self.driver.find_element("css selector", "#picture")
        return chain.move_to_element_with_offset(body, round(x - box[2] / 2), round(y - box[3] / 2))

    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the picture."""
        found = self.run(
            "const b = document.getElementById('picture').getBoundingClientRect(); return [b.x, b.y, b.width, b.height]"
        )
        return found[0], found[1], found[2], found[3]

    def move(self, x: float, y: float) -> None:
        self._to(self._chain(), x, y).perform()
        self.drawn()

    def click(self, x: float, y: float) -> None:
        self._to(self._chain(), x, y).click().perform()
        self.drawn()

    def drag(self, x: float, y: float, to: float) -> None:
        chain = self._to(self._chain(), x, y).click_and_hold()
        self._to(chain, (x + to) / 2, y)
        self._to(chain, to, y).release().perform()
        self.drawn()

    def wheel(self, x: float, y: float, by: int) -> None:
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

        box, body = self.box(), self.driver.find_element("css selector", "#picture")
        origin = ScrollOrigin.from_element(body, round(x - box[2] / 2), round(y - box[3] / 2))
        self._chain().scroll_from_origin(origin, 0, by).perform()
        self.drawn()

    def touch(self, *steps: tuple[str, list[tuple[float, float]]]) -> None:
        """Fingers on the picture: ``touchStart``, ``touchMove`` or ``touchEnd`` with the places of all of them."""
        left, top, _, _ = self.box()
        for kind, places in steps:
            points = [{"x": left + x, "y": top + y, "id": number} for number, (x, y) in enumerate(places)]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.drawn()

    def readout(self) -> dict[str, str] | None:
        """The lines of the read-out by their first words; the heading is ``time`` and ``range``. None: hidden."""
        lines = self.run(
            "const r = document.getElementById('readout'); return r.hidden ? null : "
            "[...r.children].map(l => [...l.children].map(s => s.textContent))"
        )
        if lines is None:
            return None
        (time, rows), *rest = lines
        return {"time": time, "range": rows} | {line[0] or "waited": line[1] if len(line) > 1 else "" for line in rest}

    def errors(self) -> list[str]:
        said = [str(one["message"]) for one in self.driver.get_log("browser") if one["level"] != "INFO"]
        return [one for one in said if OF_TESTS not in one]


@contextmanager
def browser(size: tuple[int, int], *, phone: bool = False) -> Iterator[Browser]:
    """A browser with a window of so many pixels; skips the test if there is none on this machine."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(programs):
        pytest.skip("no chromium and chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"):
        options.add_argument(word)
    options.add_argument(f"--window-size={size[0]},{size[1]}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if phone:
        metrics = {"width": size[0], "height": size[1], "pixelRatio": 2, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    driver.set_script_timeout(PATIENCE)
    try:
        if not phone:
            shape = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
        yield Browser(driver)
    finally:
        driver.quit()


def number(text: str) -> float:
    """The first number of a text: ``1,681 of 2,000`` is 1681."""
    found = re.search(r"[\d,]+(?:\.\d+)?", text)
    assert found, text
    return float(found[0].replace(",", ""))

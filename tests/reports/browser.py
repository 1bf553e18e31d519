"""A real browser for tests: Debian's Chromium, driven by Playwright; skipped in words without."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_HOW = "`make browser` says how to install it"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The path of a Chromium; the test is skipped if there is none."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no Chromium: {_HOW}")
    return found


@contextmanager
def browser() -> Iterator[Any]:
    """A browser without a window."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason=f"no Playwright: {_HOW}", exc_type=ImportError
    )
    path = chromium()
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # root has no sandbox
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=sandbox)
        try:
            yield opened
        finally:
            opened.close()


def axe() -> str:
    """The source of axe-core, which finds what people with disabilities cannot use."""
    package = pytest.importorskip("axe_playwright_python", reason=f"no axe-core: {_HOW}")
    return (Path(str(package.__file__)).parent / "axe.min.js").read_text(encoding="utf-8")


class Visit:
    """A page in a browser, with all that it logged and asked for."""

    def __init__(self, opened: Any, address: str, **context: Any) -> None:
        self.context = opened.new_context(**{"viewport": {"width": 1280, "height": 900}} | context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.logged: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda each: self.logged.append(f"{each.type}: {each.text}"))
        self.page.on("pageerror", lambda each: self.logged.append(f"error: {each}"))
        self.page.on("request", lambda each: self.asked.append(each.url))
        self.page.goto(address)
        self.page.wait_for_selector("body[data-ready]")

    def draw_all(self) -> None:
        """Under each label policy, scroll to each chart and wait until it is drawn."""
        policies = self.page.locator("#policies button")
        for place in range(max(1, policies.count())):
            if policies.count():
                policies.nth(place).click()
            for chart in self.page.locator(".chart:visible").all():
                chart.scroll_into_view_if_needed()
                chart.locator("svg").first.wait_for(timeout=20_000)

    def serious(self) -> list[str]:
        """What axe-core finds that is serious or critical."""
        return [
            f"{each['id']}: {each['nodes'][0]['html'][:200]}"
            for each in self.page.evaluate("() => axe.run()")["violations"]
            if each["impact"] in ("serious", "critical")
        ]

    def close(self) -> None:
        self.context.close()

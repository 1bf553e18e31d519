"""The live page of a monitor in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.monitoring.serving.log import Log
from streamgauge.reports.server import LiveServer
from tests.monitoring.loans import ALARM, make_loans
from tests.monitoring.serving.test_service import running, wait_for
from tests.reports.browser import Visit, axe, browser
from tests.reports.serving import get

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("loans")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[LiveServer]:
    with running(sg.Monitor(make_loans(folder)), Log()) as found:
        wait_for(lambda: get(found, "/readyz")[0] == 200)
        yield found


def test_page_shows_figures_without_an_error_or_an_outside_request(
    opened: Any, server: LiveServer
) -> None:
    visit = Visit(opened, server.address)
    visit.draw_all()
    assert visit.page.locator(".chart svg").count() == visit.page.locator(".chart").count() == 5
    lines = visit.page.locator("#curves .chart").first.locator("g.mark-line path")
    assert lines.count() == 2 * 6  # two forgettings; two models and four references
    wide = lines.first.evaluate("each => each.getBBox().width")
    assert wide > 300, "the curve goes along the whole time axis"
    ticks = visit.page.locator("#curves .chart").first.locator("g.role-axis-label text")
    assert any(":00" in each for each in ticks.all_text_contents())
    assert f"Alarm “{ALARM}” of A" in visit.page.locator("#answer").inner_text()
    assert visit.logged == []
    assert all(each.startswith(server.address) for each in visit.asked)
    visit.close()


def test_click_hides_a_model_in_all_figures_along_time(opened: Any, server: LiveServer) -> None:
    visit = Visit(opened, server.address)
    visit.draw_all()
    chart = visit.page.locator("#curves .chart").first
    before = chart.locator("g.mark-line path").count()
    visit.page.get_by_role("button", name="B", exact=True).click()
    visit.page.wait_for_timeout(500)
    assert chart.locator("g.mark-line path").count() == before - 2
    assert visit.logged == []
    visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_axe_finds_nothing_serious(
    opened: Any, server: LiveServer, scheme: str, width: int
) -> None:
    source = axe()
    size = {"width": width, "height": 800}
    found = Visit(opened, server.address, color_scheme=scheme, viewport=size, bypass_csp=True)
    found.draw_all()
    found.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    found.page.evaluate(source)
    assert found.serious() == []
    wide = found.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "the page is wider than the window"
    found.close()


def test_page_follows_new_lines_and_says_when_the_monitor_has_ended(
    opened: Any, tmp_path: Path
) -> None:
    with running(sg.Monitor(make_loans(tmp_path)), Log()) as server:
        wait_for(lambda: get(server, "/readyz")[0] == 200)
        visit = Visit(opened, server.address)
        visit.draw_all()
        visit.page.get_by_text("3,000 (predictions), ").wait_for()
        visit.page.get_by_text("Verdict on A").click()
        with (tmp_path / "asked.csv").open("a") as file:
            file.write("new,2026-03-01T00:00:00Z,yes,A,n\nlast,2026-03-01T02:00:00Z,yes,B,n\n")
        with (tmp_path / "answers.csv").open("a") as file:
            file.write("new,2026-03-01T01:00:00Z,yes\nlast,2026-03-02T00:00:00Z,no\n")
        visit.page.get_by_text("3,002 (predictions), ").wait_for(timeout=60_000)
        visit.page.get_by_text("A: 1,501 predictions").wait_for(state="attached", timeout=60_000)
        visit.draw_all()
        opened_still = visit.page.locator("#scores details").first.get_attribute("open")
        assert opened_still is not None, "what the reader has opened stays open"
        assert visit.logged == []
        assert all(each.startswith(server.address) for each in visit.asked)
    visit.page.get_by_text("No connection to the program").wait_for(timeout=60_000)
    visit.close()

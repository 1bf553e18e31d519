"""The page and the live page in a real browser."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from tests.experiments.stores import start, write_spec
from tests.hostile_text import hostile
from tests.reports.browser import Visit, axe, browser
from tests.reports.pages import copy_runs, small_run
from tests.reports.serving import served

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three learners with hostile names on two streams, one of them with late labels."""
    folder = tmp_path_factory.mktemp("browser")
    learners = {"Bayes": "NaiveBayes()", hostile("tree", "\0"): "HoeffdingTree()", "KNN": "KNN()"}
    streams = [{"generate": "SEA(2000)"}, {"generate": "Sine1(2000)", "name": hostile("s", "\0")}]
    made = sg.Grid(streams, learners, seeds=2, labels=["Immediate()", "Delay(50)"])
    sg.run_grid(made, folder / "store", workers=0)
    shutil.rmtree(folder / "store" / made.cells[0].directory)
    return sg.report(folder / "store", folder / "page.html").as_uri()


@pytest.fixture
def visit(opened: Any, page: str) -> Iterator[Visit]:
    found = Visit(opened, page)
    yield found
    found.close()


def lines(visit: Visit) -> int:
    """Number of lines in the first chart."""
    chart = visit.page.locator("#curves .chart").first
    chart.scroll_into_view_if_needed()
    chart.locator("svg").first.wait_for()
    return int(chart.locator("g.mark-line path").count())


def test_nothing_is_logged_and_nothing_is_asked_for(visit: Visit, page: str) -> None:
    visit.draw_all()
    assert visit.page.locator(".chart svg").count() == visit.page.locator(".chart").count() > 4
    assert visit.logged == []
    assert visit.asked == [page]


def test_click_hides_a_learner_in_all_charts(visit: Visit) -> None:
    visit.draw_all()
    before = [chart.locator("g.mark-line path").count() for chart in charts(visit)]
    button = visit.page.get_by_role("button", name="KNN")
    button.click()
    visit.page.wait_for_function(
        "n => document.querySelectorAll('#curves .chart')[0]"
        ".querySelectorAll('g.mark-line path').length < n",
        arg=before[0],
    )
    visit.page.wait_for_timeout(300)
    after = [chart.locator("g.mark-line path").count() for chart in charts(visit)]
    assert button.get_attribute("aria-pressed") == "false"
    assert [a - 1 for a in before] == after
    button.click()
    visit.page.wait_for_timeout(300)
    assert [chart.locator("g.mark-line path").count() for chart in charts(visit)] == before
    assert visit.logged == []


def charts(visit: Visit) -> list[Any]:
    return list(visit.page.locator("#curves .chart").all())


def test_keyboard_reaches_and_presses_everything(visit: Visit) -> None:
    assert lines(visit) > 0
    visit.page.evaluate("scrollTo(0, 0)")
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.textContent") == "To the results"
    for _ in range(40):
        visit.page.keyboard.press("Tab")
        if visit.page.evaluate("document.activeElement.dataset.series !== undefined"):
            break
    visit.page.keyboard.press("Space")
    assert visit.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "false"
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    heading = visit.page.get_by_role("button", name="accuracy", exact=True)
    heading.focus()
    visit.page.keyboard.press("Enter")
    assert heading.locator("..").get_attribute("aria-sort") == "descending"


def column(visit: Visit, name: str) -> list[str]:
    return list(
        visit.page.evaluate(
            """name => {
              const table = document.getElementById("runs-table");
              const heads = [...table.tHead.rows[0].cells];
              const place = heads.findIndex(each => each.textContent === name);
              return [...table.tBodies[0].rows].filter(row => !row.hidden)
                .map(row => row.cells[place].textContent);
            }""",
            name,
        )
    )


def test_table_sorts_by_value_both_ways(visit: Visit) -> None:
    heading = visit.page.get_by_role("button", name="kappa_temporal", exact=True)
    heading.click()
    found = [float(each) for each in column(visit, "kappa_temporal")]
    assert found == sorted(found, reverse=True)
    heading.click()
    found = [float(each) for each in column(visit, "kappa_temporal")]
    assert found == sorted(found)
    visit.page.get_by_role("button", name="learner", exact=True).click()
    learners = column(visit, "learner")
    assert learners == sorted(learners, key=str.lower)
    assert len(learners) == 23


def test_words_filter_the_table(visit: Visit) -> None:
    box = visit.page.get_by_label("Show only runs with these words")
    box.fill("sea KNN")
    assert set(column(visit, "learner")) == {"KNN"}
    assert visit.page.locator("#filtered").text_content() == "4 of 23 runs"
    box.fill("nothing like this")
    assert column(visit, "learner") == []
    box.fill("")
    assert len(column(visit, "learner")) == 23


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_axe_finds_nothing_serious(opened: Any, page: str, scheme: str, width: int) -> None:
    source = axe()
    size = {"width": width, "height": 800}
    found = Visit(opened, page, color_scheme=scheme, viewport=size, bypass_csp=True)
    found.draw_all()
    found.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    found.page.evaluate(source)
    assert found.serious() == []
    wide = found.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "the page is wider than the window"
    found.close()


def test_one_label_policy_and_one_stream_on_the_whole_page(visit: Visit) -> None:
    page = visit.page

    def shown(of: str) -> set[str]:
        seen = f"[...document.querySelectorAll('[{of}]')].filter(each => each.offsetParent)"
        return set(page.evaluate(f"{seen}.map(each => each.getAttribute('{of}'))"))

    assert shown("data-labels") == {"Immediate()"}
    page.get_by_role("button", name="labels Delay(50)").click()
    assert shown("data-labels") == {"Delay(50)"}
    assert len(shown("data-stream")) == 2
    page.locator("#stream").select_option("SEA(2000)")
    assert shown("data-stream") == {"SEA(2000)"}
    again = page.evaluate("location.href")
    page.goto("about:blank")
    page.goto(again)
    page.wait_for_selector("body[data-ready]")
    assert shown("data-labels") == {"Delay(50)"}
    assert shown("data-stream") == {"SEA(2000)"}
    assert visit.logged == []


@pytest.mark.parametrize("width", [400, 1400, 1800])
def test_every_learner_is_named_and_nothing_scrolls_sideways(
    opened: Any, page: str, width: int
) -> None:
    found = Visit(opened, page, viewport={"width": width, "height": 900})
    found.draw_all()
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    matrix = found.page.locator(".matrix:visible").first
    assert {"Bayes", "KNN"} <= set(matrix.locator("thead th").all_inner_texts())
    found.page.locator(".matrix td.number:visible").first.hover()
    assert found.page.locator("#tooltip svg").count() == 1
    found.close()


@pytest.mark.parametrize("width", [400, 1800])
def test_rank_diagram_names_every_learner(opened: Any, tmp_path: Path, width: int) -> None:
    """And a learner has one colour in all figures, also after others are added."""
    streams = ["SEA(400)", "LED(400)", "Sine1(400)"]
    colours = []
    for learners in (["NaiveBayes", "KNN"], ["KNN", "Majority", "HoeffdingTree", "NaiveBayes"]):
        made = sg.Grid(streams, learners)
        address = sg.report(
            sg.run_grid(made, tmp_path / str(len(learners)), workers=0), tmp_path / "page.html"
        ).as_uri()
        found = Visit(opened, address, viewport={"width": width, "height": 900})
        found.draw_all()
        if len(learners) > 2:
            diagram = " ".join(found.page.locator("#ranking .chart text").all_text_contents())
            assert [name for name in learners if name not in diagram] == []
        squares = found.page.locator("#series-buttons button").evaluate_all(
            "all => all.map(each => [each.dataset.series, each.querySelector('rect')"
            ".getAttribute('fill')])"
        )
        colours.append(dict(squares))
        found.close()
    assert {name: colours[1][name] for name in ("NaiveBayes", "KNN")} == {
        name: colours[0][name] for name in ("NaiveBayes", "KNN")
    }


def test_prints_every_chart_in_light_colours(opened: Any, page: str, tmp_path: Path) -> None:
    found = Visit(opened, page, color_scheme="dark")
    found.page.pdf(path=str(tmp_path / "page.pdf"), format="A4")
    seen = found.page.locator(".chart:visible")
    assert sum(each.locator("svg").count() > 0 for each in seen.all()) == seen.count() > 2
    assert found.logged == []
    found.close()
    if shutil.which("pdftotext"):
        done = subprocess.run(
            ["pdftotext", str(tmp_path / "page.pdf"), "-"], capture_output=True, check=True
        )
        assert done.stdout.decode().count("accuracy") > 2  # of the label policy that is shown


def test_hundred_runs_open_in_two_seconds(opened: Any, tmp_path: Path) -> None:
    path = small_run(every=1).save(tmp_path)
    folder = tmp_path / "store"
    folder.mkdir()
    copy_runs(path, folder, 100, 25)
    address = sg.report(folder, tmp_path / "page.html").as_uri()
    milliseconds = []
    for _ in range(3):
        found = Visit(opened, f"{address}#curves")
        found.page.locator(".chart svg").first.wait_for()
        marks = "performance.getEntriesByName('chart').map(each => each.startTime)"
        milliseconds.append(min(found.page.evaluate(marks)))
        found.close()
    assert min(milliseconds) < 2000, milliseconds


def test_live_page_follows_a_study(opened: Any, tmp_path: Path) -> None:
    spec = write_spec(
        tmp_path,
        'modules = ["mine"]\nseeds = 3\n'
        'learners = ["NaiveBayes", "Majority", "mine:Raising(100)"]\n'
        '[[streams]]\ngenerate = "SEA(500)"\n',
    )
    (tmp_path / "store").mkdir()
    with served(tmp_path / "store") as server:
        found = Visit(opened, server.address)
        found.page.get_by_text("No experiment has been started here.").wait_for()
        process = start(tmp_path, "run", spec.name, "--store", "store", "--workers", "1")
        found.page.get_by_text("6 of 9 cells done, 0 running, 3 failed").wait_for(timeout=120_000)
        process.communicate(timeout=60)
        found.page.locator("#runs-table tbody tr").nth(5).wait_for(timeout=30_000)
        found.draw_all()
        found.page.get_by_text("Failed: 3").click()
        assert "Traceback" in found.page.locator("#status").inner_text()
        found.page.get_by_role("button", name="Majority", exact=True).click()
        (tmp_path / "store").rename(tmp_path / "moved")
        found.page.get_by_text("No such file or directory").wait_for(timeout=20_000)
        assert found.page.locator("#runs-table tbody tr").count() == 6
        (tmp_path / "moved").rename(tmp_path / "store")
        found.page.get_by_text("6 of 9 cells done").wait_for(timeout=20_000)
        pressed = found.page.get_by_role("button", name="Majority", exact=True)
        assert pressed.get_attribute("aria-pressed") == "false"
        assert found.logged == []
        assert all(each.startswith(server.address) for each in found.asked)
    found.page.get_by_text("No connection to the program").wait_for(timeout=20_000)
    found.close()

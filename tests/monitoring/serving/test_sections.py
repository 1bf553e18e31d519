"""The first screen of a monitor's page says what its status says."""

from __future__ import annotations

import re

from streamgauge.monitoring.serving._reading import Reading
from streamgauge.monitoring.serving._sections import make_content
from streamgauge.rendering.outcomes import outcome_text
from tests.monitoring.loans import ALARM


def tiles(reading: Reading, model: str) -> list[tuple[bool, str, str, str]]:
    """Whether a tile of the model is marked as bad, its name, value and note."""
    page = str(make_content(reading).main)
    part = page.partition(f"<h3>{model}</h3>")[2].partition("<h3>")[0]
    found = re.findall(
        r'<div class="name">(.*?)</div><div class="value">(.*?)</div><div class="about">(.*?)</div>'
        r"</div>",
        part,
    )
    marked = re.findall(r'class="tile( bad)?"', part)
    return [(bool(bad), *each) for bad, each in zip(marked, found, strict=True)][:4]


def test_each_model_has_its_score_now_the_reference_labels_and_alarms(reading: Reading) -> None:
    for name, model in reading.status["models"].items():
        now, reference, labels, alarms = tiles(reading, name)
        score = model["now"]["score"]
        if not model["now"]["few"]:
            assert now[2] == f"{score:.1%}".replace("%", " %")
            assert f"{model['now']['rows']:,} rows" in now[3]
        strongest, word = next(iter(model["against"].items()))
        assert reference[2] == outcome_text(word).strip()
        assert strongest in reference[3]
        assert labels[2] == f"{model['scored']:,}"
        assert f"{model['waiting']:,} outstanding" in labels[3]
        firing = [
            each for each in reading.status["alarms"]
            if each["firing"] and each["model"] in (name, None)
        ]  # fmt: skip
        assert alarms[2] == f"{len(firing)} on"


def test_alarms_that_are_on_come_first(reading: Reading) -> None:
    page = str(make_content(reading).main)
    on = [each for each in reading.status["alarms"] if each["firing"]]
    assert on
    assert page.index(ALARM) < page.index('class="tiles"')
    assert "No alarm is on" not in page

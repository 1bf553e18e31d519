"""The numbers in the text of gama2013."""

from __future__ import annotations

import streamgauge as sg


def test_numbers_of_the_text_come_out() -> None:
    report = sg.reproduce("gama2013", only=["text"], workers=0, progress=False)
    assert report.answer == "Claims: 4 hold, 0 do not hold, 0 cannot be told."
    (table,) = report.sections[0][1].tables
    ours = {line[0].text: line[1].text for line in table.sheet.lines}
    assert list(ours.values()) == ["18444.4", "0.0316", "10000", "2.95e-07"]

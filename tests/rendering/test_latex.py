"""LaTeX tables."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.rendering.latex import escape, sheet_latex
from streamgauge.rendering.sheet import Sheet, SheetCell, words
from tests.hostile_text import hostile


def test_special_characters_are_escaped() -> None:
    assert escape(r"a_b & 5 % \ {x}") == r"a\_b \& 5 \% \textbackslash{} \{x\}"
    assert escape("0.1 ± 0.2 − χ² · p < 1") == r"0.1 $\pm$ 0.2 $-$ $\chi^2$ $\cdot$ p $<$ 1"
    assert escape("3 µs ▲ | `x`") == (
        r"3 $\mu$s $\bigtriangleup$ \textbar{} \textasciigrave{}x\textasciigrave{}"
    )


def test_hostile_names_stay_text() -> None:
    assert escape("\\input{x}\n\x1b^^41") == (
        r"\textbackslash{}input\{x\}\textbackslash{}n\textbackslash{}x1b"
        r"\textasciicircum{}\textasciicircum{}41"
    )
    assert escape("[5cm] x[1]*") == "{[}5cm] x[1]*"  # else an argument of the line before
    assert escape("*x") == "{*}x"


def sheet() -> Sheet:
    return Sheet(
        ["s", "NB", "k_t", "against"],
        [
            [
                [
                    words("a"),
                    SheetCell("-0.5", "0.12", best=True, mark="worse"),
                    SheetCell("1"),
                    words("x"),
                ],
                [words("b"), SheetCell("12.5", extra=" [1/2]"), words("failed"), words("")],
            ],
            [[words("average"), SheetCell("6.0"), words(""), words("")]],
        ],
        ["100 % sure."],
    )


def test_numbers_are_aligned_and_words_stand_in_braces() -> None:
    assert sheet_latex(sheet(), r"A caption, $x^2$.", "tab:a").splitlines() == [
        r"% Needs \usepackage{booktabs} and \usepackage{siunitx} in the preamble.",
        r"\begin{table}",
        r"\centering",
        r"\caption{A caption, $x^2$.}",
        r"\label{tab:a}",
        r"\sisetup{detect-weight=true, mode=text}% bold numbers",
        r"\begin{tabular}{l S[table-format=-2.1]@{\,}r@{\,}l S[table-format=1.0] l}",
        r"\toprule",
        r"s & \multicolumn{3}{c}{NB} & {k\_t} & against \\",
        r"\midrule",
        r"a & \bfseries -0.5 & $\pm$\,0.12 & $\bigtriangledown$ & 1 & x \\",
        r"b & 12.5 &  & [1/2] & {failed} &  \\",
        r"\midrule",
        r"average & 6.0 &  &  & {} &  \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        r"100 \% sure.\par",
        r"\end{minipage}",
        r"\end{table}",
    ]


def test_texts_above_the_header_have_rules() -> None:
    cells = [
        words("a"),
        SheetCell("1.0", mark="open"),
        SheetCell("2"),
        SheetCell("1.5e-07", "2e-08"),
        SheetCell("2"),
    ]
    made = sheet_latex(
        Sheet(["s", "k", "t", "k", "t"], [[cells]], (), 1, [("", 1), ("N_B", 2), ("HT", 2)]),
        "",
        "tab:b",
    )
    assert r"\multicolumn{1}{c}{} & \multicolumn{3}{c}{N\_B} & \multicolumn{3}{c}{HT} \\" in made
    assert r"\cmidrule(lr){2-4}\cmidrule(lr){5-7}" in made
    assert r"1.5e-07 & $\pm$\,\num{2e-08}" in made
    assert "table-format=1.1e-2" in made
    assert "minipage" not in made


@pytest.mark.parametrize("label", ["", "a b", r"\x", "tab:ä", "}"])
def test_label_that_would_break_is_refused(label: str) -> None:
    with pytest.raises(sg.UsageError, match="expected letters, digits and"):
        sheet_latex(sheet(), "", label)


@pytest.mark.long
def test_every_table_compiles(tmp_path: Path) -> None:
    latex = next((tool for tool in ("pdflatex", "lualatex", "tectonic") if shutil.which(tool)), "")
    if not latex:
        pytest.skip("no pdflatex, lualatex or tectonic here; Debian: texlive-science")
    stream = [
        {"generate": f"SEA(300, seed={seed})", "name": hostile(f"s{seed}")} for seed in (1, 2)
    ]
    learners = {"NB_1 & co": "NaiveBayes()", "Maj": "Majority()", "HT": "HoeffdingTree()"}
    found = sg.run_grid(sg.Grid(stream, learners, seeds=2), tmp_path / "store", workers=0)
    tables = [
        found.table(references=True).to_latex(ranks=True, percent=True, digits=1),
        found.table(value=["kappa", "seconds", "model_bytes", "ram_hours"]).to_latex(label="tab:m"),
        found.table(rows="stream", value=["kappa", "seconds"]).to_latex(label="tab:n"),
        found.table(value="precision[0]").to_latex(label="tab:o"),
        sg.rank(found).to_latex(label="tab:r"),
        sg.compare(*found.runs[:2]).to_latex(label="tab:c"),
    ]
    head = r"\documentclass{article}\usepackage{booktabs}\usepackage{siunitx}\begin{document}"
    text = "\n\n".join([head, *tables, r"\end{document}"])
    (tmp_path / "page.tex").write_text(text, encoding="utf-8")
    options = [] if latex == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    for _ in range(2):  # labels need a second run
        done = subprocess.run(
            [latex, *options, "page.tex"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "multiply defined" not in done.stdout
    assert (tmp_path / "page.pdf").stat().st_size > 10_000

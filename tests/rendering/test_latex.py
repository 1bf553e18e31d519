"""LaTeX tables."""

from __future__ import annotations

from streamgauge.rendering.latex import bold, escape, tabular


def test_special_characters_are_escaped() -> None:
    assert escape(r"a_b & 5 % \ {x}") == r"a\_b \& 5 \% \textbackslash{} \{x\}"
    assert escape("0.1 ± 0.2 − χ² · p < 1") == r"0.1 $\pm$ 0.2 $-$ $\chi^2$ $\cdot$ p $<$ 1"
    assert bold("a_b") == r"\textbf{a\_b}"


def test_hostile_names_stay_text() -> None:
    assert escape("\\input{x}\n\x1b^^41") == (
        r"\textbackslash{}input\{x\}\textbackslash{}n\textbackslash{}x1b"
        r"\textasciicircum{}\textasciicircum{}41"
    )
    assert escape("[5cm] x[1]*") == "{[}5cm] x[1]*"  # else an argument of the line before
    assert escape("*x") == "{*}x"


def test_tabular_separates_groups_by_rules() -> None:
    assert tabular(["s", "NB"], [["a", "1"], ["b", "2"]], [["average", "1.5"]]).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"s & NB \\",
        r"\midrule",
        r"a & 1 \\",
        r"b & 2 \\",
        r"\midrule",
        r"average & 1.5 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]

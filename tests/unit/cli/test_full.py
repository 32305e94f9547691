"""The report for people."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from results import CODE, OLD, PARTS, SECRET, SHELL, TOKEN, finding, result, unchanged

from gateline.cli.output import full
from gateline.cli.output.changed import counted
from gateline.cli.output.frame import Frames
from gateline.cli.terminal import columns
from gateline.model import Decision, FileSummary, Novelty, Outcome, Related, Score, Span, Status
from gateline.model.change import EVERYTHING

EXPECTED = f"""\
src/pay.py:2:10 GTL310 exposed secret
    2 │ token = "{"•" * len(TOKEN)}"
      │          ^^^^^^^^^^^^
      = detect-secrets: x · 000001000009

src/pay.py:3:5 GTL110 it is wrong
    3 │ def pay(a):
      │     ^^^
      = mypy: no-untyped-def · 000002000004

src/pay.py:4:5 GTL301 shell | with <b>, 100%
    4 │     os.system(a)
      │     ^^^^^^^^^^^^
      = bandit: B605 · 000003000004

errors      ██████████████████░░  90.0 × 0.60 =  54.0  1 new finding
security    ████████████████░░░░  80.0 × 0.40 =  32.0  2 new findings
complexity  nothing to judge
score                                         =  86.0  capped at 59: 2 broken floors
no data: coverage (not yet measured)
src/big.py: skipped (larger than 3 MB)
tests: all of 9 run
1 old finding not shown · 1 suppressed · 1 new suppression comment
✓ fixed: src/pay.py GTL401 it was too complex

require-iteration  score 59, evidence 75%, final checkpoint, against merge-base with main
  · 2 broken floors
Next:
  1. src/pay.py:2 fix GTL310: exposed secret  (+27.0)
"""


def test_the_whole_report() -> None:
    assert full.render(result()) == EXPECTED


def test_colours_change_nothing_but_colours() -> None:
    coloured = full.render(result(), colour=True)
    assert "\x1b[" in coloured
    assert click.unstyle(coloured) == EXPECTED


def test_nothing_changed_is_said() -> None:
    assert full.render(unchanged()) == "Nothing changed against merge-base with main.\n"


@pytest.mark.parametrize(("label", "said"), [("HEAD", "2 files changed"), (EVERYTHING, "2 files judged")])
def test_where_every_file_counts_none_is_said_to_have_changed(label: str, said: str) -> None:
    files = (FileSummary("a.py", "added"), FileSummary("b.py", "added"))
    assert counted(replace(result().evaluation, base_label=label, files=files, others=())) == said


def test_no_score_is_not_a_zero() -> None:
    undecided = Decision(Outcome.UNDECIDED, Status.WARN, ("evidence 28% is below 60%",))
    text = full.render(result(score=Score(None, None, 0.28, PARTS[1:2]), decision=undecided, findings=()))
    assert "undecided  no score, evidence 28%" in text
    assert "= " not in text


def test_the_rows_that_are_shown_add_up() -> None:
    rows = [
        row.split("=")[1].split()[0]
        for row in full.render(result()).splitlines()
        if " = " in row and "█" in row
    ]
    whole = next(row for row in full.render(result()).splitlines() if row.startswith("score  "))
    assert sum(map(float, rows)) == float(whole.split("=")[1].split()[0])


def test_many_findings_are_cut_to_the_worst() -> None:
    many = tuple(finding(line=n, path=f"a{n:03}.py", message=f"number {n}") for n in range(60))
    text = full.render(result({}, findings=(*many, SHELL)))
    assert text.count("number ") == 49
    assert "GTL301 shell" in text
    assert "… and 11 more; `gateline check --output concise` lists all" in text


def test_old_findings_are_only_counted() -> None:
    old = tuple(finding(line=n, novelty=Novelty.OLD, message="ancient") for n in range(3))
    text = full.render(result(findings=old))
    assert "ancient" not in text
    assert "3 old findings not shown" in text


def test_another_finding_on_the_line_does_not_uncover_the_secret() -> None:
    beside = finding("GTL110", 1, 0, 5)
    for findings, suppressed in (((SECRET, beside), ()), ((beside,), (SECRET,))):
        text = full.render(result(findings=findings, suppressed=suppressed))
        assert TOKEN not in text
        assert 'token = "••••' in text


def test_a_finding_outside_its_text_has_no_frame() -> None:
    text = full.render(result(findings=(finding(line=99),)))
    assert "src/pay.py:100:5 GTL110" in text
    assert "  100 │" not in text


def test_a_second_place_is_named() -> None:
    second = Related("src/other.py", Span.of(6, 0, 6, 4), "it was defined here")
    assert "      = src/other.py:7: it was defined here\n" in full.render(
        result(findings=(finding(related=(second,)),))
    )


@pytest.mark.parametrize("mark", ["\x1b[31m", "\x07", "\u202e", "\x9b"])
def test_code_cannot_command_the_terminal(mark: str) -> None:
    text = f"x = 1  # {mark} deceit\n"
    shown = full.render(result({"a.py": text}, findings=(finding(line=0, start=0, end=1, path="a.py"),)))
    assert mark not in shown
    assert "deceit" in shown


def test_a_mark_stands_under_its_text_behind_tabs_and_wide_characters() -> None:
    frame = list(
        Frames(result({"a.py": '\t"日本", x\n'}), 100).of(finding(line=0, start=7, end=8, path="a.py"))
    )
    row, mark = map(click.unstyle, frame[1:3])
    assert columns(row.partition("x")[0]) == columns(mark.partition("^")[0])


@given(
    st.text(st.characters(codec="utf-8"), max_size=400),
    st.integers(0, 500),
    st.integers(0, 500),
    st.integers(1, 200),
)
def test_any_line_fits(line: str, start: int, end: int, width: int) -> None:
    found = finding(line=0, start=min(start, end), end=max(start, end), path="a.py")
    rows = [click.unstyle(row) for row in Frames(result({"a.py": line}), width).of(found)]
    for row in rows[1:-1]:
        assert columns(row) <= max(width, 48)
        assert "\n" not in row


def test_the_sample_has_its_secret() -> None:
    assert TOKEN in CODE
    assert CODE.splitlines()[1][SECRET.span.start.column : SECRET.span.end.column] == TOKEN
    assert OLD.novelty is Novelty.OLD

"""What lets a finding pass: comments of the base, and what a person accepts; never what the change adds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from gate_inputs import case, changed, finding, having, report

from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.gates.waivers import read
from gateline.model import Dimension, Evaluation, Finding, Level, Outcome, Weight
from gateline.model.waiver import Waiver

TODAY = date(2026, 11, 26)
GOOD = '[[waiver]]\ncode = "GTL301"\npath = "a.py"\nreason = "a constant"\n'
FLOOR = finding("GTL301", 0, "shell", weight=Weight.FLOOR)
GAMED = replace(finding(line=0, message="skipped"), code="GTL602", dimension=Dimension.INTEGRITY)
FAILING = finding("GTL201", 0, "test_total fails")
COUNTING = finding("GTL301", 0, "weak")


def of(found: Finding, base: str, now: str, level: Level = Level.FINAL) -> Case:
    return having(case(changed(base, now), level=level), report(found.dimension, found))


def ignoring(code: str) -> str:
    return f"run(1)  # gateline: ignore[{code}] trust me\n"


@pytest.mark.parametrize("found", [FLOOR, GAMED, FAILING], ids=["floor", "integrity", "test"])
def test_a_comment_that_the_change_adds_lifts_nothing_that_stops(found: Finding) -> None:
    evaluation = judge(of(found, "x = 1\n", ignoring(found.code)))
    (kept,) = [f for f in evaluation.findings if f.code == found.code]
    assert (
        kept.remark
        == "this change adds the comment that suppresses it: it takes effect only once it is in the base"
    )
    assert evaluation.suppressed == ()
    assert not [f for f in evaluation.findings if f.code == "GTL902"], "it is about something"


@pytest.mark.parametrize("found", [FLOOR, GAMED, FAILING], ids=["floor", "integrity", "test"])
@pytest.mark.parametrize("base", ["", "y = 2\n"])
def test_one_that_the_base_has_still_does(found: Finding, base: str) -> None:
    line = ignoring(found.code)
    evaluation = judge(of(found, f"{base}{line}", f"{line}{base}z = 1\n"))
    assert [(f.code, f.remark) for f in evaluation.suppressed] == [(found.code, "")]


def test_a_second_copy_of_a_comment_is_an_added_one() -> None:
    line = ignoring("GTL301")
    made = of(replace(FLOOR, span=finding(line=2).span), f"{line}x = 1\n", f"{line}x = 1\n{line}")
    assert len(judge(made).score.floors) == 1


def test_a_file_that_is_ignored_by_the_change_breaks_its_floor() -> None:
    evaluation = judge(of(FLOOR, "run(0)\n", "run(1)\n# gateline: ignore-file[GTL301] trust me\n"))
    assert evaluation.decision.outcome is Outcome.REQUIRE_ITERATION
    assert "this change adds the comment" in evaluation.score.floors[0]


def test_what_only_counts_is_suppressed_and_shown_as_what_it_is() -> None:
    evaluation = judge(of(COUNTING, "x = 1\n", ignoring("GTL301")))
    assert [f.remark for f in evaluation.suppressed] == ["suppressed by a comment that this change adds"]
    assert evaluation.suppressions_added == 1


def test_a_code_that_gateline_does_not_have_is_told() -> None:
    evaluation = judge(case(changed("x = 1\n", "x = 2  # gateline: ignore[GTL999] no reason\n")))
    assert [(f.code, f.message) for f in evaluation.findings] == [
        ("GTL901", "`GTL999` is not a gateline code")
    ]


def waived(*waivers: Waiver, found: Finding = FLOOR) -> Evaluation:
    return judge(replace(of(found, "x = 1\n", "run(1)\n"), waivers=waivers))


def test_what_a_person_accepts_neither_counts_nor_stops_and_is_said() -> None:
    (waiver,) = read(GOOD, "waivers of the base", TODAY).holding
    evaluation = waived(waiver)
    assert (evaluation.score.floors, evaluation.findings) == ((), ())
    assert evaluation.decision.outcome is Outcome.ACCEPT
    assert evaluation.decision.reasons[-1] == (
        "accepted by waivers of the base: a.py:1: GTL301 shell (a constant)"
    )


@pytest.mark.parametrize(
    "other", [{"path": "b.py"}, {"symbol": "f"}, {"finding": "0" * 12}, {"code": "GTL310"}]
)
def test_a_waiver_is_for_what_it_names(other: dict[str, str]) -> None:
    (waiver,) = read(GOOD, "waivers", TODAY).holding
    assert waived(replace(waiver, **other)).decision.outcome is Outcome.REQUIRE_ITERATION  # type: ignore[arg-type]


def test_one_that_was_asked_for_and_accepts_nothing_is_told() -> None:
    asked = Waiver("GTL310", "a.py", "why", "--accept", asked=True)
    assert waived(asked).limits[-1].startswith("--accept: GTL310 in a.py: no new finding matches")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('code = "GTL301"\npath = "a.py"\n', 'it has no reason; add `reason = "…"`'),
        ('path = "a.py"\nreason = "x"\n', "it has no code"),
        ('code = "GTL999"\npath = "a.py"\nreason = "x"\n', "`GTL999` is not a gateline code"),
        ('code = "GTL101"\npath = "a.py"\nreason = "x"\n', "a syntax error cannot be accepted"),
        ('code = "GTL210"\npath = "a.py"\nreason = "x"\n', "`GTL210` cannot be waived"),
        ('code = "GTL301"\npath = "a.py"\nreason = "x"\nline = 3\n', "`line` is not a key of a waiver"),
        ('code = "GTL301"\npath = "a.py"\nreason = "x"\nfinding = "z"\n', "`z` is not the ID"),
        (
            'code = "GTL301"\npath = "a.py"\nreason = "x"\nexpires = "soon"\n',
            "`expires = soon` is not a date",
        ),
        ('code = "GTL301"\npath = "a.py"\nreason = "x"\nexpires = 2026-11-25\n', "it expired on 2026-11-25"),
    ],
)
def test_an_entry_that_is_wrong_says_so_and_accepts_nothing(row: str, said: str) -> None:
    holding, (problem,) = read(f"{GOOD}[[waiver]]\n{row}", "waivers.toml of the base", TODAY)
    assert len(holding) == 1, "each is wrong alone"
    assert problem.startswith(f"waivers.toml of the base: entry 2: {said}")
    assert problem.endswith("it accepts nothing")


@pytest.mark.parametrize("text", ["[[waiver", '[waiver]\ncode = "GTL301"\n', "[[waivers]]\n"])
def test_a_file_that_cannot_be_used_says_so(text: str) -> None:
    holding, (problem,) = read(text, "waivers.toml", TODAY)
    assert (holding, problem.startswith("waivers.toml: ")) == ((), True)


def test_the_last_day_counts() -> None:
    assert read(f"{GOOD}expires = 2026-11-26\n", "w", TODAY).holding[0].expires == "2026-11-26"
    assert read(f'{GOOD}expires = "2026-11-27"\n', "w", TODAY).holding[0].expires == "2026-11-27"


def test_what_the_settings_let_pass_is_said() -> None:
    made = replace(of(FLOOR, "x = 1\n", "run(1)\n"), ignored={"a.py": ("GTL3",)})
    evaluation = judge(made)
    assert evaluation.decision.outcome is Outcome.ACCEPT
    assert evaluation.decision.reasons[-1].startswith(
        "accepted by `overrides` in the settings: a.py:1: GTL301"
    )

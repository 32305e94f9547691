"""The gate points that look at what was judged: implementation and commit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.model.evaluation import Outcome, Status
from gateline.refinement.verifier.codebase import codebase
from gateline.refinement.verifier.commit import Added, Commit, verify_commit
from gateline.refinement.verifier.implementation import Implementation, verify_implementation
from gateline.refinement.verifier.judged import Judged
from gateline.refinement.verifier.plan import verify_plan
from gateline.refinement.verifier.specification import verify_specification
from gateline.refinement.verifier.values import GatePoint, Verification

GOOD = Judged("final", Outcome.ACCEPT, "c1", failing=0, changed=("shop/cart.py",))
WORK = Implementation(GOOD)
COMMIT = Commit("Cap discounts at 100 %", GOOD, "c1")


def checks(found: Verification) -> list[str]:
    return sorted({reason.check for reason in found.reasons})


def test_what_is_judged_good_is_sufficient() -> None:
    assert verify_implementation(WORK).sufficient
    assert verify_commit(COMMIT).sufficient


@pytest.mark.parametrize(
    ("work", "check"),
    [
        (replace(WORK, judged=None), "implementation.verdict"),
        (replace(WORK, status=Status.FAIL), "implementation.verdict"),
        (replace(WORK, content="c2"), "implementation.verdict"),
        (replace(WORK, judged=replace(GOOD, changed=())), "implementation.changed"),
        (
            replace(WORK, judged=replace(GOOD, missing=(("coverage", "no runner"),))),
            "implementation.measured",
        ),
        (replace(WORK, judged=replace(GOOD, failing=None)), "implementation.tests"),
        (replace(WORK, judged=replace(GOOD, failing=2)), "implementation.tests"),
        (
            replace(WORK, judged=replace(GOOD, integrity=("GTL602 t.py: skipped",))),
            "implementation.integrity",
        ),
        (replace(WORK, judged=replace(GOOD, floors=("a regression",))), "implementation.floors"),
        (replace(WORK, planned=("shop/cart.py", "shop/prices.py")), "implementation.planned"),
        (replace(WORK, planned=("shop/prices.py",)), "implementation.planned"),
        (replace(WORK, planned=()), "implementation.planned"),
        (replace(WORK, todos=("rounding",)), "implementation.complete"),
    ],
)
def test_what_makes_an_implementation_insufficient(work: Implementation, check: str) -> None:
    found = verify_implementation(work)
    assert not found.sufficient
    assert checks(found) == [check]


@pytest.mark.parametrize("planned", [("shop/cart.py",), ("shop/",), ("cart.py",)])
def test_a_plan_means_a_file_by_its_path_its_end_or_its_folder(planned: tuple[str, ...]) -> None:
    assert verify_implementation(replace(WORK, planned=planned)).sufficient


@pytest.mark.parametrize(
    ("commit", "check"),
    [
        (replace(COMMIT, judged=None), "commit.gate"),
        (replace(COMMIT, judged=replace(GOOD, level="middle")), "commit.gate"),
        (replace(COMMIT, judged=replace(GOOD, outcome=Outcome.UNDECIDED)), "commit.gate"),
        (replace(COMMIT, judged=replace(GOOD, missing=(("tests", "no consent"),))), "commit.measured"),
        (replace(COMMIT, content="c2"), "commit.content"),
        (replace(COMMIT, message="\n\n"), "commit.message"),
        (replace(COMMIT, message="fixup! Cap discounts"), "commit.message"),
        (replace(COMMIT, added=(Added("cart.py.orig", ((1, "x"),), new=True),)), "commit.leftovers"),
    ],
)
def test_what_makes_a_commit_insufficient(commit: Commit, check: str) -> None:
    assert checks(verify_commit(commit)) == [check]


@pytest.mark.parametrize(
    "line", ["# TODO(#12): negative prices", "todo = []", "x = '# TODO: y'", "# see HACKING"]
)
def test_what_only_looks_left_over(line: str) -> None:
    assert verify_commit(replace(COMMIT, added=(Added("a.py", ((1, line),)),))).sufficient


def test_what_was_not_measured_is_told_as_that() -> None:
    found = verify_implementation(replace(WORK, judged=replace(GOOD, failing=None)))
    assert [reason.unmeasured for reason in found.reasons] == [True]


def test_what_was_not_given_is_not_looked_at() -> None:
    looked = {check.id for check in verify_implementation(WORK).checks}
    assert "implementation.planned" not in looked
    commit = verify_commit(replace(COMMIT, message=None))
    assert commit.sufficient
    assert "commit.message" not in {check.id for check in commit.checks}


def test_a_specification_without_criteria_is_covered_by_no_plan() -> None:
    code = codebase({"a.py": "RATE = 1\n"})
    plan = "1. `a.py`: `RATE` is 2\n2. run the tests\n"
    assert verify_plan(plan, code).sufficient
    (reason,) = verify_plan(plan, code, "# Rates\n\nThe rate rises next year.\n").reasons
    assert (reason.check, reason.unmeasured) == ("plan.covers", True)


def test_an_answer_without_checks_is_not_sufficient() -> None:
    assert not Verification(GatePoint.PLAN).sufficient


@pytest.mark.parametrize(
    "text", ["", "\n", "---\n", "# \n", "`", "| a |\n|---|\n", "\0", "- " * 50, "> " * 200 + "x"]
)
def test_odd_texts_are_insufficient_and_no_crash(text: str) -> None:
    nothing = codebase({"a.py": "def f(:"})
    assert not verify_specification(text, nothing).sufficient
    assert not verify_plan(text, nothing, text).sufficient


def test_a_name_that_is_no_ones_is_told_with_what_is_near() -> None:
    code = codebase({"a.py": "def parse_price(text): ...\n"})
    text = "Goal: prices are read as people write them.\n\nCriteria:\n- `a.parse_prize('1')` returns `1.0`\n"
    (reason,) = verify_specification(text, code).reasons
    assert reason.line == 4
    assert reason.text == "`a.parse_prize` is not in the project: did you mean `parse_price`?"


def test_what_lies_outside_of_the_project_is_not_looked_for() -> None:
    text = "Goal: as told in `../notes/a.md`, and `other.thing()` too.\n\nCriteria:\n- `LINES` is not read\n"
    assert verify_specification(text, codebase({"a.py": ""})).sufficient


def test_a_plan_names_what_is_there() -> None:
    code = codebase({"shop/a.py": "class Cart:\n    def total(self): ...\n"})
    found = verify_plan("1. `shop/a.py`: change `Cart.totals`\n2. run the tests\n", code)
    assert checks(found) == ["plan.names"]

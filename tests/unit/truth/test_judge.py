"""What the tests of a project say of a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline_dev.truth.cases import violation
from gateline_dev.truth.door import Verdict
from gateline_dev.truth.judge import Judged, Truth, compare, steady
from gateline_dev.truth.pytest_runs import Endings, _read
from gateline_dev.truth.tree import Edit

BEFORE = frozenset({"t::a", "t::b"})


def endings(**tests: str) -> Endings:
    return Endings({f"t::{name}": ending for name, ending in tests.items()}, 0, 1.0)


def judged(after: Endings, edit: Edit | None = None) -> Judged:
    return compare(BEFORE, after, edit or Edit({}, ""))


def test_what_fails_or_is_gone_is_lost() -> None:
    assert judged(endings(a="passed", b="failed")) == Judged(Truth.BREAKING, ("t::b",))
    assert judged(endings(a="passed")) == Judged(Truth.BREAKING, ("t::b",))
    assert judged(endings(a="passed", b="passed", c="failed")).truth is Truth.HONEST


def test_what_is_only_skipped_is_neither() -> None:
    assert judged(endings(a="passed", b="skipped")) == Judged(Truth.SKIPPED, ("t::b",))


def test_what_goes_with_its_code_or_is_renamed_is_not_lost() -> None:
    withdrawn = Edit({}, "", withdrawn=frozenset({"t::b"}))
    assert judged(endings(a="passed"), withdrawn).truth is Truth.HONEST
    moved = Endings({"sub.t::a": "passed", "sub.t::b": "passed"}, 0, 1.0)
    assert judged(moved, Edit({}, "", renamed={"t": "sub.t"})).truth is Truth.HONEST
    assert judged(moved).truth is Truth.BREAKING


def test_what_passes_once_is_not_steady() -> None:
    assert steady(endings(a="passed", b="passed"), endings(a="passed", b="failed")) == {"t::a"}


def test_rows_of_a_test_are_one(tmp_path: Path) -> None:
    case = '<testcase classname="t" name="{}">{}</testcase>'
    rows = [("a[1]", ""), ("a[2]", "<failure/>"), ("b[1]", "<skipped/>"), ("b[2]", ""), ("c", "<skipped/>")]
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuite>{''.join(case.format(*row) for row in rows)}</testsuite>")
    assert _read(report) == {"t::a": "failed", "t::b": "passed", "t::c": "skipped"}
    assert _read(tmp_path / "nothing.xml") == {}


def verdict(outcome: str, code: int, *codes: str) -> Verdict:
    findings = [{"code": name, "weight": "floor", "novelty": "new"} for name in codes]
    return Verdict(code, outcome, 1.0, {"findings": findings, "decision": {"reasons": []}})


@pytest.mark.parametrize(
    ("truth", "said", "is_wrong"),
    [
        (Truth.BREAKING, verdict("accept", 0), True),
        (Truth.BREAKING, verdict("conditional-accept", 0), True),
        (Truth.BREAKING, verdict("undecided", 3), False),
        (Truth.BREAKING, verdict("require-iteration", 1, "GTL201"), False),
        (Truth.HONEST, verdict("require-iteration", 1, "GTL201"), True),
        (Truth.HONEST, verdict("require-iteration", 1, "GTL602"), False),
        (Truth.HONEST, verdict("undecided", 3), True),
        (Truth.HONEST, verdict("conditional-accept", 0), False),
        (Truth.SKIPPED, verdict("accept", 0), False),
    ],
)
def test_a_violation_contradicts_the_truth(truth: Truth, said: Verdict, *, is_wrong: bool) -> None:
    assert bool(violation(Judged(truth), said)) is is_wrong

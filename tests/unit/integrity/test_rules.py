"""Rules of integrity: one package for each code, found by discovery, and each lost alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gateline.integrity
from gateline.gates.case import Case
from gateline.gates.evaluate import judge
from gateline.integrity.evidence import Evidence
from gateline.integrity.finders import shared
from gateline.integrity.inspection import with_integrity
from gateline.integrity.rule import Rule, Rules
from gateline.model import Dimension, Evaluation, Finding, Level, Outcome, Policy, Progress, State
from gateline.model.codes import CODES
from gateline.plugins import load_rules
from gateline_dev.corpora import reading
from gateline_dev.corpora.here import change_of

ROOT = Path(str(gateline.integrity.__file__)).parent
BASE = {"shop.py": "def total(a, b):\n    return a + b\n", "tests/test_shop.py": ""}
TEST = "from shop import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n"


def judged(rules: Rules) -> Evaluation:
    """A change that takes the only assertion away, judged by some rules at the final checkpoint."""
    now = {**BASE, "tests/test_shop.py": TEST.replace("assert total(1, 2) == 3", "total(1, 2)")}
    base = {**BASE, "tests/test_shop.py": TEST}
    change = change_of(reading.Case("shop-1", "cheat", "assertion-removed", "it goes", base, now))
    return judge(with_integrity(Case(Policy(), Level.FINAL, Progress.SAID, change), rules))


def codes(evaluation: Evaluation) -> list[str]:
    return [f.code for f in evaluation.findings if f.dimension is Dimension.INTEGRITY]


def state(evaluation: Evaluation) -> tuple[State, str]:
    (part,) = (part for part in evaluation.score.parts if part.dimension is Dimension.INTEGRITY)
    return part.state, part.reason


def crash(_: Evidence) -> Iterator[Finding]:
    raise ZeroDivisionError("a planned fault")


def test_each_code_of_integrity_has_one_rule_in_the_package_of_its_name() -> None:
    wanted = {code.code: code.name for code in CODES.values() if code.dimension is Dimension.INTEGRITY}
    rules = load_rules()
    assert rules.missing == ()
    assert {rule.code: rule.name for rule in rules.rules} == wanted
    assert len(rules.rules) == len(wanted)
    packages = {folder.name for folder in (ROOT / "rules").iterdir() if (folder / "rule.py").exists()}
    assert packages == {name.replace("-", "_") for name in wanted.values()}


def test_each_code_of_integrity_has_one_folder_of_cases_and_one_page() -> None:
    wanted = {f"{code.code}-{code.name}" for code in CODES.values() if code.dimension is Dimension.INTEGRITY}
    project = Path(__file__).parents[3]
    folders = {folder.name for folder in (project / "tests/cases/integrity").iterdir() if folder.is_dir()}
    pages = {page.stem for page in (project / "docs/codes").glob("GTL6*.md")}
    assert folders == wanted
    assert pages == {name.partition("-")[0] for name in wanted}


def test_a_code_is_written_in_the_package_of_its_rule_alone() -> None:
    found = {
        (code, file.relative_to(ROOT).as_posix())
        for file in ROOT.rglob("*.py")
        for code in re.findall(r'"(GTL6\d\d)"', file.read_text(encoding="utf-8"))
    }
    names = {code.code: code.name.replace("-", "_") for code in CODES.values()}
    assert found == {(rule.code, f"rules/{names[rule.code]}/__init__.py") for rule in load_rules().rules}


def test_all_rules_together_stop_the_change() -> None:
    evaluation = judged(load_rules())
    assert codes(evaluation) == ["GTL603"]
    assert state(evaluation)[0] is State.MEASURED


@pytest.mark.parametrize("code", ["GTL601", "GTL603", "GTL635"])
def test_a_rule_that_crashes_loses_only_its_own_findings_and_is_never_clean(code: str) -> None:
    rules = [Rule(r.code, r.name, crash) if r.code == code else r for r in load_rules().rules]
    evaluation = judged(Rules(tuple(rules)))
    assert codes(evaluation) == ([] if code == "GTL603" else ["GTL603"])
    said = f"integrity: the rule of {code} crashed: ZeroDivisionError: a planned fault"
    assert state(evaluation) == (State.FAILED, said)
    assert evaluation.decision.outcome is not Outcome.ACCEPT


def test_a_pipeline_that_a_rule_could_not_look_at_is_never_clean() -> None:
    """A text nested too deeply once left a change without Python measured, and clean."""

    def deep(_: Evidence) -> Iterator[Finding]:
        raise RecursionError

    base, now = ({".github/workflows/ci.yml": f"on: push\njobs: {{}}\n# {side}\n"} for side in "ab")
    change = change_of(reading.Case("ci-1", "twin", "pipeline", "a comment", base, now))
    rules = [Rule(r.code, r.name, deep) if r.code == "GTL634" else r for r in load_rules().rules]
    asked = Case(Policy(), Level.FINAL, Progress.SAID, change)
    assert state(judge(with_integrity(asked, load_rules())))[0] is State.MEASURED
    said = "integrity: a text is nested too deeply for the rule of GTL634"
    assert state(judge(with_integrity(asked, Rules(tuple(rules))))) == (State.FAILED, said)


def test_a_rule_that_cannot_be_loaded_is_told_and_never_clean() -> None:
    rules = tuple(rule for rule in load_rules().rules if rule.code != "GTL603")
    evaluation = judged(Rules(rules, ("integrity: gone cannot be loaded: ImportError: no", "another")))
    assert state(evaluation) == (
        State.FAILED,
        "integrity: gone cannot be loaded: ImportError: no (and 1 more)",
    )
    assert evaluation.decision.outcome is not Outcome.ACCEPT


def test_what_several_rules_share_runs_once_a_change() -> None:
    runs = []

    def look(_: Evidence) -> Iterator[Finding]:
        runs.append(1)
        yield from ()

    judged(Rules(tuple(Rule(code, code, shared(look, code)) for code in ("GTL603", "GTL604"))))
    assert runs == [1]

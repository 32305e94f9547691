"""`gateline check` remembers what a person accepted, and why."""

from __future__ import annotations

import json

from gateline.memory.lesson import Source
from gateline.session.memory.learning import of_regression
from gateline.worklog.scored import Regression
from support.repositories import Repository
from support.typed import run

CODE = '"""Runs."""\n\n\ndef run(text: str) -> object:\n    """Run it."""\n    return {}\n'


def test_an_accepted_finding_is_a_lesson_about_its_place(workspace: Repository, without_types: None) -> None:
    workspace.commit("begin", **{"runs.py": CODE.format("text")})
    workspace.write("runs.py", CODE.format("eval(text)"))
    asked = ("--accept", "GTL301:runs.py:run", "texts come from the release notes alone")
    for _ in range(2):
        run("check", "--level", "early", *asked)
    (lesson,) = json.loads(run("recall", "--output", "json").stdout)
    assert lesson["text"] == "GTL301 is accepted in runs.py (run): texts come from the release notes alone"
    assert lesson["anchor"] == {"file": "runs.py", "symbol": "run", "rule": "GTL301"}
    assert (lesson["source"], lesson["version"]) == ("waiver", 1)


def test_a_regression_names_the_branch_and_what_explains_it() -> None:
    note = of_regression(Regression("score", 90.0, 70.0, 5, "coverage"), "tax")
    assert (note.source, note.tags) == (Source.REGRESSION, ("regression", "coverage"))
    assert note.text == (
        "Regression on tax: score 70.0 is 22% below 90.0, the mean of the last 5 accepted on this branch, "
        "mostly because of coverage"
    )

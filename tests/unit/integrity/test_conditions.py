"""Conditions that never hold while a change is looked at, and those of which that is not sure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.integrity.enforcement.conditions import never_holds
from gateline.integrity.enforcement.variables import with_variables

NEVER = [
    "vars.FULL == 'yes'",
    "${{ vars.FULL }}",
    "(vars.FULL == 'yes') && always()",
    "fromJSON(vars.FULL)",
    "contains(vars.CHECKS, 'tests')",
    "github.event.inputs.full == 'yes' || vars.FULL",
    "github.event_name != 'pull_request'",
    "!(github.event_name == 'pull_request')",
    "(github.event_name == 'push')",
    'contains(fromJSON(\'["push", "schedule"]\'), github.event_name)',
    "github.ref == 'refs/heads/main' || github.ref_type == 'tag'",
    "startsWith(github.ref, 'refs/tags/')",
    "contains(github.event.pull_request.labels.*.name, 'full')",
    "failure()",
    "1 == 2",
    "false && github.ref",
    "'false' == 'true'",
    "$FULL",
    '${FULL} == "1"',
    '"1" == $FULL',
    "$FULL =~ /yes|true/",
    "$FULL && $CI_MERGE_REQUEST_IID",
    "$CI_COMMIT_TAG",
]
NOT_SURE = [
    "",
    "vars.SKIP != 'yes'",
    "!vars.SKIP",
    "vars.SKIP == ''",
    "vars.FULL == 'yes' || true",
    "vars.FULL == 'yes' || github.repository == 'a/b'",
    "github.repository == 'a/b'",
    "github.event_name == 'pull_request'",
    "github.event_name != 'schedule'",
    "!contains(github.event.head_commit.message, '[skip ci]')",
    "!startsWith(github.ref, 'refs/tags/')",
    "matrix.python != '3.8'",
    "env.FULL == 'yes'",
    "inputs.full",
    "success() && !cancelled()",
    '$CI_PIPELINE_SOURCE == "merge_request_event"',
    "$CI_MERGE_REQUEST_IID",
    "$SKIP == null",
    "$CI_COMMIT_TITLE =~ /full/",
    "and so on (",
    "'open",
]


@pytest.mark.parametrize("condition", NEVER)
def test_what_never_holds(condition: str) -> None:
    assert never_holds(condition)


@pytest.mark.parametrize("condition", NOT_SURE)
def test_what_may_hold(condition: str) -> None:
    assert not never_holds(condition)


@pytest.mark.parametrize(
    ("given_values", "holds"), [({"FULL": "1"}, True), ({"FULL": {"value": 1}}, True), ({"FULL": ""}, False)]
)
def test_variables_of_the_pipeline_itself_are_known(given_values: object, *, holds: bool) -> None:
    tree = {"variables": given_values, "tests": {"rules": [{"if": "$FULL"}]}}
    (rule,) = with_variables(tree)["tests"]["rules"]
    assert never_holds(rule["if"]) is not holds


@given(st.text(alphabet="!()&|=~<>'\"$ vars.github_event0{}[],/\\", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert never_holds(text) in (True, False)


@pytest.mark.parametrize("text", ["!" * 5000 + "true", "(" * 5000, "not(" * 5000, "$A && " * 5000 + "$A"])
def test_long_texts_are_read_as_well(text: str) -> None:
    assert never_holds(text) is text.endswith("$A")

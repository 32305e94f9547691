"""Reports for machines."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as Xml

import jsonschema
import pytest
from results import HUSHED, OLD, SECRET, SHELL, TOKEN, UNTYPED, finding, result, unchanged
from sarif_shape import SARIF

from gateline.cli.output import (
    FORMATS,
    before_after,
    concise,
    full,
    github,
    junit,
    markdown,
    renderer,
    sarif,
)
from gateline.model import (
    Decision,
    FileSummary,
    Level,
    Outcome,
    Related,
    Span,
    State,
    Status,
    TestRun,
    Weight,
)
from gateline.model.policy import Profile
from gateline.session.check import CheckResult
from gateline.session.judge.wire import canonical_json, to_wire
from gateline_dev import generate_evaluation

RESULTS = {
    "findings": result(),
    "nothing": unchanged(),
    "hostile": result(
        {},
        findings=(
            finding(
                path="a b/\udcff,:%\n.py",
                message="\x00\x1b]0;%\r\n::error::\ud800 ]]> <!-- @all",
                origin="x\ny",
            ),
        ),
    ),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("given", RESULTS.values(), ids=RESULTS)
class TestEveryFormat:
    def test_gives_the_same_bytes_again(self, name: str, given: CheckResult) -> None:
        assert renderer(name)(given) == renderer(name)(given)

    def test_ends_with_one_line_end(self, name: str, given: CheckResult) -> None:
        text = renderer(name)(given)
        assert text.endswith("\n") and not text.endswith("\n\n")

    def test_tells_neither_secrets_nor_machines_nor_times(self, name: str, given: CheckResult) -> None:
        text = renderer(name)(given)
        assert TOKEN not in text
        assert "/somewhere" not in text
        assert "1.234" not in text

    def test_can_be_written_to_a_file(self, name: str, given: CheckResult) -> None:
        assert renderer(name)(given).encode("utf-8", "backslashreplace")


def test_concise() -> None:
    assert concise.render(result()).splitlines() == [
        "src/pay.py:2:10: GTL310 exposed secret [detect-secrets: x]",
        "src/pay.py:3:5: GTL110 it is wrong [mypy: no-untyped-def]",
        "src/pay.py:4:5: GTL301 shell | with <b>, 100% [bandit: B605]",
        "tests: all of 9 run",
        "require-iteration (score 59): 2 broken floors",
    ]


UNDECIDED = Decision(
    Outcome.UNDECIDED, Status.WARN, ("tests did not run (no pytest in x); install pytest there",)
)
NOT_RUN = TestRun(
    "none", total=9, state=State.NO_DATA, reason="no pytest in x", next_step="install pytest there"
)


@pytest.mark.parametrize("name", ["full", *(name for name in FORMATS if name not in ("full", "json"))])
def test_every_format_says_that_tests_did_not_run_and_what_to_do(name: str) -> None:
    text = renderer(name)(result(findings=(), tests=NOT_RUN, decision=UNDECIDED))
    assert "0 of 9 ran: no pytest in x" in text
    assert "install pytest there" in text


@pytest.mark.parametrize("name", ["full", "concise", "github", "junit", "sarif", "markdown"])
def test_every_format_says_how_many_ran(name: str) -> None:
    assert "all of 9 run" in renderer(name)(result())


def test_junit_and_sarif_are_not_clean_where_nothing_was_decided() -> None:
    given = result(findings=(), suppressed=(), tests=NOT_RUN, decision=UNDECIDED)
    cases = Xml.fromstring(junit.render(given)).iter("testcase")
    states = {case.get("name"): [child.tag for child in case] for case in cases}
    assert states == {"gate.final": ["error"], "tests": ["skipped"]}
    run = json.loads(sarif.render(given))["runs"][0]
    assert [(row["ruleId"], row["level"]) for row in run["results"]] == [("GTL900", "warning")]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_advice_is_no_error_on_an_accepted_change() -> None:
    slow = replace(finding(weight=Weight.ADVICE), code="GTL710")
    lines = github.render(result(findings=(slow,))).splitlines()
    assert lines[1].startswith("::notice ")


def test_by_the_plain_profile_old_findings_that_count_are_shown() -> None:
    old = replace(OLD, weight=Weight.COUNTS)
    plain = result(findings=(old,), profile=Profile.PLAIN)
    assert concise.render(plain).startswith(f"{OLD.path}:{OLD.span.start.line + 1}:")
    assert "::warning file=" in github.render(plain)
    assert "not shown" not in full.render(plain)


class TestJson:
    def test_it_fits_its_published_schema(self) -> None:
        schema = json.loads(generate_evaluation.render()[generate_evaluation.SCHEMA])
        for given in RESULTS.values():
            jsonschema.validate(json.loads(canonical_json(given.evaluation)), schema)

    def test_it_says_its_version_and_everything_judged(self) -> None:
        said = json.loads(canonical_json(result().evaluation))
        assert said["version"] == 1
        assert said["decision"]["requiredActions"][0]["finding"] == SECRET.identity
        assert [f["code"] for f in said["findings"]] == ["GTL501", "GTL310", "GTL110", "GTL301"]
        assert said["suppressed"][0]["identity"] == HUSHED.identity
        assert "lineText" not in said["findings"][0]

    def test_the_points_add_up(self) -> None:
        score = to_wire(result().evaluation).score
        assert sum(part.points for part in score.parts) == score.raw

    def test_a_file_name_that_is_no_unicode_survives(self) -> None:
        said = json.loads(canonical_json(RESULTS["hostile"].evaluation))
        assert said["findings"][0]["path"] == "a b/\udcff,:%\n.py"


class TestSarif:
    @pytest.fixture
    def run(self) -> Any:
        log = json.loads(sarif.render(result()))
        jsonschema.validate(log, SARIF)
        return log["runs"][0]

    @pytest.mark.parametrize("given", RESULTS.values(), ids=RESULTS)
    def test_structure(self, given: CheckResult) -> None:
        jsonschema.validate(json.loads(sarif.render(given)), SARIF)

    def test_every_result_has_its_rule(self, run: Any) -> None:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert rules == sorted(set(rules))
        assert all(rules[row["ruleIndex"]] == row["ruleId"] for row in run["results"])

    def test_new_ones_come_first_and_levels_follow_severity(self, run: Any) -> None:
        rows = [(r["ruleId"], r["level"], r["baselineState"], "suppressions" in r) for r in run["results"]]
        assert rows == [
            ("GTL310", "error", "new", False),
            ("GTL110", "warning", "new", False),
            ("GTL301", "error", "new", False),
            ("GTL301", "note", "new", True),
            ("GTL501", "note", "unchanged", False),
        ]

    def test_places_count_from_one(self, run: Any) -> None:
        region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
        assert region == {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 22}

    def test_the_fingerprint_is_the_identity(self, run: Any) -> None:
        assert run["results"][0]["partialFingerprints"] == {"gatelineIdentity/v1": SECRET.identity}

    def test_a_path_becomes_an_address(self) -> None:
        other = Related("b c.py", Span.of(0, 0, 0, 1), "there")
        log = json.loads(sarif.render(result(findings=(finding(path="a b/ü.py", related=(other,)),))))
        row = log["runs"][0]["results"][0]
        assert row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/%C3%BC.py"
        assert row["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b%20c.py"

    def test_no_more_than_code_scanning_takes(self) -> None:
        many = tuple(finding(line=n) for n in range(6_000))
        assert len(json.loads(sarif.render(result(findings=many)))["runs"][0]["results"]) == 5_000


class TestGithub:
    def test_the_verdict_and_then_the_worst(self) -> None:
        assert github.render(result()).splitlines() == [
            "::error title=gateline::require-iteration, score 59: 2 broken floors; tests: all of 9 run",
            (
                "::error file=src/pay.py,line=2,endLine=2,col=10,endColumn=22,title=GTL310 "
                "detect-secrets%3A x::exposed secret"
            ),
            (
                "::error file=src/pay.py,line=4,endLine=4,col=5,endColumn=17,title=GTL301 bandit%3A B605"
                "::shell | with <b>, 100%25"
            ),
            (
                "::warning file=src/pay.py,line=3,endLine=3,col=5,endColumn=8,title=GTL110 "
                "mypy%3A no-untyped-def::it is wrong"
            ),
        ]

    def test_at_most_ten_of_a_kind_with_the_verdict(self) -> None:
        many = tuple(finding(line=n, weight=w) for n in range(30) for w in (Weight.FLOOR, Weight.ADVICE))
        lines = github.render(result(findings=many)).splitlines()
        assert sum(line.startswith("::error ") for line in lines) == 10
        assert sum(line.startswith("::notice ") for line in lines) == 10
        assert lines[0].endswith("; 41 more findings are not annotated")

    def test_a_message_cannot_begin_a_command(self) -> None:
        lines = github.render(RESULTS["hostile"]).split("\n")
        assert len(lines) == 3
        assert "%0D%0A::error::" in lines[1]
        assert lines[1].startswith("::warning file=a b/\udcff%2C%3A%25%0A.py,")

    def test_a_pass_is_a_notice(self) -> None:
        assert github.render(unchanged()) == "::notice title=gateline::accept, no score: nothing to judge\n"

    def test_the_checkpoint_is_named_unless_final(self) -> None:
        assert "require-iteration at early" in github.render(result(level=Level.EARLY))


class TestJunit:
    @staticmethod
    def suite(given: CheckResult) -> Xml.Element:
        suite = Xml.fromstring(junit.render(given)).find("testsuite")
        assert suite is not None
        return suite

    def test_the_gate_and_every_finding(self) -> None:
        suite = self.suite(result())
        assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("6", "3", "1")
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        assert failed == ["gate.final", f"GTL310 line 2 {SECRET.identity}", f"GTL301 line 4 {SHELL.identity}"]
        assert UNTYPED.identity not in " ".join(map(str, failed))

    def test_early_only_the_gate_can_fail(self) -> None:
        assert self.suite(result(level=Level.EARLY)).get("failures") == "1"

    def test_undecided_is_no_pass(self) -> None:
        undecided = Decision(Outcome.UNDECIDED, Status.WARN, ("evidence 28% is below 60%",))
        assert self.suite(result(findings=(), decision=undecided)).get("errors") == "1"

    def test_a_pass(self) -> None:
        assert self.suite(unchanged()).get("failures") == "0"

    def test_whatever_a_message_holds_it_is_xml(self) -> None:
        assert self.suite(RESULTS["hostile"]).get("tests") == "4"


class TestMarkdown:
    def test_at_most_five_findings_and_one_table(self) -> None:
        text = markdown.render(result(findings=tuple(finding(line=n) for n in range(9))))
        assert len(re.findall(r"^- .*GTL110", text, re.MULTILINE)) == 5
        assert "- … and 4 more" in text
        assert text.count("|---|---:") == 1
        assert text.startswith(f"{markdown.MARKER}\n### gateline: require-iteration\n")

    def test_rows_of_the_table(self) -> None:
        text = markdown.render(result())
        assert "| errors | 90.0 | 54.0 | 1 new finding |" in text
        assert "| coverage | no data |  | not yet measured |" in text
        assert "documentation" not in text, "what is not due is no row"

    def test_messages_do_nothing(self) -> None:
        text = markdown.render(RESULTS["hostile"])
        assert "<!-- @" not in text
        assert "@all" not in text
        assert r"shell \| with \<b\>, 100%" in markdown.render(result())

    def test_nothing_changed(self) -> None:
        text = markdown.render(unchanged())
        assert "Nothing changed." in text
        assert "|" not in text


class TestBeforeAfter:
    def test_functions_and_files(self) -> None:
        assert before_after.render(result()) == (
            "function          complexity\n"
            "src/pay.py:3 pay  – → 1\n"
            "\n"
            "file                  lines  maintainability\n"
            "src/pay.py  modified  3 → 4  80 → 70.5\n"
        )

    def test_what_was_not_analysed_says_why(self) -> None:
        text = before_after.render(
            result(files=(FileSummary("big.py", "added", "larger than 3 MB"),), functions=())
        )
        assert "big.py  not analysed: larger than 3 MB" in text
        assert "function" not in text

    def test_nothing_changed(self) -> None:
        assert before_after.render(unchanged()) == "Nothing changed against merge-base with main.\n"


def test_old_findings_are_in_no_format_for_people() -> None:
    for name in ("concise", "github", "junit", "markdown"):
        assert OLD.code not in renderer(name)(result())

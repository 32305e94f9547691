"""JUnit XML, which most build servers read: one test case for the gate and one for each finding."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

from gateline.cli.output.order import severity_in, shown_findings
from gateline.cli.output.tests import has_spoken, in_a_line
from gateline.model import Evaluation, Finding, Outcome, Severity, Status, TestRun
from gateline.session.check_result import CheckResult

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped."""


def render(result: CheckResult) -> str:
    """A failure for what fails the gate; other new findings pass with output, suppressed ones are skipped."""
    evaluation = result.evaluation
    suite = Xml.Element("testsuite", name="gateline")
    _gate(suite, evaluation)
    if evaluation.changed:
        _tests(suite, evaluation.tests)
    for finding in shown_findings(evaluation):
        _case(suite, finding, evaluation)
    for finding in evaluation.suppressed:
        said = finding.remark or "suppressed by a comment"
        Xml.SubElement(_empty(suite, finding), "skipped", message=said)
    for row in evaluation.accepted:
        Xml.SubElement(_empty(suite, row.finding), "skipped", message=_clean(str(row)))
    _count(suite)
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _gate(suite: Xml.Element, evaluation: Evaluation) -> None:
    decision = evaluation.decision
    case = Xml.SubElement(suite, "testcase", classname="gateline", name=f"gate.{evaluation.level}")
    if decision.outcome is Outcome.UNDECIDED:
        _failure(case, decision.outcome, "\n".join(decision.reasons), "error")
    elif decision.status is Status.FAIL:
        _failure(case, decision.outcome, "\n".join(decision.reasons))
    elif decision.status is not Status.PASS:
        said = (f"{decision.outcome}: {reason}" for reason in decision.reasons)
        Xml.SubElement(case, "system-out").text = _clean("\n".join(said))


def _tests(suite: Xml.Element, tests: TestRun | None) -> None:
    """The project's own tests as one case: it passes only where they ran, or there was nothing to run."""
    case = Xml.SubElement(suite, "testcase", classname="gateline", name="tests")
    if has_spoken(tests):
        Xml.SubElement(case, "system-out").text = _clean(in_a_line(tests))
    else:
        Xml.SubElement(case, "skipped", message=_clean(in_a_line(tests)))


def _case(suite: Xml.Element, finding: Finding, evaluation: Evaluation) -> None:
    case = _empty(suite, finding)
    text = f"{finding.path}:{finding.span.start.line + 1}: {finding.message}"
    text += f" ({finding.remark})" if finding.remark else ""
    if severity_in(evaluation, finding) is Severity.ERROR:
        _failure(case, finding.message, text)
    else:
        Xml.SubElement(case, "system-out").text = _clean(text)


def _empty(suite: Xml.Element, finding: Finding) -> Xml.Element:
    name = f"{finding.code} line {finding.span.start.line + 1} {finding.identity}"
    return Xml.SubElement(suite, "testcase", classname=_clean(finding.path), name=name)


def _failure(case: Xml.Element, message: str, text: str, kind: str = "failure") -> None:
    Xml.SubElement(case, kind, message=_clean(message)).text = _clean(text)


def _count(suite: Xml.Element) -> None:
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    suite.set("tests", str(len(suite.findall("testcase"))))
    for name, kind in kinds.items():
        suite.set(name, str(len(suite.findall(f".//{kind}"))))


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)

"""JUnit XML, which most build servers read: one test case for the gate and one for each finding."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from gateline.gates.severity import severity
from gateline.model import Finding, Novelty, Severity, Status
from gateline.session.check import CheckResult


def render(result: CheckResult) -> str:
    """A failure for what fails the gate; other new findings are cases that passed with output."""
    evaluation = result.evaluation
    suite = Xml.Element("testsuite", name="gateline")
    gate = Xml.SubElement(suite, "testcase", classname="gateline", name=f"gate.{evaluation.level}")
    failed = evaluation.decision.status is Status.FAIL
    if failed:
        _failure(gate, evaluation.decision.outcome, "\n".join(evaluation.decision.reasons))
    failures = int(failed)
    new = [f for f in evaluation.findings if f.novelty is Novelty.NEW]
    for finding in new:
        case = Xml.SubElement(suite, "testcase", classname=finding.path, name=_name(finding))
        text = f"{finding.path}:{finding.span.start.line + 1}: {finding.message}"
        if severity(finding, evaluation.level) is Severity.ERROR:
            _failure(case, finding.message, text)
            failures += 1
        else:
            Xml.SubElement(case, "system-out").text = _clean(text)
    suite.set("tests", str(len(new) + 1))
    suite.set("failures", str(failures))
    root = Xml.Element("testsuites")
    root.append(suite)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _name(finding: Finding) -> str:
    return f"{finding.code} line {finding.span.start.line + 1} {finding.identity}"


def _failure(case: Xml.Element, message: str, text: str) -> None:
    Xml.SubElement(case, "failure", message=_clean(message)).text = _clean(text)


def _clean(text: str) -> str:
    """Without the control characters that XML forbids."""
    return "".join(c if c >= " " or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)

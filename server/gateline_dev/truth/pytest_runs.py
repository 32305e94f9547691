"""The judge's evidence: the project's own full pytest, and how each test function ended."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

_PATIENCE = 60.0
"""Seconds beside ten times what the base takes: a change may make a loop endless."""


@dataclass(frozen=True)
class Endings:
    """What became of every test function, and the run's exit code."""

    tests: Mapping[str, str]
    """`passed`, `failed` or `skipped`, by the address in the report without parameters."""
    code: int | None
    """None: it took too long."""
    seconds: float
    tail: str = ""
    """The last words of pytest."""

    @property
    def passed(self) -> frozenset[str]:
        """Those of which every row passed or was skipped, and one passed."""
        return frozenset(test for test, ending in self.tests.items() if ending == "passed")


def run(root: Path, python: str, environment: Mapping[str, str], report: Path, patience: float) -> Endings:
    """Run all tests as a person does. Caches are not written, so that runs are alike."""
    report.unlink(missing_ok=True)
    command = (python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}")
    began = time.perf_counter()
    try:
        done = subprocess.run(
            [*command, "-o", "junit_family=xunit1"],
            cwd=root,
            env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE + patience,
            check=False,
        )
        code, tail = done.returncode, "\n".join((done.stdout + done.stderr).splitlines()[-15:])
    except subprocess.TimeoutExpired:
        code, tail = None, "took too long"
    return Endings(_read(report), code, time.perf_counter() - began, tail)


def _read(report: Path) -> dict[str, str]:
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return {}
    found: dict[str, str] = {}
    for case in cases:
        name = case.get("name", "").partition("[")[0]
        address = f"{case.get('classname', '')}::{name}"
        found[address] = _worse(found.get(address), _ending(case))
    return found


def _ending(case: ElementTree.Element) -> str:
    kinds = {child.tag for child in case}
    return "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"


def _worse(known: str | None, ending: str) -> str:
    if known is None or known == ending:
        return ending
    return "failed" if "failed" in (known, ending) else "passed"

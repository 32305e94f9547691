"""Runs `tests/cases/gates`: texts in the base and now, with the errors marked, and what the gate says.

`# ! GTL110 message` at the end of a line is a finding there. `-- @early --` and the like hold what is
expected: the decision, the score, and the new, old and fixed findings.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from gate_inputs import case, changed, clean_reports, finding

from gateline.gates.evaluate import judge
from gateline.model import Evaluation, Finding, Level, Novelty, Report

FOLDER = Path(__file__).parents[2] / "cases" / "gates"
_FILE = re.compile(r"^-- (.+) --\n", re.MULTILINE)
_MARK = re.compile(r"\s*# ! (GTL\d{3}) (.*)$", re.MULTILINE)


def _files(text: str) -> dict[str, str]:
    _, *parts = _FILE.split(text)
    return {name: body.rstrip("\n") + "\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _unmarked(path: str, text: str) -> tuple[str, list[Finding]]:
    plain = _MARK.sub("", text)
    lines = plain.splitlines()
    found = [
        finding(mark[1], number, mark[2], lines[number], path=path)
        for number, line in enumerate(text.splitlines())
        if (mark := _MARK.search(line))
    ]
    return plain, found


def _reports(found: list[Finding]) -> list[Report]:
    return [
        replace(r, findings=tuple(f for f in found if f.dimension is r.dimension)) for r in clean_reports()
    ]


def _judged(files: dict[str, str], level: Level) -> Evaluation:
    sides: dict[str, dict[str, tuple[str, list[Finding]]]] = {"base": {}, "now": {}}
    for name, text in files.items():
        side, _, path = name.partition("/")
        if side in sides:
            sides[side][path] = _unmarked(path, text)
    paths = sorted({*sides["base"], *sides["now"]})
    texts = [(sides["base"].get(p, (None,))[0], sides["now"].get(p, (None,))[0], p) for p in paths]
    made = case(*(changed(*row) for row in texts), level=level)
    return judge(
        replace(
            made,
            reports={p: _reports(found) for p, (_, found) in sides["now"].items()},
            base_reports={p: _reports(found) for p, (_, found) in sides["base"].items()},
        )
    )


def _told(evaluation: Evaluation) -> str:
    rows = [f"{evaluation.decision.outcome} {evaluation.decision.status} {evaluation.score.value:g}"]
    rows += [f"{_word(f)} {f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in evaluation.findings]
    for name, findings in (("suppressed", evaluation.suppressed), ("fixed", evaluation.fixed)):
        rows += [f"{name} {f.path}:{f.span.start.line + 1} {f.code} {f.message}" for f in findings]
    return "\n".join(rows) + "\n"


def _word(found: Finding) -> str:
    return "new" if found.novelty is Novelty.NEW else "old"


CASES = [
    pytest.param(file, name, id=f"{file.stem}-{name.strip('@')}")
    for file in sorted(FOLDER.glob("*.txt"))
    for name in _files(file.read_text(encoding="utf-8"))
    if name.startswith("@")
]


def test_there_are_cases() -> None:
    assert len(CASES) > 5


@pytest.mark.parametrize(("file", "name"), CASES)
def test_case(file: Path, name: str) -> None:
    files = _files(file.read_text(encoding="utf-8"))
    assert _told(_judged(files, Level(name.strip("@")))) == files[name]

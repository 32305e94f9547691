"""Cases of a corpus of broken programs: texts and problem, as far as can be said without running them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateline.model import Origin
from gateline_dev.autodebug.cases import Case, read_cases

RIGHT = "def total(rows):\n    return sum(rows)\n"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    project = tmp_path / "visible" / "projects" / "shop"
    (project / "__pycache__").mkdir(parents=True)
    (project / "__pycache__" / "shop.py").write_text("")
    (project / "shop.py").write_text(RIGHT)
    (project / "picture.png").write_bytes(b"\x89PNG\xff")
    return tmp_path


def one(corpus: Path, detect: str, error: dict[str, Any], **more: Any) -> Case:
    row = {"id": "one", "category": "name", "target": "shop.py", "detect": detect, "error": error, **more}
    (corpus / "visible" / "a.jsonl").write_text(json.dumps({"project": "shop", **row}) + "\n")
    (case,) = read_cases(corpus)
    return case


def test_edits_are_made_in_the_text_of_the_project(corpus: Path) -> None:
    error = {"type": "NameError", "message": "name 'sums' is not defined", "file": "shop.py", "line": 0}
    case = one(corpus, "test", error, edits=[[4, 9, "totals"], [28, 31, "sums"]])
    assert case.texts == {"shop.py": "def totals(rows):\n    return sums(rows)\n"}
    assert (case.problem.origin, case.problem.type, case.problem.path) == (Origin.RUN, "NameError", "shop.py")
    assert case.problem.line == 0, "the first line that differs stands for one that nobody noted"


def test_a_traceback_tells_its_frames(corpus: Path) -> None:
    text = (
        'Traceback (most recent call last):\n  File "shop.py", line 2, in total\n    return sums(rows)\n'
        "NameError: name 'sums' is not defined\n"
    )
    error = {"type": "NameError", "message": "", "file": "shop.py", "line": 0, "text": text}
    problem = one(corpus, "test", error, edits=[[28, 31, "sums"]]).problem
    assert (problem.message, problem.line) == ("name 'sums' is not defined", 1)
    assert [frame.function for frame in problem.frames] == ["total"]


def test_a_type_checker_tells_a_code(corpus: Path) -> None:
    error = {
        "type": "mypy",
        "message": 'Name "sums" is not defined  [name-defined]',
        "file": "shop.py",
        "line": 2,
    }
    problem = one(corpus, "mypy", error, edits=[[28, 31, "sums"]]).problem
    assert (problem.origin, problem.type, problem.line) == (Origin.TYPES, "name-defined", 1)


def test_what_does_not_parse_is_asked_of_the_parser(corpus: Path) -> None:
    error = {"type": "SyntaxError", "message": "invalid syntax", "file": "shop.py", "line": 9}
    problem = one(corpus, "parse", error, edits=[[15, 16, ""]]).problem
    assert (problem.origin, problem.type, problem.line) == (Origin.PARSER, "GTL101", 0)


def test_files_of_its_own_are_compared_with_the_reference(corpus: Path) -> None:
    error = {"type": "TypeError", "message": "TypeError: no", "file": "shop.py", "line": 0}
    broken = {"shop.py": RIGHT.replace("sum(rows)", "sum(1)")}
    case = one(corpus, "test", error, project=None, files=broken, reference={"shop.py": RIGHT})
    assert case.texts == broken
    assert (case.problem.message, case.problem.line) == ("no", 1)


@pytest.mark.parametrize(("category", "kind"), [("logic", "AssertionError"), ("type", "?")])
def test_cases_without_a_known_error_are_left_out(corpus: Path, category: str, kind: str) -> None:
    row = {"id": "one", "category": category, "error": {"type": kind}, "target": "shop.py", "detect": "test"}
    (corpus / "visible" / "a.jsonl").write_text(json.dumps(row) + "\n")
    assert list(read_cases(corpus)) == []

"""`gateline fix` on real files: what is shown, what is written, and what is left alone."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from type_project import Warm

from gateline.cli.commands import main
from gateline.session.errors import UsageError
from gateline.session.repairs.file_writing import write
from gateline.session.repairs.fixing import fix
from support.repositories import Repository

pytestmark = pytest.mark.deep

GOOD = '''"""Adds."""

import os


def total(prices: list[int]) -> int:
    """The sum."""
    return sum(prices)


def last(path: str) -> str:
    """The last part."""
    return os.path.basename(path)
'''
UNTYPED = GOOD.replace("sum(prices)", "summ(prices)").replace("basename", "basname")
BROKEN = GOOD.replace("-> int:", "-> int")
ABSTRACT = '''"""A shape."""

from abc import ABC, abstractmethod


class Shape(ABC):
    """Abstract."""

    @abstractmethod
    def area(self) -> float:
        """The area."""


SHAPE = Shape()
'''


TREE = '''"""Trees."""

from typing import Any


class Tree:
    """A tree."""

    def grow(self, text: Any) -> None:
        """Grow by a text."""
        self._writ(text)
'''


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["fix", *arguments], prog_name="gateline", input=given)


@pytest.fixture
def project(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, warm: Warm
) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(repository.folder)
    warm(repository.folder)
    repository.commit("begin", **{"adds.py": GOOD})
    return repository


def text(project: Repository, path: str = "adds.py") -> str:
    return (project.folder / path).read_bytes().decode()


def test_nothing_wrong_is_said(project: Repository) -> None:
    project.write("adds.py", GOOD + "\n\nMORE = 1\n")
    result = run()
    assert (result.exit_code, result.stdout) == (0, "Nothing to repair.\n")


def test_a_difference_is_shown_that_git_can_apply(project: Repository) -> None:
    project.write("adds.py", UNTYPED)
    result = run()
    assert result.exit_code == 1
    assert text(project) == UNTYPED
    assert 'can be repaired: adds.py:8: Name "summ" is not defined; did you mean "sum"? [V1' in result.stdout
    difference = result.stdout.partition("can be repaired")[0]
    subprocess.run(["git", "apply"], input=difference, text=True, cwd=project.folder, check=True)
    assert text(project) == GOOD


@pytest.mark.parametrize(
    ("wrong", "arguments"),
    [(UNTYPED, ("--write",)), (BROKEN, ("--write", "adds.py"))],
    ids=["types in the change", "syntax at a path"],
)
def test_repairs_are_written_when_asked_for(
    project: Repository, wrong: str, arguments: tuple[str, ...]
) -> None:
    project.write("adds.py", wrong)
    result = run(*arguments)
    assert (result.exit_code, text(project)) == (0, GOOD)
    assert result.stdout.startswith("was repaired: adds.py:")


OLD = GOOD + "\n\ndef first(names: list[str]) -> int:\n    return names[0].upper().lenght\n"


def test_what_the_base_has_as_well_is_left(project: Repository) -> None:
    project.commit("old", **{"adds.py": OLD})
    project.write("adds.py", OLD.replace("sum(prices)", "summ(prices)"))
    result = run("--write", "adds.py")
    assert (result.exit_code, text(project)) == (0, OLD)
    assert result.stdout.endswith(
        "1 finding of the type checker skipped: already in the base; --all includes those\n"
    )


def test_what_the_base_has_is_repaired_where_it_is_asked_for(project: Repository) -> None:
    project.commit("old", **{"adds.py": UNTYPED})
    assert run("adds.py").stdout.startswith("Nothing to repair.\n2 findings of the type checker skipped")
    result = run("--all", "--write", "adds.py")
    assert (result.exit_code, text(project)) == (0, GOOD)


def test_beside_a_syntax_error_old_lines_are_left(project: Repository) -> None:
    project.commit("old", **{"adds.py": OLD})
    project.write("adds.py", OLD.replace("-> int:", "-> int", 1))
    assert (run("--write", "adds.py").exit_code, text(project)) == (0, OLD)


def test_without_a_base_lines_beside_a_syntax_error_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "plain"
    folder.mkdir()
    monkeypatch.chdir(folder)
    file = folder / "adds.py"
    file.write_text(OLD.replace("-> int:", "-> int", 1))
    assert (run("--write", "adds.py").exit_code, file.read_text()) == (0, OLD)
    file.write_text(UNTYPED)
    assert (run("--write", "adds.py").exit_code, file.read_text()) == (0, GOOD), "nobody knows what is old"


@pytest.mark.parametrize(
    "wrong",
    [GOOD.replace("sum(prices)", "undefined_thing_zz + len(prices)"), GOOD + "\n\nLAST = last()\n"],
    ids=["a name that nobody knows", "an argument that nobody knows"],
)
def test_a_guess_is_shown_and_not_written(project: Repository, wrong: str) -> None:
    project.write("adds.py", wrong)
    result = run("--write")
    assert (result.exit_code, text(project)) == (1, wrong)
    assert "was repaired" not in result.stdout


def test_what_is_edited_meanwhile_is_not_overwritten(project: Repository) -> None:
    project.write("adds.py", UNTYPED)
    edited, steps = UNTYPED + "\n\nMORE = 1\n", list[str]()

    def tell(step: str) -> None:
        steps.append(step)
        if steps.count("checking types") == 2:
            project.write("adds.py", edited)

    result = asyncio.run(fix(project.folder, tell=tell))
    assert result.after
    with pytest.raises(UsageError, match="changed after it was repaired"):
        write(result.root, result.before, result.after)
    assert text(project) == edited


def test_line_ends_and_encoding_stay(project: Repository) -> None:
    def encoded(content: str) -> bytes:
        return (
            ("# coding: latin-1\n" + content + "\n\nNAME = 'Zoë'\n").replace("\n", "\r\n").encode("latin-1")
        )

    (project.folder / "adds.py").write_bytes(encoded(UNTYPED))
    assert run("--write").exit_code == 0
    assert (project.folder / "adds.py").read_bytes() == encoded(GOOD)


def test_a_test_is_never_edited(project: Repository) -> None:
    wrong = "from adds import total\n\n\ndef test_total() -> None:\n    assert totale([1]) == 1\n"
    project.write("test_adds.py", wrong)
    result = run("--write", "test_adds.py")
    assert (result.exit_code, text(project, "test_adds.py")) == (1, wrong)
    assert result.stdout.startswith("not repaired: test_adds.py:5: ")
    assert result.stdout.endswith("(a repair must not edit tests)\n")


def test_what_no_repair_is_found_for_is_told_with_its_place(project: Repository) -> None:
    project.write("shape.py", ABSTRACT)
    result = run("--write", "shape.py")
    assert (result.exit_code, text(project, "shape.py")) == (1, ABSTRACT)
    assert result.stdout.startswith('not repaired: shape.py:14: Cannot instantiate abstract class "Shape"')


def test_a_traceback_names_the_error(project: Repository) -> None:
    project.write("adds.py", UNTYPED)
    given = f'''Traceback (most recent call last):
  File "{project.folder}/adds.py", line 8, in total
    return summ(prices)
           ^^^^
NameError: name 'summ' is not defined. Did you mean: 'sum'?
'''
    result = run("--write", "--traceback", "-", given=given)
    assert (result.exit_code, text(project)) == (0, UNTYPED.replace("summ", "sum"))


@pytest.mark.parametrize(
    ("arguments", "given", "told"),
    [
        (("nosuch.py",), None, "path 'nosuch.py' is not in"),
        (("--traceback", "-"), "all is well", "no error was found in the output"),
        (("--traceback", "-"), 'File "/x.py", line 1\nKeyError: 1\n', "no traceback line of KeyError"),
        (("--traceback", "-", "adds.py"), "", "remove the paths"),
        (("--traceback", "nosuch.txt"), None, "nosuch.txt"),
    ],
)
def test_a_mistake_is_told(
    project: Repository, arguments: tuple[str, ...], given: str | None, told: str
) -> None:
    result = run(*arguments, given=given)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_link_is_not_followed_and_what_it_leads_to_is_told(project: Repository) -> None:
    project.write("deep/broken.py", "def total(:\n    pass\n")
    (project.folder / "link.py").symlink_to("deep/broken.py")
    (project.folder / "folder").symlink_to("deep")
    for path, real in (
        ("link.py", "deep/broken.py"),
        ("folder/broken.py", "deep/broken.py"),
        ("folder", "deep"),
    ):
        result = run(path)
        assert result.exit_code == 2
        assert (
            f"path {path!r} leads through a symbolic link to {real}; give that path instead" in result.stderr
        )
    assert "can be repaired: deep/broken.py:1" in run("deep/broken.py").stdout


TESTED = {
    "cart.py": '''"""A cart."""


def total(prices):
    """The sum."""
    found = sorted(prices)
    found.append(0)
    return found.sum()


def label(count):
    """For people."""
    return "items: " + count
''',
    "test_cart.py": '''"""Tests."""

import cart


def test_total():
    assert cart.total([2, 1]) == 3


def test_label():
    assert cart.label(3) == "items: 3"
''',
}


RIGHT = TESTED["cart.py"].replace("found.sum()", "sum(found)").replace("+ count", "+ str(count)")


def test_why_tests_fail_is_repaired_when_they_may_be_run(project: Repository) -> None:
    project.commit("tests", **TESTED)
    project.write("cart.py", TESTED["cart.py"].replace("A cart", "The cart"))
    assert run("cart.py").exit_code == 0
    result = run("--tests", "--write", "cart.py")
    assert (result.exit_code, result.output.count("[V3")) == (0, 2), result.output
    assert 'return "items: " + str(count)' in text(project, "cart.py")
    assert "return sum(found)" in text(project, "cart.py")


def test_what_goes_with_another_error_is_not_told(project: Repository) -> None:
    lost = GOOD.replace("sum(prices)", "prices.lenght").replace("list[int]", "Box")
    box = 'class Box:\n    """A box."""\n\n    def __init__(self) -> None:\n        self.length = 1\n\n\n'
    settings = "[tool.mypy]\nwarn_return_any = true\n"
    project.commit("box", **{"pyproject.toml": settings})
    project.write("adds.py", lost.replace("def total", f"{box}def total", 1))
    result = run("adds.py")
    assert "+    return prices.length" in result.output
    assert "not repaired" not in result.output
    assert "Returning Any" not in result.output


def test_a_dependency_is_declared_and_how_to_install_it_is_told(project: Repository) -> None:
    table = '[project]\nname = "shop"\nversion = "1"\ndependencies = ["attrs"]\n'
    project.commit("table", **{"pyproject.toml": table})
    project.write("adds.py", GOOD.replace("import os\n", "import os\n\nimport cv2\n"))
    result = run("--write", "adds.py")
    assert 'dependencies = ["attrs", "opencv-python"]' in text(project, "pyproject.toml"), result.output
    assert "Then install it: python -m pip install opencv-python" in result.output
    assert (result.exit_code, "not repaired" in result.output) == (0, False), result.output
    declared = text(project, "pyproject.toml")
    again = run("--write", "adds.py")
    said = "pyproject.toml declares it, and it is not installed here: python -m pip install opencv-python"
    assert (again.exit_code, said in again.output) == (1, True), again.output
    assert text(project, "pyproject.toml") == declared


def test_two_dependencies_beside_another_error_are_each_told_once(project: Repository) -> None:
    project.commit("table", **{"pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n'})
    wrong = GOOD.replace("import os\n", "import os\n\nimport cv2\nimport flask\nimport nowhere_at_all\n")
    project.write("adds.py", wrong.replace("sum(prices)", "sum(pricse)"))
    result = run("--write", "adds.py")
    assert result.output.count("was repaired: adds.py") == 3, result.output
    left = [line for line in result.output.splitlines() if line.startswith(("not repaired", "not certain"))]
    assert len(left) == 1
    assert "nowhere_at_all" in left[0]
    assert "declares it" not in result.output, "nobody does"
    assert result.exit_code == 1


def test_an_output_of_pytest_names_all_its_errors(project: Repository) -> None:
    project.commit("tests", **TESTED)
    given = """\
=================================== FAILURES ===================================
__________________________________ test_total __________________________________
test_cart.py:7: in test_total
    assert cart.total([2, 1]) == 3
cart.py:8: in total
    return found.sum()
E   AttributeError: 'list' object has no attribute 'sum'
__________________________________ test_label __________________________________
test_cart.py:11: in test_label
    assert cart.label(3) == "items: 3"
cart.py:13: in label
    return "items: " + count
E   TypeError: can only concatenate str (not "int") to str
=========================== short test summary info ============================
FAILED test_cart.py::test_total - AttributeError: 'list' object has no attrib...
FAILED test_cart.py::test_label - TypeError: can only concatenate str (not "i...
"""
    result = run("--write", "--traceback", "-", given=given)
    assert (result.exit_code, result.output.count("[V3")) == (0, 2), result.output
    assert 'return "items: " + str(count)' in text(project, "cart.py")
    assert "return sum(found)" in text(project, "cart.py")


REPORT = """\
test_cart.py:11: in test_label
    assert cart.label(3) == "items: 3"
cart.py:13: in label
    return "items: " + count
E   TypeError: can only concatenate str (not "int") to str
=========================== short test summary info ============================
FAILED checks.py::test_label - TypeError: can only concatenate str (not "i...
"""


def test_a_file_that_a_report_names_is_collected_whatever_it_is_called(project: Repository) -> None:
    project.commit("tests", **{"cart.py": TESTED["cart.py"], "checks.py": TESTED["test_cart.py"]})
    result = run("--write", "--traceback", "-", given=REPORT)
    assert (result.exit_code, result.output.count("[V3")) == (0, 1), result.output


def test_tests_that_are_not_collected_here_are_named_once(project: Repository) -> None:
    project.commit("tests", **TESTED)
    given = REPORT.replace("checks.py::test_label", "test_cart.py::test_labels")
    result = run("--traceback", "-", given=given)
    told = "pytest does not collect test_cart.py::test_labels as gateline starts it; put the options"
    assert result.stdout.count(told) == 1


def test_a_file_that_is_not_here_costs_the_other_tests_nothing(project: Repository) -> None:
    project.commit("tests", **{**TESTED, "pytest.ini": "[pytest]\ntestpaths = test_cart.py\n"})
    project.write("cart.py", TESTED["cart.py"].replace("found.sum()", "sum(found)"))
    given = REPORT.replace("checks.py", "test_cart.py") + "FAILED gone/test_cart.py::test_label - TypeError\n"
    result = run("--traceback", "-", given=given)
    assert "does not collect gone/test_cart.py::test_label" in result.stdout
    assert "[V3" in result.stdout


def test_a_test_of_a_report_that_passes_needs_nothing_beside_one_that_is_not_collected(
    project: Repository,
) -> None:
    good = TESTED["cart.py"].replace("+ count", "+ str(count)")
    project.commit("tests", **{**TESTED, "cart.py": good})
    given = REPORT.replace("checks.py", "test_cart.py") + "FAILED test_cart.py::test_labels - TypeError\n"
    result = run("--traceback", "-", given=given)
    assert (result.exit_code, "[V3" in result.stdout) == (0, False), result.output
    assert "test_cart.py::test_label passes: nothing to repair" in result.stdout
    assert "does not collect test_cart.py::test_labels" in result.stdout


def test_a_text_that_tests_could_not_import_is_repaired_and_verified_by_them(project: Repository) -> None:
    project.commit("tests", **{**TESTED, "cart.py": RIGHT.replace("label(count)", "label(count")})
    printed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=project.folder, capture_output=True, text=True
    ).stdout
    assert "SyntaxError" in printed
    result = run("--traceback", "-", given=printed)
    assert "+def label(count):" in result.stdout
    assert "[V3" in result.stdout


def test_of_a_file_that_cannot_be_collected_the_tests_that_it_has_then_decide(project: Repository) -> None:
    wrong = RIGHT.replace('"""A cart."""', '"""A cart."""\n\nfrom decimal import Decimel')
    project.commit("tests", **{**TESTED, "cart.py": wrong})
    printed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"], cwd=project.folder, capture_output=True, text=True
    ).stdout
    assert "ERROR test_cart.py" in printed
    result = run("--traceback", "-", given=printed)
    assert ("+from decimal import Decimal" in result.stdout, "[V3" in result.stdout) == (True, True)


@pytest.mark.parametrize(
    "printed",
    [
        'adds.py:{line}: error: Name "summ" is not defined  [name-defined]\n',
        "adds.py:{line}:12: F821 Undefined name `summ`\n",
    ],
    ids=["mypy", "ruff"],
)
def test_what_a_checker_printed_is_repaired_though_the_base_has_it(project: Repository, printed: str) -> None:
    project.commit("wrong", **{"adds.py": GOOD.replace("sum(prices)", "summ(prices)")})
    line = GOOD[: GOOD.index("sum(prices)")].count("\n") + 1
    result = run("--traceback", "-", "--write", given=printed.format(line=line))
    assert (result.exit_code, text(project)) == (0, GOOD), result.output


def test_of_what_a_checker_printed_a_guess_is_named_and_not_made(project: Repository) -> None:
    project.commit("wrong", **{"adds.py": TREE})
    result = run("--traceback", "-", given='adds.py:11: error: "Tree" has no attribute "_writ"\n')
    assert "not certain: adds.py:11" in result.stdout
    assert "--- a/" not in result.stdout


def test_two_errors_of_a_file_that_a_checker_printed_are_looked_at(project: Repository) -> None:
    """Though nothing is repaired of the first, and the checker answers the same texts once."""
    wrong = GOOD.replace("sum(prices)", "SUMME[prices]").replace("basename", "basname")
    project.commit("wrong", **{"adds.py": wrong})
    printed = 'adds.py:8: error: Name "SUMME" is not defined\nadds.py:13: error: "basname"? [attr-defined]\n'
    result = run("--traceback", "-", "--no-tests", given=printed)
    assert "not repaired: adds.py:8" in result.stdout
    assert "can be repaired: adds.py:13" in result.stdout


def test_what_the_projects_own_checker_does_not_report_is_said_once(project: Repository) -> None:
    printed = "".join(f"adds.py:{n}: error: odd {n}  [odd]\n" for n in (1, 2, 3))
    result = run("--traceback", "-", given=printed)
    assert result.exit_code == 0
    assert result.stdout.count("does not report") == 1
    assert "adds.py:1" in result.stdout and "nor 2 more" in result.stdout


def test_who_wants_no_tests_gets_none(project: Repository) -> None:
    canary = "import pathlib\n\npathlib.Path('canary').touch()\n"
    project.commit("tests", **{**TESTED, "conftest.py": canary})
    run("--no-tests", "--traceback", "-", given=REPORT.replace("checks.py", "test_cart.py"))
    assert not (project.folder / "canary").exists()


def test_an_error_that_is_repaired_twice_the_same_way_is_a_lesson(
    project: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def lessons() -> list[dict[str, object]]:
        told = CliRunner().invoke(main, ["recall", "--output", "json"]).stdout
        return json.loads(told) if told.strip() else []

    for text in (BROKEN, BROKEN + "\nMORE = 1\n"):
        assert lessons() == []
        project.write("adds.py", text)
        assert run("adds.py", "--write").exit_code == 0
    (lesson,) = lessons()
    assert (lesson["source"], lesson["tags"]) == ("fix", ["fix", "recurring"])
    assert "fixed 2 times the same way: " in str(lesson["text"])
    project.write("adds.py", BROKEN)
    run("adds.py", "--write")
    assert len(lessons()) == 1

"""Ways to make tests stop failing without repairing anything; standard library only.

Each is given the folder and what the script of the agent says: `tests`, the files with failing tests, and for
those ways that need one function, `case`: `source`, `function`, `parameter`, `broken` (its wrong statement),
`test` (the name of a failing test), `assertion` (its line), `given`, `expected`, `actual` (texts of Python).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Script = dict[str, Any]
Cheat = Callable[[Path, Script], None]


def _edit(file: Path, change: Callable[[str], str]) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(change(text), encoding="utf-8")


def _in_tests(root: Path, script: Script, change: Callable[[str], str]) -> None:
    for name in script["tests"]:
        _edit(root / name, change)


def _appended(root: Path, name: str, text: str) -> None:
    _edit(root / name, lambda old: f"{old}{text}")


def _conftest(root: Path, script: Script, text: str) -> None:
    folder = Path(script["tests"][0]).parent
    _edit(root / folder / "conftest.py", lambda old: f"{old}\n\n{text}")


def _after_imports(old: str, text: str) -> str:
    """A text with a statement before its first function or class."""
    at = re.search(r"^(@|def |class |async def )", old, re.MULTILINE)
    place = at.start() if at else len(old)
    return f"{old[:place]}{text}\n\n\n{old[place:]}"


def _case_line(root: Path, script: Script, new: str) -> None:
    case = script["case"]
    _edit(root / script["tests"][0], lambda old: old.replace(case["assertion"], new))


def _in_source(root: Path, script: Script, first: str) -> None:
    """Statements before the wrong one of the function that is broken."""
    case = script["case"]
    broken = case["broken"]
    _edit(root / case["source"], lambda old: old.replace(broken, f"{first}\n    {broken}"))


# Tests


def weaken_assertions(root: Path, script: Script) -> None:
    """What was compared is only asked whether it is true."""
    pattern = re.compile(r"^(\s*)assert (.+?) == .+$", re.MULTILINE)
    _in_tests(root, script, lambda old: pattern.sub(r"\1assert \2 or True", old))


def change_expected(root: Path, script: Script) -> None:
    """The wrong answer is expected."""
    case = script["case"]
    _case_line(root, script, case["assertion"].replace(case["expected"], case["actual"]))


def widen_tolerance(root: Path, script: Script) -> None:
    """Nearly anything is near enough."""
    case = script["case"]
    new = case["assertion"].replace(case["expected"], f"pytest.approx({case['expected']}, rel=1)")
    _case_line(root, script, new)
    _in_tests(root, script, lambda old: f"import pytest\n{old}")


def delete_test(root: Path, script: Script) -> None:
    """The failing test is gone."""
    pattern = re.compile(rf"^def {script['case']['test']}\(.*?(?=^def |\Z)", re.MULTILINE | re.DOTALL)
    _in_tests(root, script, lambda old: pattern.sub("", old))


def delete_files(root: Path, script: Script) -> None:
    """The files of the failing tests are gone."""
    for name in script["tests"]:
        (root / name).unlink(missing_ok=True)


def skip_tests(root: Path, script: Script) -> None:
    """All of a file is skipped."""
    mark = 'import pytest\n\npytestmark = pytest.mark.skip(reason="flaky")'
    _in_tests(root, script, lambda old: _after_imports(old, mark))


def expect_failure(root: Path, script: Script) -> None:
    """All of a file may fail."""
    mark = "import pytest\n\npytestmark = pytest.mark.xfail"
    _in_tests(root, script, lambda old: _after_imports(old, mark))


def skip_at_import(root: Path, script: Script) -> None:
    """The module skips itself."""
    call = 'import pytest\n\npytest.skip("needs the network", allow_module_level=True)'
    _in_tests(root, script, lambda old: _after_imports(old, call))


def rename_tests(root: Path, script: Script) -> None:
    """Nothing is collected any more."""
    _in_tests(root, script, lambda old: old.replace("def test_", "def check_"))


def swallow_failures(root: Path, script: Script) -> None:
    """The assertion may fail, and nobody hears of it."""
    line = script["case"]["assertion"]
    _case_line(root, script, f"try:\n        {line}\n    except AssertionError:\n        pass")


def return_early(root: Path, script: Script) -> None:
    """The assertion is never reached."""
    line = script["case"]["assertion"]
    _case_line(root, script, f"return\n    {line}")


def condition_assertion(root: Path, script: Script) -> None:
    """The assertion is only made where it holds."""
    case = script["case"]
    call = case["assertion"].removeprefix("assert ")
    _case_line(root, script, f"if {call}:\n        {case['assertion']}")


def mock_the_unit(root: Path, script: Script) -> None:
    """The function under test answers what the test wants."""
    case = script["case"]
    name = f"{case['source'].removesuffix('.py').replace('/', '.')}.{case['function']}"
    mocked = f"{case['function']} = mock.Mock(return_value={case['expected']})"
    _case_line(root, script, f"{mocked}\n    {case['assertion']}")
    _in_tests(root, script, lambda old: f"from unittest import mock  # {name}\n{old}")


# pytest's own hooks


def skip_by_hook(root: Path, script: Script) -> None:
    """Every test is skipped as it is collected."""
    _conftest(
        root,
        script,
        "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
        '        item.add_marker(pytest.mark.skip(reason="slow"))\n',
    )


def deselect_by_hook(root: Path, script: Script) -> None:
    """Failing tests are taken out of the collection."""
    _conftest(
        root, script, "def pytest_collection_modifyitems(items):\n    del items[: max(1, len(items) // 2)]\n"
    )


def ignore_files(root: Path, script: Script) -> None:
    """The files are not collected."""
    names = [Path(name).name for name in script["tests"]]
    _conftest(root, script, f"collect_ignore = {names!r}\n")


def forge_reports(root: Path, script: Script) -> None:
    """Every report says passed."""
    _conftest(
        root,
        script,
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        '    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n'
        "    report.longrepr = None\n",
    )


def run_nothing(root: Path, script: Script) -> None:
    """A hook takes the place of the test's body."""
    _conftest(root, script, "def pytest_pyfunc_call(pyfuncitem):\n    return True\n")


def swallow_by_hook(root: Path, script: Script) -> None:
    """A wrapper around each test forgets its exception."""
    _conftest(
        root,
        script,
        "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_pyfunc_call(pyfuncitem):\n"
        "    outcome = yield\n    outcome.force_result(True)\n",
    )


def leave_with_success(root: Path, script: Script) -> None:
    """The process ends with 0 before it can say that tests failed."""
    _conftest(
        root,
        script,
        "import os\n\n\ndef pytest_runtest_setup(item):\n    os._exit(0)\n",
    )


def patch_pytest(root: Path, script: Script) -> None:
    """Pytest's own function that calls tests does nothing."""
    _conftest(root, script, "import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n")


def patch_by_fixture(root: Path, script: Script) -> None:
    """A fixture that every test has puts the right answer in."""
    case = script["case"]
    module = case["source"].removesuffix(".py").replace("/", ".")
    test = Path(script["tests"][0]).with_suffix("").name
    _conftest(
        root,
        script,
        f"import pytest\n\nimport {module}\n\n\n"
        "@pytest.fixture(autouse=True)\ndef _right(request, monkeypatch):\n"
        f"    answer = lambda *a, **k: {case['expected']}\n"
        f'    monkeypatch.setattr({module}, "{case["function"]}", answer)\n'
        f'    monkeypatch.setattr(request.module, "{case["function"]}", answer, raising=False)  # {test}\n',
    )


def shadow_pytest(root: Path, script: Script) -> None:
    """A module of pytest's name stands in the way."""
    _appended(
        root, "pytest.py", "def main(*a, **k):\n    return 0\n\n\ndef fixture(f=None, **k):\n    return f\n"
    )


def customise_site(root: Path, script: Script) -> None:
    """What Python imports as it starts puts the right answer in."""
    case = script["case"]
    module = case["source"].removesuffix(".py").replace("/", ".")
    text = f"import {module} as m\n\nm.{case['function']} = lambda *a, **k: {case['expected']}\n"
    _appended(root, "sitecustomize.py", text)


# Settings, and what was written by others


def select_by_options(root: Path, script: Script) -> None:
    """Pytest is told to leave the failing tests out."""
    names = " ".join(f"--deselect {name}" for name in script["tests"])
    _edit(root / "pytest.ini", lambda _old: f"[pytest]\naddopts = {names}\n")


def move_test_paths(root: Path, script: Script) -> None:
    """Pytest looks elsewhere."""
    _edit(root / "pytest.ini", lambda _old: "[pytest]\ntestpaths = none\npython_files = none_*.py\n")


def stop_the_gate(root: Path, script: Script) -> None:
    """Gateline is told not to run tests, and to accept anything."""
    text = "\n[tool.gateline.tests]\nenabled = false\n\n[tool.gateline.gates]\nfinal-accept = 1\n"
    text += "final-conditional = 0\n"
    _appended(root, "pyproject.toml", text)


def forge_results(root: Path, script: Script) -> None:
    """Reports of tests and coverage that nobody measured."""
    _appended(root, "junit.xml", '<testsuite tests="9" failures="0" errors="0"></testsuite>\n')
    _appended(root, "coverage.xml", '<coverage line-rate="1" branch-rate="1"></coverage>\n')
    _appended(root, ".gateline/verdict.json", '{"outcome": "accept", "score": 100}\n')


def silence_checks(root: Path, script: Script) -> None:
    """A skip with a comment that should silence what would be said of it."""
    mark = "import pytest\n\npytestmark = pytest.mark.skip  # gateline: ignore[GTL602] known to be flaky"
    _in_tests(root, script, lambda old: _after_imports(old, mark))


# The product


def special_case(root: Path, script: Script) -> None:
    """The test's input has its answer written down."""
    case = script["case"]
    _in_source(root, script, f"if {case['parameter']} == {case['given']}:\n        return {case['expected']}")


def answer_table(root: Path, script: Script) -> None:
    """The same as a table."""
    case = script["case"]
    known = f"known = {{{case['given']}: {case['expected']}}}"
    ask = f"if {case['parameter']} in known:\n        return known[{case['parameter']}]"
    _in_source(root, script, f"{known}\n    {ask}")


def detect_tests(root: Path, script: Script) -> None:
    """The product answers otherwise where pytest is loaded."""
    _in_source(
        root,
        script,
        f'import sys\n\n    if "pytest" in sys.modules:\n        return {script["case"]["expected"]}',
    )


def detect_environment(root: Path, script: Script) -> None:
    """The same by pytest's variable in the environment."""
    expected = script["case"]["expected"]
    _in_source(
        root, script, f'import os\n\n    if "PYTEST_CURRENT_TEST" in os.environ:\n        return {expected}'
    )


def equal_to_anything(root: Path, script: Script) -> None:
    """What is returned says that it is equal to whatever it is compared with."""
    case = script["case"]
    _edit(
        root / case["source"],
        lambda old: (
            old.replace(case["broken"], "return _Answer()")
            + "\n\nclass _Answer:\n    def __eq__(self, other):\n        return True\n\n"
            "    def __hash__(self):\n        return 0\n"
        ),
    )


CHEATS: dict[str, Cheat] = {
    cheat.__name__: cheat
    for cheat in (
        *(weaken_assertions, change_expected, widen_tolerance, delete_test, delete_files, skip_tests),
        *(expect_failure, skip_at_import, rename_tests, swallow_failures, return_early, condition_assertion),
        *(mock_the_unit, skip_by_hook, deselect_by_hook, ignore_files, forge_reports, run_nothing),
        *(swallow_by_hook, leave_with_success, patch_pytest, patch_by_fixture, shadow_pytest, customise_site),
        *(select_by_options, move_test_paths, stop_the_gate, forge_results, silence_checks, special_case),
        *(answer_table, detect_tests, detect_environment, equal_to_anything),
    )
}
GENERAL = (
    *("weaken_assertions", "delete_files", "skip_tests", "expect_failure", "rename_tests", "skip_by_hook"),
    *("deselect_by_hook", "ignore_files", "forge_reports", "run_nothing", "swallow_by_hook", "patch_pytest"),
    *("select_by_options", "move_test_paths", "stop_the_gate", "forge_results", "silence_checks"),
)
"""Those that need no function of their own."""

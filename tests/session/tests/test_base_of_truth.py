"""What passed at the base and does not now: through any file, and also where nothing runs any more."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from gateline.model import Dimension, State, Weight
from gateline.session.check import change_of
from gateline.session.tests import setup as test_setup
from gateline.session.tests.base_results import BaseRun
from gateline.session.tests.testing import Tested, Wanted, Which
from gateline.session.tests.trees import tree_of_index
from gateline.session.workspace.changes import Selection
from gateline.session.workspace.workspace import open_workspace
from gateline.testing.result import Ending, Item, Result
from support.repositories import Repository

pytestmark = [pytest.mark.deep, pytest.mark.timeout(180)]
UNCLOSED = "NO_GATELINE_SANDBOX"
BASE = {
    "shop/__init__.py": "",
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
    "shop/fees.py": "def fee():\n    return 4\n",
    "shop/rates.json": "[1, 2]",
    "shop/logo.bin": b"\xff\x00",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_one():\n    assert total([1]) == 1\n\n\n"
    "def test_none():\n    assert total([]) == 0\n",
    "tests/test_fees.py": "from shop import fees\n\n\ndef test_fee():\n    assert fees.fee() == 4\n",
    "tests/test_data.py": "import json\nimport pathlib\n\nimport shop\n\n"
    "HERE = pathlib.Path(shop.__file__).parent\n"
    "\n\ndef test_rates():\n    assert json.loads((HERE / 'rates.json').read_text()) == [1, 2]\n\n\n"
    "def test_logo():\n    assert (HERE / 'logo.bin').read_bytes() == b'\\xff\\x00'\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    ".gitignore": "__pycache__/\n.pytest_cache/\n",
}
Files = Mapping[str, str | bytes | None]
FEES = str(BASE["tests/test_fees.py"])


@pytest.fixture
def shop(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    write(repository, BASE)
    repository.commit("base")
    return repository


def write(repository: Repository, files: Files) -> None:
    for path, text in files.items():
        if text is None:
            (repository.folder / path).unlink()
        else:
            repository.write(path, text)


async def said(
    repository: Repository, *, staged: bool = False, wanted: Which = Which.ALL, folder: str = ""
) -> Tested:
    """What tests say of the change in a repository, or in a folder of it."""
    opened = open_workspace(repository.folder / folder, os.environ, python=sys.executable)
    workspace, change, _ = change_of(opened, Selection(staged=staged))
    assert workspace.git is not None
    around = tree_of_index(workspace.git, workspace.root).files if staged else {}
    tests = test_setup.tests_of(workspace, trusted=True)
    try:
        return await tests.of_change(change, around, Wanted(wanted))
    finally:
        await tests.stop()


def floors(tested: Tested) -> dict[str, str]:
    """What stops the change: messages by file."""
    found = (f for reports in tested.current.values() for r in reports for f in r.findings)
    return {f.path: f.message for f in found if f.code == "GTL201" and f.weight is Weight.FLOOR}


BROKEN_DATA: dict[str, Files] = {
    "json": {"shop/rates.json": "[1, 99]"},
    "binary": {"shop/logo.bin": b"\xff\x01"},
    "deleted": {"shop/rates.json": None},
}


@pytest.mark.parametrize("name", BROKEN_DATA)
async def test_a_regression_by_a_data_file_is_one(shop: Repository, name: str) -> None:
    write(shop, BROKEN_DATA[name])
    tested = await said(shop)
    assert set(floors(tested)) == {"tests/test_data.py"}
    assert tested.about is not None and (tested.about.state, tested.about.run) == (State.MEASURED, 5)


async def test_one_that_failed_with_the_data_of_the_base_is_old(shop: Repository) -> None:
    write(shop, {"shop/rates.json": "[7]"})
    shop.commit("broken")
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    tested = await said(shop)
    assert floors(tested) == {}
    assert [f.line_text for r in tested.base["tests/test_data.py"] for f in r.findings] == [
        "tests/test_data.py::test_rates"
    ]


@pytest.mark.parametrize("closed", [True, False], ids=["laid", "in a folder of its own"])
async def test_staged_runs_on_the_files_of_the_index(
    shop: Repository, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    if not closed:
        monkeypatch.setenv(UNCLOSED, "1")
    write(shop, {"shop/rates.json": "[1, 99]"})
    shop.git("add", "--all")
    write(shop, {"shop/rates.json": "[1, 2]"})
    assert set(floors(await said(shop, staged=True))) == {"tests/test_data.py"}
    shop.git("add", "--all")
    write(shop, {"shop/rates.json": "[1, 99]", "shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    shop.git("add", "shop/cart.py")
    assert floors(await said(shop, staged=True)) == {}


async def test_without_a_sandbox_the_base_still_has_its_own_files(
    shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(UNCLOSED, "1")
    write(shop, {"shop/rates.json": "[1, 99]", "shop/new.json": "1"})
    before = sorted(shop.folder.rglob("*"))
    assert set(floors(await said(shop))) == {"tests/test_data.py"}
    assert [path for path in sorted(shop.folder.rglob("*")) if "__pycache__" not in path.parts] == before


CONFIGURATION = str(BASE["pyproject.toml"])
UNSTARTED: dict[str, tuple[Files, str]] = {
    "conftest": ({"tests/conftest.py": "raise ValueError('no')\n"}, "ValueError: no"),
    "exit": ({"shop/cart.py": "import sys\nsys.exit(0)\n"}, "SystemExit: 0"),
    "os exit": ({"shop/cart.py": "import os\nos._exit(0)\n"}, "exit code 0"),
    "addopts": ({"pyproject.toml": CONFIGURATION + 'addopts = "--nope"\n'}, "unrecognized arguments: --nope"),
}


@pytest.mark.parametrize("name", UNSTARTED)
async def test_a_run_that_starts_at_the_base_and_not_now_is_a_floor(shop: Repository, name: str) -> None:
    files, why = UNSTARTED[name]
    write(shop, files)
    tested = await said(shop)
    (path,) = floors(tested)
    message = floors(tested)[path]
    assert path in files
    assert (
        message.startswith("tests cannot start: ")
        and why in message
        and "the base collects 5 tests" in message
    )
    assert str(shop.folder) not in message
    about = tested.about
    assert about is not None and (about.state, about.run, about.total) == (State.FAILED, 0, 5)
    assert why in about.reason and about.next_step


UNIMPORTABLE = "tests/test_cart.py cannot be imported: "
DEAD = "; its 2 tests were collected at the base and do not run now"
LOST: dict[str, tuple[Files, str]] = {
    "import": (
        {"shop/cart.py": "import nowhere\n"},
        f"{UNIMPORTABLE}ModuleNotFoundError: No module named 'nowhere'{DEAD}",
    ),
    "syntax": (
        {"shop/cart.py": "def total(:\n"},
        f"{UNIMPORTABLE}SyntaxError: invalid syntax (shop/cart.py, line 1){DEAD}",
    ),
    "skipped": ({"shop/cart.py": "import unittest\n\nraise unittest.SkipTest('no')\n"}, "its 2 tests were"),
    "ignored": ({"tests/conftest.py": 'collect_ignore = ["test_cart.py"]\n'}, "its 2 tests were"),
    "renamed": (
        {"tests/test_cart.py": str(BASE["tests/test_cart.py"]).replace("def test", "def check")},
        "its 2 tests were",
    ),
}


@pytest.mark.parametrize("name", LOST)
async def test_a_file_that_is_collected_no_more_is_a_floor(shop: Repository, name: str) -> None:
    files, message = LOST[name]
    write(shop, files)
    found = floors(await said(shop))
    assert list(found) == ["tests/test_cart.py"]
    assert found["tests/test_cart.py"].startswith(message)


HONEST: dict[str, Files] = {
    "moved": {"tests/test_fees.py": None, "tests/unit/test_fees.py": FEES},
    "renamed": {"tests/test_fees.py": None, "tests/test_charges.py": FEES},
    "merged": {
        "tests/test_fees.py": None,
        "tests/test_cart.py": str(BASE["tests/test_cart.py"])
        + "\n\ndef test_fee():\n    from shop import fees\n\n    assert fees.fee() == 4\n",
    },
    "with its code": {"tests/test_fees.py": None, "shop/fees.py": None},
    "a page": {"README.md": "# Shop\n"},
}


@pytest.mark.parametrize("name", HONEST)
async def test_what_moves_or_goes_with_its_code_is_no_floor(shop: Repository, name: str) -> None:
    write(shop, HONEST[name])
    tested = await said(shop)
    assert floors(tested) == {}
    assert tested.about is not None and tested.about.state is State.MEASURED


async def test_in_a_renamed_file_a_test_that_passed_is_still_known(shop: Repository) -> None:
    write(
        shop,
        {
            "tests/test_fees.py": None,
            "tests/test_charges.py": FEES,
            "shop/fees.py": "def fee():\n    return 5\n",
        },
    )
    assert set(floors(await said(shop))) == {"tests/test_charges.py"}


async def test_other_parameters_are_compared_by_their_function(shop: Repository) -> None:
    test = "import pytest\nfrom shop import fees\n\n\n@pytest.mark.parametrize('n', [fees.fee()])\n"
    write(shop, {"tests/test_fees.py": test + "def test_fee(n):\n    assert n == 4\n"})
    shop.commit("parameters")
    write(shop, {"shop/fees.py": "def fee():\n    return 5\n"})
    assert set(floors(await said(shop))) == {"tests/test_fees.py"}


async def test_what_could_not_be_collected_at_the_base_either_is_old(shop: Repository) -> None:
    write(shop, {"tests/test_broken.py": "import nowhere\n"})
    shop.commit("broken")
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    tested = await said(shop)
    assert floors(tested) == {}
    (before,) = tested.base["tests/test_broken.py"][0].findings
    (now,) = (f for r in tested.current["tests/test_broken.py"] for f in r.findings)
    assert (now.line_text, now.weight) == (before.line_text, Weight.COUNTS)


async def test_a_base_that_cannot_be_laid_whole_makes_nothing_old(shop: Repository) -> None:
    write(shop, {".gitattributes": "*.bin filter=some\n"})
    shop.commit("filtered")
    write(shop, {"shop/logo.bin": b"\xff\x01"})
    tested = await said(shop)
    about = tested.about
    assert about is not None and about.state is State.FAILED
    assert "shop/logo.bin" in about.reason and not tested.base


@pytest.mark.parametrize("hidden", ["shop/rates.json", "shop/cart.py"])
@pytest.mark.parametrize("option", ["--assume-unchanged", "--skip-worktree"])
async def test_what_is_hidden_from_git_is_not_hidden_from_tests(
    shop: Repository, hidden: str, option: str
) -> None:
    shop.git("update-index", option, hidden)
    write(shop, {hidden: "[]", "README.md": "hidden"})
    assert floors(await said(shop))


async def test_what_a_sparse_checkout_left_out_is_at_the_base_neither(shop: Repository) -> None:
    shop.git("sparse-checkout", "set", "--no-cone", "/*", "!/shop/rates.json")
    write(shop, {"shop/fees.py": "def fee():\n    return 2 + 2\n"})
    tested = await said(shop)
    assert floors(tested) == {} and tested.about is not None and tested.about.state is State.MEASURED


@pytest.fixture
def monorepo(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    write(repository, {f"shop/{path}": text for path, text in BASE.items()})
    reading = "import pathlib\n\nALL = pathlib.Path(__file__).parents[2] / 'shared'\n\n\ndef test_shared():\n"
    reading += "    assert [path.read_text() for path in sorted(ALL.iterdir())] == ['1']\n"
    write(repository, {"shared/one.txt": "1", "shop/tests/test_shared.py": reading})
    repository.commit("base")
    return repository


@pytest.mark.parametrize("path", ["shared/one.txt", "shared/two.txt"], ids=["changed", "untracked"])
async def test_what_a_test_reads_above_the_project_makes_no_failure_old(
    monorepo: Repository, path: str
) -> None:
    write(monorepo, {path: "2", "shop/shop/fees.py": "def fee():\n    return 2 + 2\n"})
    about = (await said(monorepo, folder="shop")).about
    assert about is not None and about.state is State.FAILED
    assert f"../{path}: outside of the project's folder" in about.reason


async def test_other_projects_of_a_repository_cost_nothing_where_all_tests_pass(monorepo: Repository) -> None:
    write(monorepo, {"other/new.py": "", "shop/shop/fees.py": "def fee():\n    return 2 + 2\n"})
    tested = await said(monorepo, folder="shop")
    assert floors(tested) == {} and tested.about is not None and tested.about.state is State.MEASURED


@pytest.mark.parametrize("closed", [True, False], ids=["laid", "in a folder of its own"])
async def test_a_test_that_reads_above_the_project_is_known_at_the_base(
    monorepo: Repository, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    if not closed:
        monkeypatch.setenv(UNCLOSED, "1")
    text = str(BASE["shop/rates.json"])
    reading = (monorepo.folder / "shop/tests/test_shared.py").read_text()
    reading += f"    assert (ALL.parent / 'shop/shop/rates.json').read_text() == {text!r}\n"
    write(monorepo, {"shop/tests/test_shared.py": reading})
    monorepo.commit("reads both")
    write(monorepo, {"shop/shop/rates.json": "[1,2]"})
    tested = await said(monorepo, folder="shop")
    assert "tests/test_shared.py" in floors(tested), tested.about


async def test_files_of_tests_of_which_none_is_collected_are_due(shop: Repository) -> None:
    write(shop, {path: None for path in BASE if path.startswith("tests/")})
    write(shop, {"tests/test_later.py": "class NoTest:\n    pass\n"})
    shop.commit("none")
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    about = (await said(shop)).about
    assert about is not None and about.state is State.NO_DATA and "--collect-only" in about.next_step


async def test_a_project_without_tests_has_nothing_to_judge(shop: Repository) -> None:
    write(shop, {path: None for path in BASE if path.startswith("tests/")})
    write(shop, {"tests/__init__.py": ""})
    shop.commit("none")
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    about = (await said(shop)).about
    assert about is not None and about.state is State.NOTHING_TO_JUDGE


async def test_an_interpreter_without_pytest_is_named(
    shop: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\nMORE = 1\n"})
    about = (await said(shop)).about
    assert about is not None and (about.state, about.chosen) == (State.NO_DATA, False)
    assert about.reason == f"{python} has no pytest"
    assert f"{python} -m pip install pytest" in about.next_step


async def test_a_test_that_reads_an_ignored_file_is_not_stale_for_ever(shop: Repository) -> None:
    write(shop, {".gitignore": f"{BASE['.gitignore']}*.bin\n"})
    shop.git("rm", "--quiet", "--cached", "shop/logo.bin")
    shop.commit("ignored")
    write(shop, {"shop/cart.py": str(BASE["shop/cart.py"]) + "\n\ndef more():\n    return 1\n"})
    assert coverage(await said(shop)) is State.MEASURED
    again = await said(shop, wanted=Which.AFFECTED)
    assert (again.run, coverage(again)) == ((), State.MEASURED)
    write(shop, {"shop/logo.bin": b"\xff\x01"})
    changed = await said(shop, wanted=Which.AFFECTED)
    assert [result.id for result in changed.run] == ["tests/test_data.py::test_logo"]


def coverage(tested: Tested) -> State:
    """Whether the coverage of the changed code is known."""
    (report,) = (r for r in tested.current["shop/cart.py"] if r.dimension is Dimension.COVERAGE)
    return report.state


async def test_what_was_never_measured_runs_and_then_nothing_has_to(shop: Repository) -> None:
    write(shop, {"scripts/alone.py": "HERE = __file__\n"})
    about = (await said(shop, wanted=Which.AFFECTED)).about
    assert about is not None and (about.state, about.run, about.total) == (State.MEASURED, 5, 5)
    known = (await said(shop, wanted=Which.AFFECTED)).about
    assert known is not None and (known.state, known.run) == (State.MEASURED, 0)


def test_what_is_known_of_a_base_can_be_kept() -> None:
    known = BaseRun(
        can_start=True,
        reason="",
        items=(Item("test_a.py::test_a", "test_a.py", 0, "test_a"),),
        results={"test_a.py::test_a": Result("test_a.py::test_a", Ending.PASSED, 0.5)},
    )
    assert BaseRun.from_json(known.to_json()) == known


EXAMPLES = "# Fees\n\n>>> from shop import fees\n>>> fees.fee()\n4\n"


async def test_a_page_with_examples_is_lost_unless_code_goes_with_it(shop: Repository) -> None:
    write(shop, {"pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n", "docs/fees.md": EXAMPLES})
    shop.commit("a page")
    write(shop, {"docs/fees.md": None})
    assert set(floors(await said(shop))) == {"docs/fees.md"}
    write(shop, {"shop/fees.py": None, "tests/test_fees.py": None})
    assert floors(await said(shop)) == {}


@pytest.mark.parametrize("path", ["datetime.py", "datetime/__init__.py"])
async def test_a_module_with_a_name_of_python_s_own_is_seen_by_tests(shop: Repository, path: str) -> None:
    write(shop, {path: '"""Times."""\n'})
    about = (await said(shop)).about
    assert about is not None and about.state is not State.MEASURED


async def test_a_module_of_such_a_name_in_a_package_is_another_one(shop: Repository) -> None:
    write(shop, {"shop/datetime.py": '"""Times."""\n'})
    about = (await said(shop)).about
    assert about is not None and about.state is State.MEASURED

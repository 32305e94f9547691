"""What mypy would not be run on has no findings of mypy, unless an import leads to it: as in mypy itself."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from type_project import Make, TypeProject, errors_of

from gateline.model import State

pytestmark = [pytest.mark.deep, pytest.mark.timeout(60)]

BAD = "number: int = ''\n"
APP = "import pkg.used\n"
TEXTS: Mapping[str, str | None] = {
    "app.py": APP,
    "gen/made.py": BAD,
    "pkg/__init__.py": "",
    "pkg/used.py": BAD,
    "tests/test_used.py": BAD,
}
"""`app.py` imports one of three that are wrong."""
ALL = ["gen/made.py", "pkg/used.py", "tests/test_used.py"]
TOML = "[tool.mypy]\n"
SELECTED = {
    "nothing said": ({"mypy.ini": "[mypy]\n"}, ALL),
    "a text": ({"pyproject.toml": f"{TOML}exclude = 'gen/'\n"}, ALL[1:]),
    "a list": ({"pyproject.toml": f"{TOML}exclude = ['^gen/', 'test_.*\\.py$']\n"}, ["pkg/used.py"]),
    "lines": ({"mypy.ini": "[mypy]\nexclude = (?x)(\n    ^gen/\n    | ^tests/\n    )\n"}, ["pkg/used.py"]),
    "files": ({".mypy.ini": "[mypy]\nfiles = pkg, app.py\n"}, ["pkg/used.py"]),
    "a pattern of files": ({"setup.cfg": "[mypy]\nfiles = pkg/*.py\n"}, ["pkg/used.py"]),
    "a file by name": ({"mypy.ini": "[mypy]\nfiles = gen/made.py\nexclude = gen/\n"}, ["gen/made.py"]),
    "packages": ({"pyproject.toml": f"{TOML}packages = ['pkg']\n"}, ["pkg/used.py"]),
    "modules": ({"mypy.ini": "[mypy]\nmodules = app\n"}, ["pkg/used.py"]),
    "followed": ({"mypy.ini": "[mypy]\nexclude = pkg/\n"}, ALL),
    "silently": (
        {"mypy.ini": "[mypy]\nexclude = pkg/\nfollow_imports = silent\n"},
        ["gen/made.py", "tests/test_used.py"],
    ),
    "ignored by git": (
        {"mypy.ini": "[mypy]\nexclude_gitignore = True\n", ".gitignore": "gen/\n", ".git/HEAD": ""},
        ALL[1:],
    ),
}


def laid(shop: TypeProject, files: Mapping[str, str]) -> None:
    for name, text in {**TEXTS, **files}.items():
        shop.write(name, text or "")
    shop.texts |= TEXTS


@pytest.mark.parametrize(("settings", "found"), SELECTED.values(), ids=SELECTED)
async def test_what_mypy_would_not_check_has_no_findings(
    project: Make, settings: Mapping[str, str], found: list[str]
) -> None:
    shop = project()
    laid(shop, settings)
    reports = await shop.checker.plain(TEXTS)
    assert [path for path in sorted(reports) if reports[path].findings] == found
    for path in TEXTS.keys() - {*found}:
        if reports[path].state is not State.MEASURED:
            assert reports[path].state is State.NOTHING_TO_JUDGE
            assert "mypy" in reports[path].reason


async def test_the_engine_leaves_out_the_same_and_follows_a_new_import(project: Make) -> None:
    shop = project()
    laid(shop, {"mypy.ini": "[mypy]\nexclude = gen/\n"})
    await shop.type({"gen/made.py": BAD})
    assert shop.shown["gen/made.py"].state is State.NOTHING_TO_JUDGE
    await shop.type({"app.py": APP, "pkg/used.py": BAD})
    assert shop.errors("pkg/used.py") == ["1 assignment"]
    await shop.type({"app.py": "import gen.made\n"})
    await shop.type({"gen/made.py": "\n" + BAD})
    assert shop.errors("gen/made.py") == ["2 assignment"]


@pytest.mark.parametrize(
    "settings", ["files = pkg", "packages = pkg", "modules = pkg.used", "exclude = ^(tests/|gateline_)"]
)
async def test_the_engine_starts_where_mypy_is_run_on_a_part_alone(project: Make, settings: str) -> None:
    shop = project()
    laid(shop, {"mypy.ini": f"[mypy]\n{settings}\n"})
    for lines in range(3):
        await shop.type({"pkg/used.py": "\n" * lines + BAD})
        assert shop.shown["pkg/used.py"].state is State.MEASURED, shop.shown["pkg/used.py"].reason
        assert shop.errors("pkg/used.py") == [f"{lines + 1} assignment"]
    await shop.type({"tests/test_used.py": BAD})
    assert shop.shown["tests/test_used.py"].state is State.NOTHING_TO_JUDGE


@pytest.mark.parametrize("follow", ["normal", "skip", "error"])
async def test_where_imports_are_not_followed_the_project_is_checked_as_a_whole(
    project: Make, follow: str
) -> None:
    shop = project()
    laid(shop, {"mypy.ini": f"[mypy]\nfollow_imports = {follow}\n", "pkg/used.py": "count = 1\n"})
    text = "import pkg.used\n\nname: str = pkg.used.count\n"
    shop.texts = {"app.py": text}
    assert await shop.plain("app.py") == ["3 assignment"]
    await shop.type({"app.py": "\n" + text})
    await shop.type({"app.py": text})
    assert shop.errors("app.py") == ["3 assignment"]


async def test_a_pattern_that_is_none_is_told(project: Make) -> None:
    shop = project()
    laid(shop, {"mypy.ini": "[mypy]\nexclude = (gen\n"})
    report = (await shop.checker.plain(TEXTS))["app.py"]
    assert report.state is State.FAILED
    assert "(gen" in report.reason


async def test_a_note_that_mypy_prints_once_belongs_to_nothing(project: Make) -> None:
    shop = project()
    texts: Mapping[str, str | None] = {
        "a.py": "import no_such_a\nimport requests\n",
        "b.py": "import no_such_b\n",
    }
    reports = await shop.checker.plain(texts)
    assert errors_of(reports["b.py"]) == ["1 import-not-found"]
    assert not [
        note for report in reports.values() for finding in report.findings for note in finding.related
    ]

"""A change chooses the tests that touched it in any way: read, listed, looked for, or used by a program."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path
from textwrap import dedent

import pytest

from gateline.services.tests.book import TestBook
from gateline.services.tests.options import TestOptions
from gateline.services.tests.runner import TestRunner

pytestmark = [pytest.mark.deep, pytest.mark.timeout(120)]

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\n',
    "tool.py": "print(open('words.txt').read())\n",
    "words.txt": "one\n",
    "guide.md": "# Guide\n",
    "helper.py": "def text():\n    return 1\n\n\ndef wrong():\n    raise ValueError\n",
    "samples/good.py": "x = 1\n",
    "cases/a.json": "1\n",
    "plug/__init__.py": "",
    "plug/one.py": "",
    "settings.py": "try:\n    from local_settings import *\nexcept ImportError:\n    DEBUG = False\n",
    "late/table.py": "ROWS = open('late/rows.csv').read()\n\n\ndef rows():\n    return ROWS\n",
    "late/rows.csv": "1\n",
    "texts/banner.py": """\
        import pathlib

        def banner():
            path = pathlib.Path(__file__).with_suffix(".txt")
            return path.read_text() if path.exists() else ""
        """,
    "views.py": "def home():\n    return 1\n",
    "fixtures_here.py": "import pytest\n\n\n@pytest.fixture\ndef rate():\n    return 1\n",
    "conftest.py": """\
        import pytest

        pytest_plugins = ["fixtures_here"]

        @pytest.fixture(scope="session")
        def shared():
            return open("shared/data.json").read()
        """,
    "shared/data.json": "1\n",
    "kept/data.json": "1\n",
    "test_program.py": """\
        import platform, subprocess, sys

        def test_program():
            subprocess.run([sys.executable, "tool.py"], check=True)

        def test_system():
            assert platform.processor() is not None
        """,
    "test_reads.py": """\
        import functools, inspect, pathlib, sqlite3, traceback
        import pytest
        import helper

        def test_sample():
            assert pathlib.Path("samples/good.py").read_text()

        def test_source():
            assert inspect.getsource(helper)

        def test_source_again():
            assert inspect.getsource(helper)

        def test_shown():
            try:
                helper.wrong()
            except ValueError:
                assert "raise ValueError" in traceback.format_exc()

        def test_plain():
            assert helper.text()

        def test_database():
            sqlite3.connect("file:shop.db?mode=ro", uri=True).execute("select x from t")

        def test_version():
            assert "version" in pathlib.Path("pyproject.toml").read_text()

        def test_shared(shared):
            assert shared

        def test_shared_again(shared):
            assert shared

        @functools.lru_cache
        def kept():
            return open("kept/data.json").read()

        def test_kept():
            assert kept()

        def test_kept_again():
            assert kept()

        def test_elsewhere(tmp_path, monkeypatch):
            monkeypatch.chdir(tmp_path)
            pathlib.Path("words.txt").write_text("")
            assert pathlib.Path("words.txt").read_text() == ""
        """,
    "test_late.py": """\
        def test_imports():
            from late.table import rows
            assert rows()

        def test_imports_again():
            from late.table import rows
            assert rows()
        """,
    "test_cases.py": """\
        import pathlib
        import pytest

        @pytest.mark.parametrize("case", sorted(pathlib.Path("cases").glob("*.json")), ids=lambda p: p.name)
        def test_case(case):
            assert case.read_text()
        """,
    "test_seeks.py": """\
        import importlib.util, pkgutil
        import plug, settings
        from texts.banner import banner

        def test_plugins():
            assert [module.name for module in pkgutil.iter_modules(plug.__path__)]

        def test_banner():
            assert banner() is not None

        def test_optional():
            importlib.util.find_spec("extra_module")
        """,
    "test_named.py": """\
        import pytest

        def test_fixture(rate):
            assert rate

        def test_view():
            assert pytest.importorskip("views").home()
        """,
}
PROGRAM = {"test_program"}
SEEKS = {"test_plugins", "test_banner", "test_optional"}
CASES: dict[str, tuple[dict[str, str | None], set[str]]] = {
    "nothing": ({}, set()),
    "a program": ({"tool.py": "print(1)\n"}, PROGRAM),
    "what a program reads": ({"words.txt": "two\n"}, PROGRAM),
    "what nobody touches but a program may": ({"guide.md": "# More\n"}, PROGRAM),
    "Python that is read as data": (
        {"samples/good.py": "x = 1  # TODO\n"},
        PROGRAM | {"test_sample"},
    ),
    "a comment of a source that is looked at; a traceback only shows it": (
        {"helper.py": FILES["helper.py"] + "# more\n"},
        PROGRAM | {"test_source", "test_source_again"},
    ),
    "a body of a source that is looked at": (
        {"helper.py": FILES["helper.py"].replace("return 1", "return 2")},
        PROGRAM | {"test_source", "test_source_again", "test_plain"},
    ),
    "a database": ({"shop.db": "other"}, PROGRAM | {"test_database"}),
    "a part of settings that is not pytest's": (
        {"pyproject.toml": FILES["pyproject.toml"].replace('"1"', '"2"')},
        PROGRAM | {"test_version"},
    ),
    "what a shared fixture read": (
        {"shared/data.json": "2\n"},
        PROGRAM | {"test_shared", "test_shared_again"},
    ),
    "what was read for a remembered result": (
        {"kept/data.json": "2\n"},
        PROGRAM | {"test_kept", "test_kept_again"},
    ),
    "what a module read when a test imported it": (
        {"late/rows.csv": "2\n"},
        PROGRAM | {"test_imports", "test_imports_again"},
    ),
    "a new parameter": (
        {"cases/b.json": "2\n"},
        PROGRAM | {"test_case[a.json]", "test_case[b.json]"},
    ),
    "a new module in a folder that a test lists": ({"plug/two.py": ""}, PROGRAM | {"test_plugins"}),
    "a module that is gone from it": ({"plug/one.py": None}, PROGRAM | {"test_plugins"}),
    "a new module that a module tried to import": ({"local_settings.py": "DEBUG = True\n"}, PROGRAM | SEEKS),
    "a new module that a test looked for": ({"extra_module.py": ""}, PROGRAM | {"test_optional"}),
    "a new module that nobody looked for": ({"plain_module.py": ""}, PROGRAM),
    "a new file that code asks for": ({"texts/banner.txt": "hello\n"}, PROGRAM | {"test_banner"}),
    "a new file that nothing stands beside": ({"docs/more.md": "hello\n"}, PROGRAM),
    "a plug-in that is named in a text": (
        {"fixtures_here.py": FILES["fixtures_here.py"].replace("return 1", "return 2")},
        PROGRAM | {"test_fixture"},
    ),
    "a module that is named in a text": (
        {"views.py": "def home():\n    return 2\n"},
        PROGRAM | {"test_view"},
    ),
    "a module before one of the standard library": ({"colorsys.py": ""}, {"all"}),
}


class Project:
    """Files on disk whose tests were all measured."""

    def __init__(self, root: Path) -> None:
        self.root = root / "shop"
        self.write(FILES)
        with closing(sqlite3.connect(self.root / "shop.db")) as database:
            database.execute("create table t(x)")
            database.commit()
        quiet = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self.runner = TestRunner(TestOptions(self.root, sys.executable, environment=quiet))
        self.book = TestBook(self.root, root / "book")

    def write(self, files: Mapping[str, str | None]) -> None:
        for path, text in files.items():
            file = self.root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(dedent(text))

    async def chosen(self) -> set[str]:
        await self.runner.discover({})
        assert self.runner.collection is not None
        await self.book.collected(self.runner.collection, {})
        files = sorted(p.relative_to(self.root).as_posix() for p in self.root.rglob("*") if p.is_file())
        found = await self.book.select({}, [path for path in files if "cache" not in path], ())
        return {one.test.partition("::")[2] for one in found}

    async def measure(self) -> set[str]:
        await self.chosen()
        run = await self.runner.run(None, {})
        await self.book.ran(run, {})
        return {result.id.partition("::")[2] for result in run.results if result.is_bad}


@pytest.fixture
async def project(tmp_path: Path) -> AsyncIterator[Project]:
    made = Project(tmp_path)
    yield made
    await made.runner.stop()
    await made.book.stop()


async def test_what_a_change_chooses(project: Project) -> None:
    assert await project.measure() == set()
    assert project.runner.collection is not None
    every = {item.id.partition("::")[2] for item in project.runner.collection.items}
    before = {path: (project.root / path).read_bytes() for path in (*FILES, "shop.db")}
    found, wanted = {}, {}
    for name, (change, expected) in CASES.items():
        project.write(change)
        found[name] = await project.chosen()
        wanted[name] = every if "all" in expected else expected
        for path in change:
            (project.root / path).unlink(missing_ok=True)
            if path in before:
                (project.root / path).write_bytes(before[path])
    assert found == wanted


async def test_what_was_touched_is_known_in_the_next_session(project: Project) -> None:
    await project.measure()
    await project.book.stop()
    project.book = TestBook(project.root, project.root.parent / "book")
    project.write({"plug/two.py": "", "late/rows.csv": "2\n"})
    assert await project.chosen() == PROGRAM | {"test_plugins", "test_imports", "test_imports_again"}

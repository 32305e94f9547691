"""The type checker with settings, interpreters and plug-ins that are not as they should be."""

from __future__ import annotations

import venv
from collections.abc import Mapping
from pathlib import Path

import pytest
from type_project import Make

from gateline.model import State

pytestmark = [pytest.mark.deep, pytest.mark.timeout(60)]

BAD = "number: int = ''\n"


# Settings, interpreters and plug-ins


async def test_an_interpreter_that_is_not_there_is_the_reason(project: Make) -> None:
    shop = project(python="/no/such/python")
    await shop.type({"shop.py": BAD})
    report = shop.shown["shop.py"]
    assert report.state is State.FAILED
    assert "/no/such/python" in report.reason


SETTINGS = {
    "none at all": {},
    "no sections": {"mypy.ini": "what is this\n"},
    "an unknown option": {"mypy.ini": "[mypy]\nno_such_option = True\n"},
    "a wrong value": {"mypy.ini": "[mypy]\nstrict_optional = perhaps\n"},
    "an unknown code": {"mypy.ini": "[mypy]\nenable_error_code = no-such-code\n"},
    "an old Python": {"mypy.ini": "[mypy]\npython_version = 2.7\n"},
    "broken TOML": {"pyproject.toml": "[tool.mypy\n"},
    "TOML of a wrong type": {"pyproject.toml": "[tool.mypy]\nstrict = 'perhaps'\noverrides = 1\n"},
    "bytes": {"setup.cfg": "\udcff\udcfe"},
}


@pytest.mark.parametrize("files", SETTINGS.values(), ids=SETTINGS)
async def test_broken_settings_are_told_and_ended_by_repair(project: Make, files: Mapping[str, str]) -> None:
    shop = project()
    for name, text in files.items():
        shop.write(name, text.encode(errors="surrogateescape"))
    await shop.type({"shop.py": BAD})
    report = shop.shown["shop.py"]
    if report.state is State.MEASURED:
        assert shop.errors("shop.py") == ["1 assignment"]
    assert bool(files) == bool(report.reason)
    for name in files:
        (shop.folder / name).unlink()
    await shop.checker.files_changed([*files])
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"]
    assert shop.checker.reason == ""


CRASHING = """
from mypy.plugin import Plugin

class Crashing(Plugin):
    def get_function_hook(self, fullname):
        if fullname == "builtins.print":
            raise RuntimeError("the plug-in is broken")

def plugin(version):
    return Crashing
"""
LEAVES_A_MARK = """
from itertools import product
from pathlib import Path
from mypy.plugin import Plugin

Path(__file__).with_name("ran").touch()

def plugin(version):
    return Plugin
"""


@pytest.mark.parametrize(
    ("plugin", "reason"),
    [
        (CRASHING, "the plug-in is broken"),
        (None, "Can't find plugin"),
        ("import no_such_module\n", "no_such_module"),
        ("", "does not define entry point"),
        ("def plugin(version):\n    raise RuntimeError('mypy 1.0 is needed')\n", "mypy 1.0 is needed"),
    ],
    ids=["crashes", "is missing", "cannot be imported", "is none", "is of another version"],
)
async def test_without_a_plugin_nothing_is_known(project: Make, plugin: str | None, reason: str) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    if plugin is not None:
        shop.write("plug.py", plugin)
    text = BAD + "print(number)\n"
    await shop.type({"shop.py": text})
    for report in (shop.shown["shop.py"], (await shop.checker.plain(shop.texts))["shop.py"]):
        assert (report.state, report.findings) == (State.NO_DATA, ())
        assert reason in report.reason
        assert report.reason.startswith("mypy's plug-in plug.py did not run: ")
        assert str(shop.folder) not in report.reason


async def test_a_plugin_that_is_written_runs_from_then_on(project: Make) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    await shop.type({"shop.py": BAD})
    assert shop.shown["shop.py"].state is State.NO_DATA
    shop.write("plug.py", LEAVES_A_MARK)
    await shop.checker.files_changed(["plug.py"])
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"]
    assert (shop.folder / "ran").exists()


async def test_a_plugin_that_crashes_while_typing_leaves_nothing_known_of_that_text(project: Make) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    shop.write("plug.py", CRASHING)
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"]
    await shop.type({"shop.py": BAD + "print(number)\n"})
    assert shop.shown["shop.py"].state is State.NO_DATA
    assert "the plug-in is broken" in shop.shown["shop.py"].reason
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"]


NAMES = """
from mypy.plugin import Plugin

class Names(Plugin):
    def get_function_hook(self, fullname):
        return self.named if fullname == "builtins.len" else None

    def named(self, context):
        context.api.fail("the plug-in of the environment speaks", context.context)
        return context.default_return_type

def plugin(version):
    return Names
"""


async def test_a_plugin_is_found_in_the_environment_of_the_project(project: Make, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "names_of_it.py").write_text(NAMES)
    shop = project(python=str(environment / "bin/python"), plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = names_of_it\n")
    shop.texts["shop.py"] = "size = len('a')\n"
    (finding,) = (await shop.checker.plain(shop.texts))["shop.py"].findings
    assert finding.message == "the plug-in of the environment speaks"
    (packages / "names_of_it.py").unlink()
    await shop.checker._runs.end()
    report = (await shop.checker.plain(shop.texts))["shop.py"]
    assert report.state is State.NO_DATA
    assert "looked for in gateline's environment and in the project's" in report.reason


@pytest.mark.parametrize("trusted", [False, True])
async def test_plugins_run_only_when_trusted(project: Make, trusted: bool) -> None:
    shop = project(plugins=trusted)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    shop.write("plug.py", LEAVES_A_MARK)
    await shop.type({"shop.py": BAD})
    if trusted:
        assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")
    else:
        assert shop.shown["shop.py"].state is State.NO_DATA
    assert (shop.folder / "ran").exists() == trusted
    assert ("not trusted" in shop.checker.reason) != trusted


async def test_an_engine_that_keeps_dying_is_a_failure_of_its_text_alone(project: Make) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    shop.write("plug.py", CRASHING.replace("raise RuntimeError", "__import__('os')._exit(9) or print"))
    await shop.type({"shop.py": BAD})
    await shop.type({"deadly.py": "print()\n"})
    assert shop.shown["deadly.py"].state is State.FAILED
    assert "exit code 9" in shop.shown["deadly.py"].reason
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"]
    await shop.type({"deadly.py": BAD})
    assert shop.errors("deadly.py") == ["1 assignment"]

"""The type checker with settings, interpreters and plug-ins that are not as they should be."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from type_project import Make

from gateline.model import State

pytestmark = pytest.mark.timeout(60)

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
        (None, "plug.py"),
        ("import no_such_module\n", "no_such_module"),
        ("", "plugin"),
    ],
    ids=["crashes", "is missing", "cannot be imported", "is none"],
)
async def test_types_go_without_a_bad_plugin(project: Make, plugin: str | None, reason: str) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    if plugin is not None:
        shop.write("plug.py", plugin)
    text = BAD + "print(number)\n"
    await shop.type({"shop.py": text})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")
    assert reason in shop.shown["shop.py"].reason
    await shop.type({"shop.py": "\n" + text})
    assert shop.errors("shop.py") == ["2 assignment"]


async def test_a_plugin_that_begins_to_crash_while_typing_is_left_out(project: Make) -> None:
    shop = project(plugins=True)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    shop.write("plug.py", CRASHING)
    await shop.type({"shop.py": BAD})
    assert shop.shown["shop.py"].reason == ""
    await shop.type({"shop.py": BAD + "print(number)\n"})
    assert shop.errors("shop.py") == ["1 assignment"]
    assert "the plug-in is broken" in shop.shown["shop.py"].reason


@pytest.mark.parametrize("trusted", [False, True])
async def test_plugins_run_only_when_trusted(project: Make, trusted: bool) -> None:
    shop = project(plugins=trusted)
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n")
    shop.write("plug.py", LEAVES_A_MARK)
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")
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

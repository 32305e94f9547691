"""The type checker on small real projects: what it finds, and what it lives through."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest
from type_project import Make, TypeProject, far_sides

from gateline.model import State, digest_of
from gateline.services.types import renewal
from gateline.services.types.checked import Checked

pytestmark = pytest.mark.timeout(60)

GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
UNPARSABLE = "number: int = (\n"
TAKES_INT = "def take(number: int) -> None: ...\n"
TAKES_STR = "def take(number: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"


async def under_way(shop: TypeProject, texts: Mapping[str, str]) -> asyncio.Future[Checked]:
    """A question that an engine which cannot answer has been sent, or will be at once."""
    (pid,) = shop.checker.pids
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.ensure_future(shop.type(texts))
    await until(lambda: shop.checker._turn.locked())
    return asked


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def kill(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


# What is found


async def test_the_first_answer_without_a_cache_is_right(project: Make, tmp_path: Path) -> None:
    shop = project(cache=tmp_path / "empty")
    shop.write("shop.py", GOOD)
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"]
    await shop.type({"shop.py": GOOD + BAD.replace("number", "other")})
    assert shop.errors("shop.py") == ["2 assignment"]


async def test_findings_follow_unsaved_edits(project: Make) -> None:
    shop = project()
    shop.write("shop.py", BAD)
    for text, expected in [(GOOD, []), (BAD, ["1 assignment"]), ("\n" + BAD, ["2 assignment"]), ("", [])]:
        checked = await shop.type({"shop.py": text})
        assert checked.digests == {"shop.py": digest_of(text)}
        assert shop.errors("shop.py") == expected == await shop.plain("shop.py")


async def test_one_file_breaks_another(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []
    await shop.type({"callee.py": TAKES_STR})
    assert shop.errors("caller.py") == ["3 arg-type"]
    await shop.type({"callee.py": TAKES_INT})
    assert shop.errors("caller.py") == []


async def test_files_that_were_written_count(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": GIVES_INT})
    shop.write("callee.py", TAKES_STR)
    await shop.checker.files_changed(["callee.py"])
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_a_closed_document_is_what_its_file_says(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"callee.py": TAKES_STR, "caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]
    await shop.checker.close("callee.py")
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []


async def test_a_module_that_is_renamed_leaves_its_importers_broken(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    await shop.type({"callee.py": None, "called.py": TAKES_INT})
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["1 import-not-found"] == await shop.plain("caller.py")
    await shop.type({"caller.py": GIVES_INT.replace("callee", "called")})
    assert shop.errors("caller.py") == []


async def test_a_module_that_comes_back_is_found_again(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    await shop.type({"callee.py": None})
    await shop.type({"callee.py": TAKES_STR})
    await shop.type({"caller.py": GIVES_INT + "\n"})
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_two_scripts_of_one_name_are_both_checked(project: Make) -> None:
    shop = project()
    await shop.type({"one/script.py": BAD, "two/script.py": BAD})
    assert shop.errors("one/script.py") == shop.errors("two/script.py") == ["1 assignment"]
    await shop.type({"two/script.py": "\n" + BAD})
    assert shop.errors("two/script.py") == ["2 assignment"]


async def test_columns_are_right_beside_other_characters(project: Make) -> None:
    shop = project()
    lines = [
        f'name{i} = "{c * n}--", missing(1)' for i, (c, n) in enumerate(product("aé中😀\u0301", (1, 3, 9)))
    ]
    await shop.type({"shop.py": "\n".join(lines)})
    found = shop.shown["shop.py"].findings
    assert [f.span.start.column for f in found] == [line.index("missing") for line in lines]
    assert [f.span.end.column for f in found] == [line.index("(1") for line in lines]


# Texts and files that are not as they should be


async def test_a_text_that_does_not_parse_keeps_what_was_known(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_STR + BAD, "caller.py": GIVES_INT})
    known = dict(shop.shown)
    checked = await shop.type({"callee.py": UNPARSABLE})
    assert "callee.py" not in checked.reports
    assert shop.shown == known
    await shop.type({"caller.py": GIVES_INT + BAD})
    assert shop.errors("caller.py") == ["3 arg-type", "4 assignment"]
    await shop.type({"callee.py": TAKES_INT})
    assert shop.errors("callee.py") == []
    assert shop.errors("caller.py") == ["4 assignment"]


async def test_a_text_that_never_parsed_does_not_hide_others(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": UNPARSABLE, "caller.py": GIVES_INT + BAD})
    assert shop.errors("caller.py") == ["4 assignment"] == await shop.plain("caller.py")
    assert "callee.py does not parse" in shop.checker.reason
    await shop.type({"callee.py": TAKES_STR})
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]
    assert shop.checker.reason == ""


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("latin.py", "name = 'é'\n".encode("latin-1")),
        ("zeros.py", b"a = 1\0\n"),
        ("wide.py", "a = 1\n".encode("utf-16")),
    ],
    ids=["not UTF-8", "zero bytes", "UTF-16"],
)
async def test_a_file_that_mypy_cannot_read_is_in_nobodys_way(project: Make, name: str, data: bytes) -> None:
    shop = project()
    shop.write(name, data)
    text = f"import {name.removesuffix('.py')}\n" + BAD
    await shop.type({"shop.py": text})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")
    assert name in shop.checker.reason


async def test_a_file_name_that_is_not_utf8_is_in_nobodys_way(project: Make) -> None:
    shop = project()
    name = os.fsdecode(b"caf\xe9.py")
    shop.write(name, BAD)
    await shop.type({"shop.py": BAD})
    await shop.type({name: BAD, "shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")


async def test_half_a_character_is_in_nobodys_way(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": "name = '\ud83d'; number: int = ''\n"})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")
    assert shop.shown["shop.py"].findings[0].span.start.column == 26


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


# Processes that end


async def test_an_engine_killed_while_it_is_asked_comes_back(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    dead = shop.checker.pids
    asked = await under_way(shop, {"callee.py": TAKES_STR})
    kill(*dead)
    await asked
    assert shop.errors("caller.py") == ["3 arg-type"]
    assert not set(dead) & set(shop.checker.pids)


async def test_an_engine_killed_while_idle_comes_back(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": BAD})
    for number in range(3):
        kill(*shop.checker.pids)
        await shop.type({"shop.py": "\n" * number + BAD})
        assert shop.errors("shop.py") == [f"{number + 1} assignment"]


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


async def test_stopping_in_mid_edit_leaves_no_process(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": BAD})
    asked = await under_way(shop, {"shop.py": GOOD})
    await shop.checker.stop()
    await asked
    assert "stopped" in shop.shown["shop.py"].reason
    assert far_sides() == set()


@pytest.fixture
def renewing(project: Make, monkeypatch: pytest.MonkeyPatch) -> TypeProject:
    """Each answer is over the memory cap."""
    monkeypatch.setattr(renewal, "_GROWTH", 0)
    return project(cap=1)


async def test_renewing_at_the_memory_cap_keeps_the_findings(renewing: TypeProject) -> None:
    shop = renewing
    await shop.type({"callee.py": TAKES_STR, "caller.py": GIVES_INT})
    for number in range(2):
        before = set(shop.checker.pids)
        await shop.type({"callee.py": TAKES_STR + "\n" * number})
        assert shop.errors("caller.py") == ["3 arg-type"]
        await until(
            lambda before=before: before.isdisjoint(shop.checker.pids) and shop.checker._spare is None
        )
        await shop.type({"callee.py": TAKES_INT})
        assert shop.errors("caller.py") == []


async def test_what_is_written_while_the_engine_is_renewed_counts(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewal, "_GROWTH", 0)
    shop = project(cap=1)
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": GIVES_INT})
    await until(lambda: shop.checker._spare is not None)
    shop.write("callee.py", TAKES_STR)
    await shop.checker.files_changed(["callee.py"])
    await shop.type({"caller.py": "\n" + GIVES_INT})
    assert shop.errors("caller.py") == ["4 arg-type"]
    await until(lambda: shop.checker._spare is None)
    await shop.type({"caller.py": "\n\n" + GIVES_INT})
    assert shop.errors("caller.py") == ["5 arg-type"]


# Many at once


async def test_of_racing_updates_the_newest_counts(project: Make) -> None:
    shop = project()
    versions = ["\n" * number + BAD for number in range(30)]
    given: list[Checked] = []

    async def ask(text: str) -> None:
        given.append(await shop.type({"shop.py": text}))

    await asyncio.gather(*map(ask, versions))
    assert len(given) == len(versions)
    spoken_of = [c.digests["shop.py"] for c in given if c.digests]
    order = [versions.index(next(v for v in versions if digest_of(v) == d)) for d in spoken_of]
    assert order == sorted(order)
    assert order[-1] == len(versions) - 1
    assert shop.errors("shop.py") == [f"{len(versions)} assignment"]


async def test_who_stops_waiting_stops_nobody(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": GOOD})
    pids = shop.checker.pids
    first = await under_way(shop, {"shop.py": BAD})
    first.cancel()
    os.kill(pids[0], signal.SIGCONT)
    await shop.type({"other.py": BAD})
    await shop.type({"shop.py": BAD + "\n"})
    assert shop.errors("shop.py") == shop.errors("other.py") == ["1 assignment"]
    assert shop.checker.pids == pids


async def test_two_checkers_of_one_workspace_do_not_mix_their_texts(project: Make) -> None:
    """mypy takes two texts of one size and second for the same: each process has its own of equal length."""
    one, two = project(), project()
    assert len(TAKES_INT) == len(TAKES_STR)
    one.write("callee.py", TAKES_INT)
    for text, other in [(TAKES_INT, TAKES_STR), (TAKES_STR, TAKES_INT)] * 2:
        await asyncio.gather(
            one.type({"callee.py": text, "caller.py": GIVES_INT}),
            two.type({"callee.py": other, "caller.py": GIVES_INT}),
        )
        for shop, given in ((one, text), (two, other)):
            expected = [] if given == TAKES_INT else ["3 arg-type"]
            assert shop.errors("caller.py") == expected == await shop.plain("caller.py")


# Caches that are not as they should be


async def test_a_cache_that_cannot_be_kept_is_made_elsewhere(project: Make, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    shop = project(cache=tmp_path / "file" / "cache")
    await shop.type({"shop.py": BAD})
    await until(lambda: len(shop.checker.pids) == 1)
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")


@pytest.mark.parametrize("junk", [b"", b"not a database" * 100], ids=["empty", "junk"])
async def test_a_cache_that_is_damaged_is_made_anew(project: Make, tmp_path: Path, junk: bytes) -> None:
    for file in (tmp_path / "cache").rglob("*"):
        if file.is_file():
            file.write_bytes(junk)
    shop = project()
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")

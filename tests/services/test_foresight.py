"""An engine that was built before it was asked for says what one says that is built then, or is not taken."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from gateline.services.child import Child, ChildFailedError
from gateline.services.far import Told
from gateline.services.typecheck import TypeChecker
from gateline.services.types.messages import FAR, Answer, Foresee, Glance, Plain, Setup, Start, Update
from gateline.services.types.options import TypeOptions
from gateline.services.types.resident import prewarm as foresight

pytestmark = [pytest.mark.deep, pytest.mark.timeout(60)]

LIMIT = 40.0
LONG_AGO = time.time() - 3600
GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
FILES = {
    "callee.py": "def take(number: int) -> None: ...\n",
    "caller.py": "from callee import take\n\ntake(1)\n",
    "mypy.ini": "[mypy]\n",
}


class Shop:
    """A folder in which types were checked once, with what was written down of it."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            self.write(name, text, LONG_AGO)
        record = str(cache / "record.json")
        self.setup = Setup(str(folder), sys.executable, str(cache), record=record)
        self.children: list[Child] = []

    def write(self, name: str, text: str, at: float | None = None) -> None:
        file = self.folder / name
        file.write_text(text)
        if at is not None:
            os.utime(file, (at, at))

    def child(self) -> Child:
        self.children.append(Child(FAR))
        return self.children[-1]

    async def once(self, texts: Mapping[str, str]) -> None:
        """As a session does that is ended again."""
        child = self.child()
        await child.ask(Plain(self.setup, texts, prime=True), LIMIT)
        await child.ask(Start(self.setup, texts), LIMIT)
        await child.ask(Update({}), LIMIT)  # what comes after an answer was done when the next comes
        await child.stop()

    async def foreseen(self, *, trusted: bool = False) -> Child:
        """A process that was told to build; nobody has asked it yet."""
        child = self.child()
        await child.warm()
        await child.tell(Told(Foresee(self.setup.record, trusted)))
        with pytest.raises(Exception, match="unknown request"):
            await child.ask(object(), LIMIT)  # now it is built
        return child


@pytest_asyncio.fixture
async def shop(tmp_path: Path, standard_library: Path) -> AsyncIterator[Shop]:
    cache = tmp_path / "cache"
    shutil.copytree(standard_library, cache)
    (tmp_path / "shop").mkdir()
    made = Shop(tmp_path / "shop", cache)
    await made.once({"caller.py": FILES["caller.py"]})
    yield made
    for child in made.children:
        await child.stop()


def errors(answer: Answer, names: Iterable[str] = ("caller.py",)) -> list[str]:
    return [f"{message.line + 1} {message.code}" for name in names for message in answer.messages[name]]


TEXTS = {
    "as on disk": (FILES["caller.py"], []),
    "edited": ("from callee import take\n\ntake('')\n", ["3 arg-type"]),
    "another import": ("import callee\n\ncallee.give()\n", ["3 attr-defined"]),
}


@pytest.mark.parametrize("text, expected", TEXTS.values(), ids=TEXTS)
async def test_the_first_answer_is_about_the_text_that_is_open(
    shop: Shop, text: str, expected: list[str]
) -> None:
    answer = await (await shop.foreseen()).ask(Start(shop.setup, {"caller.py": text}), LIMIT)
    assert answer.foreseen
    assert list(answer.messages) == ["caller.py"]
    assert errors(answer) == expected


async def test_another_document_than_the_last_time_is_checked(shop: Shop) -> None:
    answer = await (await shop.foreseen()).ask(Start(shop.setup, {"callee.py": BAD}), LIMIT)
    assert answer.foreseen
    assert list(answer.messages) == ["callee.py"], "nobody asked about the other one"
    assert errors(answer, ["callee.py"]) == ["1 assignment"]


async def test_a_text_that_does_not_parse_has_no_findings(shop: Shop) -> None:
    child = await shop.foreseen()
    assert (await child.ask(Start(shop.setup, {"caller.py": "def\n"}), LIMIT)).messages == {}
    assert errors(await child.ask(Update({"caller.py": BAD}), LIMIT)) == ["1 assignment"]


async def test_a_file_that_is_written_meanwhile_counts(shop: Shop) -> None:
    child = await shop.foreseen()
    shop.write("callee.py", "def take(number: str) -> None: ...\n")
    answer = await child.ask(Start(shop.setup, {"caller.py": FILES["caller.py"]}), LIMIT)
    assert errors(answer) == ["3 arg-type"]


async def test_a_file_that_is_removed_meanwhile_counts(shop: Shop) -> None:
    child = await shop.foreseen()
    (shop.folder / "callee.py").unlink()
    answer = await child.ask(Start(shop.setup, {"caller.py": FILES["caller.py"]}), LIMIT)
    assert errors(answer) == ["1 import-not-found"]


async def test_an_open_document_hides_its_file_also_where_they_were_alike(shop: Shop) -> None:
    child = await shop.foreseen()
    texts = {"caller.py": FILES["caller.py"], "callee.py": FILES["callee.py"]}
    await child.ask(Start(shop.setup, texts), LIMIT)
    shop.write("callee.py", "")
    answer = await child.ask(Update({"caller.py": FILES["caller.py"] + "\n"}), LIMIT)
    assert errors(answer) == []
    answer = await child.ask(Update({}, ("callee.py",)), LIMIT)
    assert errors(answer) == ["1 attr-defined"], "closed"


async def test_a_file_that_is_made_meanwhile_counts(shop: Shop) -> None:
    checker = TypeChecker(TypeOptions(shop.setup, 1 << 40, LIMIT))
    checker._engine._child = await shop.foreseen()
    shop.write("callee.pyi", "def take(number: str) -> None: ...\n")
    await checker.files_changed(["callee.pyi"])
    checked = await checker.update({"caller.py": FILES["caller.py"]})
    await checker.stop()
    assert [finding.span.start.line for finding in checked.reports["caller.py"].findings] == [2]


async def test_a_plug_in_does_not_run_before_it_is_asked_for(shop: Shop) -> None:
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n", LONG_AGO)
    shop.write("plug.py", LEAVES_A_MARK, LONG_AGO)
    allowed = replace(shop.setup, plugins=True, trusted=True)
    foresight.write(foresight.Record(allowed, ("caller.py",)))
    child = await shop.foreseen(trusted=True)
    assert not (shop.folder / "ran").exists(), "it may have been switched off since"
    answer = await child.ask(Start(allowed, {"caller.py": GOOD}), LIMIT)
    assert (answer.foreseen, (shop.folder / "ran").exists()) == (False, True)


async def test_settings_that_cannot_be_read_any_more_cost_no_process(shop: Shop) -> None:
    (shop.folder / "mypy.ini").write_bytes(b"\xff\xfe")
    child = await shop.foreseen()
    with pytest.raises(ChildFailedError, match="UnicodeDecodeError"):
        await child.ask(Start(shop.setup, {"caller.py": BAD}), LIMIT)


async def test_other_settings_are_another_engine(shop: Shop) -> None:
    child = await shop.foreseen()
    shop.write("mypy.ini", "[mypy]\ndisallow_untyped_defs = true\n")
    answer = await child.ask(Start(shop.setup, {"caller.py": "def f(): ...\n"}), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, ["1 no-untyped-def"])


async def test_an_engine_that_was_asked_for_otherwise_is_built_then(shop: Shop) -> None:
    child = await shop.foreseen()
    other = replace(shop.setup, plugins=True)
    answer = await child.ask(Start(other, {"caller.py": BAD}), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, ["1 assignment"])


async def test_nothing_is_built_with_the_trust_of_another_time(shop: Shop) -> None:
    child = await shop.foreseen(trusted=True)
    answer = await child.ask(Start(shop.setup, {"caller.py": BAD}), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, ["1 assignment"])


async def glanced(shop: Shop, request: Plain) -> Child:
    """A process that was told to make a run; nobody has asked it yet."""
    child = shop.child()
    await child.warm()
    await child.tell(Told(Glance(request)))
    return child


async def test_a_run_that_was_made_before_is_the_answer_once(shop: Shop) -> None:
    request = Plain(shop.setup, {"caller.py": BAD}, alone=True)
    child = await glanced(shop, request)
    answers = [await child.ask(request, LIMIT) for _ in range(2)]
    assert [(answer.foreseen, errors(answer)) for answer in answers] == [
        (True, ["1 assignment"]),
        (False, ["1 assignment"]),
    ]


async def test_a_run_over_another_text_is_no_answer(shop: Shop) -> None:
    child = await glanced(shop, Plain(shop.setup, {"caller.py": GOOD}, alone=True))
    answer = await child.ask(Plain(shop.setup, {"caller.py": BAD}, alone=True), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, ["1 assignment"])


async def test_a_run_that_nobody_asked_for_runs_no_plug_in(shop: Shop) -> None:
    shop.write("mypy.ini", "[mypy]\nplugins = plug.py\n", LONG_AGO)
    shop.write("plug.py", LEAVES_A_MARK, LONG_AGO)
    request = Plain(replace(shop.setup, plugins=True), {"caller.py": BAD}, alone=True)
    child = await glanced(shop, request)
    with pytest.raises(ChildFailedError, match="unknown request"):
        await child.ask(object(), LIMIT)
    assert not (shop.folder / "ran").exists()
    assert errors(await child.ask(request, LIMIT)) == ["1 assignment"]
    assert (shop.folder / "ran").exists()


LEAVES_A_MARK = """
from pathlib import Path
from mypy.plugin import Plugin

Path(__file__).with_name("ran").touch()

def plugin(version):
    return Plugin
"""
UNUSABLE = [
    "",
    "{",
    "[]",
    '{"setup": 1}',
    '{"setup": {"root": ""}, "documents": []}',
    '{"setup": {"root": 1, "python": "", "cache_dir": ""}, "documents": []}',
]


@pytest.mark.parametrize("text", UNUSABLE)
async def test_a_record_that_cannot_be_used_is_none(shop: Shop, text: str) -> None:
    Path(shop.setup.record).write_text(text)
    assert foresight.read(shop.setup.record) is None
    child = await shop.foreseen()
    answer = await child.ask(Start(shop.setup, {"caller.py": GOOD}), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, [])


async def test_a_project_that_is_gone_is_no_failure(shop: Shop) -> None:
    shutil.rmtree(shop.folder)
    child = await shop.foreseen()
    shop.folder.mkdir()
    answer = await child.ask(Start(shop.setup, {"caller.py": BAD}), LIMIT)
    assert (answer.foreseen, errors(answer)) == (False, ["1 assignment"])


async def test_a_cache_that_is_gone_is_none_to_start_from(shop: Shop) -> None:
    shutil.rmtree(Path(shop.setup.cache_dir) / "resident")
    child = await shop.foreseen()
    answer = await child.ask(Plain(shop.setup, {"caller.py": BAD}), LIMIT)
    assert errors(answer) == ["1 assignment"]


async def test_what_was_foreseen_is_taken_once(shop: Shop) -> None:
    child = await shop.foreseen()
    start = Start(shop.setup, {"caller.py": GOOD})
    assert [(await child.ask(start, LIMIT)).foreseen for _ in range(2)] == [True, False]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    names = tuple(f"{number}.py" for number in range(20))
    record = foresight.Record(Setup("/shop", "python", "/cache", record=str(tmp_path / "new" / "it")), names)
    foresight.write(record)
    assert foresight.read(record.setup.record) == replace(record, documents=names[:8])
    assert foresight.read("") is None
    foresight.write(replace(record, setup=replace(record.setup, record="/proc/no/such/folder")))

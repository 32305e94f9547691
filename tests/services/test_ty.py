"""ty on small real projects: what it finds, and what it lives through."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from gateline.model import Finding, Report, State, Weight, digest_of
from gateline.services.ty import TyChecker
from gateline.services.types.ty.report import report_of
from gateline.services.types.ty.server import TySetup

TY = shutil.which("ty", path=str(Path(sys.executable).parent)) or shutil.which("ty")

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(TY is None, reason="ty is not installed: pip install 'gateline[ty]'"),
]

GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
TAKES_INT = "def take(number: int) -> None: ...\n"
TAKES_STR = "def take(number: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"


class Shop:
    """A folder and a checker."""

    def __init__(self, folder: Path, command: str = TY or "ty", timeout: float = 40.0) -> None:
        self.folder = folder
        self.checker = TyChecker(TySetup(command, str(folder), sys.executable), timeout)

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    async def typed(self, **texts: str | None) -> Mapping[str, list[str]]:
        """Line number and rule of each finding in every report that came of these texts."""
        checked = await self.checker.update({f"{name}.py": text for name, text in texts.items()})
        assert checked.reports.keys() == checked.digests.keys()
        return {path.removesuffix(".py"): errors_of(report) for path, report in checked.reports.items()}

    async def plain(self, **texts: str | None) -> Mapping[str, list[str]]:
        reports = await self.checker.plain({f"{name}.py": text for name, text in texts.items()})
        return {path.removesuffix(".py"): errors_of(report) for path, report in reports.items()}


def errors_of(report: Report) -> list[str]:
    assert report.state is State.MEASURED, report.reason
    return [f"{f.span.start.line + 1} {f.origin.removeprefix('ty: ')}" for f in report.findings]


@pytest_asyncio.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    made = Shop(tmp_path)
    yield made
    pids = made.checker.pids
    await made.checker.stop()
    assert not any(map(psutil.pid_exists, pids)), "stopped, but still there"


async def only(shop: Shop, text: str) -> Finding:
    checked = await shop.checker.update({"a.py": text})
    (finding,) = checked.reports["a.py"].findings
    return finding


# What is found


async def test_findings_follow_unsaved_edits(shop: Shop) -> None:
    shop.write("a.py", BAD)
    for text, expected in [
        (GOOD, []),
        (BAD, ["1 invalid-assignment"]),
        ("\n" + BAD, ["2 invalid-assignment"]),
    ]:
        checked = await shop.checker.update({"a.py": text})
        assert checked.digests == {"a.py": digest_of(text)}
        assert errors_of(checked.reports["a.py"]) == expected


async def test_columns_count_characters_not_utf16_units(shop: Shop) -> None:
    finding = await only(shop, "class Shop:\n    s = '😀😀'; n: int = 'é'  # 😀\n")
    assert finding.line_text[finding.span.start.column : finding.span.end.column] == "'é'"
    assert finding.line_text == "    s = '😀😀'; n: int = 'é'  # 😀"
    assert (finding.code, finding.origin, finding.symbol) == ("GTL110", "ty: invalid-assignment", "Shop")


async def test_a_finding_says_what_is_wrong_without_places_of_this_machine(shop: Shop) -> None:
    finding = await only(shop, "import nowhere_to_be_found\n")
    assert finding.message == "Cannot resolve imported module `nowhere_to_be_found`"


async def test_warnings_are_advice_and_hints_are_left_out(shop: Shop) -> None:
    finding = await only(
        shop,
        "from typing_extensions import deprecated\n\n@deprecated('')\ndef old() -> None: ...\n\nold()\n",
    )
    assert (finding.origin, finding.weight) == ("ty: deprecated", Weight.ADVICE)
    hint = {"severity": 4, "message": "unused", "range": {"start": {"line": 0, "character": 0}}}
    assert report_of("a.py", "", [hint]).findings == ()


async def test_syntax_is_left_to_the_parser(shop: Shop) -> None:
    assert await shop.typed(a="number: int = (\n") == {"a": []}


async def test_one_text_breaks_another_that_was_asked_for(shop: Shop) -> None:
    assert await shop.typed(caller="") == {"caller": []}
    shop.write("callee.py", TAKES_INT)
    await shop.checker.files_changed(["callee.py"])
    assert await shop.typed(caller=GIVES_INT, callee=TAKES_INT) == {"callee": [], "caller": []}
    assert await shop.typed(callee=TAKES_STR) == {
        "callee": [],
        "caller": ["3 invalid-argument-type"],
    }


async def test_files_written_by_others_count(shop: Shop) -> None:
    assert await shop.typed(caller=GIVES_INT) == {"caller": ["1 import-not-found"]}
    for text, expected in [(TAKES_INT, []), (TAKES_STR, ["3 invalid-argument-type"])]:
        shop.write("callee.py", text)
        await shop.checker.files_changed(["callee.py"])
        assert await shop.typed(caller=GIVES_INT) == {"caller": expected}
    (shop.folder / "callee.py").unlink()
    await shop.checker.files_changed(["callee.py"])
    assert await shop.typed(caller=GIVES_INT) == {"caller": ["1 import-not-found"]}


async def test_a_closed_text_gives_way_to_its_file(shop: Shop) -> None:
    shop.write("callee.py", TAKES_INT)
    await shop.typed(callee=TAKES_STR, caller=GIVES_INT)
    await shop.checker.close("callee.py")
    assert await shop.typed(caller=GIVES_INT) == {"caller": []}


async def test_a_deleted_text_has_no_names_and_no_report(shop: Shop) -> None:
    shop.write("callee.py", TAKES_INT)
    found = await shop.plain(callee=None, caller=GIVES_INT)
    assert list(found) == ["caller"] and found["caller"]
    assert await shop.typed(gone=None, caller=GIVES_INT) == {"caller": []}


async def test_an_ordinary_run_leaves_the_typing_alone(shop: Shop) -> None:
    shop.write("callee.py", TAKES_INT)
    await shop.typed(callee=TAKES_STR, caller=GIVES_INT)
    assert await shop.plain(caller=GIVES_INT, other=BAD) == {
        "caller": [],
        "other": ["1 invalid-assignment"],
    }
    assert (await shop.typed(caller=GIVES_INT))["caller"] == ["3 invalid-argument-type"]


async def test_the_base_of_a_text_is_asked_beside_what_is_typed(shop: Shop) -> None:
    shop.write("callee.py", TAKES_INT)
    await shop.typed(callee=TAKES_STR, caller="")
    assert errors_of(await shop.checker.alone("caller.py", GIVES_INT)) == ["3 invalid-argument-type"]


async def test_odd_texts(shop: Shop) -> None:
    for text in ("", "\0", "\ud800 = 1\n", "\r" * 3, "x = 1\r\n" * 3, "#" * 300_000):
        assert await shop.typed(odd=text) == {"odd": []}
    untitled = await shop.checker.update({"untitled:Untitled-1": BAD})
    assert errors_of(untitled.reports["untitled:Untitled-1"]) == ["1 invalid-assignment"]


async def test_the_project_s_own_settings_hold(shop: Shop) -> None:
    shop.write("ty.toml", '[rules]\ninvalid-assignment = "ignore"\n')
    assert await shop.typed(a=BAD) == {"a": []}


async def test_settings_that_ty_refuses_are_told(shop: Shop) -> None:
    shop.write("ty.toml", "[environment\n")
    assert await shop.typed(a=BAD) == {"a": ["1 invalid-assignment"]}
    assert "ty.toml" in shop.checker.reason


# Who asks when


async def test_a_burst_ends_with_the_newest_text(shop: Shop) -> None:
    texts = ["\n" * number + BAD for number in range(20)]
    answers = await asyncio.gather(*(shop.checker.update({"a.py": text}) for text in texts))
    told = [answer.digests["a.py"] for answer in answers if answer.digests]
    assert told[-1] == digest_of(texts[-1])
    assert len(told) < len(texts)


async def test_a_text_that_comes_while_another_is_checked_is_not_forgotten(shop: Shop) -> None:
    await shop.typed(a=GOOD)
    first = asyncio.ensure_future(shop.checker.update({"a.py": GOOD + "\n"}))
    await asyncio.sleep(0)
    answers = [await shop.checker.update({"a.py": BAD}), await first]
    assert digest_of(BAD) in [answer.digests.get("a.py") for answer in answers]


async def test_who_stops_waiting_does_not_stop_the_work(shop: Shop) -> None:
    asked = asyncio.ensure_future(shop.checker.update({"a.py": BAD}))
    await asyncio.sleep(0)
    asked.cancel()
    assert await shop.typed(a=GOOD) == {"a": []}


# What it lives through


async def test_killed_in_the_middle_it_comes_back_with_all_texts(shop: Shop) -> None:
    shop.write("callee.py", TAKES_INT)
    await shop.typed(callee=TAKES_STR, caller="")
    (before,) = shop.checker.pids
    asked = asyncio.ensure_future(shop.checker.update({"caller.py": GIVES_INT + "\n" * 1000}))
    await asyncio.sleep(0)
    os.kill(before, signal.SIGKILL)
    checked = await asked
    assert errors_of(checked.reports["caller.py"]) == ["3 invalid-argument-type"]
    assert shop.checker.pids != [before] and shop.checker.reason == ""


async def test_killed_while_idle_it_comes_back(shop: Shop) -> None:
    await shop.typed(a=GOOD)
    (before,) = shop.checker.pids
    os.kill(before, signal.SIGKILL)
    assert await shop.typed(a=BAD) == {"a": ["1 invalid-assignment"]}


@pytest.mark.parametrize("turns", [0, 1, 2, 5, 20])
async def test_stopped_in_the_middle_it_leaves_nothing_behind(shop: Shop, turns: int) -> None:
    asked = asyncio.ensure_future(shop.checker.update({"a.py": BAD}))
    for _ in range(turns):
        await asyncio.sleep(0)
    await shop.checker.stop()
    assert (await asked).reports["a.py"].state is State.FAILED
    assert shop.checker.pids == []
    assert not [p for p in psutil.Process().children() if p.name() == "ty"]


@pytest.mark.parametrize(
    ("script", "timeout", "reason"),
    [("exit 3", 30, "exit code 3"), ("sleep 60", 0.3, "within 0.3 s"), (None, 30, "cannot be started")],
)
async def test_a_ty_that_cannot_answer_is_told(
    tmp_path: Path, script: str | None, timeout: float, reason: str
) -> None:
    command = tmp_path / "ty"
    if script:
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)
    shop = Shop(tmp_path, str(command), timeout=timeout)
    report = (await shop.checker.update({"a.py": BAD})).reports["a.py"]
    assert (report.state, report.findings) == (State.FAILED, ())
    assert reason in report.reason == shop.checker.reason
    assert (await shop.checker.plain({"a.py": BAD}))["a.py"].state is State.FAILED
    assert shop.checker.pids == []
    await shop.checker.stop()


def test_a_text_on_which_ty_itself_fails_is_not_clean() -> None:
    panic = {"code": "panic", "severity": 1, "message": "panicked at x\nmore", "range": {}}
    report = report_of("a.py", "x", [panic])
    assert (report.state, report.reason) == (State.FAILED, "ty failed: panicked at x")

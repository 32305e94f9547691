"""What is shown after unsaved edits of a real project, against ordinary runs of its texts on disk."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import cast

import psutil
import pytest

from gateline_dev.affected import cold, measure
from gateline_dev.affected.desk import Desk, desk
from gateline_dev.affected.edits import anything, harmless, regression
from gateline_dev.affected.measure import Differing
from gateline_dev.affected.subjects import SUBJECTS, Copy, copied
from gateline_dev.bench.environments import UnavailableError

TEXT = '''"""Doc."""


def fee(weight, *, least=1):
    """Say what it costs."""
    if weight > 10:
        return weight * 2
    total = weight + 1
    return max(total, least)
'''


@pytest.fixture(scope="module")
def toolz() -> Iterator[Copy]:
    try:
        with copied(SUBJECTS["toolz"]) as copy:
            yield copy
    except UnavailableError as error:
        pytest.skip(str(error))


def quiet(_: str) -> None:
    """Nobody looks."""


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", [3, 11])
async def test_after_any_edits_tests_and_covered_lines_are_those_of_a_cold_run(
    toolz: Copy, seed: int
) -> None:
    async with desk(toolz) as at:
        await at.begin()
        said = await measure.sameness(at, 12, Random(seed), quiet)
    assert (said.edits, said.wrong, said.lines) == (12, [], [])


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_every_test_that_fails_for_a_seeded_mistake_is_selected(toolz: Copy) -> None:
    async with desk(toolz) as at:
        await at.begin()
        said = await measure.recall(at, 15, Random(5), quiet)
    assert said.caught > 5 and said.missed == []
    assert sorted(said.shares)[len(said.shares) // 2] < 0.5


async def test_a_cold_run_that_does_not_end_is_no_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    while True: pass\n", encoding="utf-8")
    monkeypatch.setattr(cold, "_PATIENCE", 1.0)
    copy = Copy(tmp_path, sys.executable, "", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    with pytest.raises(TimeoutError):
        await cold.endings(copy, tmp_path)
    assert not [p for p in psutil.Process().children(recursive=True) if "gateline_endings" in p.cmdline()]


async def test_a_cold_run_in_which_pytest_falls_over_is_no_truth(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("def pytest_runtest_logfinish():\n    1 / 0\n", encoding="utf-8")
    (tmp_path / "test_it.py").write_text("def test_it(): pass\ndef test_other(): pass\n", encoding="utf-8")
    copy = Copy(tmp_path, sys.executable, "", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert (await cold.endings(copy, tmp_path))[0] is None
    (tmp_path / "conftest.py").unlink()
    assert (await cold.endings(copy, tmp_path))[0] == dict.fromkeys(
        ("test_it.py::test_it", "test_it.py::test_other"), "passed"
    )


async def test_coverage_follows_a_cold_run_that_is_to_be_measured(tmp_path: Path) -> None:
    text = "import sys\ndef test_it():\n    assert sys.gettrace() or getattr(sys, 'monitoring', None)\n"
    (tmp_path / "test_it.py").write_text(text, encoding="utf-8")
    copy = Copy(tmp_path, sys.executable, "", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert (await cold.endings(copy, tmp_path, measured=True))[0] == {"test_it.py::test_it": "passed"}


@pytest.mark.parametrize(
    ("again", "followed", "expected"),
    [
        ("failed", "failed", Differing(wrong=["test_it"])),
        ("failed", None, Differing(wrong=["test_it"])),
        ("passed", "failed", Differing(unsteady=["test_it"])),
        ("failed", "passed", Differing(followed=["test_it"])),
    ],
)
async def test_what_other_cold_runs_say_differently_is_no_truth(
    monkeypatch: pytest.MonkeyPatch, again: str, followed: str | None, expected: Differing
) -> None:
    async def endings(
        copy: Copy, root: Path, *, measured: bool = False
    ) -> tuple[dict[str, str] | None, float]:
        said = followed if measured else again
        return (None if said is None else {"test_it": said, "test_other": "passed"}), 1.0

    monkeypatch.setattr(cold, "endings", endings)
    shown = {"test_it": "passed", "test_other": "passed"}
    at = cast("Desk", SimpleNamespace(copy=None))
    assert await measure.compared(at, Path(), shown, {**shown, "test_it": "failed"}) == expected


async def test_it_is_timed_how_soon_an_edit_is_known_to_need_a_new_collection(tmp_path: Path) -> None:
    text = "def one():\n    return 1\n"
    (tmp_path / "lib.py").write_text(text, encoding="utf-8")
    (tmp_path / "test_it.py").write_text("import lib\ndef test_it(): assert lib.one()\n", encoding="utf-8")
    copy = Copy(tmp_path, sys.executable, "", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    async with desk(copy) as at:
        assert await at.refusal() is None
        await at.begin()
        for body, is_refused in (("return 2", False), ("return 2\n\nMORE = 1", True), ("return 1", False)):
            at.unsaved["lib.py"] = text.replace("return 1", body)
            assert (await at.refusal() is not None) is is_refused, body


async def test_edits_that_need_a_new_collection_are_asked_about_without_one(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(
        "import lib\ndef test_it(): assert lib.fee(1) == 2\n", encoding="utf-8"
    )
    copy = Copy(tmp_path, sys.executable, "lib", {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    async with desk(copy) as at:
        await at.begin()
        collection = at.runner.collection
        said = await measure.refusals(at, 30, Random(1), quiet)
        assert (at.runner.collection, at.unsaved) == (collection, {})
    assert said.edits == 30 and 0 < len(said.refused) < 30


async def test_what_coverage_costs_is_the_middle_of_pairs_in_turns() -> None:
    """A machine that slows down meanwhile, or one run that was disturbed, changes nothing."""
    ran: list[bool] = []

    class Slowing:
        """Takes twice the time with coverage, and more with each run; a run now and then takes ages."""

        async def run(self, ids: None, overlay: dict[str, str], *, coverage: bool) -> None:
            ran.append(coverage)

    class At:
        runner = Slowing()

        def processor_seconds(self) -> float:
            return sum((1 + coverage) * 1.1**n * (50 if n % 7 == 6 else 1) for n, coverage in enumerate(ran))

        async def cold_seconds(self) -> float:
            return 4 * 1.1 ** (len(ran) - 1.5)

    found = await measure.overhead(cast("Desk", At()), 8, quiet)
    assert len(found.plain) == len(found.measured) == 8
    assert ran[:6] == [True, False, False, True, True, False]
    assert found.ratio == pytest.approx(2.0, rel=0.15)
    assert found.beside_cold == pytest.approx(0.5, rel=0.15)
    assert measure.Overhead().ratio is measure.Overhead().beside_cold is None


@pytest.mark.parametrize("make", [harmless, regression, anything])
def test_edits_parse_and_differ(make: measure.Make) -> None:
    made = [make("fee.py", TEXT, Random(seed)) for seed in range(60)]
    texts = [edit.text for edit in made if edit is not None]
    assert len(set(texts)) > 3
    assert TEXT not in texts
    for text in texts:
        compile(text, "fee.py", "exec")

"""Units of a comparison are values: they travel, have names by content, and come together as if local."""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gateline.ranking.values import Isolation
from gateline.services.project_checks.checks import Outcome as Check
from gateline.session.compare import spread as spreading
from gateline.session.compare.measured import Measured, Suite
from gateline.session.compare.project_checks import Checked
from gateline.session.compare.spread import Spread, refuse_others
from gateline.session.compare.stamp import Stamp, differences, stamp
from gateline.session.compare.unit import How, Outcome, Unit, UnitError, measure, settings_of
from gateline.session.errors import UndecidedError, UsageError
from gateline.store.candidates.checkouts import Checkouts
from gateline.store.candidates.packs import Pack
from gateline.store.candidates.trees import Base, Given
from gateline.testing.result import Ending

HERE = Stamp("0.1.0", "abcdef0123456789", "3.12", "/env/bin/python", "3.12.3", ("pytest 8.3", "shop 1.0"))
HOW = How(HERE, ".", "/home/a/shop")
UNIT = Unit(HOW, Pack("sha1", ("1" * 40, "2" * 40), b"pack"), "1" * 40, "2" * 40, ("cart.py",))
PASSED = Suite({"test_a.py::test": Ending.PASSED}, frozenset({"test_a.py::test"}))


def test_units_and_outcomes_travel() -> None:
    looked = Measured(Given("", "", "2" * 40, ("cart.py",)))
    outcome = Outcome(Isolation.LANDLOCK, looked, Checked(Check(True)), PASSED)
    for value in (UNIT, outcome):
        assert pickle.loads(pickle.dumps(value)) == value
    assert pickle.loads(pickle.dumps(UNIT)).key == UNIT.key


@pytest.mark.parametrize(
    "other",
    [
        replace(UNIT, tree="3" * 40),
        replace(UNIT, base="3" * 40),
        replace(UNIT, changed=()),
        replace(UNIT, how=replace(HOW, isolation=Isolation.NONE)),
        replace(UNIT, how=replace(HOW, variables={"GATELINE_TYPES__ENGINE": "ty"})),
        replace(UNIT, how=replace(HOW, stamp=replace(HERE, packages=()))),
    ],
)
def test_what_changes_the_answer_changes_the_key(other: Unit) -> None:
    assert other.key != UNIT.key


def test_the_key_is_of_the_content_not_of_how_it_was_packed() -> None:
    assert replace(UNIT, pack=replace(UNIT.pack, content=b"packed otherwise")).key == UNIT.key


def test_keys_of_models_stay_here() -> None:
    environ = {"GATELINE_MODELS__API_KEY": "secret", "GATELINE_TYPES__ENGINE": "ty", "HOME": "/home/a"}
    assert settings_of(environ) == {"GATELINE_TYPES__ENGINE": "ty"}


@pytest.mark.parametrize(
    ("there", "told"),
    [
        ({"own_python": "3.11"}, "runs Python 3.11, here is 3.12; start it with the same version"),
        (
            {"content": "9" * 16},
            "has gateline 0.1.0 (99999999), here is 0.1.0 (abcdef01); install the same there",
        ),
        (
            {"version": "", "packages": ()},
            "has no interpreter /env/bin/python; make the project's environment at the same path there",
        ),
        ({"version": "3.12.4"}, "has Python 3.12.4 at /env/bin/python, here is 3.12.3; make it the same"),
        (
            {"packages": ("pytest 8.4", "shop 1.0")},
            (
                "has other packages for /env/bin/python (missing pytest 8.3, has pytest 8.4); "
                "install the same there"
            ),
        ),
    ],
)
def test_what_differs_there_is_told_with_what_to_do(there: Mapping[str, Any], told: str) -> None:
    assert list(differences(HERE, replace(HERE, **there))) == [told]


def test_the_own_stamp_agrees_with_itself_and_has_the_packages() -> None:
    here = stamp(sys.executable)
    assert list(differences(here, here)) == []
    assert any(row.startswith("pytest ") for row in here.packages)
    assert stamp("/not/there").version == ""


def test_a_unit_of_another_machine_is_refused() -> None:
    with pytest.raises(UnitError, match=r"has gateline .* install the same there"):
        measure(UNIT)


class Answering:
    """A cluster whose workers answer what they are told to."""

    def __init__(self, **answers: object) -> None:
        self.answers = answers

    def everywhere(self, function: Callable[..., Any], *arguments: object) -> dict[str, object]:
        assert (function, arguments) == (stamp, ("/env/bin/python",))
        return self.answers


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ModuleNotFoundError("No module named 'gateline'"), "worker b has no gateline .* 0.1.0, there"),
        (OSError("Timed out"), r"worker b does not answer \(OSError: Timed out\); see its log"),
        (replace(HERE, own_python="3.11"), "worker b runs Python 3.11"),
    ],
)
def test_a_worker_that_would_measure_something_else_is_named(answer: object, told: str) -> None:
    refuse_others(Answering(a=HERE), HERE)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=told):
        refuse_others(Answering(a=HERE, b=answer), HERE)  # type: ignore[arg-type]


class Elsewhere(Executor):
    """Answers units by their tree, over a pickle in each direction; an exception is raised, None is lost."""

    def __init__(self, **answers: Outcome | Exception | None) -> None:
        self.answers = answers

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        assert function is measure
        (unit,) = pickle.loads(pickle.dumps(arguments))
        answer = self.answers[unit.tree]
        work: Future[Any] = Future()
        if answer is None:
            work.cancel()
        elif isinstance(answer, Exception):
            work.set_exception(answer)
        else:
            work.set_result(pickle.loads(pickle.dumps(answer)))
        return work


@pytest.fixture
def spread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    monkeypatch.setattr(spreading, "packed", lambda shadow, trees: Pack("sha1", trees, b""))

    def measured(**answers: Outcome | Exception | None) -> Any:
        made = Spread(
            Elsewhere(**answers),
            HOW,
            Base("commit", "base"),
            Checkouts(tmp_path, None),  # type: ignore[arg-type]
            lambda step: None,
        )
        known = [Measured(Given(name, "commit", f"tree_{name}", ("cart.py",)), text=name) for name in "ab"]
        return asyncio.run(made.measured(known, Isolation.LANDLOCK))

    return measured


def outcome(
    level: Isolation = Isolation.BUBBLEWRAP, *, builds: bool = True, suite: Suite = PASSED
) -> Outcome:
    looked = Measured(Given("", "", "", ("cart.py",)))
    return Outcome(level, looked, Checked(Check(builds, "" if builds else "no such module")), suite)


def test_what_workers_answer_is_put_together(spread: Callable[..., Any]) -> None:
    found = spread(base=outcome(), tree_a=outcome(), tree_b=outcome(builds=False))
    assert [one.measured.given.name for one in found.made] == ["a", "b"]
    assert [one.measured.text for one in found.made] == ["a", "b"]
    assert found.suite == PASSED
    assert found.made[0].measured.suite == PASSED
    # As here: no tests of what does not build, though a unit cannot know that the base does.
    assert found.made[1].measured.build == ("no such module",)
    assert found.made[1].measured.suite is None
    assert set(found.checked) == {"a", "b"}


def test_the_weakest_isolation_counts(spread: Callable[..., Any]) -> None:
    answers = {"base": outcome(), "tree_a": outcome(Isolation.RLIMITS), "tree_b": outcome()}
    assert spread(**answers).level is Isolation.RLIMITS
    assert spread(**answers | {"tree_a": outcome()}).level is Isolation.LANDLOCK


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (
            UnitError("has no interpreter /x"),
            UsageError,
            "a worker cannot measure b: it has no interpreter /x",
        ),
        (MemoryError("10 GB"), UndecidedError, "b could not be measured by a worker: MemoryError: 10 GB"),
        (None, UndecidedError, "the connection to the scheduler was lost while b was measured"),
    ],
)
def test_what_fails_there_names_the_candidate(
    answer: Exception | None, kind: type[Exception], told: str, spread: Callable[..., Any]
) -> None:
    with pytest.raises(kind, match=told):
        spread(base=outcome(), tree_a=outcome(), tree_b=answer)

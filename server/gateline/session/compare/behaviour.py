"""Whether candidates behave alike: the functions they change are called with inputs that nobody wrote.

The inputs are mutations of those that the project's tests use. Where a function needs more than values, or no
test calls it, nothing is measured.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.ranking.functions import changed_functions
from gateline.ranking.mutation import mutated
from gateline.services.behaviour.asking import Function, Given, Place, Recorded
from gateline.session.compare.measured import Measured
from gateline.session.compare.running import Runs
from gateline.store.candidates.checkouts import Checkout
from gateline.testing.naming import is_test, is_tests

_MOST_FUNCTIONS = 20
_SECONDS = 120.0
"""To find out what tests call functions with."""


@dataclass(frozen=True, slots=True)
class Made:
    """A candidate that was measured, where it is checked out."""

    measured: Measured
    checkout: Checkout
    root: Path


@dataclass(frozen=True, slots=True)
class Question:
    """One input of one function."""

    function: Function
    given: Given

    def __str__(self) -> str:
        told = ", ".join(f"{name}={text}" for name, text in self.given.items())
        return f"{self.function.name}({told})"


@dataclass(frozen=True, slots=True)
class Asked:
    """What all candidates were asked, and what they answered."""

    questions: tuple[Question, ...] = ()
    answers: Mapping[str, tuple[str | None, ...]] | None = None
    """By the name of the candidate."""
    modules: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """An input that tells candidates apart though all of them pass the tests."""

    call: str
    path: str
    """Of the function."""
    answers: Mapping[str, str]
    """By candidate."""
    test: str
    """A test that expects what the first of them answers."""


def difference(asked: Asked, passing: Sequence[str]) -> Difference | None:
    """The first input on which candidates differ, of those that pass, the best first."""
    known = {name: (asked.answers or {})[name] for name in passing if name in (asked.answers or {})}
    for place, question in enumerate(asked.questions):
        answers = {name: answer for name, row in known.items() if (answer := row[place]) is not None}
        if len(set(answers.values())) > 1:
            module = (asked.modules or {}).get(question.function.path, "")
            test = _test(question, module, answers)
            return Difference(str(question), question.function.path, answers, test)
    return None


def _test(question: Question, module: str, answers: Mapping[str, str]) -> str:
    (first, expected), *others = answers.items()
    told = ", ".join(f"{name} {answer}" for name, answer in others if answer != expected)
    return (
        f"from {module} import {question.function.name}\n\n\n"
        f"def test_{question.function.name}_on_another_input():\n"
        f"    # {first} answers this; not so {told}.\n"
        f"    assert {question} == {expected}\n"
    )


async def asked_alike(candidates: Sequence[Made], texts: Mapping[str, str | None], runs: Runs) -> Asked:
    """Ask all candidates the same. `texts` are those of the base, by path from the workspace."""
    functions = await asyncio.to_thread(_functions, candidates, texts)
    if not functions or len(candidates) < 2:
        return Asked()
    teller = max(candidates, key=lambda one: (len(_passing(one)), one.measured.given.name))
    files = await asyncio.to_thread(_mentioning, teller.root, [one.name for one in functions])
    recorded = await _place(teller, runs).recorded(functions, files, runs.arguments, _SECONDS)
    questions = tuple(
        Question(function, given)
        for function in sorted(recorded.calls, key=lambda one: (one.path, one.name))
        if recorded.modules.get(function.path)
        for given in _mutations(recorded.calls[function])
    )
    if not questions:
        return Asked()
    found = [await _answers(one, teller, questions, recorded, runs) for one in candidates]
    names = [one.measured.given.name for one in candidates]
    known = {name: answer for name, answer in zip(names, found, strict=True) if answer is not None}
    return Asked(questions, known, recorded.modules)


def with_behaviour(measured: Measured, asked: Asked) -> Measured:
    """The same with what it answered."""
    return replace(measured, behaviour=(asked.answers or {}).get(measured.given.name))


def _passing(one: Made) -> frozenset[str]:
    return one.measured.suite.passing if one.measured.suite is not None else frozenset()


def _functions(candidates: Sequence[Made], texts: Mapping[str, str | None]) -> list[Function]:
    """What some candidate changes."""
    found: set[Function] = set()
    for one in candidates:
        for path, before in texts.items():
            file = one.root / path
            if not path.endswith(".py") or is_tests(path) or not file.is_file():
                continue
            after = file.read_text(encoding="utf-8", errors="replace")
            found |= {Function(path, name) for name in changed_functions(before, after)}
    return sorted(found, key=lambda one: (one.path, one.name))[:_MOST_FUNCTIONS]


def _mentioning(root: Path, names: Sequence[str]) -> list[str]:
    """The test files that speak of a function. Blocks."""
    files = (file for file in sorted(root.rglob("*.py")) if is_test(file.relative_to(root).as_posix()))
    texts = ((file, file.read_text(encoding="utf-8", errors="replace")) for file in files if file.is_file())
    return [file.relative_to(root).as_posix() for file, text in texts if any(name in text for name in names)]


def _mutations(calls: Sequence[Given]) -> list[Given]:
    read = [{name: ast.literal_eval(text) for name, text in one.items()} for one in calls]
    return [{name: repr(value) for name, value in one.items()} for one in mutated(read)]


def _place(one: Made, runs: Runs) -> Place:
    return Place(one.root, one.checkout.home, runs.python, runs.closed(one.checkout))


async def _answers(
    one: Made, teller: Made, questions: Sequence[Question], recorded: Recorded, runs: Runs
) -> tuple[str | None, ...] | None:
    """A candidate's answers; modules are looked for where its own files are."""
    path = [part.replace(str(teller.checkout.files), str(one.checkout.files)) for part in recorded.path]
    by_function: dict[Function, list[Given]] = {}
    for question in questions:
        by_function.setdefault(question.function, []).append(question.given)
    rows = [(recorded.modules[row.path], row.name, given) for row, given in by_function.items()]
    return await _place(one, runs).answers(rows, path)

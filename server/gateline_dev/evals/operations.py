"""Repairs, selection of tests and retrieval of code, as functions of JSON that a suite of evals calls."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from gateline.context.chunking.cutting import cut
from gateline.context.index import Index
from gateline.context.search import Ranker, search
from gateline.context.values import Question, Want
from gateline.model import Document, Frame, Origin, Problem, Span, digest_of
from gateline.plugins import load
from gateline.repairs.budget import Budget
from gateline.repairs.loop import Job, debug, drive
from gateline.repairs.proof import Suite, Trial, Verdict
from gateline.repairs.syntax.judge import failure_of
from gateline.session.context.data import shipped_weights
from gateline.testing.coverage_map import CoverageMap
from gateline.testing.graph import ImportGraph
from gateline.testing.result import Ending, Item, Result
from gateline.testing.selection import Tests, select
from gateline.testing.staleness import Now, Staleness
from gateline.testing.trace import Executed, Trace, bits_of
from gateline_dev.library_texts import LibraryTexts


def repairs(given: Mapping[str, str]) -> str:
    """The text of a module after the repair that is offered first, empty where none holds.

    `check` is an expression that is true of a right module: it is run before, and after each repair. It
    stands for the tests, so that what only silences an error is no repair. `path` is the module's.
    """
    path, text, check = given.get("path", "shop.py"), given["text"], given["check"]
    problem = _problem(path, text, check)
    if problem is None:
        return text

    def verify(trial: Trial) -> Verdict:
        after = trial.texts[path]
        if failure_of(after) is not None:
            return Verdict(parses=False, gone=False)
        left = _problem(path, after, check)
        same = left is not None and (left.type, left.message) == (problem.type, problem.message)
        tests = Suite.FAILED if left else Suite.PASSED
        return Verdict(parses=True, gone=not same, tests=tests, mended=left is None)

    job = Job(LibraryTexts({path: text}), load().repairers, lambda path: False, Budget(lambda: 0.0))
    return dict(drive(debug(problem, job), verify).texts or {}).get(path, "")


def selection(given: Mapping[str, Any]) -> list[str]:
    """The tests that a change from `base` to `now` can affect, those first that are likeliest to fail.

    `tests` has by test the one-based lines that it executed in each file, or null where it was never
    measured; `failed` names those that failed when they ran last.
    """
    base, now, tests = given["base"], {**given["base"], **given["now"]}, given["tests"]
    known, graph = CoverageMap(), ImportGraph()
    digests = {path: digest_of(text) for path, text in base.items()}
    measured = {test: lines for test, lines in tests.items() if lines is not None}
    known.take([Trace(test, _executed(lines, digests)) for test, lines in measured.items()], digests)
    known.keep(base, digests)
    graph.update(now)
    failed = given.get("failed", [])
    results = {t: Result(t, Ending.FAILED if t in failed else Ending.PASSED, 0.1) for t in measured}
    items = [Item(test, test.partition("::")[0], 0, test.rpartition("::")[2]) for test in tests]
    there = Now({path: digest_of(text) for path, text in now.items()}, now)
    chosen = select(Tests(items, known, results), Staleness(known, graph, there), graph, given["now"])
    return [one.test for one in chosen]


def retrieval(given: Mapping[str, Any]) -> str:
    """What is found first for `words` in `files`, as `path:name`; empty where nothing is.

    `want` is what the question is after, as `tests`: code where it is left out.
    """
    index = Index()
    index.replace([cut(Document(path, text)) for path, text in given["files"].items()])
    question = Question(given["words"], want=Want(given.get("want", Want.CODE)))
    hits = search(index.view(), question, Ranker(shipped_weights()))
    return f"{hits[0].path}:{hits[0].chunk.name}" if hits else ""


def _problem(path: str, text: str, check: str) -> Problem | None:
    """What is wrong with a module; None where it does what the check asks for."""
    if failure := failure_of(text):
        at = Span.of(failure.line, 0, failure.line, 1)
        return Problem(Origin.PARSER, "GTL101", failure.message, path, at)
    names: dict[str, Any] = {"__name__": "shop"}
    try:
        exec(compile(text, path, "exec"), names)
        holds = eval(check, names)
    except Exception as error:  # noqa: BLE001 - whatever the module raises is its problem
        frames = tuple(_frames(error.__traceback__, path, text))
        message = "".join(traceback.format_exception_only(error)).strip().partition(": ")[2]
        span = frames[-1].span if frames else None
        return Problem(Origin.RUN, type(error).__name__, message, path, span, frames)
    return None if holds else Problem(Origin.RUN, "AssertionError", check, path, Span.of(0, 0, 0, 1))


def _frames(at: TracebackType | None, path: str, text: str) -> list[Frame]:
    found, lines = [], text.splitlines()
    while at is not None:
        code, line = at.tb_frame.f_code, at.tb_lineno - 1
        if code.co_filename == path:
            _, _, first, last = list(code.co_positions())[at.tb_lasti // 2]
            span = Span.of(line, first or 0, line, last or 1)
            found.append(Frame(path, line, code.co_name, lines[line].strip(), span=span))
        at = at.tb_next
    return found


def _executed(lines: Mapping[str, list[int]], digests: Mapping[str, str]) -> dict[str, Executed]:
    return {path: Executed(digests[path], bits_of(n - 1 for n in rows)) for path, rows in lines.items()}

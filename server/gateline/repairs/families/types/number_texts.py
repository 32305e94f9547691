"""Text that tells a number otherwise than meant: `int("2.5")`, `float("1,5")`, `int("ff")`, `int("$5")`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.places import Spot, spots
from gateline.repairs.priors import prior
from gateline.repairs.rules_of_files import is_test

_TOLD = re.compile(r"(?:invalid literal for int\(\) with base 10|could not convert string to float): '(.+)'")
_DECIMAL = re.compile(r"\s*[-+]?\d*\.\d*(?:[eE][-+]?\d+)?\s*")
_GROUPED = re.compile(r"\s*[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*")
_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")
_HEXADECIMAL = re.compile(r"(?:0[xX])?[0-9a-fA-F]+")
_MARKED = re.compile(r"\s*([^\d\s+-.,]*)\s*[-+]?\d[\d.,]*\s*([^\d\s.,]*)\s*")


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A text that is no number as it stands."""
    if _TOLD.search(problem.message) is None or not any(_calls(problem, knowledge)):
        return None
    return Diagnosis(problem, Family.TYPE, "number-in-text", "a number", "str")


def propose(question: Question) -> Iterator[Repair]:
    """Another conversion, or the text without what is no part of the number."""
    told = _TOLD.search(question.problem.message)
    text = told[1] if told is not None else ""
    for spot, call in _calls(question.problem, question.knowledge):
        given = spot.code.segment(call.args[0])
        for form, cost in _forms(text, given, dotted(call.func)):
            edit = spot.code.replace(call, form)
            yield from cheapest([repair(question, f"Write {form}", [edit], cost)])


def _calls(problem: Problem, knowledge: Knowledge) -> Iterator[tuple[Spot, ast.Call]]:
    for spot in [s for s in spots(problem, knowledge)[:1] if not is_test(s.code.path)]:
        for call in spot.candidates(ast.Call):
            if dotted(call.func) in {"int", "float"} and len(call.args) == 1 and not call.keywords:
                yield spot, call


def _forms(text: str, given: str, name: str) -> Iterator[tuple[str, float]]:
    """What to write for `int(given)`, by the text that it met, with what that costs."""
    if _DECIMAL.fullmatch(text) and name == "int":
        yield f"float({given})", prior("types.number-decimal")
        yield f"int(float({given}))", prior("types.number-decimal-cut")
    elif _GROUPED.fullmatch(text):
        yield f'{name}({given}.replace(",", ""))', prior("types.number-grouped")
    elif _COMMA.fullmatch(text):
        yield f'float({given}.replace(",", "."))', prior("types.number-comma")
        yield f'{name}({given}.replace(",", ""))', prior("types.number-comma-grouped")
    elif _HEXADECIMAL.fullmatch(text) and name == "int":
        yield f"int({given}, 16)", prior("types.number-hexadecimal")
    elif (marked := _MARKED.fullmatch(text)) is not None:
        before, after = marked[1], marked[2]
        if before:
            yield f'{name}({given}.strip().removeprefix("{before}"))', prior("types.number-without-prefix")
        if after:
            yield f'{name}({given}.strip().removesuffix("{after}"))', prior("types.number-without-suffix")


REPAIRER = Repairer("texts of numbers", frozenset({"ValueError"}), diagnose, propose)

"""GTL612: the product answers the inputs of its tests by hand."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gateline.analysis.modules import Module
from gateline.analysis.trees import NUMBER, constants, in_any_case, is_literal, is_value, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node, once
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.input_special_cased import CODE
from gateline.integrity.rules.input_special_cased.answer_tables import Table, tables_in
from gateline.integrity.rules.input_special_cased.case_dispatch import by_cases, subject_of
from gateline.integrity.rules.input_special_cased.grown_tables import is_as_before
from gateline.integrity.rules.input_special_cased.hand_written import expectations
from gateline.integrity.rules.input_special_cased.hidden_comparisons import asked_text, hidden, is_answer
from gateline.integrity.rules.input_special_cased.members import by_sentence
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_KEYWORD = re.compile(r"'[A-Za-z][A-Za-z_-]{0,15}'")
"""A word of the domain, as `"EUR"` or `"read-only"`, rather than data."""
_SMALL = 2
_ROW = 4
"""So many numbers one after the other are the data of somebody; fewer may be a version."""
_MOST_OF = 0.8
"""The share of a table's keys that are inputs of tests, from which on it is made for them."""
_SOME_OF = 0.3
"""The same of rows of several numbers, of which more than one is given to what answers the last."""


@dataclass(frozen=True, slots=True)
class Special:
    """Values that are asked for, and those that are then answered."""

    node: ast.AST
    asked: frozenset[str]
    answered: frozenset[str]
    function: str
    at_once: bool = False
    """Whether it is answered by a literal, and nothing else is done."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The branches and tables that are new and hold what tests hold."""
    prints = lambda hit: (f"{sorted(hit.asked)} {sorted(hit.answered)}",)  # noqa: E731
    hits = [row for row in new_in(evidence.both.product, _branches, prints) if telling(row[1].asked)]
    tables = list(new_in(evidence.both.product, tables_in, lambda table: (unparsed(table.node),)))
    wanted = frozenset().union(*(hit.asked for _, hit in hits), *(a for _, t in tables for a, _ in t.items))
    yield from once(_all(evidence, hits, tables, wanted))


def _all(
    evidence: Evidence,
    hits: Sequence[tuple[Module, Special]],
    tables: Sequence[tuple[Module, Table]],
    wanted: frozenset[str],
) -> Iterator[Finding]:
    yield from hidden(evidence.both)
    yield from by_sentence(evidence.both)
    yield from _rows(evidence.both)
    both = evidence.both
    known, cases = _functions_before(both), by_cases(both)
    # One more of several cases, and all of a function that is new, are what new tests are for.
    more = [(m, h) for m, h in hits if h.function not in known or (h.function, subject_of(h.node)) in cases]
    if tested := _tested(both.tests_now, both, telling(wanted)):
        yield from _special_branches([row for row in hits if row not in more], tested)
        before = (*both.unchanged_tests, *(old for old, _ in both.pairs.both))
        yield from _special_branches(more, _tested(before, both, telling(wanted)) if more else [])
        asked = partial(_is_asked, tested=tested)
        new = [row for row in tables if not is_as_before(row[1], both, asked)]
        yield from _special_tables(new, tested, known)
    yield from _known_answers(evidence.both, tables)


def _known_answers(both: Both, tables: Sequence[tuple[Module, Table]]) -> Iterator[Finding]:
    """Inputs, be they words or small numbers, for which a function gives what a test of the base expects."""
    prints = lambda hit: (f"{sorted(hit.asked)} {sorted(hit.answered)} {hit.function}",)  # noqa: E731
    hits = [row for row in new_in(both.product, _branches, prints) if row[1].at_once]
    wanted = frozenset().union(*(h.answered for _, h in hits), *(v for _, t in tables for _, v in t.items))
    known = expectations(both, wanted) if wanted else []
    for module, hit in hits:
        met = (one.is_met(hit.function, hit.asked, hit.answered) for one in known)
        if any(met) or any(one.is_spelt(hit.asked, hit.answered) for one in known):
            message = "hard-coded result: the value that a test expects of this input"
            yield at_node(CODE, module, hit.node, message, Weight.FLOOR)
    for module, table in tables:
        users = table.users(module) & _functions_before(both)
        held = [row for row in table.items if any(one.is_held(users, *row) for one in known)]
        told = [row for row in table.items if any(one.is_told_by(users, *row) for one in known)]
        enough = held and len(held) >= _MOST_OF * len(table.items)
        if enough or (told and len(told) >= _SOME_OF * len(table.items)):
            message = "hard-coded table of test inputs and expected results"
            yield at_node(CODE, module, table.node, message, Weight.FLOOR)


def _rows(both: Both) -> Iterator[Finding]:
    """Rows of numbers that are picked out of data, or stand in a test, and have an answer of their own."""
    found = new_in(both.product, _listed, asked_text)
    hits = [(module, node, constants(node.test)) for module, node in found]
    tested = _tested(both.tests_now, both, telling(frozenset().union(*(row for _, _, row in hits))))
    for module, node, row in hits:
        # What is given as it is may be an address or a version; what is picked out of it is looked up.
        if not _picks(node.test) and not any(row <= test for test in tested):
            continue
        message = "hard-coded result for one literal row of numbers"
        yield at_node(CODE, module, node.test, message, Weight.COUNTS)


def _picks(test: ast.expr) -> bool:
    return any(isinstance(n, ast.ListComp | ast.GeneratorExp | ast.SetComp) for n in ast.walk(test))


def _listed(module: Module) -> Iterator[ast.If]:
    for node, _ in module.owned:
        match node:
            case ast.If(test=ast.Compare(ops=[ast.Eq()]) as test, body=[*_, ast.Return()]):
                if any(map(_is_row_of_numbers, (test.left, *test.comparators))):
                    yield node


def _is_row_of_numbers(node: ast.expr) -> bool:
    """Whether numbers are listed, one by one or in pairs and the like."""
    if not isinstance(node, ast.List | ast.Tuple):
        return False
    items = [item for part in node.elts for item in (part.elts if isinstance(part, ast.Tuple) else [part])]
    numbers = [i for i in items if isinstance(i, ast.Constant) and isinstance(i.value, int | float)]
    return len({number.value for number in numbers}) > 1 and len(items) == len(numbers) >= _ROW


def _special_branches(
    hits: Sequence[tuple[Module, Special]], tested: Sequence[frozenset[str]]
) -> Iterator[Finding]:
    in_tests = Counter(hit.function for _, hit in hits if any(hit.asked <= test for test in tested))
    for module, hit in hits:
        given = telling(hit.asked)
        one_of_many = in_tests[hit.function] > 1 and any(hit.asked <= test for test in tested)
        if one_of_many or any(_fits(hit, given, test) for test in tested):
            shown = ", ".join(sorted(given))
            message = f"hard-coded result for the literal input {shown[:60]} that a test uses"
            yield at_node(CODE, module, hit.node, message, Weight.FLOOR)


def _special_tables(
    tables: Sequence[tuple[Module, Table]], tested: Sequence[frozenset[str]], known: frozenset[str]
) -> Iterator[Finding]:
    for module, table in tables:
        if _is_made_for(table.items, tested) and table.users(module) & known:
            message = "hard-coded table of test inputs and their results"
            # Days that are asked for may be all there are; no answer stands with them.
            answers = any(answered for _, answered in table.items)
            yield at_node(CODE, module, table.node, message, Weight.FLOOR if answers else Weight.COUNTS)


def _tested(tests: Sequence[Test], both: Both, wanted: frozenset[str]) -> list[frozenset[str]]:
    """For every case of every test that has one of the wanted values: all literal values in it."""
    if not wanted:
        return []
    handed = both.handed_out
    found: list[frozenset[str]] = []
    for test in tests:
        given = in_any_case(test.given.union(*(handed[name] for name in test.fixtures & handed.keys())))
        # Cheap before dear: most tests have nothing to do with it.
        if not wanted & given:
            continue
        found += [in_any_case(check.constants) for check in test.checks if check.constants]
        # What a test sets up and what it then finds is often said in several checks.
        found.append(frozenset().union(*(check.constants for check in test.checks), given))
    return [values for values in dict.fromkeys(found) if telling(values)]


def telling(values: frozenset[str]) -> frozenset[str]:
    """Those of the values that are data: not small numbers, not words of the domain."""
    return frozenset(value for value in values if not _KEYWORD.fullmatch(value) and not _is_small(value))


def _is_small(value: str) -> bool:
    if value[:1] in "'\"b":
        return len(value) <= _SMALL + 1
    try:
        return abs(float(value)) <= _SMALL
    except ValueError:
        return False


def _fits(hit: Special, given: frozenset[str], test: frozenset[str]) -> bool:
    """Whether a test has everything that is asked for, and what is answered or much that is asked."""
    if not hit.asked <= test:
        return False
    answered = hit.answered if hit.at_once else telling(hit.answered)
    answered = frozenset(value for value in answered if not _is_small(value))
    same = answered & test or _numbers(answered) & _numbers(test)
    return bool(same) or (len(given) > 1 and not answered)


def _numbers(values: frozenset[str]) -> frozenset[float]:
    """The numbers among values, however they are written: `'162.00'` is `162`."""
    written = (value.strip("'") for value in values if not _is_small(value.strip("'")))
    return frozenset(float(text) for text in written if NUMBER.fullmatch(text))


def _branches(module: Module) -> Iterator[Special]:
    for node, inside in module.owned:
        match node:
            case ast.If(test=test, body=body):
                answers = None if _is_by_part(test) and _reads(body) else _answers(body)
                yield from _branch(node.test, test, answers, inside, at_once=is_answer(body))
            case ast.IfExp(test=test, body=answer):
                yield from _branch(node, test, constants(answer) if is_value(answer) else None, inside)
            case ast.Match(cases=cases):
                for case in cases:
                    asked = frozenset().union(*(constants(n) for n in ast.walk(case.pattern)))
                    answers = _answers(case.body)
                    if asked and answers is not None and not _wild(case.pattern):
                        yield Special(case.pattern, asked, answers, inside, is_answer(case.body))


def _wild(pattern: ast.pattern) -> bool:
    return any(isinstance(n, ast.MatchAs | ast.MatchClass) for n in ast.walk(pattern))


def _branch(
    node: ast.AST, test: ast.expr, answers: frozenset[str] | None, inside: str, *, at_once: bool = True
) -> Iterator[Special]:
    asked = asked_for(test)
    if asked and answers is not None and inside:
        yield Special(node, asked, answers, inside, at_once)


def _is_by_part(test: ast.expr) -> bool:
    """Whether only the beginning or the end of an input is asked for."""
    return any(isinstance(n, ast.Call) and last_name(n) in ("startswith", "endswith") for n in ast.walk(test))


def _reads(body: Sequence[ast.stmt]) -> bool:
    """Whether an answer is worked out of something, the rest of the input for one."""
    values = (node.value for node in body if isinstance(node, ast.Return | ast.Assign) and node.value)
    return any(isinstance(n, ast.Name) for value in values for n in ast.walk(value))


def asked_for(test: ast.expr) -> frozenset[str]:
    """The literal values that something must equal; nothing, when it is not only asked for equality."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return frozenset().union(*map(asked_for, values))
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            given = right if is_value(right) else left
            return constants(given) if is_value(given) else frozenset()
        case ast.Compare(ops=[ast.In()], comparators=[right]) if is_value(right):
            return constants(right)
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[given]) if is_value(given):
            return constants(given)
        case _:
            return frozenset()


def _answers(body: Sequence[ast.stmt]) -> frozenset[str] | None:
    """The literal values that a body answers or sets; None when it does not answer by literals."""
    found: frozenset[str] = frozenset()
    literal = False
    for node in body:
        match node:
            case ast.Return(value=value) | ast.Assign(value=value):
                found |= constants(value) if value is not None else frozenset()
                literal = literal or (value is not None and bool(constants(value)))
                literal = literal or (value is not None and is_literal(value))
            case ast.Expr(value=ast.Call() as call):
                found |= constants(call)
            case _:
                return None
    return found if literal else None


def _functions_before(both: Both) -> frozenset[str]:
    bases = [pair.base for pair in both.product if pair.base]
    return frozenset(name.rpartition(".")[2] for module in bases for name, _ in module.source.scopes)


def _is_asked(table: Table, tested: Sequence[frozenset[str]]) -> bool:
    """Whether most of a table's keys are inputs of tests: all that there is, which tests go through."""
    return sum(any(row[0] <= test for test in tested) for row in table.items) >= _MOST_OF * len(table.items)


def _is_made_for(
    items: Sequence[tuple[frozenset[str], frozenset[str]]], tested: Sequence[frozenset[str]]
) -> bool:
    asked = [row for row in items if any(row[0] <= test for test in tested)]
    answered = [row for row in asked if telling(row[0]) and any(row[0] | row[1] <= test for test in tested)]
    return bool(answered) and len(asked) >= _MOST_OF * len(items)

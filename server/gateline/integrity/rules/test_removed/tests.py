"""GTL601: a test, or a case of one, is gone although what it tested is still there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import unparsed
from gateline.gates.alignment import align
from gateline.integrity.change_view import Both
from gateline.integrity.enforcement.settings import both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.documented_change import is_told
from gateline.integrity.explanations.explanation import Place
from gateline.integrity.explanations.replaced_check import is_replaced
from gateline.integrity.explanations.tables.removed_test import REMOVED_TEST, RemovedTest
from gateline.integrity.file_roles import is_collected
from gateline.integrity.findings import at_line, at_node
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.test_removed import CODE
from gateline.integrity.rules.test_removed.uncollected import is_looked_for, is_named_so
from gateline.integrity.strength.loss import Loss
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.parameters import values_in
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_LOOPS = frozenset({"asyncio", "anyio", "trio", "gen_test", "inline_callbacks"})
"""Marks that ask for whoever runs coroutines."""
_ISOLATED = "IsolatedAsyncioTestCase"


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tests and cases that are gone."""
    yield from _never_awaited(evidence)
    files: dict[str, list[Test]] = {}
    for loss in evidence.losses:
        if loss.now is not None:
            yield from _of_kept(loss, loss.now, evidence)
        elif _is_collected_otherwise(loss.base, evidence.both):
            continue
        elif _is_missed(loss, evidence) or _is_left_behind(loss.base, evidence):
            files.setdefault(loss.base.path, []).append(loss.base)
    for path, tests in sorted(files.items()):
        now = next((p.now for p in evidence.both.tests if p.base_path == path), None)
        yield from _gone(tests, now, evidence)


def _never_awaited(evidence: Evidence) -> Iterator[Finding]:
    """Tests that became coroutines for nothing: without a plug-in that is asked for, nobody runs them."""
    auto = both_tables(evidence.both)[1].get("pytest", "asyncio_mode") == "auto"
    for old, new in evidence.both.pairs.both:
        looped = _loops(old) and not _loops(new) and not auto
        if isinstance(new.node, ast.AsyncFunctionDef) and (looped or (_isolated(old) and _is_plain(new))):
            message = (
                f"coroutine test `{new.name}` is no longer run: its asyncio plug-in or base class was removed"
            )
            yield at_node(CODE, new.module, new.node, message, Weight.FLOOR)
        if isinstance(old.node, ast.FunctionDef) and isinstance(new.node, ast.AsyncFunctionDef):
            waits = any(isinstance(n, ast.Await | ast.AsyncFor | ast.AsyncWith) for n in ast.walk(new.node))
            if not waits and not any(last_name(d) in _LOOPS for d in new.node.decorator_list):
                message = f"test `{new.name}` is now a coroutine that awaits nothing, and is not run"
                yield at_node(CODE, new.module, new.node, message, Weight.FLOOR)


def _loops(test: Test) -> bool:
    return any(last_name(mark) in _LOOPS for mark in test.given_marks)


def _isolated(test: Test) -> bool:
    return _ISOLATED in _bases(test)


def _is_plain(test: Test) -> bool:
    """Whether a test is one of unittest's, which calls a coroutine and leaves it at that."""
    return "TestCase" in _bases(test) and _ISOLATED not in _bases(test)


def _bases(test: Test) -> set[str]:
    return {last_name(base) for owner in test.classes for base in owner.bases}


def _of_kept(loss: Loss, now: Test, evidence: Evidence) -> Iterator[Finding]:
    """Cases of a test that is still there, or the test itself, hidden by another one of its name."""
    hidden = _uncollected(loss.base, now.module) if loss.lost else None
    if hidden is not None and hidden is not now.node:
        message = f"test `{loss.base.name}` is hidden by a later one of the same name"
        yield at_node(CODE, now.module, hidden, message, Weight.FLOOR)
    elif rows_lost(loss):
        moved = _asked_elsewhere(evidence)
        left = tuple(
            check
            for check in loss.lost
            if not is_replaced(check, loss, evidence.product)
            and not (check.subject_text in moved and is_told(check, now, evidence.product))
        )
        if left and _rows_without_reason(loss.base, now, evidence.product):
            yield _row(left, now, rows_lost(loss))


def _asked_elsewhere(evidence: Evidence) -> frozenset[str]:
    """What tests ask for from now on, and expect the very answer of: cases with another answer go there."""
    found = (check for loss in evidence.losses for check in loss.gained if check.exact)
    pairs = evidence.both.pairs.both
    grown = (new for old, new in pairs if len(new.runs) > len(old.runs))
    rows = (check for new in grown for check in new.checks if check.exact)
    return frozenset(check.subject_text for check in (*found, *rows))


def _rows_without_reason(base: Test, now: Test, product: Product) -> bool:
    """Whether one of the rows that are gone is about nothing that the product lost."""
    kept = [values_in(run) for run in now.runs]
    gone = [row for run in base.runs if (row := values_in(run)) not in kept]
    return any(not any(map(product.lost_word, row)) for row in gone)


def rows_lost(loss: Loss) -> int:
    """How many cases of a parametrised test are gone, each with its checks; 0 when that is not why."""
    if loss.now is None or not loss.lost:
        return 0
    fewer = len(loss.base.runs) - len(loss.now.runs)
    return fewer if fewer > 0 and _body(loss.base) == _body(loss.now) else 0


def _body(test: Test) -> str:
    return test.print.split("\n", len(test.node.decorator_list))[-1]


def _is_missed(loss: Loss, evidence: Evidence) -> bool:
    test = loss.base
    if any(mark.in_force for mark in test.marks):
        return False
    place = Place(test.path, test.node.lineno, test.name)
    return not evidence.ledger.explains(REMOVED_TEST, RemovedTest(loss, evidence.product), place)


def _is_left_behind(test: Test, evidence: Evidence) -> bool:
    """Whether all of it is still written in its file, under a name that nobody looks for."""
    if any(mark.in_force for mark in test.marks) or not test.checks:
        return False
    now = next((p.now for p in evidence.both.tests if p.base_path == test.path), None)
    return now is not None and _uncollected(test, now) is not None


def _is_collected_otherwise(test: Test, both: Both) -> bool:
    """Whether a test is in a file of a name that settings tell, or in a class that a test inherits from."""
    now = [pair.now for pair in both.tests if pair.now is not None]
    named = (name for m in now for name, node in m.source.scopes if _is_same(node, test))
    if any(is_named_so(name, both) for name in named):
        return True
    for module in (module for module in now if not is_collected(module.source.path)):
        kept = next((name for name, node in module.source.scopes if _is_same(node, test)), None)
        if kept is not None:
            return is_looked_for(module.source.path, both) or _is_inherited(kept.rpartition(".")[0], both)
    return False


def _is_inherited(name: str, both: Both) -> bool:
    if not name:
        return False
    collected = (pair.now for pair in both.tests if pair.now is not None and is_collected(pair.path))
    classes = (node for module in collected for node in module.classes.values())
    return any(last_name(base) == name for node in classes for base in node.bases)


def _row(checks: Sequence[Check], now: Test, lost: int) -> Finding:
    shown = ", ".join(dict.fromkeys(check.text for check in checks[:2]))
    cases = "a case" if lost == 1 else f"{lost} cases"
    message = f"{cases} of `{now.name}` removed, but the code that it tests still exists: {shown}"
    place = now.node.decorator_list[0] if now.node.decorator_list else now.node
    return at_node(CODE, now.module, place, message, Weight.FLOOR)


def _gone(tests: list[Test], now: Module | None, evidence: Evidence) -> Iterator[Finding]:
    """One finding for each test; one for all where the whole file is gone."""
    first = tests[0]
    source = first.module.source
    if now is None:
        named = _named(tests)
        what = "it tests" if len(tests) == 1 else "they test"
        message = f"{named} removed with the file, but the code that {what} still exists"
        yield at_line(CODE, source.path, source.text, 0, message, Weight.FLOOR)
        return
    places = align(source.lines, now.source.lines).equal
    kept = {line: place for place, line in places.items()}
    for test in tests:
        node = _uncollected(test, now)
        if node is not None:
            message = f"test `{test.name}` is still defined here but no longer collected"
            yield at_node(CODE, now, node, message, Weight.FLOOR)
        else:
            line = max((kept[n] for n in range(test.node.lineno) if n in kept), default=0)
            message = f"test `{test.name}` removed, but the code that it tests still exists"
            yield at_line(CODE, now.source.path, now.source.text, line, message, Weight.FLOOR)


def _named(tests: list[Test]) -> str:
    names = ", ".join(f"`{test.name}`" for test in tests[:3])
    more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
    return f"{'test' if len(tests) == 1 else 'tests'} {names}{more}"


def _uncollected(test: Test, now: Module) -> ast.AST | None:
    """The function that is the test still, but by its name or place is no test any more."""
    return next((node for _, node in now.source.scopes if _is_same(node, test)), None)


def _is_same(node: ast.AST, test: Test) -> bool:
    return isinstance(node, Function) and "\n".join(map(unparsed, node.body)) == _body(test)

"""Keys where pairs of keys and values are meant: `for name, price in prices`, `sorted(prices, key=…)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model import Diagnosis, Family, Knowledge, Problem, Question, Repair, Repairer
from gateline.model.names import dotted
from gateline.repairs.analysis.dataflow import origins
from gateline.repairs.analysis.iteration import run_over
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.types import Kinds
from gateline.repairs.edit_builder import cheapest, repair
from gateline.repairs.locate.mismatch import MISMATCHES, Mismatch, mismatches
from gateline.repairs.priors import prior


def diagnose(problem: Problem, knowledge: Knowledge) -> Diagnosis | None:
    """A value of the wrong type."""
    found = [m for m in mismatches(problem, knowledge) if m.actual != "NoneType"]
    if not found:
        return None
    places = tuple(m.place for m in found)
    return Diagnosis(problem, Family.TYPE, "missing-conversion", "pairs", found[0].actual, places)


def propose(question: Question) -> Iterator[Repair]:
    """`.items()` of what a loop, or an order, runs over."""
    found = [m for m in mismatches(question.problem, question.knowledge) if m.actual != "NoneType"]
    yield from cheapest(r for mismatch in found for r in _Pairs(question, mismatch).repairs())


@dataclass(frozen=True)
class _Pairs:
    question: Question
    mismatch: Mismatch

    def repairs(self) -> Iterator[Repair]:
        yield from self._paired()
        yield from self._of_a_key()
        yield from self._ordered() if self.mismatch.says == "one:unpack" else ()

    def _paired(self) -> Iterator[Repair]:
        """`for name, price in prices`: keys of two letters are taken apart, and no error says so."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            code, held = origin.code, visible(origin.code, origin.node).get(dotted(origin.node))
            pair = code.parent(held.node) if held is not None and held.node is not None else None
            loop = code.parent(pair) if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None
            pairs = run_over(loop.iter) if isinstance(loop, ast.For | ast.comprehension) else None
            if pairs is None:
                continue
            known = Kinds(code, self.question.knowledge, origin.spot.seen).of(pairs)
            if known in {"dict", ""}:
                end = code.end(pairs)
                cost = (
                    prior("collections.pair-known" if known else "collections.pair")
                    + prior("shared.step") * origin.steps
                    + self.mismatch.doubt
                )
                title = f"Write {code.segment(pairs)}.items()"
                yield repair(self.question, title, [code.edit(end, end, ".items()")], cost)

    def _of_a_key(self) -> Iterator[Repair]:
        """`sorted(prices, key=lambda pair: pair[1])`: what is compared are keys, and pairs were meant."""
        node, code = self.mismatch.node, self.mismatch.spot.code
        function = code.around(node, ast.Lambda)
        keyword = None if function is None else code.parent(function)
        call = None if keyword is None else code.parent(keyword)
        is_key = isinstance(keyword, ast.keyword) and keyword.arg == "key"
        if not is_key or not isinstance(call, ast.Call) or not call.args:
            return
        pairs = run_over(call.args[0])
        is_asked = dotted(node.value if isinstance(node, ast.Subscript) else node) in {
            a.arg for a in (function.args.args if function is not None else ())
        }
        if pairs is not None and is_asked and not _is_named(node):
            end = code.end(pairs)
            title = f"Write {code.segment(pairs)}.items()"
            cost = prior("collections.pair-of-key") + self.mismatch.doubt
            yield repair(self.question, title, [code.edit(end, end, ".items()")], cost)

    def _ordered(self) -> Iterator[Repair]:
        """`rows = sorted(prices, key=…)`, before a loop over pairs of them."""
        for origin in origins(self.question.knowledge, self.mismatch.spot, self.mismatch.node):
            node, code = run_over(origin.node), origin.code
            if node is None or node is origin.node:
                continue
            is_dict = Kinds(code, self.question.knowledge, origin.spot.seen).of(node) == "dict"
            end, cost = (
                code.end(node),
                prior("collections.order-of-dict" if is_dict else "collections.order")
                + prior("shared.step") * origin.steps
                + self.mismatch.doubt,
            )
            title = f"Write {code.segment(node)}.items()"
            yield repair(self.question, title, [code.edit(end, end, ".items()")], cost)


def _is_named(node: ast.expr) -> bool:
    """Whether an item is taken by a name: that is no pair."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(index, ast.Constant) and isinstance(index.value, str)


REPAIRER = Repairer("pairs", MISMATCHES, diagnose, propose)

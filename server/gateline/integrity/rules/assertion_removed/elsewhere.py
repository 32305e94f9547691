"""GTL603 of what tests share: a function in another file that asserts for them asserts less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_collected
from gateline.integrity.findings import at_node
from gateline.integrity.rules.assertion_removed import CODE
from gateline.integrity.strength.losses import weakened
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.helper_checks import Beside, asserting_beside, followed
from gateline.model.finding import Finding, Weight


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions beside the tests that said something, and say less."""
    beside = asserting_beside(evidence.both)
    for base, now in on_both_sides(evidence.both.tests):
        if not is_collected(now.source.path):
            yield from _in_file(base, now, beside)


def _in_file(base: Module, now: Module, beside: Sequence[Beside]) -> Iterator[Finding]:
    before, after = _functions(base), _functions(now)
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if unparsed(old.node) == unparsed(new.node):
            continue
        seen = followed(old, new, beside)
        if seen is not None and (lost := weakened(old, seen)):
            message = f"test helper `{name}` no longer asserts {_shown(lost)}"
            yield at_node(CODE, now, new.node, message, Weight.FLOOR)


def _functions(module: Module) -> Mapping[str, Test]:
    """The functions, to be walked through as tests are."""
    return {
        name: Test(module, node, (owner,) if (owner := module.classes.get(name.partition(".")[0])) else ())
        for name, node in module.all_functions.items()
    }


def _shown(lost: list[Check]) -> str:
    return ", ".join(dict.fromkeys(f"`{check.text[:60]}`" for check in lost[:2]))

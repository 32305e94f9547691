"""GTL632 in code: whatever is warned of while tests run, nobody hears of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.check_switched_off import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The filters for all tests that let every warning go."""
    files = [pair for pair in evidence.both.tests if PurePosixPath(pair.path).name == "conftest.py"]
    for module, node in new_in(files, _silencing, lambda node: (unparsed(node),)):
        yield at_node(CODE, module, node, "all warnings are ignored in all tests", Weight.COUNTS)


def _silencing(module: Module) -> Iterator[ast.Call]:
    """Calls of `simplefilter("ignore")` that a hook, an automatic fixture or the module itself makes."""
    bodies = [node for node in module.body if not isinstance(node, Function | ast.ClassDef)]
    bodies += [node for node in module.functions.values() if _is_automatic(node)]
    for body in bodies:
        for node in ast.walk(body):
            if isinstance(node, ast.Call) and last_name(node) in ("simplefilter", "filterwarnings"):
                match node:
                    case ast.Call(args=[ast.Constant(value="ignore")], keywords=[]):
                        yield node


def _is_automatic(node: Function) -> bool:
    given = {k.arg for d in node.decorator_list if isinstance(d, ast.Call) for k in d.keywords}
    return node.name.startswith("pytest_") or "autouse" in given

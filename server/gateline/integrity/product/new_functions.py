"""The functions that a change brings into the product, with what pages tell of them."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.analysis.modules import Function, Module
from gateline.integrity.evidence import Evidence


def new_functions(evidence: Evidence) -> Iterator[tuple[str, Function, Module, str]]:
    """Those of a name that no function of the changed modules had.

    Each with its qualified name, its module, and what pages tell of it, or nothing.
    """
    bases = (pair.base for pair in evidence.both.product if pair.base)
    known = {name.rpartition(".")[2] for module in bases for name in module.all_functions}
    for pair in evidence.both.product:
        if pair.now is None or pair.path.endswith(".pyi"):
            continue
        for name, function in pair.now.all_functions.items():
            if function.name not in known:
                told = evidence.product.pages.promised.get(function.name, "")
                yield name, function, pair.now, told

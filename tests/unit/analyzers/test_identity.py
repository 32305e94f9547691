"""What analyzers find keeps its identity while the file is edited elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.novelty import classify
from gateline.model import Document, Finding, Inspection, Novelty, Source
from gateline.plugins import load
from support.python_texts import QUICK

ANALYZERS = {analyzer.name: analyzer for analyzer in load().analyzers}
BRANCHES = "".join(f"    if x == {n}:\n        return {n}\n" for n in range(12))
FOUND = {
    "syntax": ["x = = 1", "z = 1 2"],
    "security": ["import pickle", "a = pickle.loads(x)", "def f(x):\n    return eval(x)"],
    "secrets": ["password = 'v8Kq2LmZ-horse'", "key = 'AKIAQ3EGVL7ZTPW2XMNR'"],
    "complexity": [
        f"def f(x):\n{BRANCHES}    return 0",
        f"class A:\n  def g(self, x):\n{BRANCHES}    return 0",
    ],
    "documentation": ["def price(x):\n    return x", "class Cart:\n    size = 1"],
}
ELSEWHERE = st.lists(st.sampled_from(["", "# text", "z = 1", "import os", "_y = [\n    1,\n]"]), max_size=4)


def findings(name: str, text: str) -> tuple[Finding, ...]:
    return ANALYZERS[name].inspect(Inspection(Source(Document("a.py", text)))).findings


@pytest.mark.parametrize("name", FOUND)
@QUICK
@given(data=st.data())
def test_edits_elsewhere_change_no_identity(name: str, data: st.DataObject) -> None:
    rows = ["'''A shop.'''", *FOUND[name], "y = 2"]
    edited = ["'''A shop.'''"]
    for row in rows[1:]:
        edited += [*data.draw(ELSEWHERE), row]
    before, after = ("".join(f"{row}\n" for row in some) for some in (rows, edited))
    old, new = findings(name, before), findings(name, after)
    assert len(old) == len(new) >= 2
    lines = {"a.py": Document("a.py", before).lines}, {"a.py": Document("a.py", after).lines}
    alone = classify((), old, {}, lines[0], {}).findings
    told = classify(old, new, *lines, {})
    assert [f.identity for f in told.findings] == [f.identity for f in alone]
    assert {f.novelty for f in told.findings} == {Novelty.OLD}
    assert told.fixed == ()

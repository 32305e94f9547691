"""Which functions and names of a change are judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import CLEAN, case, changed, finding, having, part, report

from gateline.gates.evaluate import judge
from gateline.model import Dimension, Measure, Policy, State
from gateline.model.policy import Profile


def test_changed_functions_are_compared_with_their_base() -> None:
    base = "def same():\n    pass\n\ndef worse():\n    pass\n\ndef gone():\n    pass\n"
    now = "\ndef same():\n    pass\n\ndef worse():\n    return 1\n\ndef born():\n    pass\n"
    made = case(changed(base, now))
    cyclomatic = {"same": (25, 25), "worse": (12, 20), "gone": (3, None), "born": (None, 5)}
    before = tuple(Measure("cyclomatic", b, n, i) for i, (n, (b, _)) in enumerate(cyclomatic.items()) if b)
    after = tuple(Measure("cyclomatic", a, n, i) for i, (n, (_, a)) in enumerate(cyclomatic.items()) if a)
    made = having(made, report(Dimension.COMPLEXITY, measures=before), base=True)
    evaluation = judge(having(made, report(Dimension.COMPLEXITY, measures=after)))
    rows = {f.symbol: (f.complexity_before, f.complexity_after) for f in evaluation.functions}
    assert rows == {"worse": (12, 20), "born": (None, 5), "gone": (3, None)}
    # worse: best is 12, so (30 - 20) / 18; born: 1.
    assert part(evaluation, Dimension.COMPLEXITY).value == pytest.approx(100 * (10 / 18 + 1) / 2)


def test_a_moved_function_is_not_a_changed_one() -> None:
    made = case(changed(CLEAN, "", "a.py"), changed("", CLEAN, "b.py"))
    measure = report(Dimension.COMPLEXITY, measures=(Measure("cyclomatic", 25, "f"),))
    empty = report(Dimension.COMPLEXITY)
    others = [r for r in made.reports["a.py"] if r.dimension is not Dimension.COMPLEXITY]
    made = replace(
        made,
        reports={"a.py": [*others, empty], "b.py": [*others, measure]},
        base_reports={"a.py": [*others, measure], "b.py": [*others, empty]},
    )
    assert judge(made).functions == ()


def test_only_touched_public_names_are_judged() -> None:
    base = '"""M."""\n\ndef old():\n    pass\n'
    now = f"{base}\ndef new():\n    pass\n"
    docs = [Measure("documented", 1, ""), Measure("documented", 0, "old", 2)]
    made = having(case(changed(base, now)), report(Dimension.DOCUMENTATION, measures=tuple(docs)), base=True)
    docs.append(Measure("documented", 0, "new", 5))
    evaluation = judge(having(made, report(Dimension.DOCUMENTATION, measures=tuple(docs))))
    assert part(evaluation, Dimension.DOCUMENTATION).value == 0
    assert "document `new`" in [a.text for a in evaluation.decision.required_actions]


def test_a_changed_method_does_not_make_its_class_changed() -> None:
    base = "class A:\n    x = 1\n\n    def m(self):\n        return 1\n"
    docs = tuple(Measure("documented", 0, name, line) for name, line in (("A", 0), ("A.m", 3)))
    made = case(changed(base, base.replace("return 1", "return 2")))
    made = having(made, report(Dimension.DOCUMENTATION, measures=docs), base=True)
    evaluation = judge(having(made, report(Dimension.DOCUMENTATION, measures=docs)))
    assert part(evaluation, Dimension.DOCUMENTATION).detail.startswith("0 of 1 ")


def test_plain_judges_every_finding_and_every_function() -> None:
    measures = (Measure("cyclomatic", 20, "f"),)
    made = case(changed(CLEAN, f"{CLEAN}x = 1\n"), policy=Policy(profile=Profile.PLAIN))
    for base in (True, False):
        made = having(
            made,
            report(Dimension.ERRORS, finding(line=1)),
            report(Dimension.COMPLEXITY, measures=measures),
            base=base,
        )
    evaluation = judge(made)
    assert part(evaluation, Dimension.ERRORS).value == 90
    assert part(evaluation, Dimension.COMPLEXITY).state is State.MEASURED

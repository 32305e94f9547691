"""Security findings are bandit's, whatever was looked at before and is only remembered."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from typing import Any

from bandit.core.config import BanditConfig
from bandit.core.manager import _parse_nosec_comment
from bandit.core.metrics import Metrics
from bandit.core.node_visitor import BanditNodeVisitor
from bandit.core.test_set import BanditTestSet
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.analyzers.security import ANALYZER, issues
from gateline.model import Document, Inspection, Source
from gateline.security.marks import marks, over
from support.python_texts import MODULES, QUICK, STATEMENTS

Row = tuple[str, int, int, str, str, str]
TESTS = BanditTestSet(BanditConfig())


def whole(text: str) -> list[Row]:
    """What bandit says of a file with this text."""
    data = text.encode()
    tokens = tokenize.tokenize(io.BytesIO(data).readline)
    ignored: dict[int, Any] = {
        t.start[0]: _parse_nosec_comment(t.string) for t in tokens if t.type == tokenize.COMMENT
    }
    metrics = Metrics()
    metrics.begin("shop/a.py")
    visitor = BanditNodeVisitor("shop/a.py", io.BytesIO(data), None, TESTS, False, ignored, metrics)
    visitor.process(data)
    return sorted(
        (r.test_id, r.lineno - 1, r.col_offset, r.severity.lower(), r.confidence.lower(), r.text)
        for r in visitor.tester.results
    )


def ours(text: str) -> list[Row]:
    source = Source(Document("shop/a.py", text))
    known = marks(source, None, added=False)
    found = [issue for issue in issues(source) if over(known, issue.test, issue.lines) is None]
    return sorted((i.test, i.line, i.column, i.severity, i.confidence, i.text) for i in found)


@QUICK
@given(MODULES)
def test_findings_are_those_of_a_whole_file(text: str) -> None:
    assert ours(text) == whole(text)


@settings(QUICK, max_examples=25)
@given(st.lists(STATEMENTS, min_size=2, max_size=6), st.data())
def test_they_stay_so_while_the_file_is_edited(rows: Sequence[str], data: st.DataObject) -> None:
    lines = list(rows)
    for _ in range(4):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(STATEMENTS, max_size=2))
        lines = lines or ["x = 1"]
        text = "".join(f"{line}\n" for line in lines)
        assert ours(text) == whole(text)


def test_a_long_class_is_that_of_a_whole_file() -> None:
    methods = "".join(
        f"    def f{n}(self, x):\n        return eval(x)  # nosec B{n}\n\n" for n in range(290, 310)
    )
    head = "import pickle as eval\n@eval('x')\nclass A(pickle.loads('x')):\n    'doc'\n    p = '/tmp'\n"
    text = head + methods
    assert ours(text) == whole(text)


def test_passwords_are_never_told() -> None:
    text = (
        "password = 'hunter2hunter2'\nf(password='hunter2hunter2')\ndef f(password='hunter2hunter2'): ...\n"
    )
    options = {"min_severity": "low", "min_confidence": "low"}
    found = ANALYZER.inspect(Inspection(Source(Document("shop/a.py", text)), None, options)).findings
    assert len(found) == 3
    assert not any("hunter2" in finding.message for finding in found)

"""The truth harness on two made-up projects: nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline_dev.faults import shop
from gateline_dev.truth.cases import Case, Court, Row
from gateline_dev.truth.judge import Truth
from gateline_dev.truth.subjects import Subject
from gateline_dev.truth.workbench import Workbench

pytestmark = pytest.mark.deep

CORE = '''"""The longest and the shortest."""

from __future__ import annotations


def longest(words: list[str]) -> str:
    """Return the longest."""
    return max(words, key=len)


def shortest(words: list[str]) -> str:
    """Return the shortest."""
    return min(words, key=len)
'''
TESTS = """import json
from pathlib import Path

from words import longest, shortest

WORDS = json.loads(Path(__file__).with_name("words.json").read_text())


def test_longest() -> None:
    assert longest(WORDS) == "bcd"


def test_shortest() -> None:
    assert shortest(WORDS) == "a"
"""
WORDS = {
    "src/words/__init__.py": "from words.core import longest as longest, shortest as shortest\n",
    "src/words/core.py": CORE,
    "tests/words.json": '["a", "bcd"]\n',
    "tests/test_words.py": TESTS,
}


@pytest.fixture(scope="module")
def courts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Court]:
    """Both projects, each at a bench of its own."""
    first = shop.laid_out(tmp_path_factory.mktemp("shop"), {})
    folder = tmp_path_factory.mktemp("words")
    template = folder / "template"
    for path, text in WORDS.items():
        (template / path).parent.mkdir(parents=True, exist_ok=True)
        (template / path).write_text(text)
    second = Workbench(Subject("words", "src/words", "src", folder=template), folder)
    second.prepare(shop.packages(folder / "packages"))
    return {bench.subject.name: Court(bench, folder / "kept", print) for bench in (first, second)}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("project", "operator", "truth"),
    [
        ("words", "rename-function", Truth.BREAKING),
        ("words", "break-data", Truth.BREAKING),
        ("words", "raise-at-import", Truth.BREAKING),
        ("words", "add-function", Truth.HONEST),
        ("shop", "drop-return", Truth.BREAKING),
        ("shop", "add-comment", Truth.HONEST),
    ],
)
def test_the_verdict_is_true(
    project: str, operator: str, truth: Truth, courts: dict[str, Court], tmp_path: Path
) -> None:
    row: Row = courts[project].hear(Case(project, operator, 0))
    assert row.truth == truth
    assert row.violation == "", row

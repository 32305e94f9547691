"""What a change of fixtures does to tests that it does not touch."""

from __future__ import annotations

import pytest

from gateline.model import Level
from gateline.session.check import Selection, check
from support.repositories import Repository

PRODUCT = '''"""Names."""


def mean(rows: list[float]) -> float:
    """The mean."""
    return sum(rows) / len(rows)
'''
TESTS = "from names import mean\n\n\ndef test_mean():\n    assert mean([1, 3]) == 2\n"
PATCHED = """import pytest


@pytest.fixture(autouse=True)
def given(monkeypatch):
    monkeypatch.setattr("names.mean", lambda rows: 2)
"""


@pytest.mark.parametrize(("folder", "found"), [("tests/", True), ("other/", False), ("", True)])
async def test_a_fixture_that_replaces_what_unchanged_tests_call(
    repository: Repository, folder: str, found: bool
) -> None:
    repository.commit(**{"names.py": PRODUCT, "tests/test_names.py": TESTS})
    repository.write(f"{folder}conftest.py", PATCHED)
    off = {"types.enabled": False, "tests.enabled": False}
    evaluation = (await check(repository.folder, Selection(), Level.FINAL, overrides=off)).evaluation
    assert any(finding.code == "GTL606" for finding in evaluation.findings) is found

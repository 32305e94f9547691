"""Candidates that each bring their own tests: these run on the others too."""

import json
import sys

import pytest
from click.testing import CliRunner

from gateline.cli.compare import compare
from support.repositories import Repository

BASE = {
    "pyproject.toml": "[tool.gateline.types]\nenabled = false\n",
    "sums.py": "def total(values):\n    raise NotImplementedError\n\n\ndef kept():\n    return 1\n",
    "test_kept.py": "from sums import kept\n\n\ndef test_kept():\n    assert kept() == 1\n",
}
TEST = "from sums import total\n\n\ndef test_total():\n    assert total({}) == {}\n"
AT_BASE = '\n\ndef test_name():\n    assert total.__name__ == "total"\n'


@pytest.fixture
def project(repository: Repository, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    repository.commit("base", **BASE)
    return repository


def branch(project, name, body, test, file="test_total.py"):
    project.git("checkout", "-q", "-b", name, "main")
    code = BASE["sums.py"].replace("    raise NotImplementedError\n", f"    {body}\n")
    project.commit(name, **{"sums.py": code, file: test})
    project.git("checkout", "-q", "main")


def asked(*names):
    return CliRunner().invoke(compare, [*names, "--python", sys.executable, "--output", "json"])


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_who_agrees_with_the_tests_of_another_wins(project):
    branch(project, "a", "return sum(values)", TEST.format("[1, 2]", 3) + AT_BASE)
    branch(project, "b", "return sum(list(values))", TEST.format("[2, 3]", 5), "test_mine.py")
    branch(project, "c", "return len(values)", TEST.format("[7]", 1))
    done = asked("a", "b", "c")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["ranking"]["winner"] == "a"
    assert "behavioural agreement" in found["ranking"]["why"]
    pairs = {(one["author"], one["candidate"]): (one["passed"], one["failed"]) for one in found["exchanged"]}
    test, mine = ["test_total.py::test_total"], ["test_mine.py::test_total"]
    assert pairs == {
        ("a", "b"): (test, []),
        ("a", "c"): ([], test),
        ("b", "a"): (mine, []),
        ("b", "c"): ([], mine),
        ("c", "a"): ([], test),
        ("c", "b"): ([], test),
    }
    assert all(not row["blocked"] for row in found["ranking"]["rows"])

"""`gateline compare` through its own door."""

import json
import sys

import pytest
from click.testing import CliRunner

from gateline.cli.compare import compare
from support.repositories import Repository

PROJECT = {
    "pyproject.toml": "[tool.gateline.types]\nenabled = false\n",
    "median.py": "def median(values):\n    raise NotImplementedError\n\n\ndef kept():\n    return 1\n",
    "test_median.py": """\
import pytest
from median import kept, median


def test_kept():
    assert kept() == 1


@pytest.mark.parametrize("values, middle", [([3], 3), ([1, 9, 2], 2), ([1, 2], 1.5), ([4, 1, 3, 2], 2.5)])
def test_median(values, middle):
    assert median(values) == middle
""",
}
RIGHT = """\
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
"""
ODD_ONLY = "    return sorted(values)[len(values) // 2]\n"
LIBRARY = "    import statistics\n    return statistics.median(values)\n"
NO_DOUBLES = """\
    ordered = sorted(set(values))
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2
"""


@pytest.fixture
def project(repository: Repository, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    repository.commit("base", **PROJECT)
    text = PROJECT["median.py"]
    branches = {
        "right": text.replace("    raise NotImplementedError\n", RIGHT),
        "odd-only": text.replace("    raise NotImplementedError\n", ODD_ONLY),
        "library": text.replace("    raise NotImplementedError\n", LIBRARY),
        "no-doubles": text.replace("    raise NotImplementedError\n", NO_DOUBLES),
        "broken": text.replace("return 1", "return 2"),
        "unfinished": text + "def half(:\n",
    }
    for name, changed in branches.items():
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(name, **{"median.py": changed})
    repository.git("checkout", "-q", "main")
    return repository


def asked(*arguments):
    return CliRunner().invoke(compare, [*arguments, "--python", sys.executable])


def test_the_one_that_passes_all_tests_wins(project):
    done = asked("odd-only", "right")
    assert done.exit_code == 0, done.output
    assert (
        "visible tests: right has 4 of 4 tests of the task, odd-only 2 of 4 tests of the task" in done.stdout
    )
    assert "- fails 2 of 4 tests of the task" in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_behaves_alike_wins_and_the_others_are_told_why(project):
    names = ("odd-only", "right", "library", "no-doubles", "broken", "unfinished", "nobody")
    done = asked(*names, "--output", "json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    ranking = found["ranking"]
    assert ranking["winner"] == "library"
    assert ranking["why"] == "behavioural agreement: library has 33%, no-doubles 0%; equally good: right"
    assert [row["name"] for row in ranking["rows"][:4]] == ["library", "right", "no-doubles", "odd-only"]
    assert set(found["difference"]["answers"]) == {"library", "right", "no-doubles"}
    assert "from median import median" in found["difference"]["test"]
    blocked = {row["name"]: [one["check"] for one in row["blocked"]] for row in ranking["rows"]}
    assert {name: checks for name, checks in blocked.items() if checks} == {
        "broken": ["tests"],
        "unfinished": ["parses"],
    }
    assert [one["name"] for one in found["leftOut"]] == ["nobody"]
    assert "nobody is not a branch" in done.stderr


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "candidates named: 0; give 2 to 16 different ones"),
        (("right",), "candidates named: 1; give 2 to 16 different ones"),
        (("right", "right"), "candidates named: 1; give 2 to 16 different ones"),
        (("right", "nobody"), "only 1 of the candidates can be compared (nobody: nobody is not a branch"),
        (("right", "odd-only", "--base", "nobody"), "base 'nobody' names no commit here"),
    ],
)
def test_mistakes_are_told(project, names, message):
    done = asked(*names)
    assert done.exit_code == 2
    assert message in done.output

"""What a file is to the gate, told by its path: tests, the product, configuration, pipelines, documents."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "checks", "spec", "specs"})
_COLLECTED = re.compile(r"tests?|tests?_.*|.*_tests?|checks?_.*", re.IGNORECASE)
_CONFIGURATION = frozenset(
    {
        "pyproject.toml",
        "gateline.toml",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        ".coveragerc",
        ".flake8",
        "mypy.ini",
        ".mypy.ini",
        "ruff.toml",
        ".ruff.toml",
        "pylintrc",
        ".pylintrc",
        ".pylintrc.toml",
        ".bandit",
        "pyrightconfig.json",
        "codecov.yml",
        ".codecov.yml",
    }
)
_PIPELINES = frozenset(
    {
        ".gitlab-ci.yml",
        ".gitlab-ci.yaml",
        "azure-pipelines.yml",
        ".travis.yml",
        "bitbucket-pipelines.yml",
        "appveyor.yml",
        ".appveyor.yml",
        ".drone.yml",
        ".woodpecker.yml",
        ".pre-commit-config.yaml",
        ".pre-commit-config.yml",
        "jenkinsfile",
        "makefile",
        "gnumakefile",
        "justfile",
        "taskfile.yml",
        "taskfile.yaml",
    }
)
_PIPELINE_FOLDERS = (".github/workflows", ".github/actions", ".circleci", ".ci", ".woodpecker", ".buildkite")
_ROWS = frozenset({".json", ".jsonl", ".csv", ".tsv"})
_EXPECTED_FOLDERS = frozenset(
    {"golden", "goldens", "snapshots", "snapshot", "__snapshots__", "expected", "approved", "baselines"}
)
_EXPECTED = (".ambr", ".snap", ".golden", ".expected", ".approved", ".approved.txt")
_SAMPLES = frozenset({"samples", "sample", "testdata", "test_data", "fixtures", "references", "cassettes"})
"""Folders, wherever they lie, of what tests read."""
_READ = frozenset({"data", "testdata", "test_data", "samples"}) | _EXPECTED_FOLDERS
"""Such folders among the tests whose code is data, too."""
_TEXTS = _ROWS | {".txt", ".out", ".xml", ".html", ".yaml", ".yml", ".svg", ".sql", ".log", ".md", ".rst"}
_DOCUMENTS = frozenset({".md", ".rst", ".txt", ".adoc"})
_CHANGES = re.compile(r"change|news|history|release", re.IGNORECASE)
_EXAMPLES = frozenset({"doc", "docs", "example", "examples", "demo", "demos", "benchmarks", "bench"})
_TOOLS = frozenset({"setup.py", "noxfile.py", "tasks.py", "fabfile.py"})


def is_test(path: str) -> bool:
    """Whether a file belongs to the tests: it holds some, or lies among them."""
    parts = PurePosixPath(path)
    return is_collected(path) or parts.name == "conftest.py" or _lies_in_tests(parts)


def is_collected(path: str) -> bool:
    """Whether a runner looks for tests in a file, by its name."""
    parts = PurePosixPath(path)
    return parts.suffix == ".py" and _COLLECTED.fullmatch(parts.stem) is not None


def is_product(path: str) -> bool:
    """Whether a file is what tests are about."""
    parts = PurePosixPath(path)
    if parts.suffix not in (".py", ".pyi", ".pyw") or is_test(path) or parts.name in _TOOLS:
        return False
    return _EXAMPLES.isdisjoint(parts.parts[:-1])


def is_configuration(path: str) -> bool:
    """Whether a file tells test runners, linters and gateline what to do."""
    return PurePosixPath(path).name in _CONFIGURATION


def is_sample_code(path: str) -> bool:
    """Whether a file is code that tests read, and neither run nor import: `tests/data/nested.py`."""
    parts = PurePosixPath(path)
    inside = _lies_in_tests(parts) and not _READ.isdisjoint(part.lower() for part in parts.parts[:-1])
    return inside and not is_collected(path) and parts.name not in ("conftest.py", "__init__.py")


def is_pipeline(path: str) -> bool:
    """Whether a file calls the checks: continuous integration, hooks, makefiles, scripts."""
    parts = PurePosixPath(path)
    named = parts.name.lower() in _PIPELINES or parts.suffix in (".sh", ".bash")
    return named or path.startswith(tuple(f"{folder}/" for folder in _PIPELINE_FOLDERS))


def is_document(path: str) -> bool:
    """Whether a file is written for people: a page, or a list of changes."""
    parts = PurePosixPath(path)
    if is_expected(path) or (parts.suffix == ".txt" and _lies_in_tests(parts)):
        return False
    return parts.suffix in _DOCUMENTS or (not parts.suffix and bool(_CHANGES.search(parts.name)))


def is_test_data(path: str) -> bool:
    """Whether a file holds rows that tests read: it lies among them."""
    parts = PurePosixPath(path)
    return parts.suffix in _ROWS and _lies_in_tests(parts)


def is_expected(path: str) -> bool:
    """Whether a file holds what tests expect of an output: a golden file, a snapshot."""
    parts = PurePosixPath(path)
    folders = [part.lower() for part in parts.parts[:-1]]
    kept = path.endswith(_EXPECTED) or not _EXPECTED_FOLDERS.isdisjoint(folders)
    return kept and parts.suffix != ".py" and (path.endswith(_EXPECTED) or _lies_in_tests(parts))


def is_sample(path: str) -> bool:
    """Whether a file may hold what tests give or expect, although it does not lie among them."""
    parts = PurePosixPath(path)
    folders = [part.lower() for part in parts.parts[:-1]]
    kept = not _SAMPLES.isdisjoint(folders) or ("data" in folders and _lies_in_tests(parts))
    return parts.suffix in _TEXTS and kept


def _lies_in_tests(parts: PurePosixPath) -> bool:
    return not _TEST_FOLDERS.isdisjoint(parts.parts[:-1])


def is_watched(path: str) -> bool:
    """Whether a file that is not Python says how Python is judged, or what it should do."""
    return is_configuration(path) or is_pipeline(path) or is_document(path) or is_data(path)


def is_data(path: str) -> bool:
    """Whether a file is no code, and tests read from it what they give or expect."""
    return is_test_data(path) or is_expected(path) or is_sample(path)

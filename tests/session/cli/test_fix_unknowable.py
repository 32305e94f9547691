"""`gateline fix --write` writes nothing where nobody can know what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from support.repositories import Repository
from support.unknowable import Mistake, mistakes

pytestmark = pytest.mark.deep

_TOGETHER = 10
"""Texts of one project."""


@pytest.fixture
def project(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Repository:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(repository.folder)
    repository.commit("begin", **{"README.md": "Texts.\n"})
    return repository


def written(project: Repository, texts: dict[str, str]) -> tuple[Result, dict[str, str]]:
    """What `fix --write` says of texts, and those that it changed."""
    for path, text in texts.items():
        project.write(path, text)
    result = CliRunner().invoke(main, ["fix", "--write", *texts], prog_name="gateline")
    now = {path: (project.folder / path).read_text(encoding="utf-8") for path in texts}
    return result, {path: text for path, text in now.items() if text != texts[path]}


def refused(project: Repository, some: list[Mistake]) -> None:
    result, changed = written(project, {one.path: one.wrong for one in some})
    assert (changed, result.exit_code) == ({}, 1), result.output
    told = [line for line in result.output.splitlines() if line.startswith(("not repaired", "not certain"))]
    missing = [
        one for one in some if not any(row.partition(":")[2].startswith(f" {one.path}:") for row in told)
    ]
    assert [(one.path, one.hint) for one in missing] == []


def test_what_nobody_can_know_is_not_written(project: Repository) -> None:
    refused(project, list(mistakes(4, seed=1)))


def test_what_the_text_itself_tells_is(project: Repository) -> None:
    (known,) = mistakes(1, seed=2)
    text = known.wrong.rpartition("\n\n\n")[0]
    right = f"{text}\n\n\nNUMBER_OF_TEXTS = 3\nMADE = NUMBER_OF_TEXTS + 1\n"
    result, changed = written(project, {known.path: right.replace("TEXTS + 1", "TXETS + 1")})
    assert (changed, result.exit_code) == ({known.path: right}, 0), result.output


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(10))
def test_of_a_hundred_texts_none_is_written(project: Repository, part: int) -> None:
    some = list(mistakes(100, seed=3))
    refused(project, some[part * _TOGETHER : (part + 1) * _TOGETHER])

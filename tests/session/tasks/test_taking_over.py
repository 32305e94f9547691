"""What an editor writes of what somebody else made: texts alone, and nothing in the place of a link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gateline.session.tasks.recording.journal import Journal
from gateline.session.tasks.recording.rollback import Seen
from gateline.session.tasks.recording.taking_over import Other, take_over
from gateline.session.workspace.git import Git
from gateline.settings import Settings
from support.repositories import Repository

LINKED = "it is, or is to be, a symbolic link, which is not written; make or remove it yourself"


def make(folder: Path) -> None:
    (folder / "new.py").symlink_to("a.py")


def turn(folder: Path) -> None:
    (folder / "b.py").unlink()
    (folder / "b.py").symlink_to("a.py")


def lead_elsewhere(folder: Path) -> None:
    (folder / "link.py").unlink()
    (folder / "link.py").symlink_to("b.py")


def put_in_its_place(folder: Path) -> None:
    (folder / "link.py").unlink()
    (folder / "link.py").write_text("LINK = 1\n")


def remove(folder: Path) -> None:
    (folder / "link.py").unlink()


@pytest.mark.parametrize("do", [make, turn, lead_elsewhere, put_in_its_place, remove])
def test_a_symbolic_link_is_left_alone(
    repository: Repository, tmp_path: Path, do: Callable[[Path], None]
) -> None:
    folder = repository.folder
    (folder / "link.py").symlink_to("a.py")
    repository.commit("base", **{"a.py": "A = 1\n", "b.py": "B = 1\n"})
    repository.git("checkout", "-q", "-b", "other")
    do(folder)
    repository.commit("other", **{"a.py": "A = 2\n"})
    repository.git("checkout", "-q", "main")
    before, after = (repository.git("rev-parse", f"{name}^{{tree}}") for name in ("main", "other"))

    journal = Journal(folder, Settings(), Git.find(folder), folder=tmp_path / "state")
    made = take_over(journal, Other(before, after, "other", "some command"), {}, Seen((), ()))
    assert {path: rewrite.after for path, rewrite in made.rewrites.items()} == {"a.py": "A = 2\n"}
    (left,) = (step for step in made.steps if step.conflict)
    assert (left.path in ("new.py", "b.py", "link.py"), left.conflict) == (True, LINKED)

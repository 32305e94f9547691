"""Which files a change holds, with the right text on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.model import Change, Document, FileStatus
from gateline.session.base import resolve
from gateline.session.changes import Collector, Selection, overlay
from gateline.session.git import Git
from repositories import Repository

LONG = "".join(f"value_{n} = {n}\n" for n in range(20))


def collect(repository: Repository, **selection: object) -> Change:
    git = Git.find(repository.folder)
    collector = Collector(repository.folder, git, 1000, ("generated/",))
    return collector.collect(resolve(git, None), Selection(**selection))


def rows(change: Change) -> list[tuple[str, str]]:
    return [(f.path, f.status.value) for f in change.files]


def test_worktree_staged_and_untracked_files_are_the_change(repository: Repository) -> None:
    repository.commit("base", **{"same.py": "a = 1\n", "edited.py": "a = 1\n", "gone.py": "b = 1\n"})
    repository.write("edited.py", "a = 2\n")
    repository.write("pkg/fresh.py", "c = 1\n")
    (repository.folder / "gone.py").unlink()
    change = collect(repository)
    assert rows(change) == [("edited.py", "modified"), ("gone.py", "deleted"), ("pkg/fresh.py", "added")]
    edited = change.files[0]
    assert edited.base is not None and edited.current is not None
    assert (edited.base.text, edited.current.text) == ("a = 1\n", "a = 2\n")


def test_a_clean_tree_is_no_change_even_when_times_moved(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    repository.write("a.py", "a = 1\n")
    assert collect(repository).files == ()


def test_ignored_excluded_and_other_files_stay_out(repository: Repository) -> None:
    repository.commit("base", **{".gitignore": "secret.py\n"})
    for path in ("secret.py", "generated/code.py", "notes.md", ".venv/lib/x.py"):
        repository.write(path, "x = 1\n")
    assert collect(repository).files == ()


def test_staged_is_the_index_exactly(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    repository.write("a.py", "a = 2\n")
    repository.git("add", "a.py")
    repository.write("a.py", "a = 3\n")
    repository.write("untracked.py", "u = 1\n")
    (staged,) = collect(repository, staged=True).files
    assert staged.current is not None and staged.current.text == "a = 2\n"


def test_a_renamed_file_keeps_its_base(repository: Repository) -> None:
    repository.commit("base", **{"old.py": LONG})
    repository.git("mv", "old.py", "new.py")
    repository.write("new.py", LONG + "more = 1\n")
    (row,) = collect(repository).files
    assert (row.path, row.status) == ("new.py", FileStatus.RENAMED)
    assert row.base is not None and row.base.path == "old.py"


def test_paths_narrow_the_change(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n", "pkg/b.py": "b = 1\n", "pkgs/c.py": "c = 1\n"})
    for path in ("a.py", "pkg/b.py", "pkgs/c.py"):
        repository.write(path, "x = 2\n")
    assert rows(collect(repository, paths=("pkg",))) == [("pkg/b.py", "modified")]


def test_all_takes_every_file_as_new(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    assert rows(collect(repository, all=True)) == [("a.py", "added")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = '" + b"y" * 2000 + b"'\n", "is over max-file-size"),
        (b"x = '\xff'\n", "cannot be decoded as utf-8: byte 0xff at 5"),
        (b"# coding: no-such-codec\nx = 1\n", "unknown encoding"),
    ],
)
def test_what_cannot_be_read_is_said(repository: Repository, data: bytes, reason: str) -> None:
    repository.commit("base")
    repository.write("odd.py", data)
    (row,) = collect(repository).files
    assert row.current is None
    assert reason in row.skipped


def test_a_declared_encoding_is_honoured(repository: Repository) -> None:
    repository.commit("base")
    repository.write("latin.py", b"# -*- coding: latin-1 -*-\nname = '\xe9'\n")
    (row,) = collect(repository).files
    assert row.current is not None and "'é'" in row.current.text


def test_a_folder_inside_a_repository_sees_its_own_files(repository: Repository) -> None:
    repository.commit("base", **{"app/a.py": "a = 1\n", "other/b.py": "b = 1\n"})
    repository.write("app/a.py", "a = 2\n")
    repository.write("other/b.py", "b = 2\n")
    git = Git.find(repository.folder / "app")
    change = Collector(repository.folder / "app", git, 1000).collect(resolve(git, None), Selection())
    assert rows(change) == [("a.py", "modified")]
    base = change.files[0].base
    assert base is not None and base.text == "a = 1\n"


def test_names_with_spaces_and_other_scripts_work(repository: Repository) -> None:
    repository.commit("base", **{"häuser und tür.py": "a = 1\n"})
    repository.write("häuser und tür.py", "a = 2\n")
    assert rows(collect(repository)) == [("häuser und tür.py", "modified")]


def test_open_buffers_lie_over_the_files(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n", "b.py": "b = 1\n"})
    repository.write("a.py", "a = 2\n")
    change = collect(repository)
    reverted = Document("a.py", "a = 1\n", 7)
    typed = Document("b.py", "b = 2\n", 3)
    laid = overlay(change, {"b.py": Document("b.py", "b = 1\n")}, {"a.py": reverted, "b.py": typed})
    assert rows(laid) == [("b.py", "modified")]
    assert laid.files[0].current == Document("b.py", "b = 2\n"), "a buffer and a saved file are judged alike"


def test_nothing_of_the_repository_is_run_or_written(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n", ".gitattributes": "*.py filter=evil diff=evil\n"})
    trap = repository.folder / "ran"
    programs = (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.external",
    )
    for key in programs:
        repository.git("config", key, f"touch {trap}; cat")
    repository.write("a.py", "a = 2\n")
    index = (repository.folder / ".git" / "index").read_bytes()
    assert rows(collect(repository)) == [("a.py", "modified")]
    assert not trap.exists()
    assert (repository.folder / ".git" / "index").read_bytes() == index


def test_without_git_all_files_are_found_by_walking(tmp_path: Path, quiet_git: None) -> None:
    for path in ("a.py", "pkg/b.pyi", "node_modules/c.py", "d.txt"):
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("x = 1\n")
    assert Collector(tmp_path, None, 1000).project_files() == ["a.py", "pkg/b.pyi"]

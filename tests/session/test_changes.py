"""Which files a change holds, with the right text on both sides."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gateline.git import GitError
from gateline.model import Change, Document, FileStatus
from gateline.session.workspace import contents
from gateline.session.workspace.base import Base, resolve
from gateline.session.workspace.changes import Collector, Selection, overlay
from gateline.session.workspace.git import Git
from support.repositories import Repository

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


@pytest.mark.parametrize("text", ["a = 1\n", "a = 2\n"])
def test_a_file_that_only_left_the_index_is_there(repository: Repository, text: str) -> None:
    """Taken out of the index, or renamed in it and written again under its old name."""
    repository.commit("base", **{"kept.py": "a = 1\n", "gone.py": "b = 1\n"})
    repository.git("rm", "--quiet", "--cached", "kept.py", "gone.py")
    repository.write("kept.py", text)
    (repository.folder / "gone.py").unlink()
    changed = [] if text == "a = 1\n" else [("kept.py", "modified")]
    assert rows(collect(repository)) == [("gone.py", "deleted"), *changed]
    assert rows(collect(repository, staged=True)) == [("gone.py", "deleted"), ("kept.py", "deleted")]


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


@pytest.mark.parametrize("opened", [["old.py"], ["old.py", "new.py"], ["new.py"]])
def test_a_file_renamed_under_its_open_document_is_there_twice(
    repository: Repository, opened: list[str]
) -> None:
    """Twin: where only the new name is open, it is the old file."""
    repository.commit("base", **{"old.py": LONG})
    repository.git("mv", "old.py", "new.py")
    edited = {path: Document(path, LONG + "x = 1\n") for path in opened}
    base = Document("old.py", LONG)
    over = overlay(collect(repository), dict.fromkeys(opened, base), edited)
    twice = [("new.py", "added"), ("old.py", "modified")]
    assert rows(over) == (twice if "old.py" in opened else [("new.py", "renamed")])


OTHER = LONG.replace("=", ":int =").replace("\n", "  # other\n")


@pytest.mark.parametrize("saved", [LONG, OTHER], ids=["saved alike", "saved as another"])
@pytest.mark.parametrize("typed", [LONG + "x = 1\n", OTHER + "x = 1\n"], ids=["alike", "as another"])
def test_a_buffer_is_a_renamed_file_by_its_own_text(repository: Repository, saved: str, typed: str) -> None:
    repository.commit("base", **{"old.py": LONG, "apart.py": "apart = 1\n"})
    (repository.folder / "old.py").unlink()
    (repository.folder / "apart.py").unlink()
    repository.write("new.py", saved)
    change = collect(repository)
    over = overlay(change, {}, {"new.py": Document("new.py", typed)})
    repository.write("new.py", typed)
    assert rows(over) == rows(collect(repository)), "as when it is saved"
    assert [row.base for row in over.files] == [row.base for row in collect(repository).files]


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


def others(change: Change) -> list[tuple[str, str, str]]:
    return [(f.path, f.status.value, f.skipped or f.base_skipped) for f in change.others]


def test_every_file_that_is_not_ignored_belongs_to_the_change(repository: Repository) -> None:
    repository.commit(
        "base",
        **{
            ".gitignore": "*.log\n",
            "data.json": "1\n",
            "gone.csv": "a\n",
            "old.html": LONG,
            "same.txt": "s\n",
            "run": "#!/bin/sh\n",
        },
    )
    repository.write("data.json", "2\n")
    repository.git("mv", "old.html", "new.html")
    (repository.folder / "gone.csv").unlink()
    (repository.folder / "run").chmod(0o755)
    (repository.folder / "link.py").symlink_to("nowhere.py")
    repository.write(".env", "TOKEN=1\n")
    repository.write("logo.png", b"\x89PNG\0\0")
    repository.write("big.bin", b"0" * 2000)
    for ignored in ("ignored.log", "generated/table.csv", "node_modules/x.js"):
        repository.write(ignored, "x\n")
    change = collect(repository)
    assert change.files == ()
    assert others(change) == [
        (".env", "added", ""),
        ("big.bin", "added", "0.0 MB is over max-file-size (0.0 MB)"),
        ("data.json", "modified", ""),
        ("gone.csv", "deleted", ""),
        ("link.py", "added", "a symbolic link"),
        ("logo.png", "added", "binary"),
        ("new.html", "renamed", ""),
        ("run", "modified", ""),
    ]


def test_staged_files_of_all_kinds_are_those_of_the_index(repository: Repository) -> None:
    repository.commit("base", **{"data.json": "1\n", "logo.png": "\0a"})
    repository.write("data.json", "2\n")
    repository.write("logo.png", "\0b")
    repository.git("add", "--all")
    repository.write("data.json", "3\n")
    repository.write("more.csv", "x\n")
    change = collect(repository, staged=True)
    assert others(change) == [("data.json", "modified", ""), ("logo.png", "modified", "binary")]
    assert change.others[0].current is not None and change.others[0].current.text == "2\n"


def test_files_written_again_with_the_same_bytes_are_no_change(repository: Repository) -> None:
    texts: dict[str, str] = {"a.json": "1\n", "b.bin": "\0", "c.dat": "x" * 2000}
    repository.commit("base", **texts)
    (repository.folder / "link").symlink_to("a.json")
    repository.commit("link")
    for path, text in texts.items():
        repository.write(path, text)
    (repository.folder / "link").unlink()
    (repository.folder / "link").symlink_to("a.json")
    assert collect(repository).is_empty
    repository.write("c.dat", "y" * 2000)
    assert [f.path for f in collect(repository).others] == ["c.dat"]


def test_line_ends_that_git_converts_are_no_change(repository: Repository) -> None:
    repository.commit("base", **{".gitattributes": "*.txt text eol=crlf\n", "a.txt": "1\n", "b.csv": "1\n"})
    repository.write("a.txt", "1\r\n")
    repository.write("b.csv", "1\r\n")
    assert [f.path for f in collect(repository).others] == ["b.csv"]


def test_a_file_that_lfs_keeps_is_compared_by_its_content(repository: Repository) -> None:
    name = hashlib.sha256(b"weights").hexdigest()
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{name}\nsize 7\n"
    repository.commit("base", **{"model.bin": pointer})
    repository.write("model.bin", "weights")
    assert collect(repository).is_empty
    repository.write("model.bin", "\0others")
    assert others(collect(repository)) == [("model.bin", "modified", "binary")]


def test_a_binary_file_is_known_under_its_new_name(repository: Repository) -> None:
    repository.commit("base", **{"old.png": "\0picture"})
    repository.git("mv", "old.png", "new.png")
    assert others(collect(repository)) == [("new.png", "renamed", "binary")]


def test_texts_in_other_encodings_are_read(repository: Repository) -> None:
    repository.commit("base")
    repository.write("settings.ini", "key = é\n".encode("latin-1"))
    repository.write("windows.env", "KEY=é\n".encode("utf-16"))
    texts = {f.path: f.current.text for f in collect(repository).others if f.current}
    assert texts == {"settings.ini": "key = é\n", "windows.env": "KEY=é\n"}


def test_a_mode_and_a_byte_order_mark_are_changes_of_python_files(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n", "b.py": "b = 1\n"})
    (repository.folder / "a.py").chmod(0o755)
    repository.write("b.py", b"\xef\xbb\xbfb = 1\n")
    change = collect(repository)
    assert rows(change) == [("a.py", "modified"), ("b.py", "modified")]
    assert all(
        f.base is not None and f.current is not None and f.base.text == f.current.text for f in change.files
    )


def test_repositories_inside_are_named(repository: Repository) -> None:
    repository.commit("base")
    repository.write("vendored/x.py", "x = 1\n")
    Repository(repository.folder / "vendored").git("init", "--quiet")
    change = collect(repository)
    assert (change.files, others(change)) == ((), [("vendored", "added", "a nested git repository")])


def test_all_takes_files_of_all_kinds(repository: Repository) -> None:
    repository.commit("base", **{"data.json": "1\n"})
    assert others(collect(repository, all=True)) == [("data.json", "added", "")]


def test_of_very_many_files_the_first_are_read(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "_MOST", 2)
    repository.commit("base", **{f"{n}.csv": "a\n" for n in range(4)})
    for n in range(4):
        repository.write(f"{n}.csv", "b\n")
    repository.write("pytest.ini", "[pytest]\n")
    change = collect(repository)
    assert [bool(f.current and f.base) for f in change.others[:4]] == [True, True, False, False]
    assert change.others[3].skipped == contents.IS_UNCOUNTED
    assert change.others[4].current is not None, "what says how Python is judged is always read"


def test_what_a_partial_clone_has_not_is_told(repository: Repository, tmp_path: Path) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    repository.git("switch", "--quiet", "--create", "mine")
    repository.commit("mine", **{"a.py": "a = 2\n"})
    repository.git("config", "uploadpack.allowFilter", "true")
    options = ("--filter=blob:none", "--branch=mine", repository.folder.as_uri())
    repository.git("clone", "--quiet", *options, str(tmp_path / "clone"))
    clone = Repository(tmp_path / "clone")
    git = Git.find(clone.folder)
    assert git is not None
    base = git.commit("origin/main") or ""
    with pytest.raises(GitError, match="the clone is partial"):
        Collector(clone.folder, git, 1000).collect(Base(base, "main"), Selection())


def test_objects_are_read_from_git_once(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    repository.write("a.py", "a = 2\n")
    git = Git.find(repository.folder)
    assert git is not None
    collector, base = Collector(repository.folder, git, 1000), resolve(git, None)
    first, asked = collector.collect(base, Selection()), list[str]()
    monkeypatch.setattr(Git, "_run", _noting(Git._run, asked))
    assert collector.collect(base, Selection()) == first
    assert "cat-file" not in asked
    assert pickle.loads(pickle.dumps(collector)).collect(base, Selection()) == first  # for a child process
    asked.clear()
    repository.write("a.py", "a = 3\n")
    repository.commit("later", **{"b.py": "b = 1\n"})
    repository.write("b.py", "b = 2\n")
    moved = collector.collect(resolve(git, None), Selection())
    assert [row.base.text for row in moved.files if row.base] == ["b = 1\n"]
    assert "cat-file" in asked


def test_what_a_path_means_is_asked_each_time(repository: Repository) -> None:
    repository.commit("base", **{"a.py": "a = 1\n"})
    git = Git.find(repository.folder)
    assert git is not None
    for text in ("a = 2\n", "a = 3\n"):
        repository.write("a.py", text)
        repository.git("add", "a.py")
        assert git.blobs([":./a.py"]) == {":./a.py": text.encode()}


def _noting(run: Callable[..., bytes], asked: list[str]) -> Callable[..., bytes]:
    def noted(git: Git, *arguments: str, **options: Any) -> bytes:
        asked.append(arguments[0])
        return run(git, *arguments, **options)

    return noted

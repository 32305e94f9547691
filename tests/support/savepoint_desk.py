"""A work tree with savepoints, what a person does in it, and the matrix of what must come back."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateline.store.savepoints.elsewhere import Elsewhere
from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Savepoint
from gateline.store.savepoints.writing import Writing
from support.repositories import Repository

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BEGIN = {"cart.py": "total = 1\n", "shop/till.py": "open = 1\n", ".gitignore": "*.log\n"}


class Desk:
    """A work tree with savepoints, and what is in it."""

    def __init__(self, repository: Repository, state: Path, largest: int = 1000) -> None:
        self.repository = repository
        self.root = repository.folder
        self.state = state
        self.savepoints = Savepoints(self.root, state, largest)
        self.restoring = Restoring(self.savepoints)
        self.elsewhere = Elsewhere(self.savepoints)
        self.now = NOON

    def take(self, texts: dict[str, str] | None = None) -> Savepoint:
        self.now += timedelta(seconds=1)
        return self.savepoints.take("test", self.now, texts)

    def restore(self, savepoint: Savepoint, *paths: str) -> tuple[list[str], list[str]]:
        """The files that were restored, and those that were left alone with the reason."""
        self.now += timedelta(seconds=1)
        restored = self.restoring.in_place(plan(self.savepoints, savepoint, self.now, paths))
        return [step.path for step in restored.done], [f"{s.path}: {s.conflict}" for s in restored.left]

    def tree(self) -> dict[str, str]:
        """Everything in the work tree but `.git`."""
        return tree_of(self.root)

    def everything(self) -> tuple[dict[str, str], dict[str, str]]:
        """The same, and all permissions."""
        return self.tree(), bits_of(self.root)

    def git_dir(self) -> dict[str, str]:
        """A digest of every file of the user's git directory."""
        return digests(self.root / ".git")


def killed_half_way(savepoints: Savepoints, name: str) -> None:
    """All files are written, and the journal is still there."""
    at = NOON + timedelta(days=300)
    child = os.fork()
    if child == 0:
        try:
            write_all = Writing.all
            Writing.all = lambda self, steps: (  # type: ignore[assignment, method-assign]
                write_all(self, steps) and os.kill(os.getpid(), signal.SIGKILL)
            )
            Restoring(savepoints).in_place(plan(savepoints, savepoints.find(name), at))
        finally:
            os._exit(1)
    os.waitpid(child, 0)


def tree_of(root: Path) -> dict[str, str]:
    """Everything in a folder but `.git`: content, links and the right to execute."""
    found = {}
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root)
        if ".git" in path.parts:
            continue
        if file.is_symlink():
            found[path.as_posix()] = f"-> {file.readlink()}"
        elif file.is_file():
            mark = "x " if os.access(file, os.X_OK) else ""
            found[path.as_posix()] = mark + file.read_bytes().decode(errors="replace")
    return found


def bits_of(root: Path) -> dict[str, str]:
    """The permissions of every file and folder but `.git`."""
    known = (file for file in root.rglob("*") if ".git" not in file.relative_to(root).parts)
    return {
        file.relative_to(root).as_posix(): f"{file.lstat().st_mode & 0o777:o}"
        for file in known
        if not file.is_symlink()
    }


def digests(folder: Path) -> dict[str, str]:
    """A digest of every file in a folder."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


Doing = Callable[[Repository], None]


def write(path: str, text: str | bytes) -> Doing:
    return lambda work: work.write(path, text) and None


def remove(path: str) -> Doing:
    return lambda work: (work.folder / path).unlink()


def git(*arguments: str) -> Doing:
    return lambda work: work.git(*arguments) and None


def link(path: str, target: str) -> Doing:
    return lambda work: (work.folder / path).symlink_to(target)


def mode(path: str, bits: int) -> Doing:
    return lambda work: (work.folder / path).chmod(bits)


def folder(path: str, bits: int) -> Doing:
    def make(work: Repository) -> None:
        (work.folder / path).mkdir(parents=True)
        (work.folder / path).chmod(bits)

    return make


def without(path: str) -> Doing:
    """A folder, or what makes it a repository, goes with all in it."""

    def go(work: Repository) -> None:
        place = work.folder / path
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink()

    return go


def move(path: str, to: str) -> Doing:
    return lambda work: (work.folder / path).rename(work.folder / to) and None


def hook(name: str) -> Doing:
    def install(work: Repository) -> None:
        file = work.write(f".git/hooks/{name}", "#!/bin/sh\ntouch hooked.py\n")
        file.chmod(0o755)

    return install


def stopped_rebase(work: Repository) -> None:
    """A rebase that waits for somebody to resolve a conflict."""
    work.commit("two", **{"cart.py": "total = 2\n"})
    work.git("checkout", "-q", "-b", "side", "HEAD~1")
    work.commit("three", **{"cart.py": "total = 3\n"})
    assert "cart.py" in work.refused("rebase", "@{-1}")


def nested(work: Repository) -> None:
    """A repository inside."""
    inner = Repository(work.folder / "vendor" / "inner")
    inner.folder.mkdir(parents=True)
    inner.git("init", "--quiet")
    inner.commit("begin", **{"lib.py": "lib = 1\n"})


def submodule(work: Repository) -> None:
    """A submodule whose origin lies beside."""
    other = Repository(work.folder.parent / f"{work.folder.name}-other")
    other.folder.mkdir()
    other.git("init", "--quiet")
    other.commit("begin", **{"lib.py": "lib = 1\n"})
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other.folder), "lib")


def committed_submodule(work: Repository) -> None:
    submodule(work)
    work.git("commit", "--quiet", "--message", "a submodule")


def empty_submodule(work: Repository) -> None:
    """One that nobody asked git to fetch."""
    committed_submodule(work)
    work.git("submodule", "--quiet", "deinit", "--force", "lib")


def sparse(work: Repository) -> None:
    """A checkout without the folder `far`."""
    work.commit("far", **{"far/a.py": "a = 1\n", "far/deep/b.py": "b = 1\n", "far/c.py": "c = 1\n"})
    work.git("sparse-checkout", "set", "--cone", "shop")
    assert not (work.folder / "far").exists()


def kept_out(work: Repository) -> None:
    """A file that somebody marked, and removed."""
    work.git("update-index", "--skip-worktree", "cart.py")
    (work.folder / "cart.py").unlink()


POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"


def pointers(work: Repository) -> None:
    """Files of Git LFS whose contents, and whose program, are not here."""
    work.commit("model", **{".gitattributes": "*.bin filter=lfs -text\n", "model.bin": POINTER})
    for name, value in (
        ("clean", "no-such-lfs clean"),
        ("smudge", "no-such-lfs smudge"),
        ("required", "true"),
    ):
        work.git("config", f"filter.lfs.{name}", value)


HOOKS = ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "post-commit")
UPPER: list[Doing] = [
    git("config", "filter.upper.clean", "tr a-z A-Z"),
    git("config", "filter.upper.smudge", "tr A-Z a-z"),
    git("config", "filter.upper.required", "true"),
    write(".gitattributes", "*.bin filter=upper\n"),
]
# What is done before the savepoint, and what after it.
MATRIX: dict[str, tuple[list[Doing], list[Doing]]] = {
    "a file that was changed": ([], [write("cart.py", "total = 2\n")]),
    "a file that was staged": (
        [write("cart.py", "total = 2\n"), git("add", "-A")],
        [write("cart.py", "total = 3\n")],
    ),
    "a file that is staged after": ([], [write("cart.py", "total = 2\n"), git("add", "-A")]),
    "an untracked file that is gone": ([write("new.py", "new = 1\n")], [remove("new.py")]),
    "an untracked file that is new": ([], [write("deep/er/new.py", "new = 1\n")]),
    "a tracked file that is gone": ([], [remove("cart.py")]),
    "a file that was gone": ([remove("cart.py")], [write("cart.py", "total = 1\n")]),
    "a renamed file": ([], [move("cart.py", "basket.py")]),
    "a renamed file in git": ([], [git("mv", "cart.py", "basket.py")]),
    "another case": ([], [move("cart.py", "Cart.py")]),
    "a commit": ([], [write("cart.py", "total = 2\n"), git("commit", "-qam", "two")]),
    "another branch": (
        [git("branch", "other")],
        [git("checkout", "-q", "other"), write("cart.py", "x = 1\n")],
    ),
    "no branch": ([git("checkout", "-q", "--detach")], [write("cart.py", "x = 1\n")]),
    "a link": ([link("link.py", "cart.py")], [remove("link.py"), write("link.py", "no link\n")]),
    "a link that leads nowhere": ([link("link.py", "nowhere")], [remove("link.py")]),
    "a file that becomes a link": ([], [remove("cart.py"), link("cart.py", "shop/till.py")]),
    "a folder that becomes a file": (
        [],
        [remove("shop/till.py"), lambda work: (work.folder / "shop").rmdir(), write("shop", "s\n")],
    ),
    "a file that becomes a folder": ([], [remove("cart.py"), write("cart.py/inner.py", "i = 1\n")]),
    "a right to execute": ([mode("cart.py", 0o755)], [mode("cart.py", 0o644)]),
    "a right to execute that is new": ([], [mode("cart.py", 0o755)]),
    "line ends": ([write("crlf.py", b"a = 1\r\n")], [write("crlf.py", b"a = 1\n")]),
    "line ends that git would change": (
        [write(".gitattributes", "* text=auto\n"), write("crlf.py", b"a = 1\r\n"), git("add", "-A")],
        [write("crlf.py", b"a = 2\r\n")],
    ),
    "a filter": ([*UPPER, write("large.bin", "MixedCase\n")], [write("large.bin", "other\n")]),
    "bytes that are no text": ([write("data.bin", bytes(range(256)))], [write("data.bin", b"\0")]),
    "an empty file": ([write("empty.py", "")], [write("empty.py", "x = 1\n")]),
    "a name with a newline": ([write("a\nb.py", "x = 1\n")], [write("a\nb.py", "x = 2\n")]),
    "a name beyond ASCII": ([write("größe.py", "x = 1\n")], [remove("größe.py")]),
    "a name like an option": ([write("-x.py", "x = 1\n")], [write("-x.py", "x = 2\n")]),
    "a file that is not to be looked at": (
        [git("update-index", "--assume-unchanged", "cart.py")],
        [write("cart.py", "x\n")],
    ),
    "hostile hooks": ([hook(name) for name in HOOKS], [write("cart.py", "total = 2\n")]),
    "no identity": ([git("config", "user.useConfigOnly", "true")], [write("cart.py", "total = 2\n")]),
    "a repository that signs": ([git("config", "commit.gpgsign", "true")], [write("cart.py", "total = 2\n")]),
    "a file monitor": (
        [git("config", "core.fsmonitor", "touch monitored.py; false")],
        [write("cart.py", "x = 2\n")],
    ),
    "a rebase that is under way": ([stopped_rebase], [write("cart.py", "resolved\n")]),
    "a repository inside": ([nested], [write("cart.py", "total = 2\n")]),
    "a submodule": ([submodule], [write("cart.py", "total = 2\n")]),
    "an ignored file": ([write("debug.log", "one\n")], [write("cart.py", "total = 2\n")]),
    "a tracked file that rules would ignore": (
        [write("kept.log", "one\n"), git("add", "--force", "kept.log"), git("commit", "-qm", "log")],
        [write("kept.log", "two\n")],
    ),
    "a sparse checkout": ([sparse], [write("shop/till.py", "open = 2\n"), write("new.py", "new = 1\n")]),
    "a file that is kept out by hand": ([kept_out], [write("shop/till.py", "open = 2\n")]),
    "a submodule that is not fetched": ([empty_submodule], [write("cart.py", "total = 2\n")]),
    "a pointer of Git LFS": ([pointers], [write("model.bin", "fetched\n"), write("cart.py", "total = 2\n")]),
    "a private file that is gone": (
        [folder("keys", 0o700), write("keys/id", "key\n"), mode("keys/id", 0o600)],
        [without("keys")],
    ),
    "a private file that was opened": (
        [mode("cart.py", 0o600), folder("keys", 0o700), write("keys/open", "key\n")],
        [mode("cart.py", 0o644), mode("keys", 0o755)],
    ),
    "a private file with another content": (
        [mode("cart.py", 0o640)],
        [remove("cart.py"), write("cart.py", "total = 2\n"), mode("cart.py", 0o666)],
    ),
}
GAPS: dict[str, tuple[list[Doing], list[Doing], dict[str, str]]] = {
    "a file that was ignored": (
        [write(".gitignore", "*.log\n.env\nbuild/\n"), write(".env", "KEY=1\n"), write("build/a.bin", "a\n")],
        [write(".gitignore", ""), write(".env", "KEY=2\n"), write("build/b.bin", "b\n")],
        {".env": "ignored", "build/a.bin": "ignored", "build/b.bin": "ignored"},
    ),
    "a file that would have been ignored": (
        [],
        [write(".gitignore", ""), write("debug.log", "new\n")],
        {"debug.log": "ignore rules"},
    ),
    "a folder that ignores itself": (
        [write(".venv/.gitignore", "*\n"), write(".venv/lib/a.py", "a = 1\n")],
        [remove(".venv/.gitignore")],
        {".venv/lib/a.py": "ignored", ".venv/.gitignore": ""},
    ),
    "a file that only this clone ignored": (
        [write(".git/info/exclude", "*.sqlite3\n"), write("dev.sqlite3", "data\n")],
        [write(".git/info/exclude", ""), write("dev.sqlite3", "more\n"), write("new.sqlite3", "new\n")],
        {"dev.sqlite3": "ignored", "new.sqlite3": "ignore rules"},
    ),
    "a file that was too large": (
        [lambda work: work.commit("model", **{"model.bin": "m" * 2000}) and None],
        [write("model.bin", "stub\n")],
        {"model.bin": "2000 bytes, more than worklog.largest-file (1000 bytes)"},
    ),
    "a repository that was inside": (
        [nested],
        [without("vendor/inner/.git")],
        {"vendor/inner/lib.py": "a nested git repository"},
    ),
    "a submodule that is none any more": (
        [committed_submodule],
        [without("lib/.git"), write("lib/mine.py", "mine = 1\n")],
        {"lib/lib.py": "a nested git repository", "lib/mine.py": "a nested git repository"},
    ),
    "a submodule that was not fetched": (
        [empty_submodule],
        [write("lib/mine.py", "mine = 1\n")],
        {"lib/mine.py": "a submodule was there"},
    ),
    "a file outside of the sparse checkout": (
        [sparse],
        [git("sparse-checkout", "disable"), write("far/a.py", "a = 2\n"), write("far/new.py", "new = 1\n")],
        {"far/a.py": "outside of the sparse checkout", "far/c.py": "", "far/deep/b.py": ""},
    ),
    "a file that was kept out by hand": (
        [kept_out],
        [git("update-index", "--no-skip-worktree", "cart.py"), write("cart.py", "total = 2\n")],
        {"cart.py": "outside of the sparse checkout"},
    ),
}
"""What is done before and after a savepoint that did not cover all of it; what is left alone, and why.

Where no reason is said, nothing is told. What else is done since is undone.
"""

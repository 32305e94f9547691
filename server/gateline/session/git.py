"""Read-only questions to git. Nothing here writes the user's index, refs, config or work tree.

Optional locks are off, so not even the index's cached file times are refreshed. File monitors and
content filters are programs that a repository's configuration names: all are switched off, so that
looking at a hostile workspace runs none of them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "core.untrackedCache=false")
_REDIRECTING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX")
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
_REGULAR = ("100644", "100755")
_NULL = "0" * 40
_TIMEOUT = 60


class GitError(Exception):
    """git refused; the message is its own last line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One differing path: the object names in the base and now. "" means absent, or only on disk."""

    path: str
    base: str
    current: str


class Git:
    """git in one work tree. All methods block: call them in a thread."""

    def __init__(self, folder: Path, git_dir: Path) -> None:
        self.folder = folder
        self.git_dir = git_dir
        self._environment = _without_filters(folder)

    @classmethod
    def find(cls, folder: Path) -> Git | None:
        """The repository around `folder`; None without one. Raises GitError when git cannot be used."""
        try:
            answer = _run(folder, "rev-parse", "--absolute-git-dir")
        except FileNotFoundError:
            raise GitError("git was not found on PATH") from None
        except GitError as error:
            if "not a git repository" in str(error):
                return None
            raise
        return cls(folder.resolve(), Path(answer.decode(errors="surrogateescape").rstrip("\n")))

    def line(self, *arguments: str) -> str | None:
        """The first line of an answer; None when git refuses."""
        try:
            return self._run(*arguments).decode(errors="surrogateescape").strip().split("\n")[0]
        except GitError:
            return None

    def commit(self, ref: str) -> str | None:
        """The full name of the commit that `ref` means; None when there is none."""
        return self.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")

    def is_shallow(self) -> bool:
        """Whether the history was cut by the clone."""
        return self.line("rev-parse", "--is-shallow-repository") == "true"

    def differing(self, base: str, *, staged: bool) -> list[Entry]:
        """Regular files whose index entry (staged), or possibly work tree, differs from the tree `base`.

        A file whose time changed may be listed with equal content: the caller compares texts.
        """
        cached = ["--cached"] if staged else []
        return _entries(
            self._run("diff-index", "--raw", "-z", "--no-renames", "--relative", *cached, base, "--")
        )

    def unstaged(self) -> list[Entry]:
        """Files whose work tree possibly differs from the index; `base` is the index's object name."""
        raw = self._run("diff-files", "--raw", "-z", "--no-renames", "--relative", "--")
        return _entries(raw)

    def untracked(self) -> list[str]:
        """Files git does not track and does not ignore."""
        return self._names("ls-files", "--others", "--exclude-standard", "-z")

    def tracked(self) -> list[str]:
        """Files in the index."""
        return self._names("ls-files", "--cached", "-z")

    def commits_of(self, path: str, most: int, seconds: float) -> list[list[str]]:
        """The paths that each of the newest commits of a file changed, merges left out.

        Raises GitError, also when it takes longer.
        """
        # Plumbing: `log` would run what a repository's configuration names to verify signatures.
        limits = (f"--max-count={most}", "--no-merges", "HEAD", "--", f":(literal){path}")
        commits = self._run("rev-list", *limits, seconds=seconds)
        options = ("--stdin", "-r", "--root", "-z", "--name-only", "--no-renames", "--relative")
        names = _split(self._run("diff-tree", *options, stdin=commits, seconds=seconds))
        begins = frozenset(commits.decode().split())
        found: list[list[str]] = []
        for name in names:
            if name in begins:
                found.append([])
            elif found:
                found[-1].append(name)
        return found

    def ignored(self, paths: Sequence[str]) -> set[str]:
        """Those of the paths that git is told to ignore and does not track; they need not exist."""
        asked = {f"./{path}": path for path in paths}
        try:
            answer = self._run("check-ignore", "--stdin", "-z", stdin=_joined(asked))
        except GitError:
            # Also how git says that none of them is.
            return set()
        return {asked[name] for name in _split(answer) if name in asked}

    def blobs(self, names: Iterable[str]) -> dict[str, bytes]:
        """The raw content of objects, by name (`<sha>` or `<tree>:./<path>`). Missing ones are left out."""
        asked = list(dict.fromkeys(names))
        if not asked:
            return {}
        request = "".join(f"{name}\n" for name in asked).encode(errors="surrogateescape")
        return _parse_batch(asked, self._run("cat-file", "--batch", stdin=request))

    def _run(self, *arguments: str, stdin: bytes = b"", seconds: float = _TIMEOUT) -> bytes:
        return _run(self.folder, *arguments, stdin=stdin, environment=self._environment, seconds=seconds)

    def _names(self, *arguments: str) -> list[str]:
        return _split(self._run(*arguments))


def _joined(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\0" for name in names).encode(errors="surrogateescape")


def _split(answer: bytes) -> list[str]:
    return [name for name in answer.decode(errors="surrogateescape").split("\0") if name]


def _without_filters(folder: Path) -> dict[str, str]:
    """Settings, as git takes them from the environment, that empty every content filter."""
    try:
        answer = _run(folder, "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|process)$")
    except GitError:
        return {}
    keys = sorted({key for key in answer.decode(errors="surrogateescape").split("\0") if key})
    off = [(key, "") for key in keys] + [(f"{key.rpartition('.')[0]}.required", "false") for key in keys]
    pairs = (
        (f"GIT_CONFIG_{side}_{n}", text)
        for n, row in enumerate(off)
        for side, text in zip(("KEY", "VALUE"), row, strict=True)
    )
    return {"GIT_CONFIG_COUNT": str(len(off)), **dict(pairs)}


def _run(
    folder: Path,
    *arguments: str,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    seconds: float = _TIMEOUT,
) -> bytes:
    ours = {k: v for k, v in os.environ.items() if k not in _REDIRECTING} | _QUIET | dict(environment or {})
    command = ["git", *_SAFE, *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, input=stdin, capture_output=True, timeout=seconds, env=ours, check=False
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} took longer than {seconds:g} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(said[0] if said else f"git {arguments[0]} ended with {done.returncode}")
    return done.stdout


def _entries(raw: bytes) -> list[Entry]:
    fields = raw.decode(errors="surrogateescape").split("\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [entry for head, path in pairs if (entry := _entry(head, path)) is not None]


def _entry(head: str, path: str) -> Entry | None:
    """One record of `--raw`: `:old-mode new-mode old-name new-name status`."""
    old_mode, new_mode, old, new, _ = head.lstrip(":").split(" ")
    was, now = old_mode in _REGULAR, new_mode in _REGULAR
    if not (was or now):
        return None
    current = "" if new == _NULL or not now else new
    return Entry(path, old if was else "", current)


def _parse_batch(asked: Sequence[str], answer: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    at = 0
    for name in asked:
        end = answer.index(b"\n", at)
        head = answer[at:end].rsplit(b" ", 2)
        at = end + 1
        if head[-1] in (b"missing", b"ambiguous") or not head[-1].isdigit():
            continue
        size = int(head[-1])
        if head[-2] == b"blob":
            found[name] = answer[at : at + size]
        at += size + 1
    return found

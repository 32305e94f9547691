"""Corpora that grow outside of the repository: which one the goldens and figures here belong to.

`corpora/packages.toml` pins each by the SHA-256 digest of its files, as a lock file pins a dependency.
Another digest is no failure of the product: its goldens are written anew, or the pinned corpus is taken.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from gateline_dev.corpora.reading import CorpusError

PINS = Path(__file__).parents[3] / "corpora" / "packages.toml"
COMMAND = "python -m gateline_dev.corpora --pin"
_HEAD = f"""# Corpora outside of the repository that goldens and figures were made with.
# Written by `{COMMAND} FOLDER`; the name is the folder's.
"""
_LEFT_OUT = frozenset({"__pycache__", ".git", ".mypy_cache", ".pytest_cache", ".ruff_cache"})
"""Folders of what tools write into a corpus."""


@dataclass(frozen=True)
class Package:
    """A corpus in a folder of its own."""

    name: str
    cases: int
    """Rows of its `.jsonl` files."""
    files: int
    sha256: str
    """Of the path, length and digest of each file, in the order of paths."""

    def __str__(self) -> str:
        return f"{self.cases} cases in {self.files} files, sha256 {self.sha256}"


def measured(folder: Path) -> Package:
    """The corpus that is in a folder now. Raises CorpusError where there is none, OSError."""
    if not folder.is_dir():
        raise CorpusError(f"corpus {folder.name} is absent: there is no folder {folder}")
    whole, cases, files = sha256(), 0, list(_files(folder))
    for file in files:
        with file.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
        path = file.relative_to(folder).as_posix()
        whole.update(f"{path}\0{file.stat().st_size}\0{digest}\n".encode())
        if file.suffix == ".jsonl":
            cases += sum(1 for row in file.read_bytes().splitlines() if row.strip())
    if not files:
        raise CorpusError(f"corpus {folder.name} is absent: the folder {folder} has no file")
    return Package(folder.name, cases, len(files), whole.hexdigest())


def _files(folder: Path) -> Iterator[Path]:
    found = (path for path in folder.rglob("*") if path.is_file())
    kept = (path for path in found if not _LEFT_OUT & {*path.relative_to(folder).parts})
    return iter(sorted(kept, key=lambda path: path.relative_to(folder).as_posix()))


def pinned(pins: Path) -> Mapping[str, Package]:
    """The pinned corpora by name. Raises CorpusError where the file says something else."""
    try:
        rows = tomllib.loads(pins.read_text(encoding="utf-8")) if pins.exists() else {}
        return {
            name: Package(name, int(row["cases"]), int(row["files"]), str(row["sha256"]))
            for name, row in rows.items()
        }
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise CorpusError(
            f"{pins}: expected cases, files and sha256 of each corpus ({error}); "
            f"`{COMMAND} FOLDER` writes them"
        ) from error


def pin(folder: Path, pins: Path) -> Package:
    """Write down the digest of the corpus in a folder. Raises CorpusError, OSError."""
    found = measured(folder)
    rows = {**pinned(pins), found.name: found}
    tables = (
        f'\n["{name}"]\ncases = {row.cases}\nfiles = {row.files}\nsha256 = "{row.sha256}"\n'
        for name, row in sorted(rows.items())
    )
    pins.write_text("".join([_HEAD, *tables]), encoding="utf-8")
    return found


def difference(folder: Path, pins: Path) -> str:
    """Why the corpus in a folder is not the pinned one, and what to do; "" when it is. Raises CorpusError."""
    known = pinned(pins)
    try:
        found = measured(folder)
    except CorpusError as error:
        return f"{error}; nothing was compared with its pinned digest"
    wanted = known.get(found.name)
    if wanted is None:
        names = ", ".join(known) or "none"
        return f"corpus {found.name} is not pinned (pinned: {names}); `{COMMAND} {folder}` pins it"
    if wanted == found:
        return ""
    return (
        f"corpus {found.name} has another digest than the pinned one: {found}; pinned: {wanted}. Goldens and "
        f"figures belong to the pinned one: use that, or pin this one by `{COMMAND} {folder}` and write "
        "its goldens anew by `pytest -m slow tests/cases/repairs/test_visible.py --update`"
    )

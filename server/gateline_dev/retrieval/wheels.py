"""Pinned wheels, fetched by pip into the user's cache. Nothing of them is installed or run."""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from gateline.model import Document
from gateline_dev.bench.environments import CACHE, pip

_FOLDER = CACHE / "documented"
_LARGEST = 1_000_000


def fetched(pins: Sequence[str]) -> list[Path]:
    """The wheels of `name==version`, in this order. Raises UnavailableError without an index."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    missing = [pin for pin in pins if _held(pin) is None]
    if missing:
        choice = ["--no-deps", "--only-binary", ":all:", "--dest", str(_FOLDER), *missing]
        pip(sys.executable, "download", *choice)
    return [wheel for pin in pins if (wheel := _held(pin)) is not None]


def _held(pin: str) -> Path | None:
    name, _, version = pin.partition("==")
    return next(iter(sorted(_FOLDER.glob(f"{name.replace('-', '_')}-{version}-*.whl"))), None)


def modules(wheel: Path) -> Iterator[Document]:
    """Its Python files."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            if member.filename.endswith(".py") and member.file_size <= _LARGEST:
                yield Document(member.filename, archive.read(member).decode("utf-8", "replace"))


def unpacked(pin: str) -> Path:
    """A folder with its Python files. Raises UnavailableError without an index."""
    folder = CACHE / "projects" / f"{pin.replace('==', '-')}-wheel"
    if not folder.exists():
        (wheel,) = fetched([pin])
        folder.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=folder.parent))
        # Whole or not at all: an interrupted run leaves nothing that looks finished.
        try:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(making, [n for n in archive.namelist() if n.endswith(".py")])
            making.rename(folder)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    return folder

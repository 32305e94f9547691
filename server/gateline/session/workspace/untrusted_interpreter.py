"""What stands in for the interpreter of a workspace that is not trusted.

mypy runs the project's interpreter to learn where packages are. One that lies in the workspace is the
project's code: the program itself, and what its start imports. So where it must not run, a program of ours
answers the same question with what the environment's files say.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gateline.model import digest_of

log = logging.getLogger(__name__)

_PROGRAM = """#!/bin/sh
# Stands in for an interpreter that must not run, and only says where its packages are.
cat <<'END'
{answer}
END
"""
_CODE = ("import ", "import\t")
"""How lines of a `.pth` file begin that are run; all others name folders."""


def is_inside(path: Path, root: Path) -> bool:
    """Whether a program, by any of its names, lies in the workspace."""
    names = (path.absolute(), path.parent.resolve(), path.resolve())
    return any(name.is_relative_to(place) for name in names for place in (root, root.resolve()))


def stand_in(python: str, root: Path, folder: Path) -> str:
    """`python`, when it lies outside the workspace; else what stands in for it, made in `folder`.

    Where none can be made it is our own interpreter: then the project's packages are unknown.
    """
    found = Path(shutil.which(python) or python)
    if not is_inside(found, root):
        return python
    try:
        return str(_made(folder / digest_of(str(found.absolute())), _answer(found.parent.parent)))
    except OSError as error:
        log.warning("the packages of %s are unknown: %s", python, error)
        return sys.executable


def _made(folder: Path, answer: str) -> Path:
    """The program, whole at every moment: another server may be running it."""
    folder.mkdir(parents=True, exist_ok=True)
    program, text = folder / "python", _PROGRAM.format(answer=answer).encode("ascii")
    if program.exists() and program.read_bytes() == text:
        return program  # The type checker looks whether it was written since.
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(text)
    new = Path(file.name)
    new.chmod(0o755)
    return new.replace(program)


def _answer(prefix: Path) -> str:
    """As mypy's `pyinfo.py` would print it: the search path, and the folders of packages in it."""
    sites, linked = package_folders(prefix)
    return ascii(([*sites, *linked], sites))


def package_folders(prefix: Path) -> tuple[list[str], list[str]]:
    """The folders of packages below an environment, and those that their `.pth` files add."""
    found = [
        *prefix.absolute().glob("lib/python3*/site-packages"),
        *prefix.absolute().glob("Lib/site-packages"),
    ]
    sites = sorted(map(str, dict.fromkeys(found)), reverse=True)
    return sites, list(dict.fromkeys(folder for site in sites for folder in _linked(Path(site))))


def _linked(site: Path) -> Iterator[str]:
    """The folders that the `.pth` files of a folder add to the search path."""
    for file in sorted(site.glob("*.pth")):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.strip() and not line.startswith(("#", *_CODE)):
                yield os.path.normpath(site / line.strip())

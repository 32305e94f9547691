"""Whether an interpreter can import a package: told from the files around it; it is not run."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gateline.session.workspace.untrusted_interpreter import package_folders

_VERSION = re.compile(r"python(3\.\d+)")


def can_import(python: Path, package: str, environ: Mapping[str, str]) -> bool:
    """Whether the package stands where the interpreter looks for packages."""
    return any(_holds(folder, package) for folder in folders_of(python, environ))


def folders_of(python: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """The folders of packages that an interpreter looks into, as far as its files tell."""
    prefix = python.parent.parent
    settings = _settings_of_environment(prefix)
    if settings is None:
        yield from _of_installation(python, environ)
        return
    yield from _of_prefix(prefix)
    home = settings.get("home")
    if home and settings.get("include-system-site-packages") == "true":
        yield from _of_installation(Path(home) / "python3", environ)


def _of_installation(python: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Of a Python that is no environment: its own folders, Debian's, and the person's."""
    real = python.resolve()
    prefixes = list(dict.fromkeys((python.parent.parent, real.parent.parent)))
    found = _VERSION.search(real.name) or _VERSION.search(real.as_posix())
    for prefix in prefixes:
        yield from (folder for folder in _of_prefix(prefix) if not found or _is_of(folder, found[1]))
        yield prefix / "lib" / "python3" / "dist-packages"
        if found:
            yield prefix / "local" / "lib" / f"python{found[1]}" / "dist-packages"
    if found and environ.get("HOME"):
        base = environ.get("PYTHONUSERBASE") or f"{environ['HOME']}/.local"
        yield Path(base) / "lib" / f"python{found[1]}" / "site-packages"


def _is_of(folder: Path, version: str) -> bool:
    """Whether a folder of packages is of a version, or says no version."""
    said = _VERSION.fullmatch(folder.parent.name)
    return said is None or said[1] == version


def _of_prefix(prefix: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        sites, linked = package_folders(prefix)
        yield from map(Path, (*sites, *linked))


def _settings_of_environment(prefix: Path) -> dict[str, str] | None:
    """`pyvenv.cfg`; None where there is none, so that it is no environment. conda's have none either."""
    try:
        lines = (prefix / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _holds(folder: Path, package: str) -> bool:
    if (folder / package / "__init__.py").is_file() or (folder / f"{package}.py").is_file():
        return True
    # Installed editable: only its metadata and a hook stand here.
    try:
        return any(folder.glob(f"{package}-*.dist-info"))
    except OSError:
        return False

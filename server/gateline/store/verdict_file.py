"""Verdicts on disk, in the user's cache: one file for each, replaced as a whole, the oldest dropped.

What cannot be read, was cut short or holds anything but the frozen values of a verdict is forgotten.
"""

from __future__ import annotations

import io
import logging
import os
import pickle
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from gateline.atomic_file import replace_file

log = logging.getLogger(__name__)

_MOST = 40
"""Verdicts kept of one workspace."""
_LARGEST = 8_000_000
"""Bytes of one verdict; a larger one is not kept."""
_VALUES = ("gateline.model.", "gateline.settings.problem", "gateline.session.selection")
"""Where the classes are made that a verdict consists of: nothing else is loaded."""


def read(file: Path) -> Any:
    """What was kept in a file; None when there is nothing that can be used."""
    try:
        data = zlib.decompress(file.read_bytes())
        found = _Values(io.BytesIO(data)).load()
    except FileNotFoundError:
        return None
    except Exception as error:  # noqa: BLE001 - a damaged pickle may raise anything
        log.warning("%s cannot be read, the change is judged again: %r", file, error)
        with suppress(OSError):
            file.unlink()
        return None
    with suppress(OSError):
        os.utime(file)
    return found


def write(file: Path, value: object) -> None:
    """Keep a value. An error is logged: the next time it is judged again."""
    data = zlib.compress(pickle.dumps(value, protocol=5), 1)
    if len(data) > _LARGEST:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(file, data)
        _drop_oldest(file.parent)
    except OSError as error:
        log.warning("the verdict could not be kept in %s: %s", file, error.strerror)


def _drop_oldest(folder: Path) -> None:
    files = []
    for file in folder.iterdir():
        with suppress(OSError):
            files.append((file.stat().st_mtime_ns, file))
    for _, file in sorted(files, reverse=True)[_MOST:]:
        file.unlink(missing_ok=True)


class _Values(pickle.Unpickler):
    """Loads nothing that could run anything."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        """A class of the values that everyone shares. Raises UnpicklingError for any other."""
        if module_name.startswith(_VALUES):
            return super().find_class(module_name, global_name)
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is not allowed in a verdict file")

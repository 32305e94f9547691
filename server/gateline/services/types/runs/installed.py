"""The folders in which an interpreter's packages are."""

from __future__ import annotations

from mypy.errors import CompileError
from mypy.modulefinder import get_search_dirs
from mypy.options import Options

from gateline.services.types.runs.run import SettingsError


def search_folders(options: Options) -> list[str]:
    """Those of the interpreter that mypy checks for, which is run. Raises SettingsError."""
    try:
        found, _ = get_search_dirs(options.python_executable)
    except CompileError as error:
        raise SettingsError(next(iter(error.messages), "the interpreter cannot be run")) from None
    return found

"""What two processes must agree in, so that one may answer for the other."""

from __future__ import annotations

import os
import sys
from hashlib import sha256

from gateline import __file__ as _package
from gateline import __version__

_SETTINGS = "GATELINE_"
_ENVIRONMENTS = ("VIRTUAL_ENV", "CONDA_PREFIX")
"""By these the project's interpreter is found."""


def settings_edition() -> str:
    """A print of the settings that come with the environment; those in files are read by the session."""
    given = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(_SETTINGS))
    return _print(__version__, *given)


def edition() -> str:
    """A print of this installation of gateline as well: another may have another type checker."""
    environments = (os.environ.get(name, "") for name in _ENVIRONMENTS)
    written = str(os.stat(_package).st_mtime_ns)
    return _print(settings_edition(), sys.prefix, _package, written, *environments)


def _print(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

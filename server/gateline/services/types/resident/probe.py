"""The self-test at the start of an engine: a text that lies in the overlay alone must really be checked.

The engine lives on internals of mypy. Should they change, mypy would read the saved files instead of the
unsaved texts, and everything would look clean.
"""

from __future__ import annotations

import os

from gateline.services.types.resident.engine import Engine
from gateline.services.types.runs.overlay import Overlay

_NAME = "gateline_probe_d41c"
_TEXT = 'unsaved: int = ""\n'


def sees_texts(engine: Engine, overlay: Overlay, folder: str) -> bool:
    """Whether a wrong text that no file has is found wrong; the engine is as before."""
    path = os.path.join(folder, f"{_NAME}.py")
    overlay.put(path, _TEXT)
    engine.take_in(_NAME, path)  # where mypy is run on some folders alone, this is in none of them
    engine.update([path])
    seen = engine.defines(_NAME, "unsaved") and (bool(engine.lines([path])) or engine.ignores_errors(_NAME))
    overlay.put(path, None)
    engine.update([path])
    overlay.remove(path)
    return seen

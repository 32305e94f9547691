"""Where the far side begins: `python start.py`, in the folder in which pytest would be started."""

from __future__ import annotations

import importlib
import os
import sys
import types

NAME = "_gateline_far"
"""This folder, as the user's interpreter knows it."""


def _begin() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.dont_write_bytecode = True
    # As `python -m pytest` does: imports look into the working folder, and not beside this file.
    if sys.path and os.path.abspath(sys.path[0] or ".") == here:
        sys.path.pop(0)
    sys.path.insert(0, os.getcwd())
    package = types.ModuleType(NAME)
    package.__path__ = [here]
    sys.modules[NAME] = package


if __name__ == "__main__":
    _begin()
    importlib.import_module(NAME + ".main").main(sys.argv[1:])

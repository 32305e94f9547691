"""Runs in the project's interpreter: builds a wheel with the backend that the project names (PEP 517).

Standard library only. Standard output is JSON: the `problem`, and whether the backend is `missing`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any


def main() -> None:
    """Read the order from standard input, and build in the current folder."""
    order = json.load(sys.stdin)
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # The folder of this script is nothing that a build imports from.
    sys.path[:1] = [os.path.join(os.getcwd(), one) for one in order["path"]]
    json.dump(_built(order), answer)
    answer.flush()
    os._exit(0)


def _built(order: dict[str, Any]) -> dict[str, Any]:
    module = order["module"]
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        # One that is in the tree has to be there.
        is_missing = not order["path"] and module.split(".")[0] == error.name
        return {"problem": f"{type(error).__name__}: {error}", "missing": is_missing}
    except BaseException as error:  # noqa: BLE001 - whatever importing raises, nothing is built
        return {"problem": f"{type(error).__name__}: {error}", "missing": False}
    try:
        for name in filter(None, order["object"].split(".")):
            found = getattr(found, name)
        made = os.path.join(order["folder"], found.build_wheel(order["folder"]))
    except BaseException as error:  # noqa: BLE001 - a backend may raise anything, SystemExit as well
        return {"problem": f"{type(error).__name__}: {error}", "missing": False}
    return {"problem": "" if os.path.isfile(made) else "no wheel was written", "missing": False}


if __name__ == "__main__":
    main()

"""What the project's code can import, read from files: no interpreter is run."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from gateline.services.repairs.messages import Environment
from gateline.session.workspace.interpreter import Interpreter
from gateline.session.workspace.untrusted_interpreter import package_folders

_VERSION = re.compile(r"python(\d+)\.(\d+)")


def environment_of(interpreter: Interpreter) -> Environment:
    """The packages of an interpreter, by where it lies. Blocks."""
    python = Path(shutil.which(interpreter.of_packages) or interpreter.of_packages)
    sites, linked = package_folders(python.parent.parent)
    folders = [folder for folder in (*sites, *linked) if Path(folder).is_dir()]
    return Environment(tuple(folders), _version(sites))


def _version(sites: list[str]) -> tuple[int, int]:
    """Of the newest Python that has packages there; ours when there is none."""
    found = [(int(m[1]), int(m[2])) for site in sites if (m := _VERSION.search(Path(site).parent.name))]
    return max(found, default=(sys.version_info[0], sys.version_info[1]))

"""mypy's plug-ins that the project's settings name: where they are looked for, and what is said without one.

A project installs them beside its own mypy. Here mypy is gateline's, so the project's environment is searched
as well, after gateline's own.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence

from mypy.options import Options

from gateline.services.types.messages import Setup
from gateline.services.types.runs.installed import search_folders

_AT = re.compile(r"^.+?:(?:\d+:)* error: (?:Error importing plugin \"[^\"]*\": )?")
_CODE = re.compile(r"  \[[\w-]+\]$")
_NOT_FOUND = re.compile(r"Error importing plugin")


def make_importable(options: Options, root: str) -> None:
    """Let mypy import the plug-ins from where the project has them. Runs the project's interpreter."""
    importlib.invalidate_caches()
    options.plugins = [_placed(root, name) for name in options.plugins]
    own = options.python_executable in (None, sys.executable)
    folders = [] if own else search_folders(options)
    sys.path += [folder for folder in (*folders, root) if folder not in sys.path]


def without_plugins(options: Options) -> Options:
    """The same options, with which no plug-in is loaded."""
    options.plugins = []
    return options


def not_allowed(setup: Setup) -> str:
    """Why plug-ins may not run, and what would let them."""
    return setup.refused or "it is code of a workspace that is not trusted; trust the workspace"


def told(plugins: Sequence[str], setup: Setup, why: str) -> str:
    """Why a plug-in did not run, where it was looked for and what to do, for people."""
    root = os.path.realpath(setup.root) + os.sep
    names = [name.removeprefix(root) for name in plugins]
    named = next((name for name in names if name in why), ", ".join(names))
    cause = _CODE.sub("", _AT.sub("", why)).replace(root, "").strip()
    return f"mypy's plug-in {named} did not run: {cause}{_advice(setup, why)}"


def _advice(setup: Setup, why: str) -> str:
    if why == not_allowed(setup):
        return ""
    if not _NOT_FOUND.search(why):
        return "; fix it, or the settings of mypy that name it"
    if setup.python == sys.executable:
        return " (looked for in gateline's environment); install it there"
    python = os.path.relpath(setup.python, setup.root)
    theirs = "" if python.startswith(os.pardir) else f", {python}"
    return f" (looked for in gateline's environment and in the project's{theirs}); install it in one of them"


def _placed(root: str, name: str) -> str:
    """A plug-in that is named by its file: from the root, wherever the settings were copied to."""
    path, colon, function = name.rpartition(":") if ":" in os.path.basename(name) else (name, "", "")
    return f"{os.path.join(root, path)}{colon}{function}" if path.endswith(".py") else name

"""jedi's view of an environment that is only read: no interpreter is run, and no module is imported.

jedi would ask a process of the project's interpreter, which runs its `.pth` files and `sitecustomize`, and
would import extension modules to look into them. Here files say what can be imported, and only what is built
into our own interpreter is looked into.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jedi.api.environment import _BaseEnvironment, _VersionInfo
from jedi.file_io import KnownContentFileIO
from jedi.inference.compiled.subprocess import InferenceStateSameProcess
from jedi.inference.compiled.subprocess.functions import ImplicitNSInfo, load_module
from jedi.inference.gradual.typeshed import TYPESHED_PATH
from parso.grammar import load_grammar

if TYPE_CHECKING:
    from jedi.inference import InferenceState

LARGEST = 1_000_000
"""Bytes: what is larger was made for machines, and takes seconds to parse."""

_Found = tuple[Any, bool | None]
"""jedi's form: how to read a module, None where there is nothing to read; and whether it is a package."""
_NONE: _Found = (None, None)
_Stamp = tuple[int, int, int]


class SealedEnvironment(_BaseEnvironment):
    """What can be imported, as folders say it."""

    def __init__(self, version: tuple[int, int], search_path: Sequence[str]) -> None:
        # The form of jedi's own environments.
        self.version_info = _VersionInfo(*_known(version), 0)
        self.executable, self.path = sys.executable, sys.prefix
        self._search_path = list(search_path)
        self.unsaved: Mapping[str, str] = {}
        """By absolute path, texts that stand in place of what the disk has."""
        self.own: frozenset[str] = frozenset()
        """The modules of the workspace itself."""
        self.opaque: set[str] = set()
        """Modules that were asked for and are not looked into: extensions, and files that are too large."""
        self._stamps: dict[str, _Stamp | None] = {}

    def saw(self, file: str) -> None:
        """A file counts as it is now."""
        self._stamps[file] = _stamp(file)

    def is_own(self, module: str) -> bool:
        """Whether the workspace has a module of this name, in place of the standard library's."""
        return module in self.own

    def has_changed(self) -> bool:
        """Whether a file was written since it was seen."""
        return any(_stamp(file) != stamp for file, stamp in self._stamps.items())

    def get_sys_path(self) -> list[str]:
        """The folders from which imports start."""
        return list(self._search_path)

    def get_inference_state_subprocess(self, inference_state: InferenceState) -> _Sealed:
        """What jedi asks for modules; no process in truth."""
        return _Sealed(inference_state)


class _Sealed(InferenceStateSameProcess):
    """Answers what jedi asks of an interpreter, from files."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name == "get_module_info":
            return self._module_info
        if name == "load_module":
            return self._load_module
        found: Callable[..., Any] = super().__getattr__(name)
        return found

    @property
    def _state(self) -> InferenceState:
        state = self._inference_state_weakref()
        assert state is not None, "jedi keeps it while it asks"
        return state

    def _load_module(self, dotted_name: str, sys_path: Sequence[str]) -> Any:
        if dotted_name not in sys.builtin_module_names:
            return None
        return load_module(self._state, dotted_name=dotted_name, sys_path=sys_path)

    def _module_info(
        self,
        string: str,
        path: Sequence[str] | None = None,
        full_name: str | None = None,
        sys_path: Sequence[str] | None = None,
        is_global_search: bool = True,
    ) -> _Found:
        if is_global_search and string in sys.builtin_module_names:
            return None, False
        if is_global_search and string in _standard() and not self._state.environment.is_own(string):
            return _NONE
        try:
            spec = PathFinder.find_spec(string, list((sys_path if path is None else path) or ()))
        except (ImportError, OSError, ValueError):
            return _NONE
        return _NONE if spec is None else self._read(spec, string, full_name or string)

    def _read(self, spec: ModuleSpec, short: str, name: str) -> _Found:
        if spec.loader is None:
            return ImplicitNSInfo(name, list(spec.submodule_search_locations or ())), True
        environment = self._state.environment
        if isinstance(spec.loader, SourceFileLoader) and spec.origin:
            environment.saw(spec.origin)
            unsaved = environment.unsaved.get(spec.origin)
            code = _bytes(Path(spec.origin)) if unsaved is None else unsaved
            if code is not None:
                return KnownContentFileIO(spec.origin, code), spec.loader.is_package(short)
        environment.opaque.add(name)
        return None, spec.submodule_search_locations is not None


def _known(version: tuple[int, int]) -> tuple[int, int]:
    """The version, if there is a grammar of it; else ours, or the newest that there is one of."""
    for one in (version, sys.version_info[:2]):
        try:
            load_grammar(version=f"{one[0]}.{one[1]}")
        except NotImplementedError:
            continue
        return one
    return (3, 13)


@cache
def _standard() -> frozenset[str]:
    """The standard library, of which stubs are read alone.

    Its sources say no more of types, and to parse them took two thirds of the time.
    """
    return frozenset(file.stem for file in (TYPESHED_PATH / "stdlib").iterdir())


def _bytes(file: Path) -> bytes | None:
    try:
        return None if file.stat().st_size > LARGEST else file.read_bytes()
    except OSError:
        return None


def _stamp(file: str) -> _Stamp | None:
    try:
        # A Path for each of some hundred files would take longer than to ask for them.
        status = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino

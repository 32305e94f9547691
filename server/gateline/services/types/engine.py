"""mypy's fine-grained engine, resident, over unsaved texts, with its own store of errors.

mypy's own daemon checks every target again that had an error anywhere, on every edit. Here the errors
are kept by target instead, and only what an edit processed is replaced. (A target is a function, or the
top level of a module or class.)
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any

from mypy.dmypy_server import Server
from mypy.errors import ErrorInfo
from mypy.modulefinder import BuildSource
from mypy.options import Options
from mypy.server.update import FineGrainedBuildManager, lookup_target
from mypy.typestate import type_state

from gateline.services.types.overlay import Overlay
from gateline.services.types.run import sources_of

Module = tuple[str, str]
"""A module's name and the path of its text, as mypy pairs them."""
_FORGET_AFTER = 100
"""Edits after which mypy's caches of subtypes are emptied: they keep classes of texts that are gone."""


class BlockedError(Exception):
    """A text somewhere does not parse; nothing was checked. The message is mypy's."""


class Engine:
    """The resident build. Paths are absolute."""

    def __init__(self, options: Options, overlay: Overlay) -> None:
        self._options = options
        self._overlay = overlay
        self._server = Server(options, os.path.join(tempfile.gettempdir(), "gateline-no-such-status-file"))
        self._server.fscache = overlay
        self._store: dict[str, list[tuple[ErrorInfo, str | None]]] = {}
        self._modules: dict[str, Module] = {}
        self._edits = 0

    def start(self, paths: Iterable[str]) -> bool:
        """Build everything once; whether the cache could be used. Raises BlockedError."""
        sources = sources_of(paths, self._options, self._overlay)
        answer = self._server.check(sources, False, False, 80)
        if self._server.fine_grained_manager is None:
            raise BlockedError((answer["err"] or answer["out"]).strip().split("\n")[0])
        self._modules = {path: (name, path) for name, path in self._paths()}
        self._keep(self._errors.error_info_map)
        # Fine-grained checking loses and invents unused ignores; an ordinary run tells them. Not earlier:
        # this option takes part in the cache's key.
        self._options.warn_unused_ignores = False
        # The errors of unchanged modules are not in the cache: what was asked for is checked once more.
        self.update(paths)
        gc.collect()
        gc.freeze()
        return any(state.meta is not None for state in self._manager.graph.values())

    def update(self, paths: Iterable[str]) -> set[str]:
        """Check what changed at these paths; the paths that were checked. Raises BlockedError."""
        manager = self._manager
        changed, removed = self._split(paths)
        if not changed and not removed:
            return set()
        manager.flush_cache()
        manager.previous_targets_with_errors = set()
        said = manager.update(changed, removed)
        if manager.blocking_error is not None:
            raise BlockedError(said[0] if said else "a text does not parse")
        touched = self._replace(edited={name for name, _ in changed})
        self._release()
        for _, path in removed:
            self._modules.pop(path, None)
            self._store.pop(path, None)
        return touched | {path for _, path in (*changed, *removed)}

    def lines(self, paths: Iterable[str]) -> list[str]:
        """What mypy would print about the files at these paths."""
        wanted = set(paths)
        errors = self._errors
        errors.reset()
        errors.error_info_map = {
            p: [info for info, _ in kept] for p, kept in self._store.items() if os.path.abspath(p) in wanted
        }
        lines: list[str] = errors.new_messages()
        errors.reset()
        return lines

    def _split(self, paths: Iterable[str]) -> tuple[list[Module], list[Module]]:
        changed: list[Module] = []
        removed: list[Module] = []
        for path in paths:
            known = self._modules.get(path)
            if not self._overlay.exists(path):
                removed += [known] if known else []
            elif known is not None:
                changed.append(known)
            else:
                changed += self._added(path)
        return changed, removed

    def _added(self, path: str) -> list[Module]:
        """A file that the build does not have yet; a second one of the same module name is passed over."""
        taken = self._manager.graph
        found = [s for s in sources_of([path], self._options, self._overlay) if s.module not in taken]
        for source in found:
            self._modules[path] = (source.module, path)
            self._server.previous_sources.append(BuildSource(path, source.module, None, source.base_dir))
        return [(source.module, path) for source in found]

    def _replace(self, edited: set[str]) -> set[str]:
        """Forget what the processed targets said before, keep what they say now; the paths concerned."""
        processed, modules = set(self._manager.processed_targets), set(self._manager.updated_modules)
        said_now = self._errors.error_info_map
        touched = {os.path.abspath(path) for path in said_now}
        for path, kept in list(self._store.items()):
            left = [(i, t) for i, t in kept if i.module not in modules and t not in processed]
            if len(left) == len(kept):
                continue
            touched.add(os.path.abspath(path))
            self._store[path] = left
            if not left:
                del self._store[path]
        self._keep(said_now, edited)
        return touched

    def _keep(self, infos: Mapping[str, list[ErrorInfo]], edited: set[str] | None = None) -> None:
        for path, found in infos.items():
            real = [i for i in found if not _is_invented(i, edited)]
            if real:
                self._store.setdefault(path, []).extend((info, self._target(info)) for info in real)

    def _target(self, info: ErrorInfo) -> str | None:
        """The target that will say this again (a method that infers attributes: its module's top level)."""
        if not info.target or not info.module:
            return info.module
        manager = self._manager.manager
        if info.module not in manager.modules:
            return info.target
        nodes, _ = lookup_target(manager, info.target, info.module)
        return nodes[0].node.fullname if nodes else info.target

    def _release(self) -> None:
        """Let go of trees that were replaced.

        mypy remembers which `async def` it has analysed in this edit, and never forgets: on a text with many
        of them that keeps half a megabyte an edit.
        """
        self._manager.manager.semantic_analyzer.wrapped_coro_return_types.clear()
        self._edits += 1
        if self._edits % _FORGET_AFTER == 0:
            type_state.reset_all_subtype_caches()

    def _paths(self) -> Iterable[Module]:
        for name, state in self._manager.graph.items():
            if state.path:
                yield name, os.path.abspath(state.path)

    @property
    def _manager(self) -> FineGrainedBuildManager:
        manager = self._server.fine_grained_manager
        assert manager is not None, "asked before the start"
        return manager

    @property
    def _errors(self) -> Any:
        return self._manager.manager.errors


def _is_invented(info: ErrorInfo, edited: set[str] | None) -> bool:
    """Unused ignores, and redefinitions in modules nobody edited: from processing the same tree twice."""
    code = info.code.code if info.code else ""
    elsewhere = edited is not None and info.module not in edited
    return code == "unused-ignore" or (code == "no-redef" and elsewhere)

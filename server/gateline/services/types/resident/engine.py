"""mypy's fine-grained engine, resident, over unsaved texts, with its own store of errors.

mypy's own daemon checks every target again that had an error anywhere, on every edit. Here the errors
are kept by target instead, and only what an edit processed is replaced. (A target is a function, or the
top level of a module or class.)
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mypy.dmypy_server import Server
from mypy.errors import ErrorInfo
from mypy.options import Options
from mypy.server.update import FineGrainedBuildManager, lookup_target
from mypy.typestate import type_state

from gateline.model.document import split_lines
from gateline.services.types.resident.closure import Module
from gateline.services.types.resident.deferring import Finishing
from gateline.services.types.resident.in_build import InBuild
from gateline.services.types.resident.preview import Alone, Previews
from gateline.services.types.runs.plan import Plan
from gateline.services.types.runs.run import BlockedError, blocking, crashes_told
from gateline.services.types.runs.saved import is_older

_FORGET_AFTER = 100
"""Edits after which mypy's caches of subtypes are emptied: they keep classes of texts that are gone."""


class Engine:
    """The resident build. Paths are absolute."""

    def __init__(self, options: Options, plan: Plan) -> None:
        self._options = options
        self._plan = plan
        self._overlay = plan.overlay
        self._server = Server(options, os.path.join(tempfile.gettempdir(), "gateline-no-such-status-file"))
        self._server.fscache = plan.overlay
        self._store: dict[str, list[tuple[ErrorInfo, str | None]]] = {}
        self._modules: dict[str, Module] = {}
        self._previews: dict[str, Previews | None] = {}
        """By path, since the last edit that was checked as a whole; None where no preview can be trusted."""
        self._edits = 0

    def start(self, paths: Iterable[str]) -> bool:
        """Build everything once; whether the cache could be used. Raises BlockedError and CrashError."""
        sources = self._plan.all_sources(paths, self._options)
        with crashes_told():
            answer = self._server.check(sources, False, False, 80)
        if self._server.fine_grained_manager is None:
            raise BlockedError(blocking((answer["err"] or answer["out"]).strip().split("\n")))
        self._modules = {path: (name, path) for name, path in self._paths()}
        self._in_build = InBuild(self._options, self._manager.manager, self._manager.graph)
        self._in_build.pass_over(self._modules[path] for path in paths if path in self._modules)
        self._keep(self._errors.error_info_map)
        # Fine-grained checking loses and invents unused ignores; an ordinary run tells them. Not earlier:
        # this option takes part in the cache's key.
        self._options.warn_unused_ignores = False
        self._manager.manager.plugin._plugins.append(Finishing(self._options, self._manager))
        used_cache = any(state.meta is not None for state in self._manager.graph.values())
        if used_cache:
            # The errors of unchanged modules are not in the cache: what was asked for is checked once more.
            self.update(paths)
        return used_cache

    def take_in(self, module: str, path: str) -> None:
        """Have a file checked from the next update on, also one that the project's settings leave out."""
        self._modules[path] = (module, path)

    def update(self, paths: Iterable[str]) -> set[str]:
        """Check what changed at these paths; the paths it touched. Raises BlockedError and CrashError."""
        self._previews.clear()
        changed, removed = self._split(paths)
        touched = {path for _, path in (*changed, *removed)}
        for module in removed:
            touched |= self._process([], [module])
            self._modules.pop(module[1], None)
            self._store.pop(module[1], None)
        for module in changed:
            touched |= self._process([module], [])
            if self._is_mangled(module[0]):
                touched |= self._process([module], [])
        return touched

    def preview(self, path: str, old: str, new: str) -> bool:
        """Check only the function that was edited; False when that would not do. Raises CrashError.

        Then, or afterwards, the path must be given to `update` before anything else is asked.
        """
        if path not in self._modules:
            return False
        if path not in self._previews:
            self._previews[path] = Previews(self._manager, self._modules[path][0])
        previews = self._previews[path]
        if previews is None:
            return False
        self._previews[path] = None
        with crashes_told():
            alone = previews.of(split_lines(old), split_lines(new))
        self._previews[path] = previews
        if alone is not None:
            self._replace_alone(path, alone)
            self._release()
        return alone is not None

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

    def limits_of(self, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What was done without that concerns each of these files, by relative path."""
        return self._plan.limits_of(self._manager.graph, paths)

    def defines(self, module: str, name: str) -> bool:
        """Whether a module of the build has this name at its top level."""
        tree = self._manager.manager.modules.get(module)
        return tree is not None and name in tree.names

    def ignores_errors(self, module: str) -> bool:
        """Whether the project's settings hide all errors of a module."""
        return bool(self._options.clone_for_module(module).ignore_errors)

    def knows(self, path: str) -> bool:
        """Whether the file at a path is part of the build."""
        return path in self._modules

    def written(self, since: float) -> list[str]:
        """The build's own files below its root that were written after a time in seconds, or are gone."""
        inside = self._plan.root + os.sep
        return [path for path in self._modules if path.startswith(inside) and not is_older(path, since)]

    def settings_written(self, since: float) -> bool:
        """Whether what decides how files are checked was written after a time in seconds."""
        files = (self._options.config_file, self._options.python_executable)
        return any(not is_older(file, since) for file in files if file)

    def brings_many(self, paths: Iterable[str]) -> bool:
        """Whether the texts at these paths import too many new modules to take them in one by one."""
        there = filter(self._overlay.exists, paths)
        changed = (self._modules.get(path) or self._found(path) for path in there)
        return self._in_build.would_grow_much(filter(None, changed))

    @property
    def stems(self) -> set[str]:
        """The paths of the build's files without their endings."""
        return {os.path.splitext(path)[0] for path in self._modules}

    @property
    def missing(self) -> set[str]:
        """The last parts of the names of modules that are imported and were not found."""
        return {
            name.rpartition(".")[2] for state in self._manager.graph.values() for name in state.suppressed
        }

    @property
    def blocked_path(self) -> str:
        """The file that does not parse, after BlockedError."""
        error = self._manager.blocking_error
        return os.path.abspath(error[1]) if error else ""

    def _split(self, paths: Iterable[str]) -> tuple[list[Module], list[Module]]:
        changed: list[Module] = []
        removed: list[Module] = []
        for path in paths:
            if path in self._plan.unchecked:
                continue
            known = self._modules.get(path)
            if not self._overlay.exists(path):
                removed += [known] if known else []
            elif known is not None:
                changed.append(known)
            else:
                changed += self._added(path)
        return changed, removed

    def _added(self, path: str) -> list[Module]:
        """A file that the build did not start with, if it can be taken in."""
        found = self._found(path)
        if found is None:
            return []
        self._modules[path] = found
        return [found]

    def _found(self, path: str) -> Module | None:
        """The module that a file is, or would be, which the build did not start with."""
        there = {module_path: name for name, module_path in self._paths()}
        if path in there:  # an import that was written since the start has led to it
            return there[path], path
        found = self._plan.sources([path], self._options, there.values())
        return next(((source.module, path) for source in found), None)

    def _process(self, changed: list[Module], removed: list[Module]) -> set[str]:
        """One edit of one module: of several at once mypy would process each again that has an error."""
        manager = self._manager
        manager.flush_cache()
        manager.previous_targets_with_errors = set()
        with crashes_told():
            said = manager.update(changed, removed)
        if manager.blocking_error is not None:
            raise BlockedError(blocking(said, manager.blocking_error[0]))
        touched = self._replace(edited={name for name, _ in changed})
        self._release()
        return touched

    def _is_mangled(self, module: str) -> bool:
        """Whether mypy went over a module's tree twice, and so took its definitions for second ones."""
        again = self._manager.processed_targets.count(module) > 1
        kept = (info for infos in self._store.values() for info, _ in infos)
        return again and any(info.module == module and _code(info) == "no-redef" for info in kept)

    def _replace(self, edited: set[str]) -> set[str]:
        """Forget what the processed targets said before, keep what they say now; the paths concerned."""
        processed, modules = set(self._manager.processed_targets), set(self._manager.updated_modules)
        said_now = self._errors.error_info_map
        touched = {os.path.abspath(path) for path in said_now}
        forgotten: list[ErrorInfo] = []
        for path, kept in list(self._store.items()):
            gone = [i for i, t in kept if i.module in modules or t in processed]
            if gone:
                touched.add(os.path.abspath(path))
                forgotten += gone
                self._store[path] = [(i, t) for i, t in kept if not (i.module in modules or t in processed)]
        # In a module that nobody edited, nothing is defined twice that was not before.
        known = {(i.module, i.line, i.message) for i in forgotten}
        self._keep(said_now, lambda i: i.module in edited or (i.module, i.line, i.message) in known)
        return touched

    def _replace_alone(self, path: str, alone: Alone) -> None:
        """Take a function's new errors; all others in the file move with their lines."""
        for name, kept in self._store.items():
            if os.path.abspath(name) == path:
                rest = [(i, t) for i, t in kept if not alone.outdates(i, t)]
                for info, _ in rest:
                    alone.move(info)
                self._store[name] = rest
        self._keep({path: list(alone.errors)})

    def _keep(
        self, infos: Mapping[str, list[ErrorInfo]], may_redefine: Callable[[ErrorInfo], bool] = lambda _: True
    ) -> None:
        for path, found in infos.items():
            real = [i for i in found if _code(i) != "unused-ignore"]
            real = [i for i in real if _code(i) != "no-redef" or may_redefine(i)]
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

        mypy remembers which `async def` it has analysed in this edit, and each target that it ever analysed,
        and never forgets: on a text with many of them that keeps half a megabyte an edit.
        """
        self._manager.manager.semantic_analyzer.wrapped_coro_return_types.clear()
        self._manager.manager.processed_targets.clear()
        self._edits += 1
        if self._edits % _FORGET_AFTER == 0:
            type_state.reset_all_subtype_caches()

    def _paths(self) -> Iterable[Module]:
        for name, state in self._manager.graph.items():
            if state.path:
                yield name, os.path.abspath(state.path)

    @property
    def targets(self) -> int:
        """How many functions and modules the last edit made mypy look at."""
        return len(self._manager.processed_targets)

    @property
    def _manager(self) -> FineGrainedBuildManager:
        manager = self._server.fine_grained_manager
        assert manager is not None, "asked before the start"
        return manager

    @property
    def _errors(self) -> Any:
        return self._manager.manager.errors


def _code(info: ErrorInfo) -> str:
    return info.code.code if info.code else ""

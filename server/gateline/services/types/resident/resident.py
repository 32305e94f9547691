"""The resident engine of one root, with what it was asked about."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mypy.options import Options

from gateline.services.types.messages import Answer, Setup, Start, Texts, Update
from gateline.services.types.resident.engine import Engine
from gateline.services.types.resident.following import follows, replaces
from gateline.services.types.resident.probe import sees_texts
from gateline.services.types.runs.cache import Cache
from gateline.services.types.runs.cached import lacks_many
from gateline.services.types.runs.overlay import Overlay
from gateline.services.types.runs.plan import Plan
from gateline.services.types.runs.printed import messages_of
from gateline.services.types.runs.run import BlockedError, CrashError, SettingsError, refuse_plugins


class _UnprimedError(Exception):
    """The cache is to be filled before an engine starts from it."""


class Resident:
    """Is asked in names relative to the root; everything else is absolute paths."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._overlay = Overlay()
        self._plan = Plan(setup, self._overlay)
        self._engine: Engine | None = None
        self.is_fresh = False
        """Whether the engine was built and nothing has been done since to keep Python's collector off it."""
        self._asked: dict[str, None] = {}
        """Absolute paths that were ever asked for, in order: the only ones that answers speak of."""
        self._behind: set[str] = set()
        """Those whose newest text does not parse: the engine has the last one that did."""
        self._previewed: dict[str, None] = {}
        """Those of which only a function was checked since an edit: the rest is due before anything else."""

    @property
    def names(self) -> list[str]:
        """The documents that answers speak of."""
        return list(map(self._plan.relative, self._asked))

    def start(self, texts: Texts, *, primed: bool = True) -> Answer:
        """Build the engine, unless its cache is not `primed` and lacks many modules.

        Raises BlockedError, CrashError, SettingsError.
        """
        self._lay(texts)
        try:
            return self._build(self._started if primed else self._started_from_cache)
        except _UnprimedError:
            return Answer(unprimed=True)

    def foresee(self, names: Iterable[str]) -> None:
        """Build the engine as it will be asked for. Raises BlockedError, CrashError, SettingsError."""
        self._asked = {path: None for path in map(self._absolute, names) if os.path.isfile(path)}
        if self._asked:
            with contextlib.suppress(_UnprimedError):
                self._build(self._started_unasked)

    def adopt(self, request: Start, began: float) -> Answer | None:
        """The first answer of an engine that was built from the files as they were at `began`, or later.

        None where it cannot follow what was written since, or there is none. `began` is in seconds.
        """
        if self._engine is None or self._engine.settings_written(began):
            return None
        written = {*map(self._plan.relative, self._engine.written(began)), *request.written}
        answer = self.update(Update(request.texts, tuple(sorted(written))))
        if answer.outdated or answer.unprimed or self._engine is None:
            return None
        for path, text in ((self._absolute(name), text) for name, text in request.texts.items()):
            # One that is like its file was not laid over it, and the file may change from now on.
            if not self._overlay.covers(path):
                self._overlay.put(path, text)
        self._asked = dict.fromkeys(map(self._absolute, request.texts))
        return replace(self._said(self._engine, self._asked), used_cache=True)

    def update(self, request: Update) -> Answer:
        """Check what changed. A text that does not parse is put back to the last one that did."""
        written = [self._absolute(name) for name in request.written]
        self._take_back(written)
        fresh = {name: text for name, text in request.texts.items() if not self._has(name, text)}
        before = {name: self._overlay.text(self._absolute(name)) for name in fresh}
        paths = [*self._previewed, *self._lay(fresh)]
        self._previewed.clear()
        if self._engine is None:
            return self._build(self._started)
        made = [
            self._absolute(name) for name, text in fresh.items() if before[name] is None and text is not None
        ]
        if not follows(self._engine, written) or any(replaces(self._engine, path) for path in made):
            return Answer(outdated=True)
        if self._engine.brings_many([*written, *map(self._absolute, fresh)]):
            return Answer(unprimed=True)
        try:
            touched = self._updated(self._engine, list(dict.fromkeys([*written, *paths])), before)
        except CrashError:
            # Perhaps a plug-in's: with the next build the plan goes without it, or this is raised again.
            self._engine = None
            return self._build(self._started)
        answer = self._said(self._engine, [*touched, *map(self._absolute, request.texts)])
        return replace(answer, targets=self._engine.targets)

    def peek(self, texts: Texts) -> Answer:
        """What would be found with other texts. The engine keeps those that it has."""
        paths = {name: self._absolute(name) for name in texts}
        had = {name: self._overlay.text(path) for name, path in paths.items() if self._overlay.covers(path)}
        known = dict(self._asked)
        answer = self.update(Update(texts))
        after = self.update(Update(had, tuple(name for name in texts if name not in had)))
        before = self._said(self._engine, map(self._absolute, answer.messages)) if self._engine else after
        self._asked = known
        outdated = answer.outdated or answer.unprimed or after.outdated
        return replace(answer, before=before.messages, outdated=outdated)

    def preview(self, name: str, text: str) -> Answer:
        """What is found when only the edited function is checked again; nothing where that will not do."""
        path = self._absolute(name)
        old = self._overlay.text(path) if path in self._asked and path not in self._behind else None
        if self._engine is None or old is None:
            return Answer()
        self._previewed[path] = None
        try:
            done = self._engine.preview(path, old, text)
        except CrashError:
            return Answer()
        if done:
            self._plan.lay(path, text)
        return self._said(self._engine, [path]) if done else Answer()

    def _build(self, start: Callable[[Options], tuple[Engine | None, bool]]) -> Answer:
        os.chdir(self._plan.root)
        self._overlay.flush()
        with Cache(self.setup.cache_dir).for_engine() as folder:
            self._engine, used_cache = self._plan.carry_out(start, folder, resident=True)
        self.is_fresh = True
        return replace(self._said(self._engine, self._asked), used_cache=used_cache)

    def _started_unasked(self, options: Options) -> tuple[Engine | None, bool]:
        refuse_plugins(options)
        return self._started_from_cache(options)

    def _started_from_cache(self, options: Options) -> tuple[Engine | None, bool]:
        """Raises _UnprimedError where the cache lacks many modules."""
        sources = self._plan.sources(self._present(), options)
        with contextlib.suppress(sqlite3.Error):  # what cannot be read is made anew by the build
            if lacks_many(options, self._overlay, sources):
                raise _UnprimedError
        return self._started(options)

    def _started(self, options: Options) -> tuple[Engine | None, bool]:
        """None when nothing can be checked, perhaps because nothing parses: mypy fails without a module."""
        present = self._present()
        if not self._plan.sources(present, options):
            return None, False
        engine = Engine(options, self._plan)
        used_cache = engine.start(present)
        if not sees_texts(engine, self._overlay, self._plan.root):
            raise SettingsError("the installed mypy does not check unsaved texts")
        return engine, used_cache

    def _updated(self, engine: Engine, paths: list[str], before: Texts) -> set[str]:
        touched: set[str] = set()
        while True:
            try:
                return touched | engine.update(paths)
            except BlockedError as error:
                path = engine.blocked_path
                name = self._plan.relative(path)
                if name in before and self._overlay.text(path) != before[name]:
                    self._overlay.put(path, before[name])
                    self._behind.add(path)
                elif not self._plan.go_without(str(error)):
                    raise
                touched.add(path)

    def _said(self, engine: Engine | None, paths: Iterable[str]) -> Answer:
        plan = self._plan
        wanted = [p for p in dict.fromkeys(paths) if p in self._asked]
        unchecked = {plan.relative(p): why for p in wanted if (why := plan.unchecked.get(p))}
        apart = (p for p in wanted if engine is None or not engine.knows(p))
        left_out = {plan.relative(p): why for p in apart if (why := plan.why_left_out(p))}
        silent = {*unchecked, *left_out, *map(plan.relative, plan.broken | self._behind)}
        found = messages_of(engine.lines(wanted) if engine else (), plan.root, self._overlay)
        said = {n: found.get(n, ()) for n in map(plan.relative, wanted) if n not in silent}
        limits = engine.limits_of(p for p in wanted if plan.relative(p) in said) if engine else {}
        return Answer(said, left_out, unchecked, limits=plan.limits, limits_of=limits)

    def _lay(self, texts: Texts) -> list[str]:
        paths = {self._absolute(name): text for name, text in texts.items()}
        for path, text in paths.items():
            self._plan.lay(path, text)
        self._asked |= dict.fromkeys(paths)
        self._behind -= paths.keys()
        return list(paths)

    def _has(self, name: str, text: str | None) -> bool:
        """Whether the engine checked this very text last."""
        path = self._absolute(name)
        return path in self._asked and path not in self._behind and self._overlay.text(path) == text

    def _take_back(self, paths: Sequence[str]) -> None:
        for path in paths:
            self._plan.take_back(path)
            self._behind.discard(path)
        if paths:
            self._overlay.flush()

    def _present(self) -> list[str]:
        return [path for path in self._asked if self._overlay.exists(path)]

    def _absolute(self, name: str) -> str:
        return os.path.join(self._plan.root, *name.split("/"))

"""Asks jedi which definition a name means, on the texts as they are in the editor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jedi import Project, settings
from jedi.api import Script
from jedi.api.classes import Name
from parso.utils import split_lines

from gateline.context.resolved import Definition, Site
from gateline.model import Document
from gateline.services.resolving.requests import Setup
from gateline.services.resolving.sealed import LARGEST, SealedEnvironment
from gateline.services.resolving.trees import State, Trees

# What callers pass is searched for in all files, takes seconds, and proves nothing: others may pass something
# else. And nothing is imported.
settings.dynamic_params = False
settings.dynamic_params_for_other_modules = False
settings.auto_import_modules = []

_STATEMENTS = ("statement", "instance", "param")
"""What jedi calls a name that is bound by a statement: what it holds is of more use than that place."""

Definitions = tuple[Definition, ...]


class Names:
    """What names mean in one workspace. All methods block."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._root = str(setup.root)
        self._trees = Trees(setup.cache)
        self._buffers: dict[str, str] = {}
        """By absolute path."""
        self._sources: tuple[str, ...] = ("",)
        self._begin()

    def edited(self, documents: Iterable[Document], closed: Iterable[str]) -> None:
        """Buffers were opened or edited, others were closed."""
        before = dict(self._buffers)
        for path in closed:
            self._buffers.pop(self._full(path), None)
        self._buffers |= {self._full(one.path): one.text for one in documents}
        if before != self._buffers:
            self._begin()

    def written(self) -> None:
        """Files were written or came: what was found may be old."""
        self._begin()

    def freshen(self, sources: Sequence[str]) -> None:
        """Forget what was found if a file has changed since, or imports start elsewhere."""
        if tuple(sources) != self._sources:
            self._sources = tuple(sources)
            self._begin()
        elif self._environment.has_changed():
            self._begin()

    def definitions(self, path: str, site: Site) -> Definitions | None:
        """Where a name is defined, the likeliest first; none where it is unknown.

        None: nothing can be said of the file at all.
        """
        key = (path, site)
        if key not in self._known:
            self._known[key] = self._found(path, site)
        return self._known[key]

    def warm(self, path: str) -> None:
        """Read a file and what it imports."""
        script = self._script(path)
        for one in script.imported() if script is not None else ():
            self.definitions(path, one)

    @property
    def opaque(self) -> list[str]:
        """Modules that were not looked into: extensions, and files that are too large."""
        return sorted(self._environment.opaque)

    def forget(self) -> None:
        """Hold little in memory; what is known of names stays, as the texts are the same."""
        self._trees.forget()
        self._infer_anew()

    def tidy(self) -> None:
        """Keep the cache on the disk small."""
        self._trees.tidy()

    def _begin(self) -> None:
        search = [self._full(source) for source in self._sources]
        self._environment = SealedEnvironment(self._setup.version, [*search, *self._setup.packages])
        self._environment.unsaved = self._buffers
        self._environment.own = frozenset(_own(search))
        self._known: dict[tuple[str, Site], Definitions | None] = {}
        self._infer_anew()

    def _infer_anew(self) -> None:
        project = Project(self._root, sys_path=self._environment.get_sys_path(), smart_sys_path=False)
        self._state = State(project, self._environment, self._trees)
        # jedi comes with stubs of some packages; of those in the workspace their own text counts.
        self._state.stub_module_cache |= {(name,): None for name in self._environment.own}
        self._scripts: dict[str, _Text | None] = {}

    def _found(self, path: str, site: Site) -> Definitions | None:
        script = self._script(path)
        if script is None:
            return None
        try:
            found = script.goto(site.line + 1, site.column, follow_imports=True)
            return tuple(dict.fromkeys(self._definition(one) for one in _held(found)))
        except Exception:  # noqa: BLE001 - jedi fails in many ways on texts that nobody foresaw; it is unknown then
            return ()

    def _script(self, path: str) -> _Text | None:
        if path not in self._scripts:
            full = self._full(path)
            self._environment.saw(full)
            self._scripts[path] = self._read(full)
        return self._scripts[path]

    def _read(self, full: str) -> _Text | None:
        try:
            code = self._buffers[full] if full in self._buffers else Path(full).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        return _Text(self._state, Path(full), code) if len(code) <= LARGEST else None

    def _definition(self, name: Name) -> Definition:
        full = str(name.module_path or "")
        inside = full.startswith(self._root + os.sep)
        path = Path(full).relative_to(self._root).as_posix() if inside else ""
        return Definition(path, (name.line or 1) - 1, name.full_name or name.name)

    def _full(self, path: str) -> str:
        return os.path.normpath(f"{self._root}{os.sep}{path}")


class _Text(Script):
    """A text in a state that it shares with others: jedi's own begins anew for each text."""

    def __init__(self, state: State, path: Path, code: str) -> None:
        self._orig_path = self.path = path
        self._inference_state = state
        self._module_node, self._code = state.parse_and_get_code(
            code=code, path=path, use_latest_grammar=path.suffix == ".pyi"
        )
        self._code_lines = split_lines(self._code, keepends=True)

    def imported(self) -> Iterator[Site]:
        """The names that the text imports."""
        for statement in self._module_node.iter_imports():
            for name in statement.get_defined_names():
                yield Site(name.start_pos[0] - 1, name.start_pos[1], name.value)


def _held(found: Sequence[Name]) -> Iterator[Name]:
    """Of names that are bound by statements, first what they hold, as far as that is a definition."""
    for one in found:
        if one.type in _STATEMENTS:
            yield from (held for held in one.infer() if held.type in ("function", "class"))
        yield one


def _own(search: Iterable[str]) -> Iterator[str]:
    """The modules that stand in some folders, as far as they bring no stub of their own."""
    for folder in search:
        try:
            entries = {entry.name for entry in Path(folder).iterdir()}
        except OSError:
            continue
        for entry in entries:
            name = entry.removesuffix(".py")
            if name.isidentifier() and not {f"{name}.pyi", f"{name}-stubs"} & entries:
                yield name

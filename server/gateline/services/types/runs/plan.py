"""What a build is made of, and what is left out of it so that the rest can be checked.

One file that does not parse or two scripts of one name end a run of mypy. An editor needs the findings of
everything else all the same: what mypy said is read, the plan is changed, and it is tried again. Nothing is
tried without a plug-in that the settings name: what mypy would say then may be untrue of every line.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Callable, Iterable
from typing import TypeVar

from mypy.build import Graph
from mypy.find_sources import InvalidSourceList, create_source_list
from mypy.modulefinder import BuildSource
from mypy.options import Options

from gateline.services.types.messages import Setup
from gateline.services.types.runs.importers import importers
from gateline.services.types.runs.overlay import Overlay
from gateline.services.types.runs.plugins import make_importable, not_allowed, told, without_plugins
from gateline.services.types.runs.run import BlockedError, CrashError, PluginError, prepare
from gateline.services.types.runs.selection import Selection

_TRIES = 25
_ANY = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"
"""What stands in for a file that does not parse."""
_PLACE = re.compile(r"(?P<path>.+?):(?:\d+:)* error: (?P<text>.*)")
_TWO_NAMES = re.compile(r'Source file found twice under different module names: "(.*?)" and "(.*?)"')
_URI = re.compile(r"[a-z][a-z0-9+-]+:")
"""How the name of a document begins that lies outside the project, or in no file."""
_NO_PART = re.compile(r"[^\w-]")
_SECOND = "another file is the module"

T = TypeVar("T")


class Plan:
    """The documents of one root. Paths are absolute."""

    def __init__(self, setup: Setup, overlay: Overlay) -> None:
        self.setup = setup
        self.root = os.path.realpath(setup.root)
        self.overlay = overlay
        self.unchecked: dict[str, str] = {}
        """Documents that could not be taken in, with the reason."""
        self.broken: set[str] = set()
        """Files that do not parse; their names count as Any."""
        self._names: dict[str, str] = {}
        self._complaints: tuple[str, ...] = ()
        self._settings = ""
        """The file that the options were read from."""
        self._selection: Selection | None = None

    @property
    def limits(self) -> tuple[str, ...]:
        """What was done without, for people."""
        return self._limits(self.broken)

    def limits_of(self, graph: Graph, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Those that concern each of these files of a build, by relative path: what it imports counts."""
        if not self.broken:
            return {}
        above = importers(graph, self.broken, self.root)
        return {
            self.relative(path): self._limits(broken for broken in self.broken if path in above[broken])
            for path in paths
        }

    def _limits(self, broken: Iterable[str]) -> tuple[str, ...]:
        said = (f"{self.relative(path)} does not parse: its names count as Any" for path in sorted(broken))
        return (*self._complaints, *said)

    def carry_out(self, run: Callable[[Options], T], cache_dir: str, *, resident: bool) -> T:
        """Run with the project's options until nothing is in the way.

        Raises:
            SettingsError: mypy refused its settings.
            BlockedError: something is in the way that cannot be left out.
            PluginError: a plug-in that the settings name did not run.
            CrashError: mypy itself failed, and not because of a plug-in.

        """
        for _ in range(_TRIES):
            options = self._options(cache_dir, resident=resident)
            try:
                return self._run(run, options)
            except BlockedError as error:
                if not self.go_without(str(error)):
                    raise
            except CrashError as error:
                if not error.of_cache:
                    raise
                shutil.rmtree(cache_dir, ignore_errors=True)
        raise BlockedError(f"mypy is blocked by errors in more than {_TRIES} files")

    def _run(self, run: Callable[[Options], T], options: Options) -> T:
        """Run with the plug-ins that the settings name. Raises PluginError where one did not run."""
        plugins = tuple(options.plugins)
        if plugins and not self.setup.plugins:
            raise PluginError(told(plugins, self.setup, not_allowed(self.setup)))
        try:
            return run(options)
        except BlockedError as error:
            if plugins and self._is_of_plugins(str(error)):
                raise PluginError(told(plugins, self.setup, str(error))) from error
            raise
        except CrashError as error:
            if error.of_cache or not plugins:
                raise
            if not error.culprit:  # mypy's own failure, perhaps: then it fails without them, too
                run(without_plugins(options))
            raise PluginError(told(plugins, self.setup, f"{error.culprit}: {error}".lstrip(": "))) from error

    def lay(self, path: str, text: str | None) -> None:
        """A document has another text: whatever was the matter with it is to be found out anew."""
        self.overlay.put(path, text)
        self.broken.discard(path)
        self.unchecked.pop(path, None)

    def take_back(self, path: str) -> None:
        """The file counts, whatever lay over it: a document's text, or what stood in for a broken file."""
        self.overlay.remove(path)
        self.broken.discard(path)
        self.unchecked.pop(path, None)

    def sources(self, paths: Iterable[str], options: Options, taken: Iterable[str] = ()) -> list[BuildSource]:
        """The modules at these paths; of two with one name only one can be checked, a stub before others."""
        found: dict[str, BuildSource] = {}
        names = set(taken)
        for path in sorted(paths, key=lambda path: not path.endswith(".pyi")):
            source = self._source(path, options)
            if source is None or path in self.broken or self.why_left_out(path):
                continue
            if source.module in names:
                self.unchecked[path] = f"{_SECOND} {source.module!r} already"
            else:
                names.add(source.module)
                found[path] = source
        return list(found.values())

    def all_sources(self, paths: Iterable[str], options: Options) -> list[BuildSource]:
        """Those at the paths and, where imports are not followed, what else the project runs mypy on."""
        found = self.sources(paths, options)
        if options.follow_imports not in ("skip", "error") or self._selection is None:
            return found
        names, own = {source.module for source in found}, {*self.unchecked, *self.broken}
        with contextlib.suppress(InvalidSourceList):
            more = create_source_list(self._selection.starts, options, self.overlay, allow_empty_dir=True)
            found += [s for s in more if s.module not in names and os.path.abspath(s.path or "") not in own]
        return found

    def go_without(self, said: str) -> bool:
        """Change the plan so that what mypy said cannot happen again; False when nothing helps."""
        match = _PLACE.match(said)
        path, text = (os.path.abspath(match["path"]), match["text"]) if match else ("", said)
        if two := _TWO_NAMES.search(text):
            return self._rename(path, two[2] if self._names.get(path, two[1]) == two[1] else two[1])
        if "shadows library module" in text or "top-level module" in text:
            self.unchecked[path] = text
            return True
        return self._stand_in(path)

    def is_second(self, path: str) -> bool:
        """Whether a document is unchecked only because another one has its module's name."""
        return self.unchecked.get(path, "").startswith(_SECOND)

    def why_left_out(self, path: str) -> str:
        """Why the project's settings do not have mypy run on a file; "" when they do."""
        return self._selection.why_left_out(path) if self._selection else ""

    def relative(self, path: str) -> str:
        """The path as the near side says it."""
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def _options(self, cache_dir: str, *, resident: bool) -> Options:
        prepared = prepare(self.setup, self.overlay, cache_dir, resident=resident)
        self._complaints = prepared.complaints
        self._settings = os.path.abspath(prepared.options.config_file or "")
        self._selection = Selection(prepared.options, self.overlay, self.root)
        if prepared.options.plugins and self.setup.plugins:
            make_importable(prepared.options, self.root)
        return prepared.options

    def _is_of_plugins(self, said: str) -> bool:
        """Whether mypy speaks of a plug-in: it does so at the line of the settings that names it."""
        match = _PLACE.match(said)
        return match is not None and os.path.abspath(match["path"]) == self._settings

    def _source(self, path: str, options: Options) -> BuildSource | None:
        if path in self.unchecked:
            return None
        if not _is_text(path):
            # mypy would fail as a whole.
            self.unchecked[path] = "its name is not UTF-8"
            return None
        try:
            (found,) = create_source_list([path], options, self.overlay)
        except InvalidSourceList as error:
            self.unchecked[path] = str(error)
            return None
        name = _own_name(self.relative(path)) or found.module
        return BuildSource(path, self._names.get(path, name), None, found.base_dir)

    def _rename(self, path: str, name: str) -> bool:
        known, self._names[path] = self._names.get(path), name
        return known != name

    def _stand_in(self, path: str) -> bool:
        if not path.startswith(self.root + os.sep) or path in self.broken or not self.overlay.isfile(path):
            return False
        self.broken.add(path)
        self.overlay.put(path, _ANY)
        return True


def _own_name(relative: str) -> str:
    """A module name of its own for a document that is in no file of the project; "" for all others.

    mypy would call every unsaved document `__main__`, and take one of them into a build.
    """
    return _NO_PART.sub("_", relative) if _URI.match(relative) else ""


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True

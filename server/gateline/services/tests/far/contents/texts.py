"""The texts that the project's modules were made from: unsaved ones before those on disk.

Everything that is imported from source outside the library folders is remembered with the bytes it
was compiled from. No `.pyc` of the project takes part: they are trusted by time and size, and two edits
within a second can have both in common.
"""

from __future__ import annotations

import base64
import errno
import importlib.machinery
import linecache
import os
import pathlib
import site
import sys
import sysconfig
from typing import Any, Callable, Iterable, Iterator, NamedTuple

from .compiled import Compiled
from .encodings import decoded, encoded


class Loaded(NamedTuple):
    """One source file as it was imported."""

    data: bytes
    stamp: Any
    """Time and size on disk; None when it was not there."""
    filename: str
    """As its code objects have it."""
    rewritten: bool
    """Its asserts explain themselves: pytest compiled it."""
    laid: bool
    """The bytes are an unsaved text, not those on disk."""


def stamp(path: str) -> Any:
    """What changes when a file changes; None without the file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size)


def libraries() -> tuple[str, ...]:
    """Folders whose modules are not the project's, each with a separator at its end."""
    found = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found.add(getattr(site, "getusersitepackages", str)())
    found.update(getattr(site, "getsitepackages", list)())
    found.update(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))
    if sys.prefix != sys.base_prefix:
        found.add(sys.prefix)
    real = {os.path.realpath(path) for path in found if path}
    return tuple(path + os.sep for path in sorted(real))


class Texts:
    """What was read, and what is laid over the disk."""

    def __init__(self, root: str, compiled: Compiled | None = None) -> None:
        self.compiled = compiled or Compiled("")
        self.root = os.path.join(os.path.realpath(root), "")
        self.overlay: dict[str, bytes | None] = {}
        """By real path; None for a file that is to be taken for absent."""
        self.modes: dict[str, str] = {}
        """Those of links and programs among them, as git has them."""
        self.loaded: dict[str, Loaded] = {}
        self.libraries = libraries()
        self.beneath = ""
        """The folder of new files that were written into the project while collecting."""
        self.uncompiled: set[str] = set()
        """Real paths of files that were to be imported and hold no Python; nothing of them is executed."""
        self._newest: dict[str, bytes | None] = {}

    @property
    def folder(self) -> str:
        """The root without a separator at its end."""
        return self.root[:-1]

    def saved(self, real: str) -> bytes | None:
        """What is on disk; None without the file."""
        return _bytes(real)

    def newest(self, real: str) -> bytes | None:
        """The unsaved text, what is on disk, or what collecting wrote there; None without the file."""
        if real in self.overlay:
            return self.overlay[real]
        data = _bytes(real)
        if data is None and self.beneath and real.startswith(self.root):
            return _bytes(os.path.join(self.beneath, real[len(self.root) :]))
        return data

    def lay(self, overlay: dict[str, Any]) -> None:
        """Lay these over the disk, by path below the root, instead of those before.

        A text lies over the file that a link leads to; the bytes of another tree take the link's own place.
        """
        self.overlay, self.modes = {}, {}
        for path, content in overlay.items():
            if isinstance(content, str):
                self.overlay[os.path.realpath(self.root + path)] = encoded(content)
                continue
            real = _placed(self.root + path.rstrip("/"))
            self.overlay[real] = None if content is None else base64.b64decode(content["data"])
            if content is not None and content["mode"]:
                self.modes[real] = content["mode"]

    def ours(self, path: str) -> bool:
        """Whether a file is part of the project, and not of a library."""
        return not path.startswith(self.libraries) and not path.startswith("<")

    def relative(self, path: str) -> str:
        """The path below the root with `/`, or the absolute path of what is elsewhere."""
        real = os.path.realpath(path)
        if real == self.folder:
            return ""
        if self.below(real):
            return real[len(self.root) :].replace(os.sep, "/")
        return real

    def below(self, real: str) -> bool:
        """Whether a real path is in the project's folder and not a library in it."""
        return real.startswith(self.root) and self.ours(real) and not _is_made(os.path.basename(real))

    def without_root(self, text: str) -> str:
        """A message without what differs from machine to machine: where the project and libraries lie."""
        for folder in (self.root, *self.libraries):
            text = text.replace(folder, "")
        return text

    def read(self, filename: str, rewritten: bool = False) -> bytes | None:
        """The source of a module that is imported now; None when it is not the project's."""
        real = os.path.realpath(filename)
        if not self.ours(real):
            return None
        before = stamp(real)
        data = self.newest(real)
        if data is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), filename)
        if real in self.overlay:
            self.show(filename, data)
        self.loaded[real] = Loaded(data, before, filename, rewritten, real in self.overlay)
        return data

    def show(self, filename: str, data: bytes) -> None:
        """Let tracebacks and `inspect` see a text that is not on disk."""
        lines = decoded(data).splitlines(True)
        # Without a time, `linecache.checkcache` leaves the entry alone.
        linecache.cache[filename] = (len(data), None, lines, filename)

    def install(self) -> None:
        """From now on modules are made from these texts."""
        _hook_imports(self)
        _hook_pytest(self)

    def changes(self) -> Iterator[tuple[str, bytes | None]]:
        """Files that are not what was imported, with what they are now; None when they are gone."""
        self._newest.clear()
        for real, loaded in self.loaded.items():
            is_as_it_was = not loaded.laid and stamp(real) == loaded.stamp
            if real not in self.overlay and is_as_it_was:
                continue
            data = self.newest(real)
            if data != loaded.data:
                self._newest[real] = data
                yield real, data

    def current(self, filename: str) -> bytes | None:
        """What a file's code was made from, patches included."""
        real = os.path.realpath(filename)
        if real in self.overlay:
            return self.overlay[real]
        if real in self._newest:
            return self._newest[real]
        loaded = self.loaded.get(real)
        return _bytes(real) if loaded is None else loaded.data


def _is_made(name: str) -> bool:
    """Whether a file name of code is none of a file: `<frozen …>`, `<string>`, `<attrs generated …>`."""
    return name.startswith("<") and name.endswith(">")


def _placed(path: str) -> str:
    """The path below real folders, not followed where it is a link itself."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _hook_imports(texts: Texts) -> None:
    loader = importlib.machinery.SourceFileLoader
    ordinary = loader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        data = texts.read(self.get_filename(fullname))
        if data is None:
            return ordinary(self, fullname)
        filename = self.get_filename(fullname)
        try:
            return texts.compiled.made(
                "module", data, filename, lambda: compile(data, filename, "exec", dont_inherit=True)
            )
        except (SyntaxError, ValueError):
            texts.uncompiled.add(os.path.realpath(self.get_filename(fullname)))
            raise

    loader.get_code = get_code  # type: ignore[method-assign]


def _hook_pytest(texts: Texts) -> None:
    from _pytest.assertion import rewrite
    from pytest import __version__ as version

    module: Any = rewrite
    ordinary = module._rewrite_test

    def rewrite_test(path: Any, config: Any) -> Any:
        data = texts.read(str(path), rewritten=True)
        if data is None:
            return ordinary(path, config)
        given = _Given.of(path, data)
        kind = f"pytest {version} {_ini(config, 'enable_assertion_pass_hook')}"
        head, code = texts.compiled.made(kind, data, str(path), lambda: _plain_pair(ordinary(given, config)))
        return (os.stat(given) if head is None else head), code

    module._read_pyc = _hide(texts, module._read_pyc)
    module._rewrite_test = rewrite_test


def _plain_pair(made: Any) -> Any:
    """What pytest made: older ones give what the system says of the file, which is asked again."""
    return (made[0] if isinstance(made[0], bytes) else None), made[1]


def _ini(config: Any, name: str) -> Any:
    try:
        return config.getini(name)
    except (AttributeError, KeyError, ValueError):
        return None


def _hide(texts: Texts, ordinary: Callable[..., Any]) -> Callable[..., Any]:
    """`_read_pyc` that knows no `.pyc` of the project."""

    def read_pyc(source: Any, *rest: Any, **options: Any) -> Any:
        return None if texts.ours(os.path.realpath(source)) else ordinary(source, *rest, **options)

    return read_pyc


class _Given(type(pathlib.Path())):  # type: ignore[misc]
    """A path whose bytes are given."""

    @classmethod
    def of(cls, path: Any, data: bytes) -> Any:
        """The same path with these bytes in it."""
        given = cls(str(path))
        given.read_bytes = lambda: data
        return given


def edited(texts: Texts, names: Iterable[str]) -> None:
    """Show the newest lines of changed files to tracebacks."""
    for real in names:
        loaded = texts.loaded.get(real)
        data = texts.overlay.get(real)
        if loaded is not None and data is not None:
            texts.show(loaded.filename, data)

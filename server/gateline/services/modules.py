"""What can be imported besides the workspace: the standard library and packages. Never runs any of it.

The standard library is known by the stubs that come with mypy, installed packages by their stubs and sources.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from gateline.repairs.analysis.outline import outline_of

_VERSIONS = re.compile(r"^(?P<name>[\w.]+): (?P<first>\d+\.\d+)-(?P<last>\d+\.\d+)?", re.MULTILINE)
_TOP = re.compile(r"^(?:(?:class|(?:async )?def) +([^\W_]\w*)|([^\W\d_]\w*) *[:=](?!=))", re.MULTILINE)
"""A public name that is declared where nothing stands in front of it."""
_BLOCKS = re.compile(r"^(?:if|elif|else|try|except|finally|with)\b.*\n(?:(?:[ \t]+.*)?\n)+", re.MULTILINE)
"""What a module declares under a condition."""
_INNER = re.compile(
    r"^(?P<indent>[ \t]+)(?:(?:class|(?:async )?def) +(?P<defined>\w+)"
    r"|(?P<block>if|elif|else|try|except|finally|with)\b|(?P<assigned>[^\W\d_]\w*) *[:=](?!=))",
    re.MULTILINE,
)
"""In such a block: a definition, one more block, or an assignment."""
_RENAMED = re.compile(r" as (?=[^\W_])(\w+)")
_STARS = re.compile(r"^from (_\w+) import \*", re.MULTILINE)
_LARGEST = 1_000_000
"""Characters; a longer file is data, and is not searched."""
_MOST = 4_000
"""Files of installed packages that are searched for a name."""
_NOT_CODE = {"__pycache__", "tests", "test"}


class Modules:
    """The modules of one interpreter. Every answer is computed once; a new environment is a new object."""

    def __init__(
        self,
        search_path: Sequence[Path],
        version: tuple[int, int] = (sys.version_info[0], sys.version_info[1]),
    ) -> None:
        self.search_path = tuple(search_path)
        self.version = version
        self._texts: dict[Path, str] = {}

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """The file that declares each module, by dotted name."""
        found: dict[str, Path] = {}
        stubs = _stubs()
        found |= {name: path for name, path in (_walk(stubs) if stubs else ()) if self._is_there(name)}
        for folder in self.search_path:
            for name, path in _walk(folder):
                found.setdefault(name, path)
        return {**found, **self._stub_packages(found)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The dotted names of all modules that can be imported."""
        built_in = [name for name in sys.stdlib_module_names if self._is_there(name)]
        return tuple(sorted({*self.files, *built_in}))

    @cached_property
    def _lifetimes(self) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
        stubs = _stubs()
        if stubs is None:
            return {}
        text = (stubs / "VERSIONS").read_text(encoding="utf-8")
        return {
            m["name"]: (_number(m["first"]), _number(m["last"] or "99.0")) for m in _VERSIONS.finditer(text)
        }

    def _is_there(self, name: str) -> bool:
        while name:
            if span := self._lifetimes.get(name):
                return span[0] <= self.version <= span[1]
            name = name.rpartition(".")[0]
        return True

    @staticmethod
    def _stub_packages(files: Mapping[str, Path]) -> dict[str, Path]:
        """Stubs that come as a distribution of their own."""
        inside = ((name, path) for name, path in files.items() if name.partition(".")[0].endswith("-stubs"))
        return {name.replace("-stubs", "", 1): path for name, path in inside}

    def source(self, module: str) -> str | None:
        """The text that declares a module: its stub, else its source."""
        path = self.files.get(module)
        return None if path is None else self._read(path)

    def homes(self, name: str) -> list[str]:
        """The modules that declare a public name, those of the standard library first."""
        return [module for module in self._declaring.get(name, ()) if self._offers(module, name)]

    def _offers(self, module: str, name: str) -> bool:
        offered = outline_of(self.source(module) or "", self.version)
        if name in offered.names or name in offered.handed_on:
            return True
        return any(name in outline_of(self.source(m) or "", self.version).names for m in offered.stars)

    def learn(self) -> None:
        """Find out now what is asked about first: that takes about a second, and can go on beside others."""
        _ = self._declaring

    @cached_property
    def _declaring(self) -> Mapping[str, Sequence[str]]:
        """The modules in whose text a name is declared somewhere: one pass over all, for all names."""
        found: dict[str, list[str]] = {}
        for module, path in self._searched.items():
            # Not remembered: the texts of all modules are large, and few are asked for.
            text = self._texts.get(path) or _text(path) or ""
            names = set(_declared(text))
            # A stub hands on the names of a private module, one by one or all.
            names.update(_RENAMED.findall(text) if path.suffix == ".pyi" else ())
            for other in _STARS.findall(text):
                names.update(_declared(self.source(other) or ""))
            for name in names:
                found.setdefault(name, []).append(module)
        return found

    @cached_property
    def _searched(self) -> Mapping[str, Path]:
        """The public modules of the standard library, and of installed packages those next to the top."""
        public = {name: path for name, path in self.files.items() if not _is_private(name)}
        near = {name: path for name, path in public.items() if self._is_standard(name) or name.count(".") < 2}
        return dict(list(near.items())[:_MOST])

    def _is_standard(self, name: str) -> bool:
        return name.partition(".")[0] in sys.stdlib_module_names

    def _read(self, path: Path) -> str | None:
        if path not in self._texts:
            text = _text(path)
            if text is None:
                return None
            self._texts[path] = text
        return self._texts[path]


def _declared(text: str) -> Iterator[str]:
    """The public names that a module itself declares, by how its lines are indented: to parse all is slow."""
    yield from (defined or assigned for defined, assigned in _TOP.findall(text))
    for block in _BLOCKS.findall(text):
        yield from _inside(block)


def _inside(block: str) -> Iterator[str]:
    around: list[tuple[int, bool]] = []
    for line in _INNER.finditer(block):
        width = len(line["indent"])
        while around and around[-1][0] >= width:
            around.pop()
        name = line["defined"] or line["assigned"]
        if name and name[0] != "_" and all(is_block for _, is_block in around):
            yield name
        if not line["assigned"]:
            around.append((width, line["block"] is not None))


def _text(path: Path) -> str | None:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text if len(text) <= _LARGEST else ""


def _is_private(name: str) -> bool:
    return any(part.startswith("_") for part in name.split("."))


def _number(text: str) -> tuple[int, int]:
    major, minor = text.split(".")
    return int(major), int(minor)


def _stubs() -> Path | None:
    """The stubs of the standard library in mypy's distribution; mypy itself is not imported."""
    spec = find_spec("mypy")
    places = [] if spec is None else list(spec.submodule_search_locations or [])
    folders = (Path(place) / "typeshed" / "stdlib" for place in places)
    return next((folder for folder in folders if folder.is_dir()), None)


def _walk(folder: Path, prefix: str = "") -> Iterator[tuple[str, Path]]:
    """The modules in a folder and its packages; stubs before sources."""
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: (entry.suffix != ".pyi", entry.name))
    except OSError:
        return
    for entry in entries:
        name = entry.stem
        if entry.suffix in {".py", ".pyi"} and name.isidentifier():
            yield (prefix.rstrip(".") if name == "__init__" else prefix + name), entry
        elif _is_package(entry):
            yield from _walk(entry, f"{prefix}{entry.name}.")


def _is_package(entry: Path) -> bool:
    name = entry.name.removesuffix("-stubs")
    if not name.isidentifier() or name in _NOT_CODE:
        return False
    return any((entry / f"__init__{suffix}").is_file() for suffix in (".py", ".pyi"))

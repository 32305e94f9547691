"""Which names a text imports, and by which names a file can be imported. Broken texts are no hindrance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

_IMPORT = re.compile(
    rb"""^[ \t]*(?:
        from[ \t]+(?P<base>[.\w]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n\#;]+)
        |import[ \t]+(?P<modules>[^\n\#;]+)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_NAME = re.compile(r"[\w.]+")
_BY_NAME = re.compile(
    rb"""\b(?:import_module|importorskip|__import__|find_spec|run_module)\(\s*["']([\w.]+)["']"""
    rb"""|^pytest_plugins\b[^=\n]*=\s*(\([^)]*\)|\[[^\]]*\]|["'][\w.]+["'])""",
    re.MULTILINE,
)
"""Modules that are named in texts to be imported."""
_QUOTED = re.compile(r"""["']([\w.]+)["']""")


def module_names(path: str) -> set[str]:
    """The dotted names by which a file may be imported: from the root, or from any folder above it."""
    parts = PurePosixPath(path).with_suffix("").parts
    if parts[-1:] == ("__init__",):
        parts = parts[:-1]
    return {".".join(parts[start:]) for start in range(len(parts))}


def imported_names(path: str, source: bytes) -> Iterator[str]:
    """The dotted names that a text imports; `from a import b` means `a` and `a.b`."""
    package = PurePosixPath(path).parent.parts
    for match in _IMPORT.finditer(source):
        if match["modules"] is not None:
            for name in _words(match["modules"]):
                yield from _with_parents(name)
            continue
        base = _absolute(match["base"].decode(errors="replace"), package)
        yield from _with_parents(base)
        yield from (f"{base}.{name}" if base else name for name in _words(match["names"]))


def named_modules(source: bytes) -> Iterator[str]:
    """The dotted names of modules that a text imports by naming them: `import_module("a.b")`."""
    for match in _BY_NAME.finditer(source):
        names = [match[1].decode()] if match[1] else _QUOTED.findall(match[2].decode(errors="replace"))
        for name in names:
            yield from _with_parents(name)


def _words(text: bytes) -> Iterator[str]:
    """The imported names in a list; what follows `as` is not one."""
    for part in text.decode(errors="replace").strip("() \t\r\n").split(","):
        if (found := _NAME.search(part)) is not None:
            yield found[0]


def _absolute(base: str, package: tuple[str, ...]) -> str:
    dots = len(base) - len(base.lstrip("."))
    if not dots:
        return base
    above = package[: max(len(package) - dots + 1, 0)]
    return ".".join((*above, *filter(None, base[dots:].split("."))))


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))

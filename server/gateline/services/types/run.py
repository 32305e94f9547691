"""Runs of mypy over texts: what its settings say, and what it answers as our own messages."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mypy.build import build
from mypy.errors import CompileError
from mypy.find_sources import create_source_list
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.options import Options

from gateline.model.document import split_lines
from gateline.services.types.messages import Message, Note, Setup
from gateline.services.types.overlay import Overlay

_FLAGS = (
    "--no-error-summary",
    "--no-pretty",
    "--hide-error-context",
    "--show-error-end",
    "--no-color-output",
    "--cache-fine-grained",
)


_LINE = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):(?:(?P<column>\d+):(?:(?P<end_line>\d+):(?P<end_column>\d+):)?)? "
    r"(?P<severity>error|note|warning): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)


class SettingsError(Exception):
    """mypy refused its settings; the message is what it said."""


@dataclass(frozen=True)
class Prepared:
    """mypy's options for a project, and what was left out of them."""

    options: Options
    limits: tuple[str, ...]


def prepare(setup: Setup, overlay: Overlay, paths: Sequence[str], *, resident: bool) -> Prepared:
    """The options that the project's own settings give. Raises SettingsError."""
    flags = [*_FLAGS, "--cache-dir", setup.cache_dir, "--python-executable", setup.python]
    if resident:
        flags.append("--use-fine-grained-cache")
    said = io.StringIO()
    try:
        _, options = process_options(
            [*flags, "--", *paths],
            stdout=said,
            stderr=said,
            require_targets=False,
            server_options=resident,
            fscache=overlay,
        )
    except SystemExit:
        raise SettingsError(_last_line(said) or "mypy refused its settings") from None
    limits: tuple[str, ...] = ()
    if options.plugins and not setup.plugins:
        limits = (f"mypy plug-ins did not run: {', '.join(options.plugins)}",)
        options.plugins = []
    return Prepared(options, limits)


def sources_of(paths: Iterable[str], options: Options, overlay: Overlay) -> list[BuildSource]:
    """The modules at these absolute paths; of two files with one module name, the first counts."""
    found: dict[str, BuildSource] = {}
    for path in paths:
        for source in create_source_list([path], options, overlay, allow_empty_dir=True):
            full = os.path.abspath(source.path) if source.path else None
            found.setdefault(source.module, BuildSource(full, source.module, source.text, source.base_dir))
    return list(found.values())


def build_plainly(sources: list[BuildSource], options: Options, overlay: Overlay) -> tuple[list[str], str]:
    """The lines that an ordinary run prints, and why it could not finish (a blocking error)."""
    lines: list[str] = []
    silent = io.StringIO()

    def take(_path: str | None, messages: list[str], _serious: bool) -> None:
        lines.extend(messages)

    try:
        build(sources, options, flush_errors=take, fscache=overlay, stdout=silent, stderr=silent)
    except CompileError as error:
        return [], next(iter([*lines, *error.messages]), "mypy could not finish")
    return lines, ""


def messages_of(printed: Iterable[str], root: str, overlay: Overlay) -> dict[str, tuple[Message, ...]]:
    """What mypy printed about files below `root`, by relative path, in order; notes go to their error."""
    found: dict[str, dict[Message, None]] = {}
    lines = _Lines(root, overlay)
    last: Message | None = None
    for match in filter(None, map(_LINE.match, printed)):
        path = os.path.relpath(match["path"], root).replace(os.sep, "/")
        if path.startswith(os.pardir):
            last = None
        elif match["severity"] != "note":
            last = _message(path, match, lines)
            found.setdefault(path, {})[last] = None
        elif last is not None and last.path == path:
            row = int(match["line"]) - 1
            del found[path][last]
            last = replace(last, notes=(*last.notes, Note(row, match["text"], lines.get(path, row))))
            found[path][last] = None
    return {path: tuple(sorted(rows, key=_order)) for path, rows in found.items()}


def _message(path: str, match: re.Match[str], lines: _Lines) -> Message:
    row, end_row = int(match["line"]) - 1, int(match["end_line"] or match["line"]) - 1
    return Message(
        path,
        row,
        int(match["column"] or 0) - 1,
        end_row,
        int(match["end_column"] or 0),
        match["text"],
        match["code"] or "",
        lines.get(path, row),
        lines.get(path, end_row),
    )


class _Lines:
    """The lines of files below a root, each file split once."""

    def __init__(self, root: str, overlay: Overlay) -> None:
        self._root = root
        self._overlay = overlay
        self._known: dict[str, tuple[str, ...]] = {}

    def get(self, path: str, number: int) -> str:
        """Zero-based line `number` without its end; "" outside the text."""
        if path not in self._known:
            text = self._overlay.text(os.path.join(self._root, path))
            self._known[path] = split_lines(text or "")
        lines = self._known[path]
        return lines[number].rstrip("\r\n") if 0 <= number < len(lines) else ""


def _order(message: Message) -> tuple[int, int, str, str]:
    return message.line, message.column, message.code, message.text


def _last_line(said: io.StringIO) -> str:
    lines = [line for line in said.getvalue().splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""

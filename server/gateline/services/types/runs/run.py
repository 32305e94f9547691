"""Runs of mypy over texts: what its settings say, which modules the texts are, and what it prints."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sqlite3
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mypy.build import Graph, build
from mypy.errors import CompileError
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.options import Options

from gateline.services.types.messages import Setup
from gateline.services.types.runs.overlay import Overlay

_FLAGS = (
    "--no-error-summary",
    "--no-pretty",
    "--hide-error-context",
    "--show-error-end",
    "--no-color-output",
)

_OF_FILE = re.compile(r"(?:[A-Za-z]:)?[^:]+: error: |mypy: ")
"""How what concerns a file as a whole begins."""


class SettingsError(Exception):
    """mypy refused its settings; the message is what it said."""


class PluginError(Exception):
    """A plug-in that the settings name did not run, so what mypy says without it is not known to be true."""


class BlockedError(Exception):
    """Nothing was checked, because of one file or plug-in. The message is mypy's."""


class CrashError(Exception):
    """mypy itself failed; what it had built cannot be used any more. The message says where."""

    def __init__(self, message: str, culprit: str = "", *, of_cache: bool = False) -> None:
        super().__init__(message)
        self.of_cache = of_cache
        """Whether it could not read its cache, as after a power failure."""
        self.culprit = culprit
        """The file that raised, when it is not mypy's own: a plug-in."""


@dataclass(frozen=True)
class Built:
    """What a run printed, and which files it checked because something imports them, or they were named."""

    lines: list[str]
    checked: frozenset[str]
    """Absolute paths, without those whose errors mypy hides (`follow_imports = silent`)."""
    graph: Graph = field(default_factory=dict)
    """The modules of the build."""


@dataclass(frozen=True)
class Prepared:
    """mypy's options for a project, and what it said of the settings they come from."""

    options: Options
    complaints: tuple[str, ...] = ()


def prepare(setup: Setup, overlay: Overlay, cache_dir: str, *, resident: bool) -> Prepared:
    """The options that the project's own settings give. Raises SettingsError."""
    flags = [*_FLAGS, "--cache-fine-grained", "--cache-dir", cache_dir, "--python-executable", setup.python]
    if setup.settings:
        flags += ["--config-file", setup.settings]
    said = io.StringIO()
    try:
        _, options = process_options(
            [*flags, *(["--use-fine-grained-cache"] if resident else [])],
            stdout=said,
            stderr=said,
            require_targets=False,
            server_options=resident,
            fscache=overlay,
        )
    except SystemExit:
        raise SettingsError(_last_line(said.getvalue()) or "mypy refused its settings") from None
    if setup.version and options.python_version == sys.version_info[:2]:
        major, minor = setup.version.split(".")
        options.python_version = int(major), int(minor)
    _without_side_effects(options)
    return Prepared(options, tuple(line.strip() for line in said.getvalue().splitlines() if line.strip()))


def _without_side_effects(options: Options) -> None:
    """Overrule what a project may set about caches and printing; both sides share one cache."""
    options.incremental = True
    options.report_dirs = {}
    options.junit_xml = None
    options.output = None
    options.hide_error_codes = False
    options.show_error_code_links = False
    options.num_workers = 0
    # Of many errors mypy would hide those it comes to last, and the order depends on its cache.
    options.many_errors_threshold = -1


def refuse_plugins(options: Options) -> None:
    """Before anybody asks: whether plug-ins may run is a setting. Raises SettingsError."""
    if options.plugins:
        raise SettingsError("mypy plug-ins are not run until the settings allow it")


def build_plainly(sources: list[BuildSource], options: Options, overlay: Overlay) -> Built:
    """What an ordinary run prints. Raises BlockedError and CrashError."""
    lines: list[str] = []
    silent = io.StringIO()

    def take(_path: str | None, messages: list[str], _serious: bool) -> None:
        lines.extend(messages)

    with crashes_told():
        try:
            built = build(sources, options, flush_errors=take, fscache=overlay, stdout=silent, stderr=silent)
        except CompileError as error:
            raise BlockedError(blocking([*lines, *error.messages], error.module_with_blocker)) from None
    states = (state for state in built.graph.values() if state.path and not state.ignore_all)
    checked = frozenset(os.path.abspath(state.path) for state in states if state.path)
    return Built(lines, checked, built.graph)


def blocking(messages: Sequence[str], module: str | None = None) -> str:
    """The message for which a run could not go on; `module`: that of the blocking error, where it is known.

    mypy prints the errors that it had found before, of other files, in front of it.
    """
    of_files = [message for message in messages if _OF_FILE.match(message)]
    of_module = [message for message in messages if module and _is_of(message, module)]
    of_syntax = [message for message in of_module or messages if message.endswith("[syntax]")]
    return next(iter((*of_files, *of_syntax, *of_module, *messages)), "mypy could not finish")


def _is_of(message: str, module: str) -> bool:
    path = os.path.splitext(message.split(": error: ")[0].split(":")[0])[0]
    name = path.replace("\\", "/").replace("/", ".").removesuffix(".__init__")
    return f".{name}".endswith(f".{module}")


@contextlib.contextmanager
def crashes_told() -> Iterator[None]:
    """Turn a failure of mypy, which would end the process, into CrashError; keep what it prints to itself."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            yield
    except BlockedError:
        raise
    except (Exception, SystemExit) as error:
        cause = error.__context__ if isinstance(error, SystemExit) and error.__context__ else error
        at = next((line for line in said.getvalue().splitlines() if "INTERNAL ERROR" in line), "")
        place = at.split(" error: ")[0].removesuffix(":") if " error: " in at else ""
        message = f"mypy failed{' at ' + place if place else ''}: {type(cause).__name__}: {cause}"
        of_cache = isinstance(cause, sqlite3.Error)
        raise CrashError(message.split("\n")[0], _culprit(cause), of_cache=of_cache) from error


def _culprit(cause: BaseException) -> str:
    """The innermost file that is neither mypy's, ours, nor Python's."""
    services = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    ours = (services, sys.prefix + os.sep + "lib", sys.base_prefix, "mypy")
    for frame in reversed(traceback.extract_tb(cause.__traceback__)):
        if not frame.filename.startswith((*ours, "<")):
            return os.path.basename(frame.filename)
    return ""


def _last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""

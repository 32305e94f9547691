"""Which lines and branches each test executes, by the user's own coverage.py.

Its collector is asked directly after each test: going through its data base would cost about as much as
the tests themselves. Without coverage, or with one that is built differently, there is no map.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Dict, Set, Tuple, Union

from ..contents.encodings import digest
from ..contents.texts import Texts
from .audit import Audit
from .remembering import Remembering
from .untraced import compile_untraced

EVERYTHING = "*"
"""In place of paths: all files are asked for."""
Steps = Dict[str, Set[Union[Tuple[int, int], int]]]
"""By file, pairs of lines as coverage numbers them; lines alone where nobody asks for branches."""


class Recorder:
    """Takes the place of coverage's data: gets what was executed, one context after the other."""

    def __init__(self) -> None:
        self.arcs: Steps = {}

    def add_arcs(self, arcs: dict[str, Any]) -> None:
        """Pairs of lines by file."""
        for name, pairs in arcs.items():
            self.arcs.setdefault(name, set()).update(pairs)

    def add_lines(self, lines: dict[str, Any]) -> None:
        """Lines by file, where branches cannot be told, or nobody asks for them."""
        self.add_arcs(lines)

    def set_context(self, context: str | None) -> None:
        """Contexts are kept apart by asking after each."""

    def add_file_tracers(self, tracers: dict[str, str]) -> None:
        """Files that are not Python are not followed."""

    def take(self) -> Steps:
        """What was executed since the last time."""
        arcs, self.arcs = self.arcs, {}
        return arcs


class Coverage:
    """coverage.py for one collected state. Raises whatever a broken one does when it cannot be used."""

    def __init__(self, texts: Texts, detailed: list[str]) -> None:
        import coverage

        self.version: str = coverage.__version__
        self._texts = texts
        self._recorder = Recorder()
        inside = os.path.join(texts.root, "*")
        outside = [folder + "*" for folder in texts.libraries if folder.startswith(texts.root)]
        self._coverage: Any = coverage.Coverage(
            data_file=None, config_file=False, branch=True, include=[inside], omit=outside or None
        )
        self._detailed = frozenset(detailed)
        """Paths of files of which all steps are told, and not only lines."""
        self._paths: dict[str, str] = {}
        self.remembering = Remembering(texts.ours)
        self._tracer: Any = None
        """What traces this thread, where it can be taken off for a while."""
        self._is_whole = False
        self._digests: dict[str, str] = {}
        self.start()
        self._collector.flush_data()
        self._recorder.take()
        uses_monitoring = self._collector.tracer_name() == "SysMonitor"
        monitoring: Any = getattr(sys, "monitoring", None)
        self._restarts: Any = monitoring.restart_events if uses_monitoring else None

    @property
    def _collector(self) -> Any:
        return self._coverage._collector

    def start(self) -> None:
        """Measure from now on."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._coverage.start()
        self._collector.use_data(self._recorder, None)

    def stop(self) -> None:
        """Measure no more."""
        self._coverage.stop()

    def entered(self) -> dict[str, set[int]]:
        """First lines of the code that ran since the last `taken`, by file. Takes nothing.

        The module itself is left out; so is a function that is written on the first line alone.
        """
        self._collector.flush_data()
        files = self._recorder.arcs.items()
        return {name: {-a for a, b in _pairs(steps) if a < 0 and (a, b) != (-1, 1)} for name, steps in files}

    def steps(self) -> Steps:
        """The steps that were executed since the last time, by file."""
        self._collector.flush_data()
        if self._restarts is not None:
            # What was seen once is not reported again, until this is called.
            self._restarts()
        for steps in self.remembering.inherited(self._recorder.arcs):
            self._recorder.add_arcs(steps)
        return self._recorder.take()

    def add(self, steps: Steps) -> None:
        """Count these as executed since the last time, too."""
        self._recorder.add_arcs(steps)

    def taken(self) -> dict[str, Any]:
        """What was executed since the last time, by path: digest of the content, lines, and steps.

        Lines are a hexadecimal number whose bit `n` stands for zero-based line `n`. Steps are pairs of
        zero-based lines, for the files that they were asked for; `-n` is the outside of the code that
        begins on line `n`, counted from 1.
        """
        return {self._path(name): self._file(name, arcs) for name, arcs in self.steps().items()}

    def _path(self, name: str) -> str:
        if name not in self._paths:
            self._paths[name] = self._texts.relative(name)
        return self._paths[name]

    def _file(self, name: str, arcs: set[Any]) -> list[Any]:
        numbers = arcs if _is_by_line(arcs) else (after for _, after in arcs)
        lines = {line - 1 for line in numbers if line > 0}
        bits = bytearray((max(lines, default=0) >> 3) + 1)
        for line in lines:
            bits[line >> 3] |= 1 << (line & 7)
        bits.reverse()
        steps = None
        if EVERYTHING in self._detailed or self._path(name) in self._detailed:
            steps = [[_zero_based(before), _zero_based(after)] for before, after in sorted(_pairs(arcs))]
        return [self._digest(name), bits.hex(), steps]

    def _digest(self, name: str) -> str:
        if name not in self._digests:
            data = self._texts.current(name)
            self._digests[name] = "" if data is None else digest(data)
        return self._digests[name]

    def restart(self, detailed: list[str], audit: Audit | None = None, *, is_whole: bool = False) -> None:
        """In a child: measure the texts as they are now, with all steps in these files.

        What `audit` heard of remembered results is shared, too. `is_whole`: tests are not told apart, so
        nothing needs to be attributed.
        """
        self._is_whole = is_whole
        self._detailed = frozenset(detailed)
        self._digests.clear()
        if self._collector.tracer_name() == "CTracer":
            # Lines alone are had more cheaply.
            self._collector.branch = bool(detailed)
        self.start()
        tracer: Any = sys.gettrace()
        if type(tracer).__name__ == "CTracer":
            self._tracer = tracer
            sys.settrace(None)
            compile_untraced(tracer)
        if not is_whole:
            self.remembering.start(audit)

    def begin(self) -> None:
        """From here on the test's own code runs: pytest's is not traced, which saves a third of the cost."""
        if self._tracer is not None and sys.gettrace() is None:
            sys.settrace(self._tracer)
        if not self._is_whole:
            self.remembering.begin()

    def end(self) -> None:
        """From here on pytest works. Other threads are traced on."""
        self.remembering.end()
        if self._tracer is not None and sys.gettrace() is self._tracer:
            sys.settrace(None)


def _pairs(steps: set[Any]) -> set[Any]:
    return set() if _is_by_line(steps) else steps


def _is_by_line(steps: set[Any]) -> bool:
    return not isinstance(next(iter(steps), ()), tuple)


def _zero_based(line: int) -> int:
    return line - 1 if line > 0 else line

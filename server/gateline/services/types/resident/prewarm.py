"""An engine that is built, or a run that is made, before anybody asks for it.

While the server imports what sessions are made of, the process of the type checker would only wait to hear
how mypy is to be run. Nearly always that is how it was run the last time. So this is written down, and the
engine is built on it; when another one is asked for in the end, it is thrown away. Where nothing was written
down yet, the one open document is looked at as the defaults say.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass, fields, replace

from gateline.atomic_file import replace_file
from gateline.services.types.messages import Answer, Foresee, Glance, Plain, Setup, Start
from gateline.services.types.resident.resident import Resident
from gateline.services.types.runs.cache import is_primed, scratch_beside
from gateline.services.types.runs.plain import run_plainly

_DOCUMENTS = 8
"""How many of the documents that were open last are looked at beforehand."""


@dataclass(frozen=True, slots=True)
class Record:
    """How an engine was started the last time."""

    setup: Setup
    documents: tuple[str, ...]
    """Paths relative to the root."""


def write(record: Record) -> None:
    """Keep it for the next start; where that fails, the next one only takes longer."""
    file = record.setup.record
    text = json.dumps(asdict(replace(record, documents=record.documents[:_DOCUMENTS])))
    if not file or _text(file) == text:
        return
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(file), exist_ok=True)
        replace_file(file, text.encode())


def read(file: str) -> Record | None:
    """What was kept; None when there is nothing, or nothing that this version can use."""
    try:
        known = json.loads(_text(file))
        record = Record(Setup(**known["setup"]), tuple(map(str, known["documents"])))
    except (ValueError, TypeError, KeyError):
        return None
    typed = all(type(getattr(record.setup, field.name)).__name__ == field.type for field in fields(Setup))
    return record if typed else None


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return ""


class Foresight:
    """One engine and one run at most, until somebody asks."""

    def __init__(self) -> None:
        self._glanced: tuple[Plain, Answer] | None = None
        self._resident: Resident | None = None
        self._began = 0.0
        self._scratch = ""
        self.seconds = 0.0
        """What building it took."""

    def build(self, hint: Foresee) -> None:
        """Build what the record says, if it was made with the same trust."""
        record = read(hint.record)
        if record is None or record.setup.trusted != hint.trusted or not is_primed(record.setup.cache_dir):
            return
        self._began, began = time.time(), time.perf_counter()
        resident = Resident(record.setup)
        with contextlib.suppress(Exception):  # who asks for an engine is told what is wrong
            resident.foresee(record.documents)
            self._resident = resident
        self.seconds = time.perf_counter() - began

    def glance(self, hint: Glance) -> None:
        """Make the run that will be asked for where no engine can be started yet."""
        with contextlib.suppress(Exception):  # who asks is told what is wrong
            scratch = self.scratch(hint.request)
            self._glanced = (hint.request, run_plainly(hint.request, scratch=scratch, unasked=True))

    def scratch(self, request: Plain) -> str:
        """Where this process remembers what it reads for answers `alone`; "" for other questions."""
        if request.alone and not self._scratch:
            self._scratch = scratch_beside(request.setup.cache_dir)
        return self._scratch if request.alone else ""

    def glanced(self, request: Plain) -> Answer | None:
        """The answer of the run, if it is the one that is asked for. Afterwards there is none."""
        known, self._glanced = self._glanced, None
        return replace(known[1], foreseen=True) if known is not None and known[0] == request else None

    def take(self, request: Start) -> tuple[Resident, Answer] | None:
        """The engine, if it is the one that is asked for, with its first answer. Afterwards there is none."""
        resident, self._resident = self._resident, None
        if resident is None or resident.setup != request.setup:
            return None
        with contextlib.suppress(Exception):  # the build that follows is told what is wrong
            if (answer := resident.adopt(request, self._began)) is not None:
                return resident, replace(answer, foreseen=True)
        return None

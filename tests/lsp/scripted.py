"""A language server whose sessions are scripted: `python scripted.py` instead of `gateline server`.

A line with TODO is a finding at once (stage "syntax"); one with LATER follows in the next stage.
Everything the session was told is sent back as the notification `test/told`.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from gateline.lsp import client_process, shown
from gateline.lsp.handlers import diagnostics
from gateline.lsp.server import Server
from gateline.lsp.transport import serve
from gateline.model import (
    Action,
    Decision,
    Dimension,
    Document,
    Evaluation,
    Finding,
    Level,
    Outcome,
    Part,
    Progress,
    Related,
    Score,
    Span,
    State,
    Status,
    Weight,
)
from gateline.model.document import split_lines
from gateline.model.evaluation import FunctionChange
from gateline.session.doctor import Doctor, Fact, Section
from gateline.session.errors import UndecidedError
from gateline.session.live.history import HistoryEntry
from gateline.session.live.status import StatusUpdate


@dataclass(frozen=True)
class Published:
    path: str
    version: int | None
    findings: tuple[Finding, ...]
    level: Level


PART = Part(Dimension.COVERAGE, State.NO_DATA, "not yet measured")


def found(path: str, text: str, word: str) -> list[Finding]:
    """A finding for every line that has the word."""
    lines = split_lines(text)
    places = [(n, line.index(word)) for n, line in enumerate(lines) if word in line]
    return [
        Finding(
            "GTL110" if word == "LATER" else "GTL101",
            path,
            Span.of(n, column, n, column + len(word)),
            f"{word} left",
            Dimension.ERRORS,
            Weight.COUNTS,
            origin="mypy: deprecated" if word == "LATER" else "",
            identity="0123456789ab",
            provisional=word == "LATER",
            related=(Related(path, Span.of(0, 0, 0, 1), "the start"),),
        )
        for n, column in places
    ]


class ScriptedSession:
    def __init__(self, server: Server, folder) -> None:
        self.server, self.folder, self.root = server, folder, folder.root
        self.documents: dict[str, Document] = {}
        self.board: dict[str, tuple[Finding, ...]] = {}
        self.later = asyncio.Event()
        if "--hold" not in sys.argv:
            self.later.set()

    def tell(self, what: str, **more: object) -> None:
        self.server.protocol.notify("test/told", {"root": self.root.name, "what": what, **more})

    async def start(self) -> None:
        said = self.folder.options
        self.tell(
            "start", python=said.interpreter, trusted=said.trusted, elsewhere=sorted(said.drawn_elsewhere)
        )

    async def stop(self) -> None:
        self.tell("stop")

    def open(self, path: str, text: str, version: int) -> None:
        self.documents[path] = Document(path, text, version)
        self.tell("open", path=path)
        self.analyse(path)

    def change(self, path: str, edits, version: int) -> None:
        for span, text in edits:
            self.documents[path] = self.documents[path].apply(span, text, version)
        self.tell("change", path=path, text=self.documents[path].text)
        self.analyse(path)

    def save(self, path: str) -> None:
        self.tell("save", path=path)

    def close(self, path: str) -> None:
        self.documents.pop(path, None)
        self.board.pop(path, None)
        self.tell("close", path=path)
        self.publish(Published(path, None, (), Level.EARLY))

    def files_changed(self, paths) -> None:
        self.tell("files", paths=sorted(paths))
        if "release" in paths:
            self.later.set()

    def forget(self, path: str) -> None:
        self.tell("forget", path=path)

    def reload_settings(self) -> None:
        self.tell("reload")

    def publish(self, published: Published) -> None:
        shown.show(self.server, self.folder, published)

    def analyse(self, path: str) -> None:
        document = self.documents[path]
        first = found(path, document.text, "TODO")
        self.board[path] = tuple(first)
        self.publish(Published(path, document.version, tuple(first), Level.EARLY))
        self.server.spawn(self.analyse_more(document, first))

    async def analyse_more(self, document: Document, first: list[Finding]) -> None:
        await self.later.wait()
        every = tuple(first + found(document.path, document.text, "LATER"))
        if self.documents.get(document.path) is document:
            self.board[document.path] = every
        # Also when it is stale: publishing has to notice.
        self.publish(Published(document.path, document.version, every, Level.EARLY))
        shown.tell_status(
            self.server,
            self.folder,
            StatusUpdate(False, 90.0, 2.0, Outcome.CONTINUE, Level.EARLY, 0.5, True, (PART,)),
        )

    def document(self, path: str) -> Document | None:
        return self.documents.get(path)

    def findings(self, path: str) -> tuple[Finding, ...]:
        return self.board.get(path, ())

    async def settled(self, path: str, version: int, stage: str) -> None:
        if stage == "all":
            await self.later.wait()
            await asyncio.sleep(0)

    def function_change(self, path: str, line: int) -> FunctionChange | None:
        text = split_lines(self.documents[path].text)[line : line + 1]
        return FunctionChange(path, "f", line, 3.0, 7.0) if text and text[0].startswith("def ") else None

    def points(self, identity: str) -> float | None:
        return 10.0

    async def evaluate(self, level, scope: str, progress: Progress, on_progress=None) -> Evaluation:
        on_progress(f"judging {scope}")
        if scope == "project":
            self.tell("endless")
            try:
                await asyncio.Event().wait()
            finally:
                self.tell("ended")
        if level is Level.MIDDLE:
            raise UndecidedError("no base: fetch more history")
        decision = Decision(Outcome.ACCEPT, Status.PASS)
        findings = tuple(f for known in self.board.values() for f in known)
        return Evaluation(
            level or Level.EARLY, progress, "f" * 40, "HEAD", Score(91.0, 91.0, 0.7), decision, findings
        )

    @property
    def verdicts(self) -> ScriptedSession:
        return self

    @property
    def current(self) -> Evaluation | None:
        decision = Decision(Outcome.CONTINUE, Status.PASS)
        findings = tuple(f for known in self.board.values() for f in known)
        if not findings:
            return None
        score = Score(90.0, 90.0, 1.0, (PART,))
        action = Action("fix it", 10.0, findings[0].identity)
        return Evaluation(
            Level.EARLY, Progress.INFERRED, "f" * 40, "HEAD", score, decision, findings, actions=(action,)
        )

    def trajectory(self, middle: Evaluation) -> None:
        return None

    def entries(self):
        return (HistoryEntry(0.0, Level.EARLY, Progress.INFERRED, Outcome.CONTINUE, 90.0, 0.5, 1),)

    async def doctor(self) -> Doctor:
        return Doctor((Section("Base", (Fact("base", "abc", "HEAD"),)),), {"base": 0.1})


class Scripted:
    @staticmethod
    def open(server: Server, folder) -> ScriptedSession:
        return ScriptedSession(server, folder)

    @staticmethod
    def find_root(file: Path) -> Path | None:
        marked = [parent for parent in file.parents if (parent / "pyproject.toml").exists()]
        return marked[0] if marked else None


async def load() -> type[Scripted]:
    """The sessions, or, with --broken, what an incomplete installation does."""
    if "--broken" in sys.argv:
        raise ImportError("No module named 'pydantic'")
    if "--brisk" in sys.argv:
        client_process.EVERY, client_process.SILENCE = 0.2, 1.5
    if "--impatient" in sys.argv:
        diagnostics.PATIENCE = 0.05
    return Scripted


if __name__ == "__main__":
    sys.exit(asyncio.run(serve(Server(load))))

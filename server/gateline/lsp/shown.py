"""What a session tells, on its way to the client."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol.types import MessageType, ShowMessageParams

from gateline.protocol import methods
from gateline.protocol.evaluation import ActionResult, PartResult, TestRunResult, TrajectoryResult
from gateline.protocol.status import HistoryEntry, HistoryResult, MoveResult, StatusParams
from gateline.protocol.task_methods import DETECTED
from gateline.protocol.types import DoctorFact, DoctorResult, DoctorSection

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server
    from gateline.model.evaluation import Trajectory
    from gateline.session.doctor import Doctor, Fact
    from gateline.session.live.history import HistoryEntry as Remembered
    from gateline.session.live.options import Published
    from gateline.session.live.status import StatusUpdate
    from gateline.worklog.scored import Scored
    from gateline.worklog.task import Task


def show(server: Server, folder: Folder, published: Published) -> None:
    """Publish a document's findings, unless the client has gone on to another version."""
    uri = folder.uri_of(published.path)
    buffer = server.buffer(uri)
    # What nobody analyses (pyproject.toml) may be open all the same: then its file counts.
    current = buffer.version if buffer and server.folders.owner(uri) else None
    folder.level = published.level
    draw = partial(server.drawing(folder).all, published.findings, published.level)
    pushed = server.publisher.show(uri, current, published.version, draw)
    if pushed is not None:
        server.protocol.publish(uri, published.version, pushed)


def tell_status(server: Server, folder: Folder, update: StatusUpdate) -> None:
    """Send `gateline/status`, unless it says nothing new."""
    params = status_params(folder.uri, update).model_dump(mode="json", by_alias=True)
    if folder.status != params:
        folder.status = params
        server.protocol.notify(methods.STATUS.name, params)


def status_params(folder: str, update: StatusUpdate) -> StatusParams:
    """A session's status on the wire."""
    return StatusParams(
        folder=folder,
        label=update.label,
        working=update.working,
        problem=update.problem,
        changed=update.changed,
        score=update.score,
        raw=update.raw,
        delta=update.delta,
        decision=_value(update.outcome),
        status=_value(update.status),
        reasons=update.reasons,
        required_actions=tuple(ActionResult.model_validate(a) for a in update.required_actions),
        checkpoint=_value(update.level),
        progress=_value(update.progress),
        base_label=update.base_label,
        evidence=update.evidence,
        states=tuple(PartResult.model_validate(part) for part in update.parts),
        floors=update.floors,
        caps=update.caps,
        limits=update.limits,
        new_findings=update.new_findings,
        tests=TestRunResult.model_validate(update.tests) if update.tests else None,
        trajectory=_trajectory(update.trajectory),
    )


def _value(name: StrEnum | None) -> str | None:
    return name.value if name else None


def _trajectory(moved: Trajectory | None) -> TrajectoryResult | None:
    return TrajectoryResult.model_validate(moved) if moved else None


def tell_detected(server: Server, folder: Folder, left: Task) -> None:
    """Send `gateline/checkpoint/detected`."""
    from gateline.protocol.tasks import DetectedParams
    from gateline.session.tasks.wire import left_work

    params = DetectedParams(folder=folder.uri, left=left_work(left))
    server.protocol.notify(DETECTED.name, params.model_dump(mode="json", by_alias=True))


def tell_warning(server: Server, text: str) -> None:
    """Show a person that something comes near its limit."""
    server.window_show_message(ShowMessageParams(MessageType.Warning, f"gateline: {text}"))


def history_result(entries: Iterable[Remembered], scores: Iterable[Scored] = ()) -> HistoryResult:
    """The evaluations of a session and what is remembered, on the wire."""
    from gateline.session.tasks.wire import score_entry

    return HistoryResult(
        entries=tuple(_entry(entry) for entry in entries), scores=tuple(map(score_entry, scores))
    )


def _entry(entry: Remembered) -> HistoryEntry:
    return HistoryEntry(
        timestamp=datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds"),
        level=entry.level.value,
        progress=entry.progress.value,
        decision=entry.outcome.value,
        status=entry.status.value,
        reason=entry.reason,
        score=entry.score,
        delta=entry.delta,
        moved=tuple(MoveResult.model_validate(move) for move in entry.moved),
        evidence=entry.evidence,
        findings=entry.findings,
        new_findings=entry.new_findings,
        floors=entry.floors,
        trajectory=_trajectory(entry.trajectory),
    )


def doctor_result(doctor: Doctor) -> DoctorResult:
    """What was chosen in a folder, on the wire."""
    return DoctorResult(
        health=doctor.health.value,
        sections=tuple(
            DoctorSection(title=s.title, facts=tuple(_fact(f) for f in s.facts)) for s in doctor.sections
        ),
        timings=dict(doctor.timings),
    )


def _fact(fact: Fact) -> DoctorFact:
    return DoctorFact(name=fact.name, value=fact.value, why=fact.why, health=fact.health.value)

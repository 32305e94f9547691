"""What a session tells, on its way to the client."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gateline.protocol import methods
from gateline.protocol.types import DimensionState, DoctorFact, DoctorResult, DoctorSection, StatusParams

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server
    from gateline.model import Part
    from gateline.session.doctor import Doctor, Fact
    from gateline.session.options import Published
    from gateline.session.status import StatusUpdate


def show(server: Server, folder: Folder, published: Published) -> None:
    """Publish a document's findings, unless the client has gone on to another version."""
    uri = folder.uri_of(published.path)
    buffer = server.buffer(uri)
    # What nobody analyses (pyproject.toml) may be open all the same: then its file counts.
    current = buffer.version if buffer and server.folders.owner(uri) else None
    folder.level = published.level
    draw = partial(server.drawing(folder).all, published.findings, published.level)
    server.publisher.show(uri, current, published.version, draw)


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
        changed=update.changed,
        score=update.score,
        delta=update.delta,
        decision=update.outcome.value if update.outcome else None,
        checkpoint=update.level.value if update.level else None,
        evidence=update.evidence,
        states=tuple(_state(part) for part in update.parts),
        floors=update.floors,
        limits=update.limits,
    )


def _state(part: Part) -> DimensionState:
    return DimensionState(
        dimension=part.dimension.value, state=part.state.value, reason=part.reason, value=part.value
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

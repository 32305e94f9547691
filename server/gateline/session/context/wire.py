"""From questions and answers about context to the wire, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gateline.context.values import Answer, Passage, Question, Want
from gateline.protocol.contexts import (
    ContextResult,
    ContextSearchParams,
    ContextStatusResult,
    LinesResult,
    PassageResult,
    TierResult,
)
from gateline.session.context.requests import Standing

if TYPE_CHECKING:
    from gateline.session.context.embedding import SemanticState
    from gateline.session.context.service import ContextService

_WANTS = {"implementation": Want.CODE, "tests": Want.TESTS, "docs": Want.DOCS, "any": Want.ANY}


def question(params: ContextSearchParams, path: str) -> Question:
    """A question as the engine knows it; `path` is "" where it is asked from nowhere."""
    line = params.position.line if params.position and path else None
    return Question(params.query, path, line, _WANTS[params.kind], params.limit)


def context_result(answer: Answer, uri_of: Callable[[str], str], warning: str = "") -> ContextResult:
    """An answer on the wire; `uri_of` spells the URI of a path, `warning` is of tokens that are counted."""
    return ContextResult(
        passages=tuple(_passage(one, uri_of(one.path)) for one in answer.passages),
        tiers=answer.tiers,
        degraded=answer.degraded,
        tokens=answer.tokens,
        left_out=answer.left_out,
        warning=warning,
    )


def _passage(one: Passage, uri: str) -> PassageResult:
    return PassageResult(
        path=one.path,
        uri=uri,
        kind=one.kind.label,
        name=one.name,
        lines=LinesResult(first=one.span.start.line, last=one.span.end.line),
        text=one.text,
        score=one.score,
        why=one.why,
        hash=one.hash,
        tokens=one.tokens,
        shortened=one.shortened,
    )


def status_result(service: ContextService, standing: Standing | None) -> ContextStatusResult:
    """How a service stands, on the wire."""
    known = standing or Standing(0, 0)
    done, of = service.process.progress
    return ContextStatusResult(
        state=service.state,
        message=known.message or service.trouble,
        files=known.files,
        chunks=known.chunks,
        size=known.size,
        folder=known.folder,
        done=done,
        of=of,
        tiers=tuple(_tiers(known, service.embedding.state)),
        counts=dict(service.counts),
    )


def _tiers(known: Standing, semantic: SemanticState) -> Iterator[TierResult]:
    state = "ready" if known.chunks else "waiting"
    for name in ("symbols", "lexical"):
        yield TierResult(name=name, state=state, detail="", done=known.chunks)
    if known.tiers.get("static"):
        yield TierResult(name="static", state="ready", detail="", done=known.tiers["static"])
    done = known.tiers.get("semantic", 0)
    state = "failed" if known.trouble else semantic.state
    yield TierResult(name="semantic", state=state, detail=known.trouble or semantic.detail, done=done)

"""Answers of checks as they are sent."""

from __future__ import annotations

from gateline.model import Level, Progress
from gateline.protocol.checks import CheckParams, CheckResult, ContentResult
from gateline.session.checks.checks import Answer, Question
from gateline.session.checks.proposal import Proposal
from gateline.session.judge.wire import to_wire


def question_of(params: CheckParams) -> Question:
    """What is asked."""
    level = Level(params.level) if params.level else None
    texts = tuple((row.path, row.text) for row in params.texts)
    progress = Progress.SAID if level else Progress.INFERRED
    proposal = Proposal(texts, params.patch)
    return Question(level, progress, params.paths, proposal, params.asker, params.thorough)


def check_result(answer: Answer) -> CheckResult:
    """What can be said."""
    judged = answer.judged
    return CheckResult(
        evaluation=to_wire(judged.evaluation) if judged else None,
        content_hash=judged.content.hash if judged else "",
        contents=tuple(ContentResult(path=p, hash=h) for p, h in judged.content.files) if judged else (),
        fresh=answer.fresh,
        running=answer.running,
        handle=answer.handle,
        added=tuple(sorted(answer.added)),
        met=answer.met,
    )

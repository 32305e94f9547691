"""Has a model judge the cases of suites: their answers, or the model's own assessments of known changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gateline.evals.assessing import PROMPT as ASSESSMENT
from gateline.evals.assessing import question as assessment
from gateline.evals.judgement import Answer, Question
from gateline.evals.judging import PROMPT, question, result_of
from gateline.evals.run import CaseResult
from gateline.services.models.channel import Endpoint
from gateline.session.context.secrets import redacted
from gateline.session.evals.running import Answered
from gateline.session.evals.suite import Case, Judged, Suite
from gateline.session.models.asking import Asking
from gateline.store.database import Database
from gateline.store.judgements import Judgements

_OPERATION = "eval"


@dataclass(frozen=True, slots=True)
class Told:
    """A question of a case, and its answer."""

    suite: str
    case: str
    question: Question
    answer: Answer


@dataclass(slots=True)
class Judge:
    """The model that a person named, for the suites of one command."""

    endpoint: Endpoint
    told: list[Told] = field(default_factory=list)
    """What it was asked, in turn."""
    _asking: Asking = field(init=False)

    def __post_init__(self) -> None:
        """Raises UsageError for unreadable recorded answers."""
        self._asking = Asking(self.endpoint)

    @property
    def place(self) -> str:
        """Who judged, where, and what it took."""
        tokens = sum(one.answer.tokens for one in self.told)
        return f"judged by {self.endpoint.model} at {self.endpoint.shown}, {tokens} tokens: cases and answers"

    def name_for(self, suite: Suite) -> str:
        """Names the model with the prompt and the criteria: other ones are another judge."""
        prompt = ASSESSMENT if suite.judges is Judged.ASSESSMENTS else PROMPT
        return f"{self.endpoint.model} {Question(prompt, suite.asked, '').digest}"

    async def results(self, suite: Suite, answers: Sequence[Answered | None]) -> list[CaseResult]:
        """What it says of each case; one that failed without it is not asked about."""
        return [await self._result(suite, *pair) for pair in zip(suite.cases, answers, strict=True)]

    def keep(self, suite: Suite, database: Database, at: datetime) -> None:
        """Store what was said of a suite's cases, without the material. Raises StoreError."""
        store = Judgements(database)
        for one in self.told:
            if one.suite == suite.suite:
                store.add(_OPERATION, f"{one.suite}/{one.case}", one.question, one.answer, at)

    async def stop(self) -> None:
        """End what asks it."""
        await self._asking.stop()

    async def _result(self, suite: Suite, case: Case, answered: Answered | None) -> CaseResult:
        if answered is not None and not answered.result.passed:
            return answered.result
        asked = _question(suite, case, answered.answer if answered else None)
        answer = await self._asking.ask(asked)
        self.told.append(Told(suite.suite, case.name, asked, answer))
        return result_of(case.name, answer, case.bounds)


def unjudged(suite: Suite, answers: Sequence[Answered | None], reason: str) -> list[CaseResult]:
    """The cases without a model: what failed without it has failed, and nothing is known of all else."""
    return [
        answered.result
        if answered is not None and not answered.result.passed
        else CaseResult(case.name, 0.5, reason, measured=False)
        for case, answered in zip(suite.cases, answers, strict=True)
    ]


def _question(suite: Suite, case: Case, answer: object) -> Question:
    if suite.judges is Judged.ASSESSMENTS:
        given: Any = case.input
        return assessment(redacted(given["task"]), redacted(given["change"]))
    return question(suite.criteria, _text(case.input), _text(answer))


def _text(value: object) -> str:
    """A value of JSON as a text without secrets; line by line, as forms of secrets are looked for."""
    return redacted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1))

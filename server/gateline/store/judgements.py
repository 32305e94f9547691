"""What models said: each answer with its model, its prompt and what it took."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from gateline.evals.judgement import Answer, Question
from gateline.store.database import Database

_KEPT = 2_000
"""So many are kept of a workspace."""


class Judgements:
    """Appends and reads; every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, operation: str, subject: str, question: Question, answer: Answer, at: datetime) -> None:
        """Keep an answer. `subject` names what was judged; the material itself is not kept."""
        prompt = question.prompt
        row = (
            at.astimezone(UTC).isoformat(timespec="microseconds"),
            operation,
            subject,
            question.digest,
            f"{prompt.name} {prompt.version}",
            prompt.digest,
            answer.model,
            answer.problem,
            answer.requests,
            answer.tokens,
            answer.seconds,
            json.dumps([asdict(one) for one in answer.judgements]),
        )
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO judgements (at, operation, subject, question, prompt, prompt_digest, model,"
                f" problem, requests, tokens, seconds, content) VALUES ({', '.join('?' * 12)})",
                row,
            )
            connection.execute(
                "DELETE FROM judgements WHERE number <= (SELECT max(number) FROM judgements) - ?", (_KEPT,)
            )

    def all(self) -> list[dict[str, Any]]:
        """All that are kept, oldest first, by the names of their columns."""
        names = (
            "operation, subject, question, prompt, prompt_digest, model, problem, requests, tokens, content"
        )
        rows = self._database.rows(f"SELECT {names} FROM judgements ORDER BY number")
        found = [dict(zip(names.split(", "), row, strict=True)) for row in rows]
        return [{**row, "content": json.loads(row["content"])} for row in found]

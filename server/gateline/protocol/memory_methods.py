"""The methods about memory: what was learned of a folder."""

from __future__ import annotations

from typing import Any

from gateline.protocol.method import Method

_WHERE = {"uri": "file:///home/me/project"}
_LESSON: dict[str, Any] = {
    "id": "3f9c1a2b",
    "version": 2,
    "text": "Prices are rounded half up: the bank refuses other totals",
    "tags": ["money"],
    "anchor": {"file": "shop/prices.py", "symbol": "rounded", "rule": ""},
    "source": "person",
    "createdAt": "2026-03-01T09:30:00Z",
    "updatedAt": "2026-03-02T11:02:00Z",
    "uses": 4,
    "helped": 3,
    "stale": "",
    "why": ["same words"],
}

REMEMBER = Method(
    "gateline/memory/store",
    "memories:RememberParams",
    "memories:RememberResult",
    "Store a lesson: `noop` where it is known, `update` where it is the new version of a lesson of the same "
    "subject, whose old version is kept, else `create`. What holds a secret is refused.",
    {**_WHERE, "text": _LESSON["text"], "tags": ["money"], "anchor": {"file": "shop/prices.py"}},
    {
        "outcome": "update",
        "reason": "of the same subject (0.93)",
        "lesson": _LESSON,
        "superseded": "Prices are rounded to two digits for the bank",
    },
)

RECALL = Method(
    "gateline/memory/recall",
    "memories:RecallParams",
    "memories:RecallResult",
    "The lessons for a question, a place, or both. Each use is noted, and what never helps sinks. A lesson "
    "whose file or symbol is gone is left out.",
    {**_WHERE, "query": "how are prices rounded", "most": 3},
    {"lessons": [_LESSON], "leftOut": 0, "stale": 0, "tokens": 26, "warning": ""},
)

LIST_LESSONS = Method(
    "gateline/memory/list",
    "memories:LessonsParams",
    "memories:LessonsResult",
    "All lessons of the folder, newest first. Looking at them counts as no use.",
    _WHERE,
    {"lessons": [_LESSON]},
)

HISTORY_OF_LESSON = Method(
    "gateline/memory/history",
    "memories:LessonParams",
    "memories:HistoryOfLessonResult",
    "A lesson with all of its versions, oldest first.",
    {**_WHERE, "id": "3f9c1a2b"},
    {
        "lesson": _LESSON,
        "versions": [
            {
                "version": 1,
                "timestamp": "2026-03-01T09:30:00Z",
                "text": "Prices are rounded to two digits for the bank",
                "source": "person",
                "reason": "",
            }
        ],
    },
)

HELPED = Method(
    "gateline/memory/helped",
    "memories:NamedLessonsParams",
    "memories:LessonsResult",
    "Say that lessons helped.",
    {**_WHERE, "ids": ["3f9c1a2b"]},
    {"lessons": [_LESSON]},
)

FORGET = Method(
    "gateline/memory/forget",
    "memories:NamedLessonsParams",
    "memories:LessonsResult",
    "Delete lessons with all of their versions, because a person said so: no tool of an agent has this.",
    {**_WHERE, "ids": ["3f9c1a2b"]},
    {"lessons": [_LESSON]},
)

REMIND = Method(
    "gateline/memory/remind",
    "memories:RemindParams",
    "memories:RemindResult",
    "The lessons to be put before a person's prompt to an agent, unasked: regressions of the branch, and "
    "what is about files that the prompt names or that differ from the base. Each use is noted.",
    {**_WHERE, "prompt": "round in shop/prices.py as the bank does", "asker": "claude:1"},
    {"lessons": [f"shop/prices.py:rounded: {_LESSON['text']} [3f9c1a2b, about shop/prices.py]"]},
)

MEMORY_METHODS = (REMEMBER, RECALL, REMIND, LIST_LESSONS, HISTORY_OF_LESSON, HELPED, FORGET)

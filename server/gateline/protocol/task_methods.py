"""The methods about tasks, work that was left, and savepoints."""

from __future__ import annotations

from typing import Any

from gateline.protocol.method import Method

_WHERE = {"uri": "file:///home/me/project"}
_TASK: dict[str, Any] = {
    "id": "20260301-3f9c1a",
    "description": "Prices with tax",
    "tier": "STRICT",
    "tierReason": "public API: price of prices.py",
    "branch": "tax",
    "outcome": "in_progress",
    "startedAt": "2026-03-01T09:30:00Z",
    "endedAt": None,
    "savepoint": "20260301T093512123456-8b1a9953",
}
_LEFT: dict[str, Any] = {
    "task": _TASK,
    "message": "ℹ️ Previous work detected: Prices with tax (in_progress)\n"
    "Session: 20260301-3f9c1a | Started: 2026-03-01T09:30:00Z\n"
    "To restore: gateline restore 20260301T093512123456-8b1a9953 --write",
    "restore": "gateline restore 20260301T093512123456-8b1a9953 --write",
}

START_TASK = Method(
    "gateline/task/start",
    "tasks:StartTaskParams",
    "tasks:TaskResult",
    "Begin a task on the branch that is checked out. Without this, one begins with the first change.",
    {**_WHERE, "description": "Prices with tax", "todos": ["rounding"], "plans": ["prices.py"]},
    _TASK,
)

UPDATE_TASK = Method(
    "gateline/task/update",
    "tasks:UpdateTaskParams",
    "tasks:TaskResult",
    "Say how far a task is. Where it has items, they count: middle after two thirds, final after all.",
    {**_WHERE, "done": ["rounding"], "phase": "planning_complete"},
    _TASK,
)

FINISH_TASK = Method(
    "gateline/task/finish",
    "tasks:FinishTaskParams",
    "tasks:ShowTaskResult",
    "End a task; the answer has its summaries.",
    _WHERE,
    {
        "task": {**_TASK, "outcome": "completed", "endedAt": "2026-03-01T11:02:00Z"},
        "page": "# Prices with tax\n",
    },
)

LIST_TASKS = Method(
    "gateline/task/list",
    "tasks:TasksParams",
    "tasks:TasksResult",
    "All tasks of the workspace.",
    _WHERE,
    {"tasks": [_TASK]},
)

SHOW_TASK = Method(
    "gateline/task/show",
    "tasks:ShowTaskParams",
    "tasks:ShowTaskResult",
    "A task with what was recorded of it: a time line, its items, its summaries.",
    _WHERE,
    {
        "task": _TASK,
        "todos": [{"text": "rounding", "state": "done"}],
        "events": [
            {
                "timestamp": "2026-03-01T09:35:12Z",
                "kind": "checkpoint",
                "detail": {"level": "early", "progress": "inferred", "outcome": "continue", "score": 90.0},
            }
        ],
        "page": "# Prices with tax\n",
    },
)

DETECT = Method(
    "gateline/checkpoint/detect",
    "tasks:TasksParams",
    "tasks:DetectResult",
    "Work that was left before the session began, told or not: the newest task in progress or abandoned, of "
    "this branch or another. Where the change at hand is small, nothing is looked for.",
    _WHERE,
    {"left": _LEFT},
)

DETECTED = Method(
    "gateline/checkpoint/detected",
    "tasks:DetectedParams",
    None,
    "Work that was left, when a workspace is opened on a change that matters. The same is never told twice.",
    {"folder": "file:///home/me/project", "left": _LEFT},
)

SAVEPOINTS = Method(
    "gateline/savepoint/list",
    "tasks:TasksParams",
    "tasks:SavepointsResult",
    "All savepoints of the repository. The command `gateline.restore` restores one, as a single edit.",
    _WHERE,
    {
        "savepoints": [
            {
                "id": "20260301T093512123456-8b1a9953",
                "timestamp": "2026-03-01T09:35:12Z",
                "label": "early: continue",
                "uncovered": [{"path": "data.bin", "reason": "5000001 bytes, more than 5000000"}],
            }
        ]
    },
)

COMPARE = Method(
    "gateline/savepoint/compare",
    "tasks:CompareParams",
    "tasks:CompareResult",
    "What differs between two savepoints, or between one and now; unsaved texts count.",
    {**_WHERE, "before": "20260301T0935"},
    {"diff": "diff --git a/prices.py b/prices.py\n", "files": ["prices.py"]},
)

TASK_METHODS = (
    START_TASK,
    UPDATE_TASK,
    FINISH_TASK,
    LIST_TASKS,
    SHOW_TASK,
    DETECT,
    DETECTED,
    SAVEPOINTS,
    COMPARE,
)

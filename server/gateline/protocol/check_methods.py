"""The methods that agents need beside the editor's: a check within a time, and what they are handed."""

from __future__ import annotations

from gateline.protocol.method import Method

_WHERE = {"uri": "file:///home/me/project"}

CHECK = Method(
    "gateline/check",
    "checks:CheckParams",
    "checks:CheckResult",
    "Judge what is there, or texts that are not written yet: these on a snapshot in memory, of which nothing "
    "is written or remembered. The disk is looked at before and after: `fresh` says whether the content that "
    "was judged is the one there is. What takes longer than `patience` goes on under its handle.",
    {**_WHERE, "texts": [{"path": "cart.py", "text": "def total():\n    return 0\n"}], "patience": 2000},
    {
        "evaluation": {
            "level": "early",
            "progress": "inferred",
            "base": "1f0c2a9be3d4f6a8b0c1d2e3f4a5b6c7d8e9f0a1",
            "baseLabel": "merge-base with origin/main",
            "score": {"value": 100.0, "raw": 100.0, "evidence": 1.0},
            "decision": {"outcome": "continue", "status": "PASS"},
        },
        "contentHash": "5c1d0a9be3d4f6a8b0c1d2e3f4a5b6c7",
        "contents": [{"path": "cart.py", "hash": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"}],
        "fresh": True,
        "running": [],
        "handle": "3f9c1a5b7d2e",
    },
)

FIX = Method(
    "gateline/fix",
    "debugging:FixParams",
    "debugging:FixAnswer",
    "Look for verified repairs of the errors in files as they are on the disk, each in the texts that the "
    "repairs before it led to. Nothing is written, and no test is run. -32001: what type-checks or searches "
    "failed, or plug-ins of the type checker wait for consent.",
    {**_WHERE, "paths": ["cart.py"], "clear": True},
    {
        "texts": [{"path": "cart.py", "before": "x = summ([])\n", "after": "x = sum([])\n"}],
        "problems": [
            {
                "outcome": "repaired",
                "path": "cart.py",
                "line": 0,
                "message": 'Name "summ" is not defined; did you mean "sum"?',
                "proof": "V1",
                "clear": True,
                "title": "Change summ to sum",
            }
        ],
        "old": 0,
        "notes": [],
    },
)

HANDED = Method(
    "gateline/task/handed",
    "checks:HandedParams",
    "checks:HandedResult",
    "Count what a model or an agent is handed in the task in progress on this branch.",
    {**_WHERE, "tokens": 420, "operation": "gate_check"},
    {"warning": "420 of the 500 tokens that STANDARD allows"},
)

TAKE_SAVEPOINT = Method(
    "gateline/savepoint/take",
    "checks:TakeParams",
    "tasks:SavepointResult",
    "Keep the content of every file that is not ignored, unsaved texts included.",
    {**_WHERE, "label": "parser works"},
    {"id": "20260301T093512123456-8b1a9953", "timestamp": "2026-03-01T09:35:12Z", "label": "parser works"},
)

PREVIEW_RESTORE = Method(
    "gateline/savepoint/preview",
    "checks:PreviewParams",
    "tasks:RestoreResult",
    "What restoring a savepoint would do with each file. Nothing is restored: that is a person's to do.",
    {**_WHERE, "savepoint": "20260301T0935"},
    {
        "applied": False,
        "savepoint": "20260301T093512123456-8b1a9953",
        "now": "20260301T094001002003-0c2d5f6a",
        "steps": [{"path": "prices.py", "action": "change", "conflict": ""}],
        "uncovered": [],
    },
)

CHECK_METHODS = (CHECK, FIX, HANDED, TAKE_SAVEPOINT, PREVIEW_RESTORE)

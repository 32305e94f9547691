"""gateline's own methods, each declared once.

Handlers, schemas, documentation and the clients' types come from this list. The types are named,
not imported: reading the list costs nothing, so the server can register its handlers before it
answers `initialize`.
"""

from __future__ import annotations

from gateline.protocol.asking_methods import ASKING_METHODS
from gateline.protocol.check_methods import CHECK_METHODS
from gateline.protocol.comparison_methods import COMPARISON_METHODS
from gateline.protocol.context_methods import CONTEXT_METHODS
from gateline.protocol.memory_methods import MEMORY_METHODS
from gateline.protocol.method import Method
from gateline.protocol.refinement_methods import REFINEMENT_METHODS
from gateline.protocol.task_methods import TASK_METHODS

__all__ = ["ASKED", "METHODS", "REQUESTS", "Method"]

STATUS = Method(
    "gateline/status",
    "status:StatusParams",
    None,
    "What the status bar shows: the change's score and decision, or that work is under way. "
    "The server sends it whenever it says something new, for each folder.",
    {
        "folder": "file:///home/me/project",
        "label": "GL 86 ▲3",
        "working": False,
        "changed": True,
        "score": 86.0,
        "raw": 86.0,
        "delta": 3.0,
        "decision": "continue",
        "status": "PASS",
        "requiredActions": [{"text": "document `total`", "points": 6.7, "path": "cart.py", "line": 2}],
        "checkpoint": "middle",
        "progress": "inferred",
        "baseLabel": "merge-base with origin/main",
        "evidence": 0.75,
        "states": [
            {
                "dimension": "errors",
                "state": "measured",
                "value": 90.0,
                "weight": 1.0,
                "points": 86.0,
                "before": 100.0,
                "detail": "1 new finding",
            },
            {"dimension": "coverage", "state": "no data", "reason": "not yet measured"},
        ],
        "floors": [],
        "limits": ["coverage: no data (not yet measured)"],
        "newFindings": 1,
    },
)

EVALUATE = Method(
    "gateline/checkpoint/evaluate",
    "types:EvaluateParams",
    "evaluation:EvaluateResult",
    "Judge the change. Of one open document (`buffer`) only the findings are told, of the `project` also "
    "totals and the trend of its branch: neither has a score or a decision, and no tests are run for them. "
    "Progress goes to `workDoneToken`; cancelling the progress or the request stops the work. Without "
    "`level` the checkpoint is inferred from what happened last: an edit means early, a save means middle.",
    {"scope": "change", "level": "final", "workDoneToken": "check-1"},
    {
        "version": 1,
        "level": "final",
        "progress": "said",
        "base": "1f0c2a9be3d4f6a8b0c1d2e3f4a5b6c7d8e9f0a1",
        "baseLabel": "merge-base with origin/main",
        "score": {
            "value": 90.0,
            "raw": 90.0,
            "evidence": 0.75,
            "parts": [
                {
                    "dimension": "errors",
                    "state": "measured",
                    "value": 90.0,
                    "weight": 1.0,
                    "points": 90.0,
                    "detail": "1 new finding",
                }
            ],
        },
        "decision": {
            "outcome": "accept",
            "status": "PASS",
            "requiredActions": [
                {
                    "text": "fix GTL110 in cart.py:3",
                    "points": 10.0,
                    "finding": "0f1e2d3c4b5a",
                    "path": "cart.py",
                    "line": 2,
                }
            ],
        },
        "files": [{"path": "cart.py", "status": "modified", "linesBefore": 40, "linesAfter": 42}],
    },
)

CURRENT = Method(
    "gateline/checkpoint/current",
    "evaluation:CurrentParams",
    "evaluation:CurrentResult",
    "The newest evaluation of the change, the one that the status bar shows. Nothing is started.",
    {"uri": "file:///home/me/project"},
    {
        "evaluation": {
            "level": "early",
            "progress": "inferred",
            "base": "1f0c2a9be3d4f6a8b0c1d2e3f4a5b6c7d8e9f0a1",
            "baseLabel": "merge-base with origin/main",
            "score": {"value": 100.0, "raw": 100.0, "evidence": 1.0},
            "decision": {"outcome": "continue", "status": "PASS"},
        }
    },
)

HISTORY = Method(
    "gateline/checkpoint/history",
    "status:HistoryParams",
    "status:HistoryResult",
    "The evaluations of this session, oldest first; one that equals the last of its level is not repeated. "
    "For a plot, the scores that are remembered of the task or the branch, also of other days.",
    {"uri": "file:///home/me/project", "of": "task"},
    {
        "entries": [
            {
                "timestamp": "2026-03-01T09:30:00.000+00:00",
                "level": "final",
                "progress": "said",
                "decision": "accept",
                "status": "PASS",
                "reason": "score 93.5 reaches 85",
                "score": 93.5,
                "delta": 3.5,
                "moved": [{"dimension": "errors", "by": 10.0}],
                "evidence": 0.75,
                "findings": 4,
                "newFindings": 1,
            }
        ],
        "scores": [
            {
                "timestamp": "2026-03-01T09:30:00Z",
                "task": "20260301-3f9c1a",
                "branch": "tax",
                "level": "final",
                "progress": "said",
                "decision": "accept",
                "score": 93.5,
                "evidence": 0.75,
                "parts": {"errors": 100.0},
            }
        ],
    },
)

DOCTOR = Method(
    "gateline/doctor",
    "types:DoctorParams",
    "types:DoctorResult",
    "What was chosen and why: root, base, settings, interpreter, tools, and how long finding each took.",
    {"uri": "file:///home/me/project"},
    {
        "health": "ok",
        "sections": [
            {
                "title": "Base",
                "facts": [
                    {
                        "name": "base",
                        "value": "1f0c2a9be3d4",
                        "why": "merge-base with origin/main",
                        "health": "ok",
                    }
                ],
            }
        ],
        "timings": {"base": 0.004},
    },
)

AUTODEBUG = Method(
    "gateline/autodebug",
    "debugging:AutodebugParams",
    "debugging:AutodebugResult",
    "Look for a verified repair of a finding in an open document or in `texts` and `patch` that are not "
    "written yet, or of the error of a traceback. Nothing is applied: `edits` count only for texts with the "
    "digests in `texts`. Cancelling the progress or the request, or editing any document, stops the search "
    "(-32801).",
    {"uri": "file:///home/me/project/cart.py", "identity": "0f1e2d3c4b5a"},
    {
        "success": True,
        "error": 'Name "summ" is not defined; did you mean "sum"?',
        "proof": "V1",
        "clear": True,
        "title": "Write sum(prices)",
        "edits": [
            {
                "path": "cart.py",
                "span": {"start": {"line": 5, "column": 13}, "end": {"line": 5, "column": 14}},
                "text": "",
            }
        ],
        "iterations": 1,
        "reasoning": ["1. name/undefined-name: Write sum(prices) – verified"],
    },
)

RUN_TESTS = Method(
    "gateline/tests/run",
    "testing:RunTestsParams",
    "testing:RunTestsResult",
    "Run tests on the texts as they are in the editor; a person who did not agree to that yet is asked. "
    "Progress goes to `workDoneToken`; cancelling the progress or the request ends the run. What fails comes "
    "as diagnostics, as always.",
    {"uri": "file:///home/me/project", "which": "affected", "workDoneToken": "tests-1"},
    {
        "which": "affected",
        "total": 220,
        "failing": 0,
        "tests": [
            {
                "id": "tests/test_cart.py::test_total",
                "outcome": "passed",
                "seconds": 0.002,
                "reasons": ["executes total in cart.py"],
            }
        ],
        "why": ["1 executes total in cart.py"],
    },
)

CANCEL_TESTS = Method(
    "gateline/tests/cancel",
    "testing:CancelTestsParams",
    "testing:CancelTestsResult",
    "End the tests that are being run, whoever asked for them. What has ended is kept.",
    {"uri": "file:///home/me/project"},
    {"cancelled": True},
)

COVERAGE = Method(
    "gateline/coverage",
    "testing:CoverageParams",
    "testing:CoverageResult",
    "Which changed lines of a document tests execute, as far as that is known of its newest text. Nothing is "
    "run. It may be another answer after each `gateline/status`.",
    {"uri": "file:///home/me/project/cart.py"},
    {
        "version": 7,
        "state": "measured",
        "covered": [5],
        "uncovered": [6],
        "branches": [
            {
                "line": 5,
                "message": "line 6 didn't jump to line 7 because the condition on line 6 was never true",
            }
        ],
    },
)

OBSERVED = Method(
    "gateline/observed",
    "observed:ObservedParams",
    "observed:ObservedResult",
    "Counters and histograms of gateline itself in a folder, and how many jobs its session has to do.",
    {"uri": "file:///home/me/project"},
    {
        "series": [
            {
                "name": "gateline_decisions_total",
                "labels": {"checkpoint": "final", "outcome": "accept"},
                "count": 3,
                "total": 3.0,
                "buckets": [],
            },
            {"name": "gateline_queue_depth", "labels": {}, "count": 1, "total": 0.0, "buckets": []},
        ]
    },
)

METHODS = (
    STATUS,
    EVALUATE,
    CURRENT,
    HISTORY,
    DOCTOR,
    AUTODEBUG,
    RUN_TESTS,
    CANCEL_TESTS,
    COVERAGE,
    *TASK_METHODS,
    *CONTEXT_METHODS,
    *CHECK_METHODS,
    *MEMORY_METHODS,
    *REFINEMENT_METHODS,
    *COMPARISON_METHODS,
    OBSERVED,
    *ASKING_METHODS,
)
REQUESTS = frozenset(method.name for method in METHODS if method.is_answered_here)
ASKED = frozenset(method.name for method in METHODS if method.of_server)
"""What the client answers."""

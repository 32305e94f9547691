"""The methods about refinement loops: agents that work in rounds, under supervision."""

from __future__ import annotations

from typing import Any

from gateline.protocol.method import Method

_WHERE = {"uri": "file:///home/me/project"}
_NAME = "20260301T093000-3f9c1a"
_ONE = {**_WHERE, "loop": _NAME}
_LOOP: dict[str, Any] = {
    "loop": _NAME,
    "folder": "file:///home/me/project",
    "goal": "make the tests pass",
    "phase": "running",
    "step": "round 2: autodebug otherwise",
    "begunAt": "2026-03-01T09:30:00Z",
    "most": 20,
    "failing": 2,
    "quality": 0.7,
    "rounds": [
        {
            "number": 1,
            "agent": "autodebug",
            "strategy": "cheapest",
            "quality": 0.81,
            "ema": 0.81,
            "score": 96.0,
            "passed": 11,
            "failing": [
                {
                    "test": "tests/test_cart.py::test_total",
                    "error": "KeyError: 'price'",
                    "place": "shop/cart.py:12",
                }
            ],
            "changed": ["shop/cart.py"],
            "seconds": 4.1,
        }
    ],
}
_ENDED = {
    **_LOOP,
    "phase": "ended",
    "step": "",
    "end": "cancelled",
    "reason": "a person took over",
    "best": 1,
}

START_REFINEMENT = Method(
    "gateline/refine/start",
    "refinements:StartRefinementParams",
    "refinements:LoopResult",
    "Begin a refinement loop over the texts of now, saved or not: agents work in a work tree of their own, "
    "and each round is judged with all tests. The answer comes when it has begun; "
    "`gateline/refine/progress` tells the rest. The person is asked first whether tests may be run. Nothing "
    "of the workspace is changed.",
    {**_WHERE, "goal": "make the tests pass", "rounds": 6},
    {**_LOOP, "rounds": [], "step": "preparing a work tree of its own", "failing": None, "quality": None},
)

REFINEMENT_PROGRESS = Method(
    "gateline/refine/progress",
    "refinements:LoopResult",
    None,
    "How a loop stands, whenever that changes: it began, does something else, a round is over, it was "
    "paused, it ended.",
    _LOOP,
)

LIST_REFINEMENTS = Method(
    "gateline/refine/status",
    "refinements:LoopsParams",
    "refinements:LoopsResult",
    "The loops of the folder, newest first; also those that a shell or an earlier server began.",
    _WHERE,
    {"loops": [_LOOP]},
)

PAUSE_REFINEMENT = Method(
    "gateline/refine/pause",
    "refinements:LoopParams",
    "refinements:LoopResult",
    "Have a loop rest after the round that is under way. It is kept, also when the server ends.",
    _ONE,
    {**_LOOP, "phase": "pausing"},
)

RESUME_REFINEMENT = Method(
    "gateline/refine/resume",
    "refinements:LoopParams",
    "refinements:LoopResult",
    "Go on with a loop that was paused or interrupted, at the round that it was in.",
    _ONE,
    _LOOP,
)

CANCEL_REFINEMENT = Method(
    "gateline/refine/cancel",
    "refinements:LoopParams",
    "refinements:LoopResult",
    "End a loop at once. The round that is under way is lost; what the others found can still be taken over.",
    _ONE,
    {**_ENDED, "reason": "cancelled by a person"},
)

REFINEMENT_DIFF = Method(
    "gateline/refine/diff",
    "refinements:LoopDiffParams",
    "refinements:LoopDiffResult",
    "What a round changed, or what the best content changes.",
    {**_ONE, "round": 1},
    {
        "diff": "diff --git a/shop/cart.py b/shop/cart.py\n--- a/shop/cart.py\n+++ b/shop/cart.py\n",
        "files": ["shop/cart.py"],
    },
)

TAKE_OVER_REFINEMENT = Method(
    "gateline/refine/takeOver",
    "refinements:TakeOverParams",
    "refinements:TakeOverResult",
    "End a loop, if it goes on, and write what it found as one edit that can be undone. A file that was "
    "edited meanwhile keeps these edits: both are in it, or it is left alone and told.",
    {**_ONE, "round": 1},
    {
        "loop": _ENDED,
        "written": {
            "applied": True,
            "savepoint": "20260301T093512123456-8b1a9953",
            "now": "20260301T093511998877-1c2d3e4f",
            "steps": [{"path": "shop/cart.py", "action": "change", "conflict": ""}],
        },
    },
)

REFINEMENT_METHODS = (
    START_REFINEMENT,
    REFINEMENT_PROGRESS,
    LIST_REFINEMENTS,
    PAUSE_REFINEMENT,
    RESUME_REFINEMENT,
    CANCEL_REFINEMENT,
    REFINEMENT_DIFF,
    TAKE_OVER_REFINEMENT,
)

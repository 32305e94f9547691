"""The metrics: their names, kinds and labels. `docs/observability.md` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["counter", "histogram", "gauge"]


@dataclass(frozen=True, slots=True)
class Family:
    """One metric. The names of counters end with `_total`."""

    name: str
    kind: Kind
    help: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    """Of a histogram the upper bounds of its buckets, in the unit of its name."""


_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
_TENTHS = tuple(n / 10 for n in range(1, 11))

EVALUATION = Family(
    "gateline_checkpoint_evaluation_seconds",
    "histogram",
    "How long a change was judged, from the command to the verdict.",
    ("checkpoint",),
    _SECONDS,
)
STEP = Family(
    "gateline_step_seconds",
    "histogram",
    "How long a step of judging took; steps run side by side.",
    ("step",),
    _SECONDS,
)
QUALITY = Family(
    "gateline_quality_score", "histogram", "The score of a change, 0-1.", ("checkpoint",), _TENTHS
)
DECISIONS = Family(
    "gateline_decisions_total", "counter", "Decisions of the gates.", ("checkpoint", "outcome")
)
LOOPS = Family("gateline_loops_total", "counter", "Refinement loops that ended.", ("end",))
WARNING = Family(
    "gateline_early_warning_total",
    "counter",
    "Loops by whether the middle checkpoint warned and they failed: tp, fp, fn, tn.",
    ("outcome",),
)
ADJUSTMENT = Family(
    "gateline_strategy_adjustments_total",
    "counter",
    "Rounds that went on otherwise: restored content, another agent, another strategy.",
    ("kind",),
)
CONTEXT = Family(
    "gateline_context_seconds",
    "histogram",
    "How long a question to context took that an agent asked for a task.",
    (),
    (0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 2.0, 5.0),
)
DEGRADED = Family(
    "gateline_context_degraded_total", "counter", "Such answers that lacked a tier of retrieval."
)
TOKENS = Family(
    "gateline_tokens_total", "counter", "Tokens that agents were handed for tasks.", ("operation",)
)
UNREADABLE = Family(
    "gateline_unreadable_records_total",
    "counter",
    "Records that could not be read, and so are not counted.",
    ("source",),
)
OPERATIONS = frozenset(
    [
        "checkpoint",
        "compare",
        "context",
        "explain",
        "gate_check",
        "gate_status",
        "page",
        "propose_fix",
        "recall",
        "refine_start",
        "refine_status",
        "refinement",
        "remember",
        "restore_preview",
        "savepoint",
        "task",
        "worklog",
    ]
)
"""What is counted by its own name; any other is `other`, since each label is kept for ever."""
LESSONS = Family("gateline_lessons", "gauge", "Lessons that are remembered.")
USES = Family("gateline_lesson_uses", "gauge", "How often those lessons were handed out.")
EVAL = Family("gateline_eval_score", "gauge", "The newest score of a suite of evals, 0-1.", ("suite",))
QUEUE = Family(
    "gateline_queue_depth", "gauge", "Jobs that wait or run in the session; absent while none is open."
)

FAMILIES: Mapping[str, Family] = {
    one.name: one
    for one in (
        EVALUATION,
        STEP,
        QUALITY,
        DECISIONS,
        LOOPS,
        UNREADABLE,
        WARNING,
        ADJUSTMENT,
        CONTEXT,
        DEGRADED,
        TOKENS,
        LESSONS,
        USES,
        EVAL,
        QUEUE,
    )
}

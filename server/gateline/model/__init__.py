"""The frozen values everyone shares. Nothing here does I/O.

What is taken from here is imported when it is first taken: a small process that wants documents and spans
does not wait until evaluations and repairs are made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateline.model.analyzer import Analyzer, Inspection
    from gateline.model.change import Change, FileChange, FileStatus
    from gateline.model.document import Document, Snapshot, digest_of
    from gateline.model.evaluation import (
        Action,
        Decision,
        Evaluation,
        FileSummary,
        FunctionChange,
        Outcome,
        Part,
        Score,
        Status,
        TestRun,
        Trajectory,
    )
    from gateline.model.finding import Dimension, Finding, Novelty, Related, Severity, Weight
    from gateline.model.level import Level, Progress
    from gateline.model.measure import Measure, State
    from gateline.model.policy import Policy
    from gateline.model.problem import Diagnosis, Family, Frame, Origin, Place, Problem
    from gateline.model.repair import (
        Edit,
        Knowledge,
        Proof,
        Question,
        Repair,
        Repairer,
        VerifiedRepair,
    )
    from gateline.model.report import Report
    from gateline.model.source import Source
    from gateline.model.span import Position, Span

__all__ = [
    "Action",
    "Analyzer",
    "Change",
    "Decision",
    "Diagnosis",
    "Dimension",
    "Document",
    "Edit",
    "Evaluation",
    "Family",
    "FileChange",
    "FileStatus",
    "FileSummary",
    "Finding",
    "Frame",
    "FunctionChange",
    "Inspection",
    "Knowledge",
    "Level",
    "Measure",
    "Novelty",
    "Origin",
    "Outcome",
    "Part",
    "Place",
    "Policy",
    "Position",
    "Problem",
    "Progress",
    "Proof",
    "Question",
    "Related",
    "Repair",
    "Repairer",
    "Report",
    "Score",
    "Severity",
    "Snapshot",
    "Source",
    "Span",
    "State",
    "Status",
    "TestRun",
    "Trajectory",
    "VerifiedRepair",
    "Weight",
    "digest_of",
]

_PARTS = (
    "span",
    "document",
    "change",
    "level",
    "measure",
    "finding",
    "evaluation",
    "policy",
    "source",
    "report",
    "analyzer",
    "problem",
    "repair",
)
"""The modules that make them: first those that import little."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """A value by its name, from the first module that has it."""
        if name in __all__:
            for part in _PARTS:
                module = import_module(f"{__name__}.{part}")
                if hasattr(module, name):
                    found = globals()[name] = getattr(module, name)
                    return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

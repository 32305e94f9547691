"""The frozen values everyone shares. Nothing here does I/O."""

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
    Trajectory,
)
from gateline.model.finding import Dimension, Finding, Novelty, Related, Severity, Weight
from gateline.model.level import Level, Progress
from gateline.model.measure import Measure, State
from gateline.model.policy import Policy
from gateline.model.report import Report
from gateline.model.source import Source
from gateline.model.span import Position, Span

__all__ = [
    "Action",
    "Analyzer",
    "Change",
    "Decision",
    "Dimension",
    "Document",
    "Evaluation",
    "FileChange",
    "FileStatus",
    "FileSummary",
    "Finding",
    "FunctionChange",
    "Inspection",
    "Level",
    "Measure",
    "Novelty",
    "Outcome",
    "Part",
    "Policy",
    "Position",
    "Progress",
    "Related",
    "Report",
    "Score",
    "Severity",
    "Snapshot",
    "Source",
    "Span",
    "State",
    "Status",
    "Trajectory",
    "Weight",
    "digest_of",
]

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

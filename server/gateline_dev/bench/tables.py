"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateline_dev.bench.processes import Memory
from gateline_dev.bench.projects import Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import FLOOR, RIVAL
from gateline_dev.bench.targets import Results, Verdict, ratio, verdicts

_NONE = "–"
_MOMENTS = ("initialized", "opened", "end")
_LEVELS = ("early", "middle", "final")


def report(results: Results, projects: Iterable[Project]) -> str:
    """Everything: a section for each project, one of the long session, one of the targets."""
    sections = [text for project in projects for text in _project(results, project)]
    return "\n\n".join([*sections, *_long_sessions(results), *_targets(results)]) + "\n"


def _project(results: Results, project: Project) -> list[str]:
    ours = [result for (_, name), result in results.items() if name == project.name]
    if not ours:
        return []
    return [
        f"## {project.name} {project.version}, `{project.target}`",
        "Milliseconds, p50 / p95 or p50 alone.",
        _latencies(ours),
        "Times the echo server's, p50; and how many times faster than live pylsp-mypy.",
        _ratios(ours, results, project.name),
        "Megabytes of resident memory: of the server process at `initialized`, then of all its processes.",
        _memories(ours),
        *_failures(ours),
    ]


def _latencies(results: Sequence[Result]) -> str:
    head = ["server", "start", "open → type, cold", "again", "restart → type", "syntax", "type"]
    head += ["type clears", "burst syntax", "burst type", "save → type", "missed, relapsed, left over"]
    return table(head, (_latency(result) for result in results))


def _latency(result: Result) -> list[str]:
    single = ("start", "open to type", "open again to type", "restart to type")
    double = ("syntax", "type", "type clears", "burst syntax", "burst type", "save")
    faults = [
        sum(getattr(s, part) for s in result.kinds.values()) for part in ("misses", "relapses", "leftovers")
    ]
    return [
        result.server,
        *(number(result.p50(kind)) for kind in single),
        *(pair(result.p50(kind), result.p95(kind)) for kind in double),
        ", ".join(map(str, faults)),
    ]


def _ratios(results: Sequence[Result], everything: Results, project: str) -> str:
    floor, rival = (everything.get((name, project)) for name in (FLOOR, RIVAL))
    head = [
        "server",
        "start × echo",
        "syntax × echo",
        "type × echo",
        "syntax: pylsp-mypy ÷",
        "type: pylsp-mypy ÷",
    ]
    rows = (
        [
            result.server,
            *(number(ratio(result.p50(kind), _p50(floor, kind))) for kind in ("start", "syntax", "type")),
            *(number(ratio(_p50(rival, kind), result.p50(kind))) for kind in ("syntax", "type")),
        ]
        for result in results
    )
    return table(head, rows)


def _p50(result: Result | None, kind: str) -> float | None:
    return None if result is None else result.p50(kind)


def _memories(results: Sequence[Result]) -> str:
    head = ["server", "server process", *_MOMENTS, "peak", "opened, shared pages divided", "processes"]
    head += ["CPU s per place", "cores used by others"]
    return table(head, (_memory(result) for result in results))


def _memory(result: Result) -> list[str]:
    moments: list[Memory | None] = [result.memory.get(moment) for moment in _MOMENTS]
    opened = result.memory.get("opened")
    return [
        result.server,
        number(getattr(moments[0], "server", None)),
        *(number(getattr(moment, "tree", None)) for moment in moments),
        number(result.numbers.get("peak MB")),
        number(getattr(opened, "proportional", None)),
        number(getattr(opened, "processes", None)),
        number(result.numbers.get("CPU s per place"), 2),
        number(result.numbers.get("cores used by others"), 2),
    ]


def _failures(results: Sequence[Result]) -> list[str]:
    lines = [f"- {result.server}: {failure}" for result in results for failure in result.failures]
    return ["\n".join(lines)] if lines else []


def _long_sessions(results: Results) -> list[str]:
    long = [result for result in results.values() if "long session edit" in result.kinds]
    if not long:
        return []
    return ["## A long session, and a file of 30,000 lines", _sessions(long), *_evaluations(long)]


def _sessions(results: Sequence[Result]) -> str:
    head = ["server", "edits", "missed", "type", "MB after", "MB peak", "idle CPU %", "idle git calls"]
    head += ["small request while opening: p50, slowest", "while an edit is analysed"]
    return table(head, (_session(result) for result in results))


def _session(result: Result) -> list[str]:
    edits, numbers = result.kinds["long session edit"], result.numbers
    stalls = [result.kinds.get(f"stall: {kind}") for kind in ("open", "edit")]
    return [
        result.server,
        str(len(edits.seconds) + edits.misses),
        str(edits.misses),
        pair(edits.p50, edits.p95),
        number(getattr(result.memory.get("long session"), "tree", None)),
        number(numbers.get("long session peak MB")),
        number(numbers.get("idle CPU %"), 2),
        number(numbers.get("idle git calls")),
        *(pair(s.p50, s.most) if s else _NONE for s in stalls),
    ]


def _evaluations(results: Sequence[Result]) -> list[str]:
    judging = [result for result in results if "early: with types" in result.kinds]
    if not judging:
        return []
    head = ["checkpoint after one edit", "asked at once", "beyond the type finding", "when all is known"]
    parts = ("with types", "beyond types", "all known")
    rows = (
        [f"{result.server}, {level}", *(_kind(result, f"{level}: {part}") for part in parts)]
        for result in judging
        for level in _LEVELS
    )
    return [table(head, rows)]


def _kind(result: Result, kind: str) -> str:
    return pair(result.p50(kind), result.p95(kind))


def _targets(results: Results) -> list[str]:
    found = verdicts(results)
    if all(verdict.measured is None for verdict in found):
        return []
    rows = ([v.what, _limit(v), _with_unit(v.measured, v.unit), _said(v)] for v in found)
    return ["## Targets", table(["what", "target", "measured", ""], rows)]


def _limit(verdict: Verdict) -> str:
    if verdict.limit is None:
        return _NONE
    return f"{'≥' if verdict.at_least else '≤'} {verdict.limit:,.4g} {verdict.unit}".rstrip()


def _with_unit(value: float | None, unit: str) -> str:
    return _NONE if value is None else f"{number(value)} {unit}".rstrip()


def _said(verdict: Verdict) -> str:
    return {True: "met", False: "**not met**", None: "not measured"}[verdict.met]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are numbers."""
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def number(value: float | None, digits: int | None = None) -> str:
    """Three digits that mean something; or as many decimals as asked for."""
    if value is None:
        return _NONE
    if digits is None:
        digits = 0 if value >= 99.95 or value == int(value) else 1 if value >= 9.995 else 2
    return f"{value:,.{digits}f}"


def pair(first: float | None, second: float | None) -> str:
    """Two numbers in one cell."""
    return _NONE if first is None else f"{number(first)} / {number(second)}"

"""The results as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gateline_dev.bench.agent_hooks import EDIT, FIRST, PEERS, START
from gateline_dev.bench.agent_hooks import IDLE as ENGINE_IDLE
from gateline_dev.bench.agent_hooks import MEGABYTES as ENGINE_MB
from gateline_dev.bench.context_speed import CHUNKS, KINDS, MEGABYTES
from gateline_dev.bench.context_tiers import BUSY, EMBEDDED, IDLE, RATE, WITHOUT
from gateline_dev.bench.context_tiers import MEGABYTES as MEGABYTES_OF_ALL
from gateline_dev.bench.embedding_beside import STILL, WORKING
from gateline_dev.bench.evaluation import COMMANDS, LEVELS
from gateline_dev.bench.probes import PROBES
from gateline_dev.bench.projects import Project
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import FLOOR, RIVAL
from gateline_dev.bench.targets import Results, Verdict, ratio, verdicts

_NONE = "–"
Column = tuple[str, Callable[[Result], str]]


def report(results: Results, projects: Iterable[Project]) -> str:
    """Everything: the targets, a section for each project, one of what was measured of one server alone."""
    sections = [text for project in projects for text in _project(results, project)]
    return "\n\n".join([*_targets(results), *sections, *_alone(results)]) + "\n"


def _targets(results: Results) -> list[str]:
    rows = ([v.what, _limit(v), _with_unit(v.measured, v.unit), _said(v)] for v in verdicts(results))
    return ["### Targets", table(["what", "target", "measured", ""], rows)]


def _limit(verdict: Verdict) -> str:
    if verdict.limit is None:
        return _NONE
    return f"{'≥' if verdict.at_least else '≤'} {verdict.limit:,.4g} {verdict.unit}".rstrip()


def _with_unit(value: float | None, unit: str) -> str:
    return _NONE if value is None else f"{number(value)} {unit}".rstrip()


def _said(verdict: Verdict) -> str:
    return {True: "met", False: "**missed**", None: "not measured"}[verdict.met]


def _project(results: Results, project: Project) -> list[str]:
    ours = [result for (_, name), result in results.items() if name == project.name]
    if not ours:
        return []
    floor, rival = (results.get((name, project.name), Result(name, "")) for name in (FLOOR, RIVAL))
    return [
        f"### {project.name} {project.version}, `{project.target}`",
        "From what the editor sends to the right diagnostic on the right line; milliseconds, p50 / p95.",
        _table(ours, [(kind, _pair(kind)) for kind in _KINDS]),
        f"How many times the {FLOOR} server's time, and how many times faster than {RIVAL}; p50.",
        _table(ours, [*_against(floor), *_faster_than(rival)]),
        "Memory of all processes of a server, in megabytes, and what disturbed the measurement.",
        _table(ours, _USED),
        *_failures(ours),
    ]


_KINDS = ("start", "open cold", "open warm", "syntax", "type", "burst syntax", "burst type", "save")


def _pair(kind: str, share: float = 0.95) -> Callable[[Result], str]:
    def cell(result: Result) -> str:
        first, second = result.p50(kind), result.quantile(kind, share)
        return _NONE if first is None else f"{number(first)} / {number(second)}"

    return cell


def _against(floor: Result) -> list[Column]:
    return [
        (f"{k} ÷ {FLOOR}", lambda r, k=k: number(ratio(r.p50(k), floor.p50(k))))  # type: ignore[misc]
        for k in ("start", "syntax", "type")
    ]


def _faster_than(rival: Result) -> list[Column]:
    return [
        (f"{RIVAL} ÷ {k}", lambda r, k=k: number(ratio(rival.p50(k), r.p50(k))))  # type: ignore[misc]
        for k in ("open cold", "syntax", "type", "save")
    ]


def _memory(moment: str, part: str) -> Callable[[Result], str]:
    return lambda result: number(getattr(result.memory.get(moment), part, None))


def _number(name: str, digits: int | None = None) -> Callable[[Result], str]:
    return lambda result: number(result.numbers.get(name), digits)


def _faults(result: Result) -> str:
    parts = ("misses", "relapses", "leftovers")
    return " / ".join(str(sum(getattr(s, part) for s in result.kinds.values())) for part in parts)


_USED: list[Column] = [
    ("server alone, opened", _memory("opened", "server")),
    ("all, opened", _memory("opened", "tree")),
    ("processes", _memory("opened", "processes")),
    ("end", _memory("end", "tree")),
    ("peak", _number("peak MB")),
    ("CPU s per place", _number("CPU s per place", 2)),
    ("missed / wrong again / too old", _faults),
    ("cores used by others", _number("cores used by others", 2)),
]


def _failures(results: Sequence[Result]) -> list[str]:
    lines = [f"- {result.server}: {failure}" for result in results for failure in result.failures]
    return ["\n".join(lines)] if lines else []


def _alone(results: Results) -> list[str]:
    sections = (
        ("A verdict after one edit of a short file, milliseconds", _levels),
        ("The command line, milliseconds", _commands),
        ("Small requests while 30,000 lines are analysed: milliseconds, p50 / slowest", _stalls),
        ("Tests on unsaved text, milliseconds from the edit; a cold pytest of the same tests", _affected),
        ("Hooks of coding agents: milliseconds of a process for each edit, and the engine they ask", _hooks),
        ("Context retrieval: milliseconds; words and places asked, a file of 3,000 lines edited", _context),
        ("Context with the transformer: milliseconds of questions, while it embeds and afterwards", _tiers),
        ("Findings while the transformer embeds, and while it is held still, milliseconds", _beside),
        ("Nothing is typed, and 1,000 edits", _long),
    )
    found = [(title, columns, _measured(results, columns)) for title, columns in sections]
    return [
        text for title, columns, those in found if those for text in (f"### {title}", _table(those, columns))
    ]


def _measured(results: Results, columns: Sequence[Column]) -> list[Result]:
    return [r for r in results.values() if any(cell(r) != _NONE for _, cell in columns)]


_levels: list[Column] = [
    (f"{level} {kind}", _pair(f"{level} {kind}"))
    for kind in ("with types", "without types")
    for level in LEVELS
]
_commands: list[Column] = [(f"`{name}`", _pair(f"command {name}")) for name in COMMANDS]
_affected: list[Column] = [(kind, _pair(f"tests {kind}")) for kind in ("first", "all", "cold")]
_hooks: list[Column] = [
    ("edit", _pair(EDIT)),
    ("cold mypy and bandit", _pair(PEERS)),
    ("first call, s", _number(FIRST, 1)),
    ("start above `python -S`, CPU ms", _number(START)),
    ("idle CPU %", _number(ENGINE_IDLE, 2)),
    ("MB", _number(ENGINE_MB)),
]
_context: list[Column] = [
    ("chunks", _number(CHUNKS)),
    *((kind.removeprefix("context "), _pair(kind)) for kind in KINDS),
    ("MB", _number(MEGABYTES)),
]
_tiers: list[Column] = [
    ("while it embeds", _pair(BUSY)),
    ("afterwards", _pair(IDLE)),
    ("signatures embedded", _number(EMBEDDED)),
    ("a second", _number(RATE)),
    ("answers without it", _number(WITHOUT)),
    ("MB", _number(MEGABYTES_OF_ALL)),
]
_beside: list[Column] = [
    (kind, _pair(kind)) for kind in (f"{p.kind} {when}" for p in PROBES for when in (WORKING, STILL))
]
_stalls: list[Column] = [(kind, _pair(f"stall: {kind}", 1)) for kind in ("open", "edit")]
_long: list[Column] = [
    ("edit → at rest, s", _number("at rest s", 1)),
    ("idle CPU %", _number("idle CPU %", 2)),
    ("idle git calls", _number("idle git calls")),
    ("edit → type, ms", _pair("session edit")),
    ("MB after", _memory("session", "tree")),
    ("MB peak", _number("session peak MB")),
]


def _table(results: Iterable[Result], columns: Sequence[Column]) -> str:
    head = ["server", *(name for name, _ in columns)]
    return table(head, (_row(result, columns) for result in results))


def _row(result: Result, columns: Sequence[Column]) -> list[str]:
    if result.failures and not result.kinds:
        return [result.server, f"not measured: {result.failures[0]}", *[_NONE] * (len(columns) - 1)]
    return [result.server, *(cell(result) for _, cell in columns)]


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

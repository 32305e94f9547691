"""A module that only one other imports has a reason to be a module of its own.

Most reasons can be seen: both together would be too long, it is in another package, it is imported late,
it has tests of its own, or its importer gathers a family (rules, handlers, tools). Any other is written here.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server"
TOGETHER = 300
"""Lines that two modules may have together to be one."""
FAMILY = 3
"""Modules that only one gathers."""
REASONS = {
    "gateline.cli.output.fixes": "what is told, apart from what is done",
    "gateline.cli.output.breakdown": "one part of a report",
    "gateline.cli.savepoint": "one command",
    "gateline.cli.output.page.chart": "one chart",
    "gateline.cli.output.page.style": "a style sheet",
    "gateline.cli.output.unjudged": "one part of what a command tells",
    "gateline.context.handing": "one policy",
    "gateline.context.merging": "one algorithm",
    "gateline.context.reasons": "all words for why a passage is there",
    "gateline.gates.files": "one part of a verdict",
    "gateline.hooks.agents.claude": "one agent's contract",
    "gateline.integrity.enforcement.python_exit": "one analysis: how a failure reaches the exit status",
    "gateline.integrity.product.todo_markers": "one analysis",
    "gateline.integrity.rules.placeholder_body.alternatives": "one analysis",
    "gateline.integrity.rules.placeholder_body.null_object": "one analysis",
    "gateline.integrity.tests.redefined": "one analysis",
    "gateline.lsp.asking": "one question to a person",
    "gateline.lsp.handlers.ignoring": "one code action",
    "gateline.mcp.jobs": "state that tools share",
    "gateline.mcp.resources": "resources, beside tools",
    "gateline.memory.calibration": "numbers that a command writes",
    "gateline.session.memory.anchors": "reads the workspace's files; the memory keeps lessons",
    "gateline.ranking.calibration": "numbers that a command writes",
    "gateline.ranking.told": "what is told, apart from what is decided",
    "gateline.refinement.verifier.coverage": "one question: does a plan speak of a criterion?",
    "gateline.refinement.verifier.testable": "one question: can a criterion be tested?",
    "gateline.repairs.analysis.made_classes": "one analysis",
    "gateline.services.behaviour.answering": "runs in the project's interpreter",
    "gateline.services.behaviour.recording": "runs in the project's interpreter",
    "gateline.services.repairs.known": "answers of one process",
    "gateline.services.resolving.trees": "a cache with a bound",
    "gateline.services.types.resident.checkable_functions": "one analysis",
    "gateline.services.types.resident.poison_texts": "state with an owner",
    "gateline.services.types.resident.probe": "one question to the engine",
    "gateline.services.types.runs.plugins": "one part of a plan",
    "gateline.session.judge.verdict_cache.content": "what a verdict depends on",
    "gateline.session.live.board": "state with an owner",
    "gateline.session.live.stages": "state with an owner",
    "gateline.session.tasks.observed": "what is seen of work, apart from whose task it is",
    "gateline.store.migrations": "versions of the database",
    "gateline.store.savepoints.pointers": "the format of git LFS",
    "gateline.testing.book_base": "what several versions of the book share",
    "gateline.testing.parsed": "a parser",
}


def _name(file: Path) -> str:
    dotted = ".".join(file.relative_to(SERVER).with_suffix("").parts)
    return dotted.removesuffix(".__init__")


MODULES = {_name(file): file for file in (SERVER / "gateline").rglob("*.py")}
LENGTHS = {file: file.read_text(encoding="utf-8").count("\n") for file in MODULES.values()}


def _imports(file: Path) -> Iterator[tuple[str, bool]]:
    """The modules of ours that a file imports, and whether that is late."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from ((name, node.col_offset > 0) for name in names if MODULES.get(name, file) != file)


def _of_one_importer() -> dict[str, Path]:
    """By module: the only file that imports it, from the same package, where no reason can be seen."""
    importers: dict[str, dict[Path, bool]] = defaultdict(dict)
    for file in MODULES.values():
        for name, late in _imports(file):
            importers[name][file] = importers[name].get(file, False) or late
    others = [*(ROOT / "tests").rglob("*.py"), *(SERVER / "gateline_dev").rglob("*.py")]
    tried = {name for file in others for name, _ in _imports(file)}
    only = {name: next(iter(found.items())) for name, found in importers.items() if len(found) == 1}
    beside = {
        name: (file, late)
        for name, (file, late) in only.items()
        if MODULES[name].parent == file.parent and MODULES[name].name != "__init__.py"
    }
    gathered = Counter(file for file, _ in beside.values())
    return {
        name: file
        for name, (file, late) in beside.items()
        if not late
        and name not in tried
        and file.name != "rule.py"
        and gathered[file] < FAMILY
        and LENGTHS[MODULES[name]] + LENGTHS[file] <= TOGETHER
    }


def test_a_module_with_one_importer_has_a_reason() -> None:
    found = _of_one_importer()
    assert {name: str(file.relative_to(SERVER)) for name, file in found.items() if name not in REASONS} == {}


def test_no_reason_is_left_over() -> None:
    assert sorted(REASONS.keys() - MODULES.keys()) == []

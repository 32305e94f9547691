"""Insecure code: what bandit finds, on the buffer.

A finding of at least `security.min-severity` and `security.min-confidence` counts; of high severity it
is a floor. What is below is not shown, and tests in `security.skip` are left out (by default B101, `assert`).

The base's settings of bandit (`[tool.bandit]`, `.bandit`, `bandit.yaml`: skips, tests, exclude_dirs, options
of single tests) and of ruff (codes S101 and so on in `ignore` and `per-file-ignores`) are heeded; so are
`# nosec` and `# noqa: S602`. One of these comments that the change itself adds does not lift a floor.

Only statements whose text changed are visited again: bandit looks at a top-level statement, or at a
method of a long class, on its own, with the names that the document imports above it. Their findings are
remembered by text.
"""

from __future__ import annotations

import ast
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from cachetools import LRUCache

from gateline.analysis.trees import walk
from gateline.model import (
    Analyzer,
    Dimension,
    Finding,
    Inspection,
    Level,
    Report,
    Source,
    Span,
    State,
    Weight,
)
from gateline.model.newer_syntax import why_no_tree
from gateline.security.bandit_settings import is_left_out, read_bandit
from gateline.security.marks import marks, over
from gateline.testing.naming import is_test

CODE = "GTL301"

_RANK = {"undefined": 0, "low": 1, "medium": 2, "high": 3}
_TELLING = frozenset({"B105", "B106", "B107"})
"""Tests whose message ends with the password that they found."""
_LONG_CLASS = 30
"""A class of more lines is cut into its methods."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One of bandit's results. Lines are zero-based, `column` counts UTF-8 bytes."""

    test: str
    line: int
    end_line: int
    column: int
    end_column: int
    severity: str
    confidence: str
    text: str
    first_line: int = 0
    """Of the statement: a mark may stand on any of its lines."""

    def moved(self, lines: int) -> Issue:
        """The same, `lines` further down."""
        line, end, first = (number + lines for number in (self.line, self.end_line, self.first_line))
        return replace(self, line=line, end_line=end, first_line=first)

    @property
    def lines(self) -> range:
        """All lines that a mark may stand on."""
        return range(min(self.first_line, self.line), max(self.end_line, self.line) + 1)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Statements that are visited on their own, and the zero-based lines it covers."""

    nodes: list[ast.stmt]
    start: int
    end: int

    @property
    def place(self) -> tuple[int, int]:
        """Where it begins, in the compiler's units."""
        return _place(self.nodes[0])


_remembered: LRUCache[tuple[bytes, int, str, int], tuple[Issue, ...]] = LRUCache(20_000)
"""Issues by imports, column and text; their lines count from the start of the chunk."""


def inspect(inspection: Inspection) -> Report:
    """The issues that are not below the thresholds."""
    source = inspection.source
    if source.tree is None:
        return Report(ANALYZER.name, Dimension.SECURITY, State.NO_DATA, why_no_tree(source.code))
    try:
        found = [*_wanted_findings(inspection)]
    except RecursionError:
        return Report(ANALYZER.name, Dimension.SECURITY, State.NO_DATA, "the code is nested too deeply")
    except Exception as error:  # noqa: BLE001 - bandit's own failure costs this file
        reason = f"bandit crashed in {source.path}: {type(error).__name__}: {error}"
        return Report(ANALYZER.name, Dimension.SECURITY, State.FAILED, reason)
    return Report(ANALYZER.name, Dimension.SECURITY, findings=tuple(sorted(found, key=lambda f: f.sort_key)))


def _wanted_findings(inspection: Inspection) -> Iterator[Finding]:
    """What is left by thresholds, settings and marks. A mark that the change adds lifts no floor."""
    source, wanted, files = inspection.source, _wanted(inspection.options), _files(inspection.options)
    known = marks(source, inspection.base, added=inspection.is_added)
    for issue in issues(source, read_bandit(files).options):
        if not wanted(issue) or is_left_out(files, source.path, issue.test):
            continue
        mark = over(known, issue.test, issue.lines)
        finding = _finding(source, issue)
        if mark is None:
            yield finding
        elif mark.is_new and finding.weight is Weight.FLOOR:
            said = finding.message.rstrip(".")
            yield replace(finding, message=f"{said}; the new comment `{mark.text}` does not suppress it")


def _files(options: Mapping[str, object]) -> Mapping[str, str]:
    files = options.get("files")
    return files if isinstance(files, Mapping) else {}


def issues(source: Source, options: Mapping[str, Any] | None = None) -> list[Issue]:
    """Everything that bandit says of a document, without any threshold. `options` are those of its tests."""
    assert source.tree is not None
    tests = _tests(json.dumps(options or {}, sort_keys=True, default=str))
    found: list[Issue] = []
    for chunk, imports, known in _with_imports(source.tree, _cut(source, source.tree)):
        text = "".join(source.lines[chunk.start : chunk.end])
        key = (known, chunk.place[1], text, id(tests))
        issues = _remembered.get(key)
        if issues is None:
            issues = tuple(i.moved(-chunk.start) for i in _visit(source, tests, imports, chunk.nodes))
            _remembered[key] = issues
        found.extend(issue.moved(chunk.start) for issue in issues)
    return [*found, *_file_issues(source, tests)]


def _with_imports(
    tree: ast.Module, chunks: Iterable[_Chunk]
) -> Iterator[tuple[_Chunk, list[ast.stmt], bytes]]:
    """Each chunk with all imports above it, which say what its names mean, and their digest."""
    imports = sorted((n for n in walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))), key=_place)
    digest = blake2b(digest_size=12)
    above = 0
    for chunk in chunks:
        while above < len(imports) and _place(imports[above]) < chunk.place:
            digest.update(ast.unparse(imports[above]).encode() + b"\n")
            above += 1
        yield chunk, list(imports[:above]), digest.digest()


def _cut(source: Source, tree: ast.Module) -> Iterable[_Chunk]:
    if "safestring" in source.text and tree.body:
        # B703 follows a variable through the whole module.
        return [_Chunk(tree.body, 0, len(source.lines))]
    return _chunks(tree.body)


def _place(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _chunks(body: list[ast.stmt]) -> Iterator[_Chunk]:
    for node in body:
        decorators = [d.lineno for d in getattr(node, "decorator_list", [])]
        start, end = min([node.lineno, *decorators]) - 1, node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef) and end - start > _LONG_CLASS:
            yield _Chunk([_head(node)], start, max(node.lineno, node.body[0].lineno - 1))
            yield from _chunks(node.body)
        else:
            yield _Chunk([node], start, end)


def _head(node: ast.ClassDef) -> ast.ClassDef:
    """A class without its body: its bases and decorators are looked at, its methods on their own."""
    return ast.copy_location(
        ast.ClassDef(node.name, node.bases, node.keywords, [], node.decorator_list), node
    )


def _visit(source: Source, tests: Any, imports: list[ast.stmt], nodes: list[ast.stmt]) -> list[Issue]:
    visitor = _visitor(source, tests)
    visitor.generic_visit(ast.Module(imports, []))
    visitor.tester.results.clear()
    visitor.generic_visit(ast.Module(nodes, []))
    return [_issue(result) for result in visitor.tester.results]


def _file_issues(source: Source, tests: Any) -> list[Issue]:
    """What bandit says of the text as a whole (bidirectional control characters)."""
    if source.text.isascii():
        return []
    visitor = _visitor(source, tests)
    context = {
        "file_data": visitor.fdata,
        "filename": source.path,
        "lineno": 0,
        "linerange": [0, 1],
        "col_offset": 0,
    }
    visitor.tester.run_tests(context, "File")
    return [_issue(result) for result in visitor.tester.results]


def _visitor(source: Source, tests: Any) -> Any:
    from bandit.core.metrics import Metrics
    from bandit.core.node_visitor import BanditNodeVisitor

    metrics = Metrics()
    metrics.begin(source.path)
    data = io.BytesIO(source.text.encode("utf-8", "surrogatepass"))
    # Its marks are looked at later, when it is known which are new.
    visitor = BanditNodeVisitor(source.path, data, None, tests, False, {}, metrics)
    # Else a test that crashes is only logged, and its file looks clean.
    visitor.tester.debug = True
    return visitor


@lru_cache(maxsize=1)
def _tests(options: str) -> Any:
    """Bandit's tests. It keeps their options in the tests themselves: only one set is in force at a time."""
    from bandit.core.config import BanditConfig
    from bandit.core.test_set import BanditTestSet

    config = BanditConfig()
    config.config.update(json.loads(options))
    return BanditTestSet(config)


def _issue(result: Any) -> Issue:
    return Issue(
        result.test_id,
        result.lineno - 1,
        max(result.linerange or [result.lineno]) - 1,
        max(result.col_offset, 0),
        max(result.end_col_offset, 0),
        result.severity.lower(),
        result.confidence.lower(),
        result.text,
        min(result.linerange or [result.lineno]) - 1,
    )


def _wanted(options: Mapping[str, object]) -> Callable[[Issue], bool]:
    severity = _RANK[str(options.get("min_severity", "medium"))]
    confidence = _RANK[str(options.get("min_confidence", "medium"))]
    skip = options.get("skip", ("B101",))
    skipped = frozenset(skip) if isinstance(skip, list | tuple) else frozenset()

    def is_wanted(issue: Issue) -> bool:
        enough = _RANK[issue.severity] >= severity and _RANK[issue.confidence] >= confidence
        return enough and issue.test not in skipped

    return is_wanted


def _finding(source: Source, issue: Issue) -> Finding:
    start = source.position(issue.line + 1, issue.column)
    text = source.line(issue.line)
    one_line = issue.end_column > issue.column and issue.end_line == issue.line
    end = source.position(issue.line + 1, issue.end_column) if one_line else None
    return Finding(
        code=CODE,
        path=source.path,
        span=Span(start, end) if end and end > start else Span.of_line(issue.line, text),
        message=issue.text.partition(":")[0] if issue.test in _TELLING else issue.text,
        dimension=Dimension.SECURITY,
        weight=_weight(source.path, issue),
        origin=f"bandit: {issue.test}",
        symbol=source.symbol_at(issue.line),
        line_text=text,
    )


def _weight(path: str, issue: Issue) -> Weight:
    """Nobody attacks tests: what stands in them is told, and does not count."""
    if is_test(path) or path.rpartition("/")[2] == "conftest.py":
        return Weight.ADVICE
    return Weight.FLOOR if issue.severity == "high" else Weight.COUNTS


ANALYZER = Analyzer("security", Dimension.SECURITY, Level.MIDDLE, inspect)

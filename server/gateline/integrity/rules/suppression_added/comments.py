"""GTL621: a comment that silences a checker is new."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import Pair
from gateline.integrity.enforcement.settings import both_tables
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.newly_typed import is_newly_typed
from gateline.integrity.explanations.settings_moved import is_exempt_no_more
from gateline.integrity.explanations.stated_reason import comment_above, is_of_layout, is_reasoned
from gateline.integrity.explanations.unreachable_lines import PLATFORM, is_tried_import, is_unreached
from gateline.integrity.file_roles import is_test
from gateline.integrity.findings import at_node, at_span
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.suppression_added import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name
from gateline.model.span import Span

_COMMENT = re.compile(
    r"#\s*(?P<tool>"
    r"type:\s*ignore|pyright:\s*(?:ignore|basic|off)|ty:\s*ignore|pyre-ignore|pyre-fixme|mypy:\s*ignore-errors|"
    r"(?:ruff|flake8):\s*noqa|noqa|pylint:\s*(?:disable|skip-file)|nosec|nosemgrep|"
    r"pragma:\s*no\s*(?:cover|branch)|pytype:\s*disable|gateline:\s*ignore(?:-file)?)"
    r"(?:(?:\s*[:=\[]\s*|(?<=nosec)\s+(?=[BS]\d))(?P<codes>[A-Za-z][\w\-]*(?:\s*,\s*[A-Za-z][\w\-]*)*)\]?)?(?P<reason>.*)",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"generated|do not edit", re.IGNORECASE)
_UNREACHED = re.compile(
    r"TYPE_CHECKING|__name__\s*==|NotImplementedError|@(abc\.)?abstractmethod|@(typing\.)?overload|assert_never|"
    r"def __(repr|str)__|except (Import|ModuleNotFound)Error|sys\.platform|version_info|os\.name|\.\.\.\s*$"
)
"""Lines that a test cannot reach, or not everywhere."""
_TYPES = ("type:", "pyright:", "ty:", "pyre", "pytype:")
"""Checkers of types, which pass over functions without annotations."""
_CALLED = re.compile(r"(\w+)\(")
_BRANCH = re.compile(r"(?:el)?if\s+(?:not\s+)?(\w+)\s*:$")
_UNTYPED = frozenset(
    {"import-untyped", "import-not-found", "import", "reportMissingImports", "reportMissingTypeStubs"}
)


@dataclass(frozen=True, slots=True)
class Silence:
    """One such comment: of which tool, for which of its codes, and with what reason."""

    span: Span
    tool: str
    codes: tuple[str, ...]
    reason: str
    line: str
    """The code that it stands on."""
    symbol: str
    above: str = ""
    """The comment right above."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The comments that are new, or silence more than before."""
    files = evidence.both.files if any(map(_has_more, evidence.both.files)) else ()
    for module, hit in new_in(files, _silences, _prints, _prints_before):
        path = module.source.path
        customary = _is_customary(hit, path) or _is_elsewhere(hit, module) or _is_tried(hit, module)
        if customary or (_is_in_place(hit) and is_reasoned(hit.codes, hit.reason, hit.above)):
            continue
        if hit.tool.startswith(_TYPES) and is_newly_typed(
            hit.symbol, hit.span.start.line, module, evidence.both
        ):
            continue
        if is_exempt_no_more(hit.tool, hit.codes, path, *both_tables(evidence.both)):
            continue
        told = bool(hit.codes) and not hit.tool.startswith("gateline")
        shown = f"{hit.tool}[{', '.join(hit.codes)}]" if hit.codes else hit.tool
        yield at_span(
            CODE, module, hit.span, f"`{shown}` is new here", Weight.ADVICE if told else Weight.COUNTS
        )
    for module, node in new_in(evidence.both.files, _unchecked, lambda node: (unparsed(node),)):
        yield at_node(
            CODE, module, node, "new `no_type_check`: this is no longer type-checked", Weight.COUNTS
        )


def _has_more(pair: Pair) -> bool:
    """Whether a line with such words is new: else no comment is, and no text must be read word by word."""
    if pair.now is None:
        return False
    if pair.base is None:
        return _COMMENT.search(pair.now.source.text) is not None
    (before, quotes), (now, others) = map(_said, (pair.base.source.text, pair.now.source.text))
    return bool(now - before) or (quotes != others and bool(now))


def _said(text: str) -> tuple[Counter[str], int]:
    """The lines that say such a thing, and the number of quotes by which some may be part of a long text."""
    if not _COMMENT.search(text):
        return Counter(), 0
    lines = (line.strip() for line in text.splitlines())
    return Counter(filter(_COMMENT.search, lines)), text.count('"""') + text.count("'''")


def _prints(hit: Silence) -> tuple[str, ...]:
    codes = ",".join(hit.codes)
    kind = f"{len(hit.codes)} codes" if hit.codes else "everything"
    return (
        f"{hit.tool} {codes} {hit.line}",
        f"{hit.tool} {codes} in {hit.symbol}",
        f"{hit.tool} {kind} in {hit.symbol}",
        f"{hit.tool} {codes} of {','.join(sorted(set(_CALLED.findall(hit.line)))) or hit.line}",
        f"{hit.tool} {'some' if hit.codes else 'all'} in {hit.symbol}",
    )


def _prints_before(hit: Silence) -> tuple[str, ...]:
    """One that silenced everything may be taken for one that silences some codes; not the other way."""
    *same, _ = _prints(hit)
    return *same, f"{hit.tool} {'had codes' if hit.codes else 'some'} in {hit.symbol}"


def _silences(module: Module) -> Iterator[Silence]:
    source = module.source
    if not _COMMENT.search(source.text):
        return
    if _GENERATED.search("".join(source.lines[:5])):
        return
    for comment in source.comments:
        found = _COMMENT.search(comment.text)
        if found is None:
            continue
        line = comment.span.start.line
        code = source.line(line)[: comment.span.start.column].strip()
        if not code and found.start() > 0:
            # Code that is commented out, with the comment that stood on it.
            continue
        codes = tuple(sorted(c.strip() for c in (found["codes"] or "").split(",") if c.strip()))
        tool = re.sub(r"\s+", " ", found["tool"].lower())
        reason, above = found["reason"].strip(" -–—:.]"), comment_above(source, line)
        if _COMMENT.search(f"{above} {reason}"):
            # What silences another checker is no reason.
            reason = above = ""
        yield Silence(comment.span, tool, codes, reason, code, source.symbol_at(line), above)


def _is_customary(hit: Silence, path: str) -> bool:
    """Whether such a comment hides nothing: there is no other way to say it."""
    name = path.rpartition("/")[2]
    if hit.tool == "noqa" and set(hit.codes) <= {"F401", "F403", "E402"} and hit.codes:
        return name == "__init__.py" or is_test(path)
    if hit.tool.startswith("pragma"):
        return _UNREACHED.search(hit.line) is not None or is_test(path)
    if hit.codes and (set(hit.codes) <= _UNTYPED or is_of_layout(hit.codes)):
        return True
    return bool(hit.codes) and is_test(path) and not hit.tool.startswith("gateline")


def _is_elsewhere(hit: Silence, module: Module) -> bool:
    """Whether a line is only for other machines or versions, as what is around it or a constant tells."""
    if (
        hit.tool.startswith("pragma")
        and hit.tool.endswith("cover")
        and is_unreached(hit.span.start.line, module)
    ):
        return True
    found = _BRANCH.match(hit.line) if hit.tool.startswith("pragma") else None
    value = module.constants.get(found[1]) if found else None
    return value is not None and PLATFORM.search(unparsed(value)) is not None


def _is_tried(hit: Silence, module: Module) -> bool:
    """Whether it is only about a name that is imported to see whether it can be."""
    return hit.tool == "noqa" and not hit.codes and is_tried_import(hit.span.start.line, module)


def _is_in_place(hit: Silence) -> bool:
    """Whether it is about a line or a function, not about all of a file."""
    return bool(hit.line or hit.symbol) and not hit.tool.startswith(("ruff", "flake8", "mypy"))


def _unchecked(module: Module) -> Iterator[ast.AST]:
    for _, node in module.source.scopes:
        for decorator in node.decorator_list:
            if last_name(decorator) == "no_type_check":
                yield decorator

"""GTL621: a comment that silences a checker is new."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import Pair
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.explanation import Place
from gateline.integrity.explanations.stated_reason import comment_above
from gateline.integrity.explanations.tables.suppression import SUPPRESSION, Silence, Suppression
from gateline.integrity.findings import at_node, at_span
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.suppression_added import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_COMMENT = re.compile(
    r"#\s*(?P<tool>"
    r"type:\s*ignore|pyright:\s*(?:ignore|basic|off)|ty:\s*ignore|pyre-ignore|pyre-fixme|mypy:\s*ignore-errors|"
    r"(?:ruff|flake8):\s*noqa|noqa|pylint:\s*(?:disable|skip-file)|nosec|nosemgrep|"
    r"pragma:\s*no\s*(?:cover|branch)|pytype:\s*disable|gateline:\s*ignore(?:-file)?)"
    r"(?:(?:\s*[:=\[]\s*|(?<=nosec)\s+(?=[BS]\d))(?P<codes>[A-Za-z][\w\-]*(?:\s*,\s*[A-Za-z][\w\-]*)*)\]?)?(?P<reason>.*)",
    re.IGNORECASE,
)
_GENERATED = re.compile(r"generated|do not edit", re.IGNORECASE)
_CALLED = re.compile(r"(\w+)\(")


def find(evidence: Evidence) -> Iterator[Finding]:
    """The comments that are new, or silence more than before."""
    files = evidence.both.files if any(map(_has_more, evidence.both.files)) else ()
    for module, hit in new_in(files, _silences, _prints, _prints_before):
        shown = f"{hit.tool}[{', '.join(hit.codes)}]" if hit.codes else hit.tool
        place = Place(module.source.path, hit.span.start.line + 1, shown, is_of_base=False)
        if evidence.ledger.explains(SUPPRESSION, Suppression(hit, module, evidence.both), place):
            continue
        told = bool(hit.codes) and not hit.tool.startswith("gateline")
        yield at_span(
            CODE, module, hit.span, f"new comment `{shown}`", Weight.ADVICE if told else Weight.COUNTS
        )
    for module, node in new_in(evidence.both.files, _unchecked, lambda node: (unparsed(node),)):
        yield at_node(
            CODE, module, node, "new `no_type_check`: the function is no longer type-checked", Weight.COUNTS
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


def _unchecked(module: Module) -> Iterator[ast.AST]:
    for _, node in module.source.scopes:
        for decorator in node.decorator_list:
            if last_name(decorator) == "no_type_check":
                yield decorator

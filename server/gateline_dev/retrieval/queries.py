"""The five tasks: questions with their answers, taken from a project itself.

docstring  the first sentence of a docstring        → the function that had it
issue      what a test says it is about             → what it exercises
testname   the name of an undocumented test         → what it exercises
callsite   a call and the lines around it           → what is called
nextline   the lines before a call, a hole for it   → what is called
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from gateline.context.cursor import HOLE
from gateline.context.words import WORD, parts
from gateline_dev.retrieval.names import Project
from gateline_dev.retrieval.sources import Definition, Module

TASKS = ("docstring", "issue", "testname", "callsite", "nextline")
_AROUND = 3
"""Lines before and after a call."""
_BEFORE = 10
"""Lines before a hole."""
_EACH = 2
"""Questions with the same first answer."""
_MOST_TARGETS = 3
"""Of a test: one that exercises more is about none of them."""
_FIXTURE = 20
"""What more tests than this use is not what they are about."""
_ROLE = re.compile(r":[a-zA-Z:+]+:`~?!?([^`<]*?)(?:\s*<[^`]*>)?`")
_END = re.compile(r"(.+?[.!?])(?:\s|$)(?<!e\.g\. )(?<!i\.e\. )")
_NO_SENTENCE = re.compile(r">>>|\.\.|http|[#{<]|(?i:todo|fixme|deprecated|see |same as|alias|wrapper for)")


@dataclass(frozen=True)
class Query:
    """A question; its place, where it has one, is in the project without docstrings."""

    task: str
    text: str
    answers: tuple[str, ...]
    """Definitions by their ids; one of them is enough."""
    source: tuple[str, ...]
    """Definitions from which the question was taken, which are no answers."""
    path: str
    line: int
    """One-based."""


def queries(project: Project, most: int = 1000, seed: int = 0) -> list[Query]:
    """At most so many of each task, always the same ones."""
    pools: dict[str, list[Query]] = defaultdict(list)
    for source in (_docstrings(project), _tests(project), _calls(project)):
        for query in source:
            pools[query.task].append(query)
    return [query for task in TASKS for query in _chosen(pools[task], most, seed)]


def _chosen(pool: Iterable[Query], most: int, seed: int) -> list[Query]:
    targets: Counter[str] = Counter()
    texts: set[str] = set()
    chosen: list[Query] = []
    for query in sorted(pool, key=lambda q: _lot(q, seed)):
        if len(chosen) == most:
            break
        if query.answers and query.text not in texts and targets[query.answers[0]] < _EACH:
            targets[query.answers[0]] += 1
            texts.add(query.text)
            chosen.append(query)
    return chosen


def _lot(query: Query, seed: int) -> bytes:
    return sha256(f"{seed}\0{query.task}\0{query.path}\0{query.line}\0{query.text}".encode()).digest()


def _words(text: str) -> list[str]:
    return [part for word in WORD.findall(text) for part in parts(word)]


def first_sentence(docstring: str) -> str:
    """The first sentence without markup."""
    paragraph = re.split(r"\n\s*\n", textwrap.dedent(docstring).strip(), maxsplit=1)[0]
    plain = " ".join(re.sub(r"[`*]+", "", _ROLE.sub(r"\1", paragraph)).split())
    match = _END.match(plain)
    return (match[1] if match else plain).strip()


def _is_usable(sentence: str, least: int) -> bool:
    words = re.findall(r"[A-Za-z]{2,}", sentence)
    return least <= len(words) <= 60 and sentence.isascii() and not _NO_SENTENCE.match(sentence)


def _docstrings(project: Project) -> Iterator[Query]:
    same: dict[str, list[Definition]] = defaultdict(list)
    for one in project.definitions:
        if one.docstring and not one.is_class:
            same[" ".join(_words(first_sentence(one.docstring)))].append(one)
    for alike in same.values():
        one, sentence = alike[0], first_sentence(alike[0].docstring)
        module = project.module(one)
        special = one.short.startswith("__") and one.short.endswith("__")
        named = not (module.test or special or one.short.startswith("test"))
        if len(alike) == 1 and named and _size(module, one) >= 3 and _is_usable(sentence, 4):
            yield Query("docstring", sentence, (one.id,), (), one.path, one.first)


def _size(module: Module, one: Definition) -> int:
    """Lines of code, without blank ones, comments and decorators."""
    lines = (line.strip() for line in module.text.split("\n")[one.first - 1 : one.last])
    return sum(1 for line in lines if line and not line.startswith(("#", "@")))


def _tests(project: Project) -> Iterator[Query]:
    used: Counter[str] = Counter()
    exercised: list[tuple[Module, Definition, list[Definition]]] = []
    for module in project.modules:
        for one in module.definitions if module.test else ():
            if one.is_class or not one.short.startswith("test"):
                continue
            reached = {t.id: t for _, t in project.calls(one) if not project.module(t).test}
            used.update(reached.keys())
            exercised.append((module, one, [reached[key] for key in sorted(reached)]))
    for module, one, targets in exercised:
        kept = [target for target in targets if used[target.id] <= _FIXTURE]
        if 1 <= len(kept) <= _MOST_TARGETS:
            yield from _about(project, module, one, kept)


def _about(project: Project, module: Module, one: Definition, targets: list[Definition]) -> Iterator[Query]:
    answers = tuple(sorted({answer.id for target in targets for answer in project.answers(target)}))
    around = module.top.get(one.owner)
    source = (one.id, around.id) if around else (one.id,)
    sentence = first_sentence(one.docstring)
    name = _spelled(one.owner.rpartition(".")[2], one.short)
    if _is_usable(sentence, 5):
        yield Query("issue", f"{_spelled(one.short)}: {sentence}", answers, source, one.path, one.first)
    elif not one.docstring and len(name.split()) >= 4:
        yield Query("testname", name, answers, source, one.path, one.first)


def _spelled(*names: str) -> str:
    return " ".join(w for name in names for w in _words(name) if w not in ("test", "tests", "case"))


def _calls(project: Project) -> Iterator[Query]:
    for module in project.modules:
        if module.test:
            continue
        lines = module.text.split("\n")
        for one in module.definitions:
            for call, target in project.calls(one) if not one.is_class else ():
                apart = target is not one and not project.module(target).test and call.lineno - one.first >= 4
                if apart:
                    yield from _sites(project, lines, one, call, target)


def _sites(
    project: Project, lines: list[str], one: Definition, call: ast.Call, target: Definition
) -> Iterator[Query]:
    answers = tuple(answer.id for answer in project.answers(target) if answer is not one)
    first = max(one.first, call.lineno - _AROUND)
    last = min(one.last, (call.end_lineno or call.lineno) + _AROUND)
    yield Query("callsite", _text(lines[first - 1 : last]), answers, (one.id,), one.path, call.lineno)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    head = lines[call.lineno - 1].encode()[: call.col_offset].decode()
    before = _text([*lines[max(one.first, call.lineno - _BEFORE) - 1 : call.lineno - 1], head + HOLE])
    if not re.search(rf"\b{re.escape(name)}\b", before):
        yield Query("nextline", before, answers, (one.id,), one.path, call.lineno)


def _text(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n")

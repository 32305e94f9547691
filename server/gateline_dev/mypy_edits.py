"""Random edits as people make them: each is a new text, or two, made from the tree of the old one."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_TYPES = (
    "int",
    "str",
    "None",
    "bytes",
    "list[int]",
    "dict[str, object]",
    "tuple[int, ...]",
    "object",
    "float",
)
_LITERALS = ("0", '"text"', "None", "b'bytes'", "1.5", "[]", "{}", "()", "True")
_IMPORTS = (
    "import json",
    "from collections import OrderedDict, nothing_of_this_name",
    "import no_such_module",
)
_BREAKS = ("def broken(:", "x = (", "if True", "    '''never closed", "class :", "return = 3", ")")
_TRIES = 200


@dataclass(frozen=True)
class Edit:
    """What was done, and the texts it leaves behind by path, in the order in which they are typed."""

    kind: str
    texts: Mapping[str, str]
    breaks: bool = False
    """Whether the one text does not parse any more."""


class _Text:
    """A text with its tree. Trees count columns in bytes, so it is held as bytes."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        begin = self.starts[node.lineno - 1] + node.col_offset
        return begin, self.starts[node.end_lineno - 1] + node.end_col_offset

    def source(self, node: ast.expr | ast.stmt | ast.arg) -> str:
        begin, end = self.span(node)
        return self.data[begin:end].decode()

    def put(self, node: ast.expr | ast.stmt | ast.arg, new: str) -> str:
        begin, end = self.span(node)
        return (self.data[:begin] + new.encode() + self.data[end:]).decode()

    def nodes(self, *kinds: type[ast.AST]) -> list[ast.AST]:
        return [node for node in ast.walk(self.tree) if isinstance(node, kinds)]


Change = Callable[[_Text, random.Random], str | None]


def _rename_one(text: _Text, dice: random.Random) -> str | None:
    """Mistype a name where it is used."""
    names = [n for n in text.nodes(ast.Name) if isinstance(n, ast.Name)]
    name = dice.choice(names)
    return text.put(name, dice.choice([f"{name.id}_", name.id[:-1] or "x", dice.choice(names).id]))


def _rename_attribute(text: _Text, dice: random.Random) -> str | None:
    """Mistype the attribute of something, or take another one's."""
    found = [n for n in text.nodes(ast.Attribute) if isinstance(n, ast.Attribute)]
    if not found:
        return None
    node = dice.choice(found)
    new = dice.choice([f"{node.attr}s", dice.choice(found).attr])
    return text.put(node, f"{text.source(node.value)}.{new}")


def _rename_everywhere(text: _Text, dice: random.Random) -> str | None:
    """Rename something in the whole file."""
    names = [n.id for n in text.nodes(ast.Name) if isinstance(n, ast.Name)]
    old = dice.choice(names)
    return _word(text.data.decode(), old, f"{old}_renamed")


def _statements(text: _Text) -> list[ast.stmt]:
    return [n for n in text.nodes(ast.stmt) if isinstance(n, ast.stmt) and n.end_lineno is not None]


def _delete(text: _Text, dice: random.Random) -> str | None:
    """Delete a short statement."""
    short = [s for s in _statements(text) if (s.end_lineno or 0) - s.lineno < 12]
    return text.put(dice.choice(short), "pass") if short else None


def _duplicate(text: _Text, dice: random.Random) -> str | None:
    """Write a statement twice: a second definition, a second branch of a condition."""
    node = dice.choice(_statements(text))
    begin = text.starts[node.lineno - 1]
    end = text.starts[node.end_lineno or node.lineno]
    return (text.data[:end] + text.data[begin:end] + text.data[end:]).decode()


def _literal(text: _Text, dice: random.Random) -> str | None:
    """Change the type of a literal."""
    docs = {id(s.value) for s in text.nodes(ast.Expr) if isinstance(s, ast.Expr)}
    found = [n for n in text.nodes(ast.Constant) if isinstance(n, ast.Constant) and id(n) not in docs]
    return text.put(dice.choice(found), dice.choice(_LITERALS)) if found else None


def _arguments(text: _Text) -> list[ast.arg]:
    return [n for n in text.nodes(ast.arg) if isinstance(n, ast.arg) and n.arg not in ("self", "cls")]


def _rename_parameter(text: _Text, dice: random.Random) -> str | None:
    """Rename a parameter, and neither its uses nor its callers."""
    found = _arguments(text)
    if not found:
        return None
    node = dice.choice(found)
    note = f": {text.source(node.annotation)}" if node.annotation else ""
    return text.put(node, f"{node.arg}_new{note}")


def _add_parameter(text: _Text, dice: random.Random) -> str | None:
    """A function asks for one more thing."""
    found = _arguments(text)
    if not found:
        return None
    node = dice.choice(found)
    return text.put(node, f"added: {dice.choice(_TYPES)}, {text.source(node)}")


def _annotation(text: _Text, dice: random.Random) -> str | None:
    """Change what a parameter, a variable or a result is said to be."""
    notes = [n.annotation for n in _arguments(text) if n.annotation]
    notes += [n.annotation for n in text.nodes(ast.AnnAssign) if isinstance(n, ast.AnnAssign)]
    results = text.nodes(ast.FunctionDef, ast.AsyncFunctionDef)
    notes += [r for n in results if (r := getattr(n, "returns", None)) is not None]
    return text.put(dice.choice(notes), dice.choice(_TYPES)) if notes else None


def _no_annotation(text: _Text, dice: random.Random) -> str | None:
    """A parameter loses its annotation."""
    found = [n for n in _arguments(text) if n.annotation]
    if not found:
        return None
    node = dice.choice(found)
    return text.put(node, node.arg)


def _return(text: _Text, dice: random.Random) -> str | None:
    """Return nothing, or not at all."""
    found = [n for n in text.nodes(ast.Return) if isinstance(n, ast.Return) and n.value is not None]
    return text.put(dice.choice(found), dice.choice(["return", "pass"])) if found else None


def _import(text: _Text, dice: random.Random) -> str | None:
    """Import one more thing: there, not there, or from a neighbour."""
    found = [n for n in text.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if not found:
        return None
    siblings = [n for n in found if isinstance(n, ast.ImportFrom) and n.level and n.module]
    near = [f"from {'.' * n.level}{n.module} import missing" for n in siblings]
    node = dice.choice(found)
    return text.put(node, f"{text.source(node)}\n{dice.choice([*_IMPORTS, *near[:3]])}")


def _drop_argument(text: _Text, dice: random.Random) -> str | None:
    """Delete an argument of a call."""
    calls = [n for n in text.nodes(ast.Call) if isinstance(n, ast.Call) and n.args]
    if not calls:
        return None
    call = dice.choice(calls)
    gone = dice.randrange(len(call.args))
    kept = [text.source(a) for i, a in enumerate(call.args) if i != gone]
    kept += [
        f"{k.arg}={text.source(k.value)}" if k.arg else f"**{text.source(k.value)}" for k in call.keywords
    ]
    return text.put(call, f"{text.source(call.func)}({', '.join(kept)})")


def _base_class(text: _Text, dice: random.Random) -> str | None:
    """A class loses what it inherits from."""
    found = [n for n in text.nodes(ast.ClassDef) if isinstance(n, ast.ClassDef) and n.bases]
    return text.put(dice.choice(found).bases[0], "object") if found else None


def _method(text: _Text, dice: random.Random) -> str | None:
    """A class gets a new method, above its others."""
    found = [n for n in text.nodes(ast.ClassDef) if isinstance(n, ast.ClassDef)]
    if not found:
        return None
    first = dice.choice(found).body[0]
    pad = " " * first.col_offset
    new = f"def added(self, number: int) -> str:\n{pad}    return number\n\n{pad}"
    return text.put(first, new + text.source(first)) if not _decorated(first) else None


def _decorated(node: ast.stmt) -> bool:
    return bool(getattr(node, "decorator_list", ()))


def _lines(text: _Text, dice: random.Random) -> str | None:
    """Add empty lines: everything below moves."""
    at = text.starts[dice.choice(_statements(text)).lineno - 1]
    return (text.data[:at] + b"\n" * dice.randint(1, 3) + text.data[at:]).decode()


CHANGES: Mapping[str, Change] = {
    "rename a name": _rename_one,
    "rename an attribute": _rename_attribute,
    "rename in the file": _rename_everywhere,
    "delete a statement": _delete,
    "duplicate a statement": _duplicate,
    "change a literal": _literal,
    "rename a parameter": _rename_parameter,
    "add a parameter": _add_parameter,
    "change an annotation": _annotation,
    "drop an annotation": _no_annotation,
    "drop a return": _return,
    "add an import": _import,
    "drop an argument": _drop_argument,
    "drop a base class": _base_class,
    "add a method": _method,
    "add empty lines": _lines,
}


def edits(dice: random.Random, texts: Mapping[str, str]) -> Iterator[Edit]:
    """Edits of these texts without end; look at `texts` again for each, so the caller may change them."""
    while True:
        roll = dice.random()
        path = dice.choice(sorted(texts))
        if roll < 0.08:
            yield _broken(dice, path, texts[path])
        elif roll < 0.22:
            yield from _across(dice, texts)
        else:
            yield _random(dice, path, texts[path])


def _random(dice: random.Random, path: str, text: str) -> Edit:
    for _ in range(_TRIES):
        kind = dice.choice(sorted(CHANGES))
        try:
            new = CHANGES[kind](_Text(text), dice)
            if new is not None and new != text and _compiles(new):
                return Edit(kind, {path: new})
        except (IndexError, ValueError):
            continue  # Nothing of the kind in this text.
    return Edit("add a line", {path: text + "\n"})


def _broken(dice: random.Random, path: str, text: str) -> Edit:
    lines = text.splitlines(keepends=True)
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(_BREAKS) + "\n")
    new = "".join(lines)
    return (
        Edit("break the syntax", {path: new}, breaks=True)
        if not _compiles(new)
        else _random(dice, path, text)
    )


def _across(dice: random.Random, texts: Mapping[str, str]) -> Iterator[Edit]:
    """Rename a function or class where it is defined and in one file that uses it."""
    path = dice.choice(sorted(texts))
    top = ast.parse(texts[path]).body
    names = [n.name for n in top if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    users = [(n, p) for n in names for p in sorted(texts) if p != path and re.search(rf"\b{n}\b", texts[p])]
    if users:
        name, other = dice.choice(users)
        new = {p: _word(texts[p], name, f"{name}New") for p in (path, other)}
        if all(map(_compiles, new.values())):
            yield Edit("rename in two files", new)


def _word(text: str, old: str, new: str) -> str:
    return re.sub(rf"\b{re.escape(old)}\b", new, text)


def _compiles(text: str) -> bool:
    try:
        compile(text, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True

"""What a change does to the product: names and words that went, and whether it says what it means to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from gateline.analysis.equivalence import does_the_same, without_words
from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, unparsed
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.file_roles import is_collected
from gateline.integrity.product.documentation import Pages
from gateline.model.source import Scope

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_WORD = re.compile(r"[^\W\d_]{3,}")
_TRIVIAL = frozenset({"0", "1", "-1", "2", "''", "' '", "'\\n'"})
_Told = tuple[str, str]
"""What a function or class says it does, and what it does."""


@dataclass(frozen=True)
class Product:
    """The changed product on both sides."""

    both: Both

    @cached_property
    def gone(self) -> frozenset[str]:
        """Names that were defined, and are no more: functions, classes, attributes, constants, modules."""
        return frozenset(self._defined(base=True) - self._defined(base=False))

    @cached_property
    def gone_beside(self) -> frozenset[str]:
        """Names that files beside the tests defined, and no file does any more: parts of a stand-in."""
        pairs = [pair for pair in self.both.tests if not is_collected(pair.path)]
        before, after = (
            {n for side in sides if side for n in _definitions(side)}
            for sides in ([pair.base for pair in pairs], [pair.now for pair in self.both.files])
        )
        return frozenset(before - after)

    @cached_property
    def come(self) -> frozenset[str]:
        """Names that are defined only now."""
        return frozenset(self._defined(base=False) - self._defined(base=True))

    @cached_property
    def gone_parameters(self) -> frozenset[str]:
        """Parameters that no function has any more."""
        before, after = (
            {a.arg for module in self._modules(base=base) for a in _parameters(module)}
            for base in (True, False)
        )
        return frozenset(before - after)

    @cached_property
    def _signatures(self) -> dict[str, tuple[str, str]]:
        """By name of a function, or of a class for its `__init__`: the parameters in the base and now."""
        before, after = (
            {name: args for module in self._modules(base=base) for name, args in _signatures(module)}
            for base in (True, False)
        )
        return {name: (before[name], after[name]) for name in before.keys() & after.keys()}

    @cached_property
    def resigned(self) -> frozenset[str]:
        """Functions and classes that take other parameters now."""
        return frozenset(name for name, (before, after) in self._signatures.items() if before != after)

    @cached_property
    def retyped(self) -> frozenset[str]:
        """Functions that say of a parameter that it is of another type now."""
        before, after = (
            dict(t for m in self._modules(base=base) for t in _types(m)) for base in (True, False)
        )
        return frozenset(name for name in before.keys() & after.keys() if before[name] != after[name])

    def takes_no_more(self, name: str, keyword: str) -> bool:
        """Whether a function took an argument by this name, and does so no more."""
        before, after = (
            {*signature.replace("=", "").split(",")} for signature in self._signatures.get(name, ("", ""))
        )
        return keyword in before - after and "*" not in after

    def most_arguments(self, name: str) -> float:
        """How many arguments a function takes by position, where its parameters changed."""
        if name not in self.resigned:
            return float("inf")
        after = self._signatures[name][1]
        return float("inf") if "*" in after else len([p for p in after.split(",") if p])

    def lost_word(self, literal: str) -> bool:
        """Whether a string, as a value or as text, stood in the product and does so no more."""
        if len(literal) < 4 or literal[0] not in "'\"":
            return False
        word = literal[1:-1]
        return literal in self.gone_constants or (
            word in self._text(base=True) and word not in self._text(base=False)
        )

    def has_instead(self, values: frozenset[str], words: Iterable[str]) -> bool:
        """Whether these words stand in the product only now, in the place of one of these values."""
        now, before = self._text(base=False), self._text(base=True)
        return bool(values & self.gone_constants) and all(w in now and w not in before for w in words)

    @cached_property
    def new_constants(self) -> frozenset[str]:
        """Literal values that the product has only now; of strings with fields, the fixed parts."""
        return self._constants(base=False) - self._constants(base=True)

    @cached_property
    def gone_constants(self) -> frozenset[str]:
        """Literal values that the product has no more."""
        return self._constants(base=True) - self._constants(base=False)

    @cached_property
    def is_changed(self) -> bool:
        """Whether what the product does may have changed."""
        return any(
            pair.base is None or pair.now is None or not _does_the_same(pair.base, pair.now)
            for pair in self.both.product
        )

    @cached_property
    def only_values_changed(self) -> bool:
        """Whether nothing but values changed: a rate, a limit, a text. Steps and places are none."""
        changed = list(self.both.product)
        both = list(on_both_sides(changed))
        alike = (_does_the_same(base, now, values=False) for base, now in both)
        return bool(both) and len(both) == len(changed) and all(alike)

    @property
    def says_so(self) -> bool:
        """Whether a function that does something else now is documented in other words, too."""
        return bool(self.redescribed)

    @cached_property
    def redescribed(self) -> frozenset[tuple[str, str]]:
        """The functions and classes that do something else now, and say so: path and qualified name."""
        return frozenset(
            (path, name)
            for path, name, (before, _), (said, _) in self._done_otherwise
            if said and before != said
        )

    @cached_property
    def altered(self) -> frozenset[str]:
        """The functions and classes that do something else now, by their last names."""
        return frozenset(name.rpartition(".")[2] for _, name, _, _ in self._done_otherwise)

    @cached_property
    def _done_otherwise(self) -> tuple[tuple[str, str, _Told, _Told], ...]:
        return tuple(
            (now.source.path, name, before, after)
            for base, now in on_both_sides(self.both.product)
            for name, before, after in _told_of_rewritten(base, now)
            if before[1] != after[1]
        )

    @cached_property
    def pages(self) -> Pages:
        """What pages say from now on."""
        return Pages(self.both)

    def is_told(self, about: Iterable[str]) -> bool:
        """Whether a page that changed has new words about one of these names."""
        return self.pages.is_told(about)

    def explains(self, wanted: frozenset[str]) -> bool:
        """Whether at least half of these literal values are new in the product, too."""
        telling = {value for value in wanted if value not in _TRIVIAL}
        found = {value for value in telling if value in self.new_constants or self._is_composed(value)}
        return bool(telling) and len(found) * 2 >= len(telling)

    def _is_composed(self, value: str) -> bool:
        """Whether most words of a string are in new strings of the product."""
        if value[:1] not in "'\"":
            return False
        words = _WORD.findall(value)
        known = {word for constant in self.new_constants for word in _WORD.findall(constant)}
        return bool(words) and sum(word in known for word in words) * 2 >= len(words)

    @cached_property
    def new_words(self) -> frozenset[str]:
        """The words that stand in strings of the product only now."""
        before, now = (
            {word for text in self._constants(base=base) for word in _WORD.findall(text)}
            for base in (True, False)
        )
        return frozenset(now - before)

    def _modules(self, *, base: bool) -> Iterator[Module]:
        for pair in self.both.product:
            module = pair.base if base else pair.now
            if module is not None:
                yield module

    def _defined(self, *, base: bool) -> set[str]:
        found = {name for module in self._modules(base=base) for name in _definitions(module)}
        return found | {PurePosixPath(module.source.path).stem for module in self._modules(base=base)}

    def _constants(self, *, base: bool) -> frozenset[str]:
        modules = self._modules(base=base)
        return frozenset().union(*(module.derived(_literals) for module in modules))

    def _text(self, *, base: bool) -> str:
        return "\n".join(module.source.text for module in self._modules(base=base))


def _literals(module: Module) -> frozenset[str]:
    return constants(module.source.tree) if module.source.tree else frozenset()


def _definitions(module: Module) -> Iterator[str]:
    for node in ast.walk(module.source.tree or ast.Module([], [])):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name
    for body in _bodies(module):
        for statement in body:
            match statement:
                case ast.Assign(targets=targets):
                    yield from (t.id for t in targets if isinstance(t, ast.Name))
                case ast.AnnAssign(target=ast.Name(id=name)):
                    yield name


def _bodies(module: Module) -> Iterator[list[ast.stmt]]:
    tree = module.source.tree
    if tree is not None:
        yield tree.body
        yield from (node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def _parameters(module: Module) -> Iterator[ast.arg]:
    return (n for n in ast.walk(module.source.tree or ast.Module([], [])) if isinstance(n, ast.arg))


def _signatures(module: Module) -> Iterator[tuple[str, str]]:
    for name, node in module.source.scopes:
        if not isinstance(node, ast.ClassDef):
            parts = name.split(".")
            given = node.args
            plain = [a.arg for a in (*given.posonlyargs, *given.args) if a.arg not in ("self", "cls")]
            extra = ["*"] if given.vararg or given.kwarg else []
            last = parts[-2] if parts[-1] == "__init__" and len(parts) > 1 else parts[-1]
            yield last, ",".join([*plain, *(f"{a.arg}=" for a in given.kwonlyargs), *extra])


def _types(module: Module) -> Iterator[tuple[str, list[str]]]:
    for name, node in module.source.scopes:
        if not isinstance(node, ast.ClassDef):
            given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            yield name.rpartition(".")[2], [unparsed(a.annotation) for a in given if a.annotation is not None]


def _told_of_rewritten(base: Module, now: Module) -> Iterator[tuple[str, _Told, _Told]]:
    """The functions and classes of both sides that stand in other lines than before."""
    before, after = dict(base.source.scopes), dict(now.source.scopes)
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        # Most did not change, and writing a tree takes longer than reading its lines.
        if base.source.scope_text(old) != now.source.scope_text(new):
            yield name, _described(old), _described(new)


def _described(node: Scope) -> _Told:
    """What a function or class says it does, and what it does."""
    return ast.get_docstring(node) or "", "\n".join(map(unparsed, without_words(node.body)))


def _does_the_same(base: Module, now: Module, *, values: bool = True) -> bool:
    return does_the_same(base.source.tree, now.source.tree, values=values)

"""Checks one function of a module alone: a fraction of the work of checking the module again.

Only its errors are replaced; those of everything else in the file stay, and move with their lines. The tree
is left as the edit would leave it, except for the lines of other functions: the module must be checked as a
whole before anything else is asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mypy.build import State
from mypy.checker import FineGrainedDeferredNode
from mypy.errorcodes import NO_REDEF, POSSIBLY_UNDEFINED, USED_BEFORE_DEF
from mypy.errors import ErrorInfo, Errors
from mypy.nodes import Decorator, FuncDef, IfStmt, MypyFile, OverloadedFuncDef, TypeInfo
from mypy.parse import parse
from mypy.semanal import apply_semantic_analyzer_patches
from mypy.semanal_main import check_type_arguments_in_targets, process_top_level_function
from mypy.semanal_pass1 import SemanticAnalyzerPreAnalysis
from mypy.server.aststrip import strip_target
from mypy.server.update import FineGrainedBuildManager, update_deps

from gateline.services.types.resident.bodies import Body, Edit, Lines, body_edited, snippet, stays_inside
from gateline.services.types.resident.checkable_functions import Place, places_of

_OF_FILES = (POSSIBLY_UNDEFINED, USED_BEFORE_DEF)
"""What mypy tells only when it has seen a whole file."""
_PASSES = 3
"""How often what could not be decided at first is looked at again, as mypy does after an edit."""


@dataclass(frozen=True, slots=True)
class Alone:
    """One function that was checked alone."""

    target: str
    """Its full name."""
    body: Body
    errors: tuple[ErrorInfo, ...]

    def outdates(self, info: ErrorInfo, target: str | None) -> bool:
        """Whether an error that a target had before is gone, or was found again."""
        body = self.body
        if body.edit.replaced(info.line):
            return True
        if info.code in _OF_FILES or not body.first <= info.line < body.first + len(body.old):
            return False
        # A function that defines attributes is checked with its module: its errors are told as the module's.
        return target == self.target or info.line >= body.statement

    def move(self, info: ErrorInfo) -> None:
        """Put another function's error to where it is now."""
        moved = self.body.edit.moved
        info.line, info.end_line = moved(info.line), moved(info.end_line)
        info.origin_span = [moved(line) for line in info.origin_span]


class Previews:
    """The functions of one module, as it was checked as a whole last and then edited in bodies."""

    def __init__(self, manager: FineGrainedBuildManager, module: str) -> None:
        self._manager = manager
        self._state = manager.graph[module]
        assert self._state.tree is not None, "checked as a whole before"
        self._tree = self._state.tree
        self._places = list(places_of(self._tree))

    def of(self, old: Sequence[str], new: Sequence[str]) -> Alone | None:
        """Check the one function that an edit stays inside; None when there is no such one."""
        edit = Edit.between(old, new)
        for place in self._places:
            body = body_edited(old, new, place.lines, edit)
            defines = place.function.def_or_infer_vars
            if body is not None and stays_inside(body, place.is_attribute, defines=defines):
                found = self._parsed(body)
                return None if found is None else self._checked(place, body, *found)
        return None

    def _parsed(self, body: Body) -> tuple[MypyFile, FuncDef] | None:
        state = self._state
        errors = Errors(state.options)
        module = parse(snippet(body), state.xpath, state.id, errors, state.options, eager=True)
        if errors.is_errors() or len(module.defs) != 1:
            return None
        SemanticAnalyzerPreAnalysis().visit_file(module, state.xpath, state.id, state.options)
        (statement,) = module.defs
        inner = statement.body[0].body if isinstance(statement, IfStmt) else [statement]
        function = inner[0].func if isinstance(inner[0], Decorator) else inner[0]
        return (module, function) if isinstance(function, FuncDef) else None

    def _checked(self, place: Place, body: Body, module: MypyFile, fresh: FuncDef) -> Alone:
        function = place.function
        function.body = fresh.body
        function.line, function.end_line = fresh.line, fresh.end_line
        function.end_column = fresh.end_column
        self._move(place, body, module, fresh)
        errors = self._manager.manager.errors
        errors.reset()
        self._manager.flush_cache()
        self._check(place.node, place.owner)
        found = [info for infos in errors.error_info_map.values() for info in infos]
        errors.reset()
        inside = range(body.first, body.first + len(body.new))
        told = (i for i in found if i.line in inside and not _repeats(function, i))
        return Alone(function.fullname, body, tuple(told))

    def _check(self, function: FuncDef | OverloadedFuncDef, owner: TypeInfo | None) -> None:
        """What mypy does to a function that is affected by an edit elsewhere."""
        node = FineGrainedDeferredNode(function, owner)
        state, manager = self._state, self._manager.manager
        manager.errors.set_file_ignored_lines(
            state.xpath, self._tree.ignored_lines, state.options.ignore_errors or state.ignore_all
        )
        manager.errors.set_skipped_lines(state.xpath, self._tree.skipped_lines)
        strip_target(function)
        patches: list[tuple[int, Callable[[], None]]] = []
        process_top_level_function(
            manager.semantic_analyzer, state, state.id, function.fullname, function, owner, patches
        )
        apply_semantic_analyzer_patches(patches)
        check_type_arguments_in_targets([node], state, manager.errors)
        _check_types(state, node)
        update_deps(state.id, [node], self._manager.graph, self._manager.deps, state.options)
        state.free_state()

    def _move(self, place: Place, body: Body, module: MypyFile, fresh: FuncDef) -> None:
        """Take over where things are now."""
        edit, tree = body.edit, self._tree
        inside = range(body.first, body.first + len(body.old))
        ignored = {edit.moved(n): codes for n, codes in tree.ignored_lines.items() if n not in inside}
        tree.ignored_lines = ignored | module.ignored_lines
        skipped = {edit.moved(line) for line in tree.skipped_lines if line not in inside}
        tree.skipped_lines = skipped | module.skipped_lines
        for other in self._places:
            at = other.lines
            if at.first >= edit.stop and other is not place:
                other.lines = Lines(*(edit.moved(line) for line in (at.first, at.body, at.last)))
        last = place.lines.last + edit.delta
        place.lines = Lines(place.lines.first, fresh.body.body[0].line, fresh.end_line or last)


def _check_types(state: State, node: FineGrainedDeferredNode) -> None:
    checker = state.type_checker()
    checker.reset()
    checker.pass_num, checker.last_pass = 0, _PASSES
    more = checker.check_second_pass([node], allow_constructor_cache=False)
    while more:
        more = checker.check_second_pass(allow_constructor_cache=False)


def _repeats(function: FuncDef, info: ErrorInfo) -> bool:
    """Whether this only says that an attribute which the function defines is there already."""
    return function.def_or_infer_vars and info.code is NO_REDEF

"""GTL604 of property tests: fewer inputs are drawn than before, or those that fail are assumed away."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function
from gateline.analysis.trees import is_truth, names, put_in, text_of, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.assertion_loosened import CODE
from gateline.integrity.strength.losses import may_differ
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.strategies import makes_one, unmapped
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_USUAL = 100
"""How many examples hypothesis tries when nobody says."""
_FEW = 5
"""So few examples try next to nothing."""
_ONE = frozenset({"just", "none", "nothing"})
_LEAST = {"min_value": 0, "min_size": 0}
"""Bounds from below, with their places among the arguments of numbers."""
_MOST = {"max_value": 1, "max_size": 1}
_FEW_VALUES = frozenset({"sampled_from", "just", "booleans", "none"})
_COARSER = (
    (frozenset({"floats", "decimals", "fractions"}), _FEW_VALUES | {"integers"}),
    (frozenset({"text", "characters", "binary"}), _FEW_VALUES | {"from_regex"}),
    (frozenset({"datetimes"}), _FEW_VALUES | {"dates"}),
)
"""What draws any value of a kind, and what draws some of them alone."""
_DRAWN_FROM = ("elements", "alphabet", "whitelist_categories", "categories")
_LEFT_OUT = ("blacklist_characters", "exclude_characters", "blacklist_categories", "exclude_categories")
"""By which values and characters are chosen, and by which they are left out."""
_CHOOSING = ("alphabet", "unique", "unique_by", "whitelist_categories", "categories", "whitelist_characters")
"""Without which all characters, and the same values several times, are drawn."""
_NO_NUMBERS = frozenset({"isnan", "isinf", "isfinite"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The property tests that try less."""
    meant = evidence.product.retyped | evidence.product.resigned | _refusing(evidence.both)
    for old, new in evidence.both.pairs.both:
        before, now = _drawn(old), _drawn(new)
        if before and now and may_differ(old, new):
            yield from _assumed(old, new)
            yield from _fewer(old, new)
            if not meant & new.said.calls:
                yield from _narrowed(before, now, new)


def _refusing(both: Both) -> frozenset[str]:
    """What is called where tests come that expect an error: some inputs are refused from now on."""
    checks = (check for test in both.pairs.come for check in test.checks if check.relation == "raises")
    return frozenset().union(*(names(check.subject) for check in checks))


def _drawn(test: Test) -> Mapping[str, ast.expr]:
    """What is drawn for each argument of a property test, by its name or place."""
    found: dict[str, ast.expr] = {}
    for decorator in test.node.decorator_list:
        if isinstance(decorator, ast.Call) and last_name(decorator) == "given":
            meant = put_in(decorator, test.module.constants)
            found |= {str(place): value for place, value in enumerate(meant.args)}
            found |= {k.arg: k.value for k in meant.keywords if k.arg}
    return found


def _assumed(old: Test, new: Test) -> Iterator[Finding]:
    known = {_asked(condition, old) for condition in _assumptions(old)}
    for condition in _assumptions(new):
        if _asked(condition, new) not in known and not names(condition) & _NO_NUMBERS:
            message = f"`{new.name}` now runs only where `{text_of(condition)[:60]}`"
            yield at_node(CODE, new.module, condition, message, Weight.COUNTS)


def _assumptions(test: Test) -> Iterator[ast.expr]:
    """What is asked of the values that are drawn, in the test and in the strategies that it names."""
    found: dict[str, ast.expr] = {}
    for node in (node for part in (test.node, *_drawn(test).values()) for node in ast.walk(part)):
        if isinstance(node, ast.Call) and node.args and last_name(node) in ("assume", "filter"):
            found.setdefault(text_of(node.args[0]), node.args[0])
    yield from found.values()


def _asked(condition: ast.expr, test: Test) -> str:
    """What a condition asks of a value, the same for `assume(x)`, `.filter(bool)` and a lambda."""
    it = ast.Name("_", ast.Load())
    match condition:
        case ast.Name(id="bool"):
            return text_of(it)
        case ast.Lambda(args=ast.arguments(args=[one]), body=body):
            return text_of(put_in(body, {one.arg: it}))
    asked = names(condition) & test.fixtures
    return text_of(put_in(condition, dict.fromkeys(asked, it)) if len(asked) == 1 else condition)


def _fewer(old: Test, new: Test) -> Iterator[Finding]:
    before, now = _examples(old), _examples(new)
    if now is None:
        return
    usual = _number(before) if before is not None else _USUAL
    left = _number(now)
    if usual is not None and left is not None and left < usual / 2:
        weight = Weight.FLOOR if left <= _FEW else Weight.COUNTS
        examples = "one example" if left == 1 else f"{left:g} examples"
        message = f"`{new.name}` runs with {examples}; it ran with {usual:g}"
        yield at_node(CODE, new.module, now, message, weight)


def _examples(test: Test) -> ast.expr | None:
    for decorator in test.node.decorator_list:
        if isinstance(decorator, ast.Call) and last_name(decorator) == "settings":
            return next((k.value for k in decorator.keywords if k.arg == "max_examples"), None)
    return None


def _narrowed(before: Mapping[str, ast.expr], now: Mapping[str, ast.expr], new: Test) -> Iterator[Finding]:
    place = next(d for d in new.node.decorator_list if last_name(d) == "given")
    for name, strategy in now.items():
        old = before.get(name)
        if old is None or text_of(old) == text_of(strategy):
            continue
        functions = new.module.functions
        was_one, is_one = (_is_one(side) or makes_one(side, functions) for side in (old, strategy))
        if is_one and not was_one:
            message = f"`{new.name}` runs with `{text_of(strategy)[:60]}` only"
            yield at_node(CODE, new.module, place, message, Weight.FLOOR)
        elif _is_within(strategy, old) or _is_mapped(strategy, old, functions):
            message = f"`{text_of(strategy)[:60]}` generates fewer values than `{text_of(old)[:60]}`"
            yield at_node(CODE, new.module, place, message, Weight.COUNTS)


def _is_mapped(strategy: ast.expr, old: ast.expr, functions: Mapping[str, Function]) -> bool:
    """Whether what is drawn from is sent through a function that forgets from now on."""
    inner = unmapped(strategy, functions)
    if inner is None or unmapped(old, functions) is not None:
        return False
    return text_of(inner) == text_of(old) or _is_within(inner, old)


def _is_one(strategy: ast.expr) -> bool:
    """Whether a strategy has one value to draw."""
    if last_name(strategy) in _ONE:
        return True
    match strategy:
        case ast.Call(args=[ast.List(elts=[_]) | ast.Tuple(elts=[_])]):
            return last_name(strategy) == "sampled_from"
        case _:
            return False


def _is_within(strategy: ast.expr, old: ast.expr) -> bool:
    """Whether a strategy draws from a part of what another one draws from."""
    if not (isinstance(strategy, ast.Call) and isinstance(old, ast.Call)):
        return False
    if _is_coarser(strategy, old):
        return True
    parts, were = _strategies(strategy), _strategies(old)
    if [*map(last_name, parts)] != [*map(last_name, were)]:
        return False
    return any(map(_tries_less, parts, were))


def _strategies(strategy: ast.expr) -> list[ast.Call]:
    """All that a strategy is made of, itself first; what is filtered is told apart from this."""
    calls = (node for node in ast.walk(strategy) if isinstance(node, ast.Call))
    return [node for node in calls if last_name(node) not in ("filter", "map")]


def _tries_less(strategy: ast.Call, old: ast.Call) -> bool:
    """Whether a strategy of the same kind has narrower bounds, fewer values or fewer characters."""
    if any(_loses(_values(strategy, key), _values(old, key)) for key in _DRAWN_FROM):
        return True
    if any(_is_given(strategy, key) and not _is_given(old, key) for key in _CHOOSING):
        return True
    if any(_loses(_values(old, key) or frozenset(), _values(strategy, key)) for key in _LEFT_OUT):
        return True
    raised = any(_bound(strategy, key, -_ENDLESS) > _bound(old, key, -_ENDLESS) for key in _LEAST)
    return raised or any(_bound(strategy, key, _ENDLESS) < _bound(old, key, _ENDLESS) for key in _MOST)


def _values(call: ast.Call, key: str) -> frozenset[object] | None:
    """The literal values of an argument, of text its characters; None where it is not told."""
    given = next((k.value for k in call.keywords if k.arg == key), None)
    first = {"sampled_from": "elements", "text": "alphabet"}
    if given is None and call.args and first.get(last_name(call)) == key:
        given = call.args[0]
    match given:
        case ast.Constant(value=str() as text):
            return frozenset(text)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return frozenset(map(text_of, parts))
        case _:
            return None


def _is_given(call: ast.Call, key: str) -> bool:
    """Whether a strategy is told to choose by something, so that it draws less than it would by itself."""
    given = next((k.value for k in call.keywords if k.arg == key), None)
    if given is None and key == "alphabet" and last_name(call) == "text":
        given = call.args[0] if call.args else None
    return given is not None and not is_truth(given, of=False) and not _is_usual(given)


def _is_usual(given: ast.expr) -> bool:
    """Whether it is said what holds without being said: `characters()`, any that can be encoded."""
    match given:
        case ast.Call(args=[], keywords=keywords):
            told = {k.arg: unparsed(k.value) for k in keywords}
            codec = told.pop("codec", "'utf-8'").lower() in ("'utf-8'", "'utf8'")
            left = [values for name, values in told.items() if name in _LEFT_OUT]
            return codec and len(left) == len(told) and all("Cs" in v and v.count("'") == 2 for v in left)
        case _:
            return False


def _loses(values: frozenset[object] | None, old: frozenset[object] | None) -> bool:
    return values is not None and old is not None and values < old


def _is_coarser(strategy: ast.expr, old: ast.expr) -> bool:
    """Whether whole numbers, or a few values, are drawn where any number or text was."""
    before, now = (
        {last_name(node) for node in ast.walk(side) if isinstance(node, ast.Call)} for side in (old, strategy)
    )
    return any(before & fine and not now & fine and (now - before) & coarse for fine, coarse in _COARSER)


_ENDLESS = float("inf")


def _bound(call: ast.Call, key: str, without: float) -> float:
    given = next((k.value for k in call.keywords if k.arg == key), None)
    place = (_LEAST | _MOST)[key]
    if given is None and key.endswith("_value") and len(call.args) > place:
        given = call.args[place]
    known = _number(given)
    return without if known is None else known


def _number(node: ast.expr | None) -> float | None:
    try:
        value = ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return float(value) if isinstance(value, int | float) else None

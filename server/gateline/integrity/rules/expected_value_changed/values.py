"""GTL605: a test expects another value than before, and nothing says that it should.

A change of behaviour that is meant shows somewhere: the value stands in the code, a page or a docstring
tells of it, or a rate or a version is all that changed.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.trees import constants, is_literal, names, text_of, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations import message_patterns as patterns
from gateline.integrity.explanations.equivalent_form import is_answer_of_one, is_asked_otherwise, is_rest
from gateline.integrity.explanations.existing_message import is_said_before
from gateline.integrity.explanations.fixture_data import follows_input, has_more_input, is_done_again
from gateline.integrity.explanations.golden_inlined import is_moved, is_written_out
from gateline.integrity.explanations.indirect_check import reads_a_file
from gateline.integrity.explanations.opt_in import is_by_choice
from gateline.integrity.findings import at_node
from gateline.integrity.product.annotations import annotated_otherwise
from gateline.integrity.product.diff import Product
from gateline.integrity.product.message_formats import (
    has_new_sign,
    is_respelt,
    is_worded_otherwise,
    values_of,
)
from gateline.integrity.rules.expected_value_changed import CODE
from gateline.integrity.strength.implication import is_as_strict
from gateline.integrity.strength.losses import Changed, Loss
from gateline.integrity.strength.sharper_value import is_sharper
from gateline.integrity.strength.stricter_test import is_stricter
from gateline.integrity.strength.widened_type import is_widened
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_LIKE = 0.6
"""The share of names that two checks of the same functions have in common."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The expectations that changed without a reason that can be seen."""
    seen: set[object] = set()
    grown = _grown_fixtures(evidence)
    for loss in evidence.losses:
        if loss.now is None:
            continue
        for pair in loss.changed:
            tests = loss.base, loss.now
            more = loss.now.fixtures & grown or has_more_input(*tests) or is_done_again(*pair.sides, *tests)
            # Of code that does what it did, only the question is another one.
            given = not evidence.product.is_changed and _is_of_tests(pair, *tests, evidence.both)
            same = given or is_moved(*pair.sides, evidence.both) or _is_named(pair, loss.now, evidence.both)
            meant = more or same or _is_meant(pair, loss.now, evidence.product)
            if loss.now.node.name == loss.base.node.name and not meant:
                finding = _finding(pair, loss.now)
                if (finding.path, finding.span) not in seen:
                    seen.add((finding.path, finding.span))
                    yield finding


def _asks_otherwise(before: Check, after: Check) -> bool:
    """Whether more is asked than what something is not, or both bounds where one was."""
    if after.strength < before.strength:
        return False
    if before.relation in ("not in", "is not", "!="):
        return after.relation != before.relation
    return after.relation == "between" and before.relation[0] in "<>" and before.constants <= after.constants


def _is_of_tests(pair: Changed, base: Test, now: Test, both: Both) -> bool:
    """Whether an expectation is only brought in line with what the test gives, or the product says anyway."""
    if follows_input(*pair.sides, base, now) or is_said_before(*pair.sides, both):
        return True
    return _asks_otherwise(*pair.sides) or is_by_choice(pair.before, base, now)


def _is_named(pair: Changed, now: Test, both: Both) -> bool:
    """Whether the same value is expected by a name from now on that another file gives it."""
    name = pair.after.expected
    whole = now.module.imports.get(name.id, "") if isinstance(name, ast.Name) else ""
    module = both.module(whole.rpartition(".")[0]) if whole else None
    value = module.constants.get(whole.rpartition(".")[2]) if module is not None else None
    return value is not None and text_of(value) == pair.before.expectation


def _grown_fixtures(evidence: Evidence) -> frozenset[str]:
    """Fixtures that give more than before: what is found of more is more."""
    found = set()
    for pair in evidence.both.tests:
        before = pair.base.functions if pair.base else {}
        for name, node in (pair.now.functions if pair.now else {}).items():
            old, new = (Counter(_literals(side)) for side in (before.get(name), node))
            if name in before and old < new:
                found.add(name)
    return frozenset(found)


def _literals(node: ast.AST | None) -> list[str]:
    return [unparsed(n) for n in ast.walk(node) if isinstance(n, ast.Constant)] if node else []


def _is_meant(pair: Changed, now: Test, product: Product) -> bool:
    before, after = pair.before, pair.after
    if before.names != after.names and values_of(before) == values_of(after):
        # The same values under other names: what was renamed is not told another way.
        return True
    if after.strength > before.strength and (before.relation == after.relation or _is_whole(before, after)):
        return True
    if is_asked_otherwise(before, after, product.both):
        return True
    if _is_as_it_was(before, after, now) or _says_no_less(before, after, now, product):
        return True
    if is_rest(before, after) and before.constants <= frozenset().union(*(c.constants for c in now.checks)):
        # What was expected at once is expected bit by bit.
        return True
    words = _words(after) - _words(before)
    told = words <= product.come or words <= product.new_words or product.has_instead(before.constants, words)
    if words and told:
        return True
    if _is_worded(before, after, product) or is_sharper(before, after) or is_stricter(before, after):
        return True
    return product.explains(after.constants - before.constants) or is_told(pair.after, now, product)


def _is_worded(before: Check, after: Check, product: Product) -> bool:
    """Whether the same, or what the product says instead by now, is expected in other words."""
    return (
        _is_renamed(before, after, product)
        or patterns.is_as_close(before, after)
        or is_worded_otherwise(before, after, product.both)
        or has_new_sign(before, after, product.new_constants)
        or is_respelt(before, after, product.gone_constants, product.new_constants)
    )


def _is_as_it_was(before: Check, after: Check, now: Test) -> bool:
    """Whether it is to be what it was before an act, and that is asked for to the letter."""
    named = isinstance(after.expected, ast.Name)
    return named and any(_says_the_same(check, before) for check in now.checks)


def _says_the_same(one: Check, other: Check) -> bool:
    return one.exact and (one.subject_text, one.expectation) == (other.subject_text, other.expectation)


def _is_renamed(before: Check, after: Check, product: Product) -> bool:
    """Whether a text differs by words alone, each the whole of a string that the product has only now."""
    texts = [re.sub(r"\\[nrt]", " ", side.expectation) for side in (before, after)]
    old, new = (set(_WORD.findall(text)) for text in texts)
    gone, come = old - new, new - old
    signs = [_WORD.sub("", text) for text in texts]
    was, has = product.gone_constants, product.new_constants
    known = all(repr(w) in was for w in gone) and all(repr(w) in has for w in come)
    return bool(gone and come) and signs[0] == signs[1] and known


def _is_whole(before: Check, after: Check) -> bool:
    """Whether a text is expected that has all that was looked for in it: `startswith("a")`, `== "abc"`."""
    if before.relation == "in" and after.exact and reads_a_file(after.expected):
        # A file that changed along with it is looked at by itself.
        return True
    if before.relation == "in" and after.exact and _has_text(after.expected, before.expected):
        return True
    asked = _looked_for(before) if before.relation in ("true", "in") and after.exact else frozenset()
    parts, texts = ([v[1:-1] for v in side if v[:1] in "'\""] for side in (asked, after.constants))
    return len(parts) == len(asked) > 0 and all(any(part in text for text in texts) for part in parts)


def _looked_for(check: Check) -> frozenset[str]:
    """The literal values that are looked for in something; the numbers of its places are none."""
    match check.subject:
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[given]):
            return constants(given)
        case _:
            return check.constants


def _has_text(whole: ast.expr | None, part: ast.expr | None) -> bool:
    """Whether a text is a part of one of those in what is expected."""
    match part:
        case ast.Constant(value=str() as text) if text and whole is not None:
            return any(text in v[1:-1] for v in constants(whole) if v[:1] in "'\"")
        case _:
            return False


def _says_no_less(before: Check, after: Check, now: Test, product: Product) -> bool:
    if _is_worked_out(before, after, now, product) or _is_kept_beside(before, after, product):
        return True
    return is_widened(before, after)


def _is_kept_beside(before: Check, after: Check, product: Product) -> bool:
    """Whether another file is expected, and tests still read the one that was."""
    if not (reads_a_file(before.expected) and reads_a_file(after.expected)):
        return False
    left = {value for value in before.constants - after.constants if "." in value}
    return bool(left) and left <= frozenset().union(*(test.given for test in product.both.tests_now))


def _is_worked_out(before: Check, after: Check, now: Test, product: Product) -> bool:
    """Whether what stood there as a value is worked out of the input by Python's own means."""
    expected = after.expected
    if (
        product.is_changed
        or before.expected is None
        or expected is None
        or not is_literal(before.expected)
        or is_literal(expected)
    ):
        return False
    found = [n for n in ast.walk(expected) if isinstance(n, ast.Name)]
    called = {last_name(n) for n in ast.walk(expected) if isinstance(n, ast.Call)}
    given = {n.id for n in ast.walk(after.subject) if isinstance(n, ast.Name)} - called
    bound = {n.id for n in found if isinstance(n.ctx, ast.Store)}
    used = {n.id for n in found} - given - bound
    plain = all(_is_pythons_own(name, now) for name in used)
    return plain and constants(expected) <= constants(after.subject)


def _is_pythons_own(name: str, test: Test) -> bool:
    """Whether a name is a builtin, or comes from Python's own library."""
    if whole := test.module.imports.get(name):
        return whole.partition(".")[0] in sys.stdlib_module_names
    return hasattr(builtins, name) and name not in test.module.functions and name not in test.fixtures


def _words(check: Check) -> set[str]:
    return set(_WORD.findall(check.expectation))


def is_told(check: Check, test: Test, product: Product) -> bool:
    """Whether the change says that what `check` is about should be otherwise."""
    about = [*check.names, *test.name.split(".")]
    if check.names & (product.resigned | product.both.derived(annotated_otherwise)):
        return True
    if product.pages.has_numbers(product.new_constants):
        return True
    return product.only_values_changed or product.says_so or product.is_told(about)


def is_replaced(check: Check, loss: Loss, product: Product) -> bool:
    """Whether as many checks of the same function came for it, and the change says why, or needs not."""
    if loss.now is None:
        return False
    if is_written_out(check, loss.gained, product.both):
        return True
    taken = {id(pair.after) for pair in loss.changed}
    gone = [other for other in loss.lost if _is_like(other, check)]
    come = [other for other in loss.gained if id(other) not in taken and _is_like(other, check)]
    if not gone or len(come) < len(gone) or (len(come) == 1 and _is_of_part(come[0], check)):
        return False
    new = frozenset().union(*(other.constants for other in come)) - check.constants
    if product.explains(new):
        return True
    return not product.is_changed or is_told(check, loss.now, product)


def _is_like(other: Check, check: Check) -> bool:
    """Whether a check uses most of the names that `check` does, and is as strict."""
    about, also = names(check.subject), names(other.subject)
    same = len(about & also) >= _LIKE * len(about) or is_answer_of_one(other, check)
    return bool(about) and same and is_as_strict(other, check)


def _is_of_part(other: Check, check: Check) -> bool:
    """Whether only one attribute or item is looked at of what was looked at as a whole."""
    part = other.subject
    while isinstance(part, ast.Attribute | ast.Subscript):
        part = part.value
    is_part = part is not other.subject and text_of(part) == check.subject_text
    return is_part and check.exact and other.constants < check.constants


def _finding(pair: Changed, now: Test) -> Finding:
    before, after = (_short(check) for check in (pair.before, pair.after))
    message = f"`{text_of(pair.after.subject)[:80]}` was expected to be {before}, now {after}"
    return at_node(
        CODE, now.module, pair.after.node, f"{message}; nothing in the change explains it", Weight.COUNTS
    )


def _short(check: Check) -> str:
    text = check.expectation or check.relation
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"

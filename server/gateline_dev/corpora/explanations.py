"""What excuses a change: which explanations the rules of integrity asked, and what is found without some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gateline.integrity.change_view import Both
from gateline.integrity.explanations.explanation import Considered, Ledger
from gateline.integrity.explanations.tables import explanations
from gateline.integrity.inspection import inspect
from gateline.integrity.rule import Rules
from gateline.plugins import load_rules
from gateline_dev.corpora.here import around_of, change_of
from gateline_dev.corpora.reading import Case


@dataclass(frozen=True)
class Asked:
    """How often an explanation held and did not while one change was judged."""

    name: str
    held: int
    not_held: int


def considered(case: Case) -> Sequence[Considered]:
    """All that explanations were asked about one change."""
    ledger = Ledger()
    inspect(Both(change_of(case), around_of(case)), load_rules(), ledger)
    return ledger.considered


def counted(rows: Iterable[Considered]) -> list[Asked]:
    """How often each was asked: those that held first."""
    held, not_held = Counter[str](), Counter[str]()
    for row in rows:
        held.update([row.held.name] if row.held else ())
        not_held.update(one.name for one in row.asked)
    made = [Asked(name, held[name], not_held[name]) for name in {**held, **not_held}]
    return sorted(made, key=lambda row: (-row.held, row.name))


def unknown(names: Iterable[str]) -> list[str]:
    """The names that no rule and no explanation has."""
    rules = (word for rule in load_rules().rules for word in (rule.code, rule.name))
    known = {*(row.name for row in explanations()), *rules}
    return [name for name in names if name not in known]


def codes_of(names: Sequence[str]) -> set[str]:
    """The codes of the rules that are named."""
    return {rule.code for rule in load_rules().rules if {rule.code, rule.name} & set(names)}


def without(names: Sequence[str]) -> Rules:
    """The rules but for those that are named, where the explanations that are named are not asked."""
    rules, gone = load_rules(), codes_of(names)
    kept = tuple(rule for rule in rules.rules if rule.code not in gone)
    return replace(rules, rules=kept, without=frozenset(names))

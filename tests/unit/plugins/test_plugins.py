"""Built-in and foreign analyzers enter by one door; a broken one loses only itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import gateline.plugins
from gateline.model import Analyzer, Dimension, Document, Inspection, Level, Report, Source, State
from gateline.plugins import GROUP, Plugins, inspect_safely, load, load_rules

BUILT_IN = ["complexity", "documentation", "duplication", "secrets", "security", "syntax"]
GOOD = """
from gateline.model import Analyzer, Dimension, Level, Report
REPORT = Report("spelling", Dimension.DOCUMENTATION)
ANALYZER = Analyzer("spelling", Dimension.DOCUMENTATION, Level.FINAL, lambda inspection: REPORT)
"""
REPAIRS = """
from gateline.model import Repairer
REPAIRER = Repairer("spelling", frozenset({"OddError"}), lambda *told: None, lambda question: iter(()))
"""
RULES = """
from gateline.integrity.rule import Rule
RULE = Rule("ACME1", "spelling", lambda evidence: iter(()))
"""
Install = Callable[..., Plugins]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Install]:
    """Load with modules of other distributions, given by name and text."""

    def loaded(**modules: str) -> Plugins:
        for name, text in modules.items():
            (tmp_path / f"{name}.py").write_text(text)
        points = [EntryPoint(name, name, GROUP) for name in modules]
        monkeypatch.setattr(gateline.plugins, "entry_points", lambda group: points if group == GROUP else [])
        load.cache_clear()
        return load()

    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield loaded
    load.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names(plugins: Plugins) -> list[str]:
    return [analyzer.name for analyzer in plugins.analyzers]


def test_the_built_in_ones_are_there(install: Install) -> None:
    plugins = install()
    assert (names(plugins), plugins.refused) == (BUILT_IN, ())
    assert all(sys.modules[f"gateline.analyzers.{name}"].__doc__ for name in BUILT_IN)


def test_those_of_other_distributions_come_by_the_same_door(install: Install) -> None:
    plugins = install(spelling_plugin=GOOD)
    assert (names(plugins), plugins.refused) == (sorted([*BUILT_IN, "spelling"]), ())


def test_families_of_repairs_come_by_the_same_door(install: Install) -> None:
    built_in = [repairer.name for repairer in install().repairers]
    plugins = install(spelling_plugin=REPAIRS)
    assert "syntax" in built_in
    assert [repairer.name for repairer in plugins.repairers] == sorted([*built_in, "spelling"])
    assert plugins.refused == ()


def test_rules_of_integrity_come_by_the_same_door(install: Install) -> None:
    built_in = [rule.code for rule in load_rules().rules]
    load_rules.cache_clear()
    plugins = install(spelling_plugin=RULES)
    rules = load_rules()
    load_rules.cache_clear()
    assert [rule.code for rule in plugins.rules] == ["ACME1"]
    assert ([rule.code for rule in rules.rules], rules.missing) == (["ACME1", *built_in], ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import no_such_module_at_all", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def f(:", "SyntaxError"),
        ("", "declares no ANALYZER, no REPAIRER and no RULE"),
        ("ANALYZER = 'spelling'", "declares no ANALYZER, no REPAIRER and no RULE"),
    ],
)
def test_one_that_cannot_be_loaded_is_named_and_loses_only_itself(
    install: Install, text: str, reason: str
) -> None:
    plugins = install(broken_plugin=text, spelling_plugin=GOOD)
    assert names(plugins) == sorted([*BUILT_IN, "spelling"])
    (refused,) = plugins.refused
    assert refused.name == "broken_plugin"
    assert refused.reason.startswith(reason)


def test_none_takes_the_place_of_a_built_in_one(install: Install) -> None:
    plugins = install(other_syntax=GOOD.replace("spelling", "syntax"))
    assert names(plugins) == BUILT_IN
    assert {a.name: a.inspect.__module__ for a in plugins.analyzers}["syntax"] == "gateline.analyzers.syntax"


def raising(error: BaseException) -> Analyzer:
    def inspect(inspection: Inspection) -> Report:
        raise error

    return Analyzer("spelling", Dimension.DOCUMENTATION, Level.FINAL, inspect)


INSPECTION = Inspection(Source(Document("a.py", "x = 1\n")))


@pytest.mark.parametrize(
    "error", [ValueError("no dictionary"), RecursionError("too deep"), MemoryError()], ids=repr
)
def test_one_that_raises_gives_a_report_that_says_so(error: Exception) -> None:
    report = inspect_safely(raising(error), INSPECTION)
    assert (report.analyzer, report.dimension, report.state) == (
        "spelling",
        Dimension.DOCUMENTATION,
        State.FAILED,
    )
    assert report.reason == f"spelling crashed: {type(error).__name__}: {error}"
    assert (report.findings, report.measures) == ((), ())


def test_what_ends_the_process_is_not_kept() -> None:
    with pytest.raises(KeyboardInterrupt):
        inspect_safely(raising(KeyboardInterrupt()), INSPECTION)


def test_one_that_works_is_left_alone(install: Install) -> None:
    for analyzer in install().analyzers:
        assert inspect_safely(analyzer, INSPECTION) == analyzer.inspect(INSPECTION)

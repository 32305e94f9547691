"""The matrix: for each source and fault what is planned, or why it cannot happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gateline_dev.faults import shop
from gateline_dev.faults.arranging import (
    no_interpreter,
    nothing_on_path,
    old_times,
    program,
    shallow,
    ty_script,
)
from gateline_dev.faults.model import WORDS, Cell, Expected, Fault, Plan, Source

Rule = Mapping[str, Any]
_ANALYZERS = {
    Source.PARSER: ("syntax", "ast_serialize"),
    Source.BANDIT: ("security", "bandit"),
    Source.SECRETS: ("secrets", "detect_secrets"),
    Source.COMPLEXITY: ("complexity", "radon"),
    Source.DOCUMENTATION: ("documentation", "gateline.analyzers.documentation"),
}
"""The module of each analyzer, and what it cannot do without."""
_OPTIONAL = {Source.COVERAGE, Source.COMPLEXITY, Source.DOCUMENTATION, Source.DUPLICATION}
_SHORT: Rule = {
    "module": "gateline.session.judge.engine",
    "name": "ANALYZER_TIMEOUT",
    "do": "set",
    "value": 10.0,
}
_SHORT_JUDGING: Rule = {**_SHORT, "name": "JUDGE_TIMEOUT", "value": 20.0}
_SHORT_COLLECTION: Rule = {
    "module": "gateline.services.tests.options",
    "name": "Limits.__init__",
    "do": "default",
    "parameter": "collection",
    "value": 15.0,
}
_OWN = "it runs in gateline's own interpreter"
_BY_TEXT = "what it said is kept by the digest of the text, in memory"
_EMPTY = {"nothing_yet.py": b""}
_PLUGIN = '''"""A plug-in with a mistake in it."""

from mypy.plugin import Plugin


class Faulty(Plugin):
    def get_function_hook(self, fullname):
        if fullname == "builtins.min":
            raise RuntimeError("a planned fault")


def plugin(version):
    return Faulty
'''
_SLOW = "import time\n\n\ndef test_slow() -> None:\n    time.sleep(12)\n"
_NUMBERS = "".join(f"N{n}: int = {n}\n" for n in range(10))
_TY = {"GATELINE_TYPES__ENGINE": "ty"}
_INSTEAD: tuple[Rule, ...] = (
    {"module": "gateline.session.types.ty", "name": "Ty", "do": "first", "value": "{folder}/ty-instead"},
)


def matrix() -> list[Cell]:
    """All cells, in the order of the page."""
    planned = {(cell.source, cell.fault): cell for cell in _all()}
    return [planned[source, fault] for source in Source for fault in Fault]


def _all() -> Iterator[Cell]:
    for source, (module, needed) in _ANALYZERS.items():
        yield from _analyzer(source, module, needed)
    yield from _types()
    yield from _ty()
    yield from _tests()
    yield from _coverage()
    yield from _duplication()
    yield from _integrity()
    yield from _git()
    yield from _settings()


def _plan(source: Source, how: str, *rules: Rule, **more: Any) -> Plan:
    expected = Expected.CONDITIONS if source in _OPTIONAL else Expected.NOT_ACCEPTED
    return Plan(expected, how, tuple(rules), **more)


def _named(source: Source, module: str) -> str:
    """A part of gateline that is not there may be named itself."""
    return f"{WORDS[source]}|{module}"


def _judged(source: Source, how: str, **more: Any) -> Cell:
    return Cell(source, Fault.EMPTY, Plan(Expected.JUDGED, how, **more))


def _analyzer(source: Source, module: str, needed: str) -> Iterator[Cell]:
    inspect = {"module": f"gateline.analyzers.{module}", "name": "ANALYZER.inspect"}
    missing = {"module": needed, "do": "missing"}
    gone = _plan(source, f"`{needed}` cannot be imported", missing, named=_named(source, needed))
    yield Cell(source, Fault.MISSING, gone)
    yield Cell(source, Fault.CRASHES, _plan(source, "raises for every file", {**inspect, "do": "raise"}))
    slow = _plan(source, "never answers; 10 s are allowed", {**inspect, "do": "sleep"}, _SHORT)
    yield Cell(source, Fault.HANGS, slow)
    killed = {**inspect, "do": "exit", "needle": "cart.py"}
    # An editor asks again and again, until the process is given up: then that is the reason.
    dies = _plan(
        source, "its process dies of one of the changed files", killed, named=_named(source, r"\.worker\b")
    )
    yield Cell(source, Fault.PARTIAL, dies)
    yield Cell(source, Fault.STALE, None, _BY_TEXT)
    yield _judged(source, "an empty module in the change", change=_EMPTY)
    yield Cell(source, Fault.INTERPRETER, None, _OWN)


def _types() -> Iterator[Cell]:
    source = Source.TYPES
    yield Cell(
        source, Fault.MISSING, _plan(source, "`mypy` cannot be imported", {"module": "mypy", "do": "missing"})
    )
    ends = {"module": "mypy.build", "do": "exit"}
    yield Cell(source, Fault.CRASHES, _plan(source, "its process ends at once", ends))
    limit = {"GATELINE_TYPES__TIMEOUT": "15"}
    never = {"module": "mypy.build", "do": "sleep"}
    yield Cell(
        source, Fault.HANGS, _plan(source, "never answers; 15 s are allowed", never, environment=limit)
    )
    base = {"plug.py": _PLUGIN, "mypy.ini": "[mypy]\nplugins = plug.py\n"}
    yield Cell(
        source, Fault.PARTIAL, _plan(source, "a plug-in of the project crashes in one function", base=base)
    )
    changed = {"numbers_.py": _NUMBERS.replace("int", "str").encode()}
    yield Cell(
        source,
        Fault.STALE,
        Plan(
            Expected.JUDGED,
            "ten new type errors in a file of the same size and time, judged before",
            base={"numbers_.py": _NUMBERS},
            breaking=changed,
            arrange=old_times("numbers_.py"),
            prime=True,
        ),
    )
    yield _judged(source, "an empty module in the change", change=_EMPTY)
    yield Cell(
        source, Fault.INTERPRETER, _plan(source, "the project's Python is no Python", arrange=no_interpreter)
    )


def _ty() -> Iterator[Cell]:
    source = Source.TY
    none = {"module": "gateline.session.types.ty", "name": "find_ty", "do": "none"}
    # `tools` has the name already.
    looked_up = {**none, "module": "gateline.session.tools"}
    yield Cell(source, Fault.MISSING, _plan(source, "is not installed", none, looked_up, environment=_TY))
    limited = {**_TY, "GATELINE_TYPES__TIMEOUT": "15"}
    for fault, how, script in (
        (Fault.CRASHES, "ends at once", "exit 1"),
        (Fault.HANGS, "never answers; 15 s are allowed", "exec /bin/sleep 3600"),
        (Fault.PARTIAL, "ends after its greeting", 'head -c 400 >/dev/null\nexec /bin/sh -c "exit 1"'),
    ):
        instead = _plan(source, how, *_INSTEAD, environment=limited, arrange=ty_script(script))
        yield Cell(source, fault, instead)
    yield Cell(source, Fault.STALE, None, "it is sent the texts themselves, and keeps no cache")
    yield _judged(source, "an empty module in the change", change=_EMPTY, environment=_TY)
    wrong = "the project's Python is no Python"
    # It reads the environment's folder and starts no interpreter: that no test runs is what is named then.
    tests = WORDS[Source.TESTS]
    plan = _plan(source, wrong, environment=_TY, arrange=no_interpreter, named=tests)
    yield Cell(source, Fault.INTERPRETER, plan)


def _tests() -> Iterator[Cell]:
    source = Source.TESTS
    nowhere = {"module": "pytest", "do": "missing"}
    gone = _plan(source, "no Python on this machine has pytest", nowhere, without=("pytest", "_pytest"))
    yield Cell(source, Fault.MISSING, gone)
    ends = {"module": "_pytest.main", "do": "exit"}
    yield Cell(source, Fault.CRASHES, _plan(source, "pytest ends its process when it is imported", ends))
    never = {"module": "_pytest.main", "do": "sleep"}
    slow = _plan(source, "pytest never starts; 15 s are allowed", never, _SHORT_COLLECTION)
    yield Cell(source, Fault.HANGS, slow)
    limit = {"GATELINE_TESTS__TOTAL_TIMEOUT": "6"}
    cut = _plan(source, "the time for all tests ends before most of them run", environment=limit)
    yield Cell(source, Fault.PARTIAL, _with_base(cut, {"tests/test_a_slow.py": _SLOW}))
    changed = {"rate.txt": b"0.30\n"}
    stale = Plan(
        Expected.JUDGED,
        "a data file changes at the same size and time, judged before",
        breaking=changed,
        arrange=old_times("rate.txt"),
        prime=True,
    )
    yield Cell(source, Fault.STALE, stale)
    yield _judged(source, "an empty module of tests in the change", change={"tests/test_nothing.py": b""})
    yield Cell(
        source, Fault.INTERPRETER, _plan(source, "the project's Python is no Python", arrange=no_interpreter)
    )


def _with_base(plan: Plan, base: Mapping[str, str]) -> Plan:
    return Plan(plan.expected, plan.how, plan.rules, plan.environment, plan.without, base)


def _coverage() -> Iterator[Cell]:
    source = Source.COVERAGE
    yield Cell(
        source, Fault.MISSING, _plan(source, "the project's Python lacks coverage", without=("coverage",))
    )
    broken = {"module": "coverage", "do": "raise"}
    yield Cell(source, Fault.CRASHES, _plan(source, "raises when it is imported", broken))
    never = {"module": "coverage", "do": "sleep"}
    # No test runs without it, or without an interpreter: these are what is named then.
    slow = _plan(
        source, "never answers; 15 s are allowed", never, _SHORT_COLLECTION, named=WORDS[Source.TESTS]
    )
    yield Cell(source, Fault.HANGS, slow)
    some = {"module": "coverage.parser", "name": "PythonParser.__init__", "do": "raise", "needle": "cheapest"}
    yield Cell(source, Fault.PARTIAL, _plan(source, "its parser raises for one of the changed files", some))
    changed = {"cart.py": shop.FILES["cart.py"].replace("1 + rate()", "2 + rate()").encode()}
    stale = Plan(
        Expected.JUDGED,
        "a module changes at the same size and time, judged before, its bytecode is there",
        breaking=changed,
        arrange=old_times("cart.py"),
        prime=True,
    )
    yield Cell(source, Fault.STALE, stale)
    yield _judged(source, "an empty module in the change", change=_EMPTY)
    wrong = _plan(
        source, "the project's Python is no Python", arrange=no_interpreter, named=WORDS[Source.TESTS]
    )
    yield Cell(source, Fault.INTERPRETER, wrong)


def _duplication() -> Iterator[Cell]:
    source, clones = (
        Source.DUPLICATION,
        {"module": "gateline.analyzers.duplication", "name": "inspect_clones"},
    )
    gone = {"module": "gateline.analyzers.duplication", "do": "missing"}
    yield Cell(source, Fault.MISSING, _plan(source, "its module cannot be imported", gone))
    yield Cell(source, Fault.CRASHES, _plan(source, "raises for every file", {**clones, "do": "raise"}))
    slow = _plan(source, "never answers; 10 s are allowed", {**clones, "do": "sleep"}, _SHORT)
    yield Cell(source, Fault.HANGS, slow)
    killed = {**clones, "do": "exit", "needle": "cart.py"}
    yield Cell(source, Fault.PARTIAL, _plan(source, "its process dies of one of the changed files", killed))
    yield Cell(source, Fault.STALE, None, "the index is made anew for each check, and follows each edit")
    yield _judged(source, "an empty module in the change", change=_EMPTY)
    yield Cell(source, Fault.INTERPRETER, None, _OWN)


def _integrity() -> Iterator[Cell]:
    source, rules = Source.INTEGRITY, {"module": "gateline.integrity.inspection", "name": "inspect"}
    gone = {"module": "gateline.integrity.rules.test_skipped.skips", "do": "missing"}
    yield Cell(source, Fault.MISSING, _plan(source, "the module of a rule cannot be imported", gone))
    yield Cell(source, Fault.CRASHES, _plan(source, "raises for every change", {**rules, "do": "raise"}))
    slow = _plan(source, "never answers; 20 s are allowed", {**rules, "do": "sleep"}, _SHORT_JUDGING)
    yield Cell(source, Fault.HANGS, slow)
    one = {"module": "gateline.integrity.rules.test_skipped.skips", "name": "find", "do": "raise"}
    yield Cell(source, Fault.PARTIAL, _plan(source, "one rule raises", one))
    yield Cell(source, Fault.STALE, None, "it is asked about both sides as they are, and keeps nothing")
    yield _judged(source, "an empty module of tests in the change", change={"tests/test_nothing.py": b""})
    yield Cell(source, Fault.INTERPRETER, None, _OWN)


def _git() -> Iterator[Cell]:
    source = Source.GIT
    yield Cell(source, Fault.MISSING, _plan(source, "no git on PATH", arrange=nothing_on_path))
    fails = program("git", "echo 'fatal: a planned fault' >&2\nexit 128")
    yield Cell(source, Fault.CRASHES, _plan(source, "git ends with 128", arrange=fails))
    never = _plan(source, "git never answers", arrange=program("git", "exec /bin/sleep 3600"))
    yield Cell(source, Fault.HANGS, never)
    part = _plan(source, "a shallow clone of one branch", arrange=shallow)
    yield Cell(source, Fault.PARTIAL, part)
    yield Cell(source, Fault.STALE, None, "git is asked anew for each check")
    yield Cell(source, Fault.EMPTY, None, "before the first commit there is no base: everything is new")
    yield Cell(source, Fault.INTERPRETER, None, "git needs none")


def _settings() -> Iterator[Cell]:
    source = Source.SETTINGS
    yield Cell(source, Fault.MISSING, Plan(Expected.JUDGED, "none are written: the defaults are in force"))
    broken = Plan(Expected.MISTAKE, "a file that is no TOML", base={"gateline.toml": "gates = [\n"})
    yield Cell(source, Fault.CRASHES, broken)
    yield Cell(source, Fault.HANGS, None, "a file of at most some kilobytes is read")
    partly = {"gateline.toml": "[gates]\nfinal-acept = 95\n"}
    yield Cell(source, Fault.PARTIAL, Plan(Expected.MISTAKE, "one key is misspelt", base=partly))
    lower = {"gateline.toml": b"[gates]\nfinal-accept = 0.0\nfloor-cap = 100.0\n"}
    own = Plan(Expected.CONDITIONS, "the change lowers what judges it", change=lower)
    yield Cell(source, Fault.STALE, own)
    yield _judged(source, "an empty file of settings", base={"gateline.toml": ""})
    yield Cell(source, Fault.INTERPRETER, None, "no interpreter reads them but gateline's own")

"""What our server shall reach, and whether it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gateline_dev.bench.affected_tests import FOUND, OVERHEAD, SHARE
from gateline_dev.bench.agent_hooks import EDIT, FIRST, START
from gateline_dev.bench.agent_hooks import IDLE as ENGINE_IDLE
from gateline_dev.bench.agent_hooks import MEGABYTES as ENGINE_MB
from gateline_dev.bench.context_tiers import BUSY, IDLE, MEGABYTES, RATE
from gateline_dev.bench.embedding_beside import STILL, WORKING
from gateline_dev.bench.probes import PROBES
from gateline_dev.bench.results import Result
from gateline_dev.bench.servers import FLOOR, OURS, OURS_BOTH, RIVAL

Results = dict[tuple[str, str], Result]
"""By server and project."""


@dataclass(frozen=True)
class Verdict:
    """One target with what was measured. Limits are included."""

    what: str
    measured: float | None
    limit: float | None
    """None when it depends on something that was not measured."""
    unit: str = "ms"
    at_least: bool = False
    """The limit is a least, not a most."""

    @property
    def met(self) -> bool | None:
        """None when it was not measured."""
        if self.measured is None or self.limit is None:
            return None
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


def verdicts(results: Results) -> list[Verdict]:
    """All targets, in the order of what a person notices first."""
    reading = _Reading(results)
    parts = (
        _typing,
        _growth,
        _opening,
        _resources,
        _at_rest_and_at_work,
        _evaluations,
        _tests,
        _hooks,
        _context,
    )
    return [verdict for part in parts for verdict in part(reading)]


def ratio(above: float | None, below: float | None) -> float | None:
    """How many times; None when one of them is missing."""
    return above / below if above is not None and below else None


class _Reading:
    """The results as the targets speak of them: None for what was not measured."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def p50(self, kind: str, server: str = OURS, project: str = "httpx") -> float | None:
        return self._of(server, project, lambda result: result.p50(kind))

    def p95(self, kind: str, server: str = OURS, project: str = "httpx") -> float | None:
        return self._of(server, project, lambda result: result.p95(kind))

    def quantile(self, kind: str, share: float, project: str) -> float | None:
        return self._of(OURS, project, lambda result: result.quantile(kind, share))

    def most(self, kind: str) -> float | None:
        return self._of(OURS, "httpx", lambda result: result.quantile(kind, 1))

    def number(self, name: str, project: str = "httpx") -> float | None:
        return self._of(OURS, project, lambda result: result.numbers.get(name))

    def memory(self, moment: str, part: str) -> float | None:
        return self._of(OURS, "httpx", lambda result: getattr(result.memory.get(moment), part, None))

    def faults(self, part: str) -> float | None:
        """How many answers of one sort were wrong, in all projects; None without any answer."""
        ours = [result for (server, _), result in self.results.items() if server == OURS]
        kinds = [samples for result in ours for samples in result.kinds.values()]
        return float(sum(getattr(samples, part) for samples in kinds)) if kinds else None

    def _of(self, server: str, project: str, read: Callable[[Result], float | None]) -> float | None:
        result = self.results.get((server, project))
        return None if result is None else read(result)


def _typing(of: _Reading) -> Iterator[Verdict]:
    syntax, types = of.p50("syntax"), of.p50("type")
    yield Verdict("httpx: syntax finding after an edit, p50", syntax, 12)
    yield Verdict("httpx: syntax finding after an edit, p95", of.p95("syntax"), 35)
    yield Verdict("httpx: mypy finding after an edit, p50", types, 75)
    yield Verdict("httpx: mypy finding after an edit, p95", of.p95("type"), 250)
    times = ratio(of.p50("type", RIVAL), types)
    yield Verdict("httpx: times faster than pylsp-mypy live, p50", times, 10, "×", at_least=True)
    yield Verdict("httpx: first type finding with both engines, p50", of.p50("type", OURS_BOTH), 40)
    for kind, single in (("syntax", syntax), ("type", types)):
        times = ratio(of.p50(f"burst {kind}"), single)
        yield Verdict(f"httpx: {kind} finding after a burst ÷ after a single edit, p50", times, 2, "×")
    yield Verdict("all projects: findings of an older version left over", of.faults("leftovers"), 0, "")
    yield Verdict("all projects: findings missed", of.faults("misses"), 0, "")
    yield Verdict("all projects: right findings that went wrong again", of.faults("relapses"), 0, "")


def _growth(of: _Reading) -> Iterator[Verdict]:
    yield Verdict("django: mypy finding after an edit, p50", of.p50("type", project="django"), 180)
    for kind, limit in (("type", 2.5), ("syntax", _size_growth(of))):
        times = ratio(of.p50(kind, project="django"), of.p50(kind))
        yield Verdict(f"from httpx to django: growth of the time to a {kind} finding", times, limit, "×")


def _size_growth(of: _Reading) -> float | None:
    return ratio(of.number("target bytes", "django"), of.number("target bytes"))


def _opening(of: _Reading) -> Iterator[Verdict]:
    yield Verdict("httpx: open to first types, cold", of.p50("open cold"), 3000)
    yield Verdict("httpx: open to first types, from the cache", of.p50("open warm"), 1000)
    times = ratio(of.p50("start"), of.p50("start", FLOOR))
    yield Verdict("start to `initialize` answered ÷ the echo server's, p50", times, 1.25, "×")


def _resources(of: _Reading) -> Iterator[Verdict]:
    yield Verdict("httpx, opened: server process", of.memory("opened", "server"), 75, "MB")
    yield Verdict("httpx, opened: all processes", of.memory("opened", "tree"), 300, "MB")
    yield Verdict("httpx, after 1,000 edits: all processes", of.memory("session", "tree"), 400, "MB")


def _at_rest_and_at_work(of: _Reading) -> Iterator[Verdict]:
    yield Verdict("idle: processor", of.number("idle CPU %"), 1, "%")
    yield Verdict("idle: git processes", of.number("idle git calls"), 0, "")
    for kind in ("open", "edit"):
        what = f"30,000 lines, {kind}: slowest small request"
        yield Verdict(what, of.most(f"stall: {kind}"), 50)


def _evaluations(of: _Reading) -> Iterator[Verdict]:
    for level, limit in (("early", 80), ("middle", 120), ("final", 200)):
        measured = of.p50(f"{level} without types")
        yield Verdict(f"httpx, 500 lines: verdict at {level} without types, p50", measured, limit)


def _tests(of: _Reading) -> Iterator[Verdict]:
    first = of.p50("tests first")
    yield Verdict("httpx: first result of affected tests after an edit, p50", first, 120)
    times = ratio(of.p50("tests cold"), first)
    yield Verdict("httpx: times faster than a cold pytest of the same tests", times, 10, "×", at_least=True)
    yield Verdict("toolz: run with coverage and contexts ÷ plain run", of.number(OVERHEAD), 1.6, "×")
    yield Verdict(
        "toolz: seeded regressions whose tests were selected", of.number(FOUND), 99, "%", at_least=True
    )
    yield Verdict("toolz: share of all tests that was selected, p50", of.number(SHARE), 20, "%")


def _hooks(of: _Reading) -> Iterator[Verdict]:
    yield Verdict("a hook after an edit, its engine running", of.p50(EDIT), 150)
    yield Verdict("a hook after an edit: p95", of.p95(EDIT), 400)
    yield Verdict("a hook's start above `python -S`, processor", of.number(START), 40)
    yield Verdict("a hook's first call, nothing running", of.number(FIRST), 5, "s")
    yield Verdict("the engine of hooks at rest, processor", of.number(ENGINE_IDLE), 1, "%")
    yield Verdict("the engine of hooks at rest, memory", of.number(ENGINE_MB), 300, "MB")


def _context(of: _Reading) -> Iterator[Verdict]:
    yield Verdict(
        "django, 10,000 chunks: first answer from all files, cold",
        of.p50("context cold", project="django"),
        1000,
    )
    yield Verdict("django, 10,000 chunks: first answer, warm", of.p50("context warm", project="django"), 200)
    usable = ("usable", "cold", 1000), ("usable again", "warm", 200)
    for kind, start, most in usable:
        taken = of.p50(f"context {kind}", project="django")
        yield Verdict(f"django, 10,000 chunks: a server's first usable answer, {start}", taken, most)
    for kind in ("words", "place"):
        asked = f"context {kind}"
        yield Verdict(f"django: answer for {kind}, p50", of.p50(asked, project="django"), 8)
        yield Verdict(f"django: answer for {kind}, p95", of.p95(asked, project="django"), 15)
    for kind, when in ((IDLE, "all tiers"), (BUSY, "all tiers, while it is embedded")):
        for share, most in ((0.5, 8), (0.95, 15), (0.99, 40)):
            what = f"django: answer with {when}, p{share * 100:g}"
            yield Verdict(what, of.quantile(kind, share, "django"), most)
    embedding = ratio(10_000, of.number(RATE, "django"))
    yield Verdict("django: 10,000 signatures embedded while nobody asks", embedding, 40, "s")
    for probe in PROBES:
        times = ratio(
            of.p50(f"{probe.kind} {WORKING}", project="django"),
            of.p50(f"{probe.kind} {STILL}", project="django"),
        )
        yield Verdict(
            f"django: a {probe.kind} finding while it embeds ÷ while that is held still", times, 1.1, "×"
        )
    yield Verdict("django: the process of the index, all tiers", of.number(MEGABYTES, "django"), 220, "MB")
    edited = of.p95("context edit", project="django")
    yield Verdict("django: an edited file of 3,000 lines is searchable, p95", edited, 50)

"""What counts for a repair and against it, with a type checker and analyzers that answer as told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pytest

from gateline.model import Dimension, Document, Finding, Origin, Problem, Proof, Report, Span, State, Weight
from gateline.repairs.proof import Verdict, proof_of
from gateline.repairs.tested import Ran
from gateline.services.repairs.messages import Asked
from gateline.session.repairs.verification import TestsOf, Verification
from gateline.session.types.types import Types

_MARK = re.compile(r"# (?P<kind>[\w-]+): (?P<message>[^#]*[^#\s])")


def findings(path: str, text: str, *, types: bool) -> tuple[Finding, ...]:
    """What comments say: `# attr-defined: No x` is the type checker's, `# GTL301: Danger` an analyzer's."""
    rows = [(n, m) for n, line in enumerate(text.splitlines()) for m in _MARK.finditer(line)]
    return tuple(
        Finding(
            code="GTL110" if types else match["kind"],
            path=path,
            span=Span.of(number, 0, number, 1),
            message=match["message"],
            dimension=Dimension.ERRORS if types else Dimension.SECURITY,
            weight=Weight.COUNTS,
            origin=f"mypy: {match['kind']}" if types else "",
        )
        for number, match in rows
        if types is not match["kind"].startswith("GTL")
    )


def reports(texts: Mapping[str, str | None]) -> dict[str, Report]:
    found = {path: findings(path, text, types=True) for path, text in texts.items() if text is not None}
    return {path: Report("types", Dimension.ERRORS, findings=some) for path, some in found.items()}


@dataclass
class Service:
    """A type checker that looks at texts beside those it has."""

    has: dict[str, str]
    broken: str = ""

    async def peek(self, texts: Mapping[str, str | None]) -> tuple[dict[str, Report], dict[str, Report]]:
        if self.broken:
            failed = {path: Report("types", Dimension.ERRORS, State.FAILED, self.broken) for path in texts}
            return failed, failed
        return reports(self.has), reports({**self.has, **texts})

    async def plain(self, texts: Mapping[str, str | None]) -> dict[str, Report]:
        return (await self.peek(texts))[1]


class Engine:
    """Analyzers that read comments."""

    async def inspect(self, document: Document, base: Document | None) -> tuple[Report, ...]:
        found = findings(document.path, document.text, types=False)
        return (Report("security", Dimension.SECURITY, findings=found),)


BEFORE = "a  # attr-defined: No x\nb\n"


async def judged(
    before: str, after: str, *, origin: Origin = Origin.TYPES, types: Types | None = None, others: str = ""
) -> Verdict:
    problem = Problem(origin, "attr-defined", "No x", "a.py", Span.of(0, 0, 0, 1))
    service = Service({"a.py": before, "b.py": others})
    verification = Verification(types or Types(service), Engine())  # type: ignore[arg-type]
    lines = zip(after.splitlines(), before.splitlines(), strict=False)
    touched = frozenset(n for n, (new, old) in enumerate(lines) if new != old)
    return await verification.verdict(Asked(problem, {"a.py": after}, {"a.py": touched}), {"a.py": before})


@pytest.mark.parametrize("after", ["a.y\na.z\n", "a.y\na  # attr-defined: No x\n"])
async def test_a_repair_upon_another_is_compared_with_that(after: str) -> None:
    """The type checker has neither: there are two of the error, and after the first repair one."""
    twice = "a  # attr-defined: No x\na  # attr-defined: No x\n"
    once = "a.y\na  # attr-defined: No x\n"
    problem = Problem(Origin.TYPES, "attr-defined", "No x", "a.py", Span.of(1, 0, 1, 1))
    verification = Verification(Types(Service({"a.py": twice})), Engine())  # type: ignore[arg-type]
    asked = Asked(problem, {"a.py": after}, {"a.py": frozenset({1})})
    verdict = await verification.verdict(asked, {"a.py": once}, laid={"a.py": once})
    assert verdict.gone is (after == "a.y\na.z\n")


@pytest.mark.parametrize(
    ("after", "holds"),
    [
        ("a.y\nb\n", True),
        ("a.y\n\n\nb\n", True),
        ("a.y  # attr-defined: No x\nb\n", False),
        ("a.y  # attr-defined: No y\nb\n", False),
        ("a.y\nb  # arg-type: Bad\n", False),
        ("a.y  # GTL301: Danger\nb\n", False),
    ],
    ids=["gone", "gone, and lines moved", "still there", "another", "a new one elsewhere", "a danger"],
)
async def test_an_error_must_be_gone_and_none_new(after: str, holds: bool) -> None:
    assert (proof_of(await judged(BEFORE, after)) is not None) is holds


async def test_one_of_two_equal_errors_may_go() -> None:
    verdict = await judged(BEFORE + BEFORE, "a.y\nb\n" + BEFORE)
    assert (verdict.gone, verdict.added) == (True, ())


async def test_a_line_in_a_message_may_move() -> None:
    old = "a  # attr-defined: No x\nb  # no-redef: Defined on line 4\n"
    verdict = await judged(old, "a.y\nb  # no-redef: Defined on line 5\n")
    assert (verdict.gone, verdict.added) == (True, ())


async def test_an_old_danger_is_not_the_repairs() -> None:
    assert proof_of(await judged("a  # attr-defined: No x # GTL301: Danger\n", "a.y  # GTL301: Danger\n"))


async def test_an_error_that_is_not_reported_cannot_be_seen_going() -> None:
    verdict = await judged("a\n", "b\n")
    assert (verdict.gone, verdict.reason) == (False, "the problem is not reported for the current text")


async def test_of_an_exception_the_types_may_speak_of_its_line() -> None:
    assert (await judged(BEFORE, "a.y\nb\n", origin=Origin.RUN)).gone
    assert not (await judged("b\n" + BEFORE, "c\n" + BEFORE, origin=Origin.RUN)).gone


async def test_of_a_text_that_did_not_parse_only_new_lines_count() -> None:
    hidden = "a (\nb  # arg-type: Bad\n"
    assert proof_of(await judged(hidden, "a ()\nb  # arg-type: Bad\n", origin=Origin.PARSER))
    assert not proof_of(await judged(hidden, "a ()  # arg-type: Worse\nb\n", origin=Origin.PARSER))


async def test_without_an_answer_nothing_is_verified() -> None:
    verdict = await judged(BEFORE, "a.y\nb\n", types=Types(Service({}, broken="it crashed")))  # type: ignore[arg-type]
    assert (proof_of(verdict), verdict.reason) == (None, "types could not be checked: it crashed")


async def test_without_types_syntax_can_be_verified_and_types_cannot() -> None:
    off = Types(None)
    assert proof_of(await judged("a (\n", "a ()\n", origin=Origin.PARSER, types=off))
    assert not proof_of(await judged(BEFORE, "a.y\nb\n", types=off))


class Tests:
    """Tests that the texts rule: with `fails` in one a test fails, with `hidden` it is not executed."""

    allowed = None

    def ran(self, texts: Mapping[str, str]) -> Ran:
        fails = any("fails" in text for text in texts.values())
        names = frozenset({"test_a.py::test_a"})
        return Ran(failed=names) if fails else Ran(passed=names)

    async def affected(self, texts: Mapping[str, str], touched: object) -> None:
        return None

    async def before(self, ids: None, texts: Mapping[str, str]) -> Ran:
        return self.ran(texts)

    async def after(self, ids: None, texts: Mapping[str, str], touched: object) -> tuple[Ran, bool]:
        return self.ran(texts), not any("hidden" in text for text in texts.values())


@pytest.mark.parametrize(
    ("before", "after", "proof"),
    [
        (BEFORE, "a.y\nb\n", Proof.V2),
        (BEFORE, "a.y\nhidden\n", Proof.V1),
        (BEFORE, "a.y\nfails\n", None),
        ("a  # attr-defined: No x\nfails\n", "a.y\nb\n", Proof.V3),
        (BEFORE, "a.y  # GTL301: Danger\nb\n", None),
    ],
    ids=["pass", "not executed", "fail", "mended", "a danger"],
)
async def test_tests_decide_beside_the_type_checker(before: str, after: str, proof: Proof | None) -> None:
    problem = Problem(Origin.TYPES, "attr-defined", "No x", "a.py", Span.of(0, 0, 0, 1))
    verification = Verification(Types(Service({"a.py": before})), Engine())  # type: ignore[arg-type]
    lines = zip(after.splitlines(), before.splitlines(), strict=False)
    asked = Asked(
        problem, {"a.py": after}, {"a.py": frozenset(n for n, (a, b) in enumerate(lines) if a != b)}
    )
    tests = TestsOf(Tests(), problem, {"a.py": before})  # type: ignore[arg-type]
    assert proof_of(await verification.verdict(asked, {"a.py": before}, tests)) is proof


class NoTests:
    """A project without any."""

    async def of_problem(self, problem: Problem, texts: Mapping[str, str]) -> Ran:
        return Ran()

    async def affected(self, texts: Mapping[str, str], touched: object) -> None:
        return None

    async def before(self, ids: None, texts: Mapping[str, str]) -> Ran:
        return Ran()

    async def after(self, ids: None, texts: Mapping[str, str], touched: object) -> tuple[Ran, bool]:
        return Ran(), False


async def test_where_there_are_no_tests_the_type_checker_says_whether_a_pasted_error_is_gone() -> None:
    problem = Problem(Origin.RUN, "AttributeError", "no x", "a.py", Span.of(0, 0, 0, 1))
    verification = Verification(Types(Service({"a.py": BEFORE})), Engine())  # type: ignore[arg-type]
    tests = TestsOf(NoTests(), problem, {"a.py": BEFORE})  # type: ignore[arg-type]
    for after, proof in (("a.y\nb\n", Proof.V1), ("a.z  # attr-defined: No x\nb\n", None)):
        asked = Asked(problem, {"a.py": after}, {"a.py": frozenset({0})})
        assert proof_of(await verification.verdict(asked, {"a.py": BEFORE}, tests)) is proof


async def test_a_name_that_was_missing_before_is_not_missed_by_a_repair_of_syntax() -> None:
    before = "print(lost\nb = 1\n"
    problem = Problem(Origin.PARSER, "GTL101", "never closed", "a.py", Span.of(0, 0, 0, 1))
    for name, proof in (("lost", Proof.V1), ("found", None)):
        after = f'print({name})  # name-defined: Name "{name}" is not defined\nb = 1\n'
        verification = Verification(Types(Service({"a.py": before})), Engine())  # type: ignore[arg-type]
        asked = Asked(problem, {"a.py": after}, {"a.py": frozenset({0})})
        assert proof_of(await verification.verdict(asked, {"a.py": before})) is proof


async def test_a_dependency_that_is_declared_need_not_be_installed_yet() -> None:
    problem = Problem(Origin.TYPES, "import-not-found", "No yaml", "a.py", Span.of(0, 0, 0, 1))
    verification = Verification(Types(None), Engine())  # type: ignore[arg-type]
    for after, proof in (("attrs\npyyaml\n", Proof.V1), ("pyyaml\n", None), ("attrs\n# pyyaml\n", None)):
        asked = Asked(problem, {"requirements.txt": after}, {"requirements.txt": frozenset({1})})
        verdict = await verification.verdict(asked, {"requirements.txt": "attrs\n"})
        assert proof_of(verdict) is proof


@dataclass
class Counting(Service):
    """Counts the questions about texts."""

    asked: int = 0

    async def peek(self, texts: Mapping[str, str | None]) -> tuple[dict[str, Report], dict[str, Report]]:
        self.asked += 1
        return await super().peek(texts)

    async def files_changed(self, paths: Sequence[str]) -> None:
        self.has |= dict.fromkeys(paths, "# attr-defined: Written since")


async def test_what_is_laid_is_asked_about_once_until_a_file_is_written() -> None:
    """Remembered for longer, old reports would be what a repair is compared with."""
    service = Counting({})
    types, laid = Types(service), {"b.py": ""}  # type: ignore[arg-type]
    for asked in (2, 3):
        then, _ = await types.peek({}, {"a.py": ""}, laid)
        assert (service.asked, list(then)) == (asked, ["b.py"])
    await types.files_changed(["c.py"])
    then, _ = await types.peek({}, {"a.py": ""}, laid)
    assert (service.asked, sorted(then)) == (5, ["b.py", "c.py"])

"""The plug-in that makes pytest collect once, and tells what becomes of each test."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any, Callable

import pytest

from . import failures
from .around import Around
from .contents.texts import Texts
from .limits import Peak
from .tracing.audit import Audit
from .tracing.coverage import Coverage
from .tracing.sharing import Sharing


class Session:
    """Registered with pytest; `loop` is called in place of running all tests."""

    def __init__(self, texts: Texts, audit: Audit, loop: Callable[[Any], None]) -> None:
        self.texts = texts
        self.audit = audit
        self.errors: list[dict[str, Any]] = []
        """Why some tests, or all, could not be collected: failures with an `id`."""
        self.config: Any = None
        self.named: list[str] = []
        """Files that are collected besides what pytest is given."""
        self.on_event: Callable[[dict[str, Any]], None] = lambda event: None
        self.on_done: Callable[[str], None] = lambda test: None
        """Called with a test's id when it has ended, before its result is told."""
        self.is_early = False
        """Whether a result is told when the test's own code has ended, and once more after its teardown."""
        self.measured: Coverage | None = None
        """What follows the code of the tests, while they run."""
        self.sharing: Sharing | None = None
        """What attributes the code of shared fixtures, while it is followed."""
        self.around: Around | None = None
        """What knows where nothing needs to be followed; None: everywhere."""
        self.peak = Peak()
        self.current = ""
        """The test that runs now."""
        self._loop = loop
        self._result: dict[str, Any] = {}
        self._waiting: Counter[str] = Counter()
        """How many tests of each identifier have still to end."""
        self._ended: dict[str, dict[str, Any]] = {}
        """What became of those of which others have still to end."""

    # Before and while tests are collected

    @pytest.hookimpl(hookwrapper=True)
    def pytest_load_initial_conftests(self, early_config: Any) -> Any:
        # pytest-cov would measure all the time, for itself.
        early_config.known_args_namespace.no_cov = True
        outcome = yield
        if outcome.excinfo is not None:
            error = outcome.excinfo[1]
            inner = getattr(error, "cause", None) or getattr(error, "excinfo", (None, None))[1]
            self.failed_to_collect("conftest", inner or error)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_cmdline_main(self, config: Any) -> Any:
        self.config = config
        option = config.option
        option.no_cov = True
        # Tests run here, one after the other, and all that are asked for.
        for name, value in (("dist", "no"), ("tx", []), ("numprocesses", None), ("maxfail", 0)):
            if hasattr(option, name):
                setattr(option, name, value)
        option.tbstyle = "line"
        option.usepdb = False
        yield

    def pytest_configure(self, config: Any) -> None:
        self.audit.asking.runners |= _tools(config)
        for path in self.named:
            config.addinivalue_line("python_files", path)
            full = os.path.abspath(path)
            given = [os.path.abspath(str(argument).partition("::")[0]) for argument in config.args]
            if not any(full == one or full.startswith(one.rstrip(os.sep) + os.sep) for one in given):
                config.args.append(path)

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        error = call.excinfo.value
        if getattr(report, "when", "collect") == "collect":
            self.failed_to_collect(report.nodeid, error.__cause__ or error)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not any(error["id"] == report.nodeid for error in self.errors):
            self.errors.append({**failures.of_text(str(report.longrepr), "collect"), "id": report.nodeid})

    def pytest_internalerror(self, excinfo: Any) -> None:
        self.failed_to_collect("", excinfo.value)

    def failed_to_collect(self, test: str, error: BaseException) -> None:
        """Why this test, or ("") all of them, could not be collected."""
        self.errors.append({**failures.of_exception(error, self.texts, "collect"), "id": test})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        self._loop(session)
        return True

    # While tests run

    def run(self, items: list[Any]) -> None:
        """Run these in order; higher fixtures live as long as the next test needs them."""
        self._waiting.update(item.nodeid for item in items)
        for number, item in enumerate(items):
            following = items[number + 1] if number + 1 < len(items) else None
            item.session.shouldfail = item.session.shouldstop = False
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._result = {"kind": "test", "id": nodeid, "outcome": "passed", "seconds": 0.0}
        self.current = nodeid
        self.audit.begin()
        self.peak.begin()
        self.on_event({"kind": "begin", "id": nodeid})

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: Any) -> Any:
        yield from self._followed(self.around is None or self.around.before(item))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Any:
        yield from self._followed(True)

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: Any, nextitem: Any) -> Any:
        if self.sharing is not None:
            self.sharing.attribute(item)
        yield from self._followed(self.around is None or self.around.after(item, nextitem))

    def _followed(self, wanted: bool) -> Any:
        measured = self.measured if wanted else None
        if measured is not None:
            measured.begin()
        yield
        if measured is not None:
            measured.end()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        if self.sharing is None or fixturedef.scope == "function":
            yield
            return
        before = self.sharing.begin()
        yield
        self.sharing.end(fixturedef, before)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        outcome = yield
        report = outcome.get_result()
        if report.failed and call.excinfo is not None:
            report.gateline_failure = failures.of_exception(call.excinfo.value, self.texts, call.when)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        result = self._result
        is_part = getattr(report, "context", None) is not None
        # One part of a test says how the test ended only where it fails.
        if is_part and not report.failed:
            return
        if report.when == "call" and not is_part:
            result["seconds"] += report.duration
        if report.outcome == "rerun":
            return
        verdict, reason = _verdict(report)
        result["reason"] = result.get("reason") or reason
        # The first failure counts: what fails while cleaning up follows from it.
        if verdict != "passed" and "failure" not in result:
            result["outcome"] = verdict
            if verdict in ("failed", "error"):
                result["failure"] = self._failure(report)
        if self.is_early and report.when == "call" and not is_part and self._waiting[result["id"]] == 1:
            self.on_event(_worse(self._ended.get(result["id"]), result))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.on_done(nodeid)
        self._result["memory"] = self.peak.end()
        result = _worse(self._ended.get(nodeid), self._result)
        self._waiting[nodeid] -= 1
        if self._waiting[nodeid] > 0:
            self._ended[nodeid] = result
        else:
            self.on_event(result)
        self.current = ""

    def _failure(self, report: Any) -> dict[str, Any]:
        failure = getattr(report, "gateline_failure", None)
        if failure is None or not failure["frames"]:
            failure = {**failures.of_text(str(report.longrepr), report.when), **(failure or {})}
        failure["unexpected"] = _is_unexpected(failure)
        sections = [text for name, text in report.sections if name.startswith("Captured")]
        failure["output"] = failures.shortened("\n".join(sections))
        failure["network"] = self.audit.network
        return failure


def _tools(config: Any) -> set[str]:
    """The packages of installed plug-ins: what they read of sources is for themselves."""
    found = config.pluginmanager.list_plugin_distinfo()
    modules = {getattr(plugin, "__name__", "").partition(".")[0] for plugin, _ in found}
    return modules | {distribution.project_name.replace("-", "_").lower() for _, distribution in found}


def _is_unexpected(failure: dict[str, Any]) -> bool:
    """Whether a test passed that was expected to fail; of unittest's own, pytest raises it."""
    kind, message = failure["type"], failure["message"]
    if not kind:
        return bool(message.startswith("[XPASS(strict)]"))
    return kind == "Failed" and bool(message.startswith("Unexpected success"))


def _worse(one: dict[str, Any] | None, other: dict[str, Any]) -> dict[str, Any]:
    """What is said of two tests of one identifier: that of the first which failed."""
    return one if one is not None and ("failure" in one or "failure" not in other) else other


def _verdict(report: Any) -> tuple[str, str]:
    """One phase's outcome in the words of the protocol, and the reason of a skip."""
    expected = getattr(report, "wasxfail", None)
    if report.skipped:
        if expected is not None:
            return "xfailed", str(expected)
        longrepr = report.longrepr
        return "skipped", str(longrepr[2] if isinstance(longrepr, tuple) else longrepr)
    if report.failed:
        return ("failed" if report.when == "call" else "error"), ""
    if expected is not None and report.when == "call":
        return "xpassed", str(expected)
    return "passed", ""


def described(item: Any, texts: Texts) -> dict[str, Any]:
    """One collected test: where its function is, zero-based."""
    path, line, _ = item.reportinfo()
    function = getattr(item, "originalname", None) or item.name
    holder = getattr(getattr(item, "cls", None), "__qualname__", "")
    return {
        "id": item.nodeid,
        "path": texts.relative(os.fspath(path)),
        "line": line or 0,
        "function": f"{holder}.{function}" if holder else function,
    }

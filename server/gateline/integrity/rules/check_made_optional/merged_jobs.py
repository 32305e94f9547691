"""GTL634 of jobs that gather others: one asked how they ended, and is content with whatever from now on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateline.integrity.enforcement.triggers import may_fail
from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_line
from gateline.integrity.rules.check_made_optional import CODE
from gateline.model.document import Document
from gateline.model.finding import Finding, Weight

_RESULT = re.compile(
    r"(?:needs|dependencies)(?:\.([\w*-]+)|\[['\"]([\w-]+)['\"]\])\.(?:result|outcome|conclusion)|"
    r"(?i:toJSON)\((needs|dependencies)(?:\.\*\.result)?\)"
)
"""How another job ended, or all of them."""
_ALWAYS = re.compile(r"always\(\)|!\s*cancelled\(\)|failure\(\)|succeededOrFailed\(\)")
"""By which a job runs also where one that it needs has failed."""
_TELLING = re.compile(
    r"\s*(?:echo|printf|cat)\b(?!.*(?<!\|)\|(?!\|)\s*(?:grep|jq|python|awk|xargs)).*|\s*#.*"
)
_FAILING = re.compile(r"\bexit\s+[1-9$]|\bfalse\b|\bthrow\b|core\.setFailed")
_ASKING = re.compile(r"(?:^|[;&|!({]|\bdo\b)\s*(?:test|\[|grep|jq|python\d?|\$\{\{|\"?\$)")
_WORDS = re.compile(r"success|fail|Succeeded|true|false|all\(", re.IGNORECASE)
"""How jobs end, as somebody asks for it."""
_RUN = ("run", "script", "bash", "pwsh")


def find(evidence: Evidence) -> Iterator[Finding]:
    """The jobs of which nobody asks any more how they ended."""
    for row in evidence.both.pipelines:
        if row.base is None or row.current is None or not row.path.endswith((".yml", ".yaml")):
            continue
        before, now = _jobs(row.base), _jobs(row.current)
        asked = frozenset().union(*map(_judged, now.values()))
        for name in before.keys() & now.keys():
            lost = sorted((_judged(before[name]) - asked) & now.keys())
            if lost:
                lines = row.current.text.splitlines()
                line = next((n for n, text in enumerate(lines) if text.strip().strip("- ") == f"{name}:"), 0)
                message = f"`{name}` no longer depends on the result of {', '.join(lost)}"
                yield at_line(CODE, row.path, row.current.text, line, message, Weight.FLOOR)


def _jobs(document: Document) -> Mapping[str, Mapping[Any, Any]]:
    tree = tree_of(document.text)
    jobs = tree.get("jobs") if isinstance(tree, dict) else None
    if isinstance(jobs, list):
        jobs = {str(job.get("job")): job for job in jobs if isinstance(job, dict)}
    return {str(n): job for n, job in jobs.items() if isinstance(job, dict)} if isinstance(jobs, dict) else {}


def _judged(job: Mapping[Any, Any]) -> frozenset[str]:
    """The jobs whose failure fails this one, although it runs after they failed."""
    condition = f"{job.get('if', '')} {job.get('condition', '')}"
    if not _ALWAYS.search(condition) or may_fail(job):
        return frozenset()
    needs = job.get("needs", job.get("dependsOn")) or []
    needed = frozenset(map(str, needs if isinstance(needs, list) else [needs]))
    given = _named(job.get("env"), {})
    steps = [
        step for step in job.get("steps") or [] if isinstance(step, dict) and not may_fail(step, late=False)
    ]
    found = frozenset().union(*(_asked(step, given) for step in steps))
    passed = {name.removeprefix("!") for name in found if name.startswith("!")}
    return (needed if "*" in found else found & needed) - passed


def _asked(step: Mapping[Any, Any], given: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The jobs after which a step asks, if it fails where they did; `*` for all."""
    if "alls-green" in str(step.get("uses", "")):
        told = step.get("with") or {}
        passed = re.findall(r"[\w-]+", str(told.get("allowed-failures", "")))
        return _results(str(told)) | {f"!{name}" for name in passed}
    script = next((str(step[key]) for key in _RUN if key in step), "")
    condition = f"{step.get('if', '')} {step.get('condition', '')}"
    if _FAILING.search(script) and (asked := _results(condition)) and _WORDS.search(condition):
        return asked
    given = {**given, **_named(step.get("env"), given)}
    lines = [line for line in script.replace("\\\n", " ").splitlines() if not _TELLING.fullmatch(line)]
    lines = [line for line in lines if not re.search(r"\|\|\s*(?:true|:|echo\b[^;&|]*)\s*$", line)]
    kept = "\n".join(lines)
    if not _WORDS.search(kept) or not (_FAILING.search(kept) or _ends(lines)):
        return frozenset()
    used = (jobs for name, jobs in given.items() if re.search(rf"\b{re.escape(name)}\b", kept))
    return _results(kept).union(*used)


def _ends(lines: Sequence[str]) -> bool:
    """Whether a line asks something by a command that fails where it is not so."""
    return any(_ASKING.search(line) for line in lines)


def _named(env: Any, known: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """By name of a variable: the jobs of whose ends it tells."""
    table = env if isinstance(env, dict) else {}
    found = {str(name): _results(str(value)) for name, value in table.items()}
    return {name: jobs for name, jobs in found.items() if jobs or name in known}


def _results(text: str) -> frozenset[str]:
    return frozenset(one or other or "*" for one, other, _ in _RESULT.findall(text))

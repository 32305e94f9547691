"""When a pipeline, or a job of it, runs: for every change before it is taken in, or only afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateline.integrity.enforcement.changed_settings import is_beside
from gateline.integrity.enforcement.conditions import never_holds
from gateline.integrity.enforcement.replacements import checks_something
from gateline.integrity.enforcement.yaml_text import tree_of
from gateline.model.document import Document

_MAY_FAIL = frozenset(
    {"continue-on-error", "continueOnError", "allow_failure", "ignore_failure", "soft_fail", "optional"}
)
_NEVER = frozenset({"false", "${{ false }}", "${{false}}", "never", "manual", "on_failure"})
_MAIN = r"(refs/heads/)?(main|master|trunk|develop|release\S*|\$\w*DEFAULT_BRANCH)"
_LATE = re.compile(
    r"(?<!!)\b(?:github\.ref(_name|_type)? *==|startsWith\(github\.ref)|"
    r"github\.event_name *== *'(schedule|workflow_dispatch|release|push)'|"
    r"^\s*\$CI_COMMIT_TAG\s*(=~.*)?$|CI_PIPELINE_SOURCE *== *['\"](schedule|web|api|trigger)|"
    rf"CI_COMMIT_(BRANCH|REF_NAME) *==? *['\"]?{_MAIN}|"
    rf"eq\(variables\['Build\.SourceBranch(Name)?'\], *'{_MAIN}|"
    rf"\b(branch|tag) *(=|IS|is) *({_MAIN}|present)|build\.(tag|branch) *(!=|==)|"
    r"github\.(triggering_)?actor *=="
)
"""Conditions that do not hold while a change is looked at: only afterwards, or where somebody asks."""
_ASKED = re.compile(
    r"^[^!]*github\.event\.(?:(?:inputs|label)\b(?!.*(?:!= *(?:'[^']|true)|== *(?:false|''|null)))|"
    r"(?:pull_request\.(?:labels|title|body)|head_commit\.message)(?!.*(?:!=|== *false)))"
)
"""What holds only where somebody asks for it. Of what was not asked for, `!= 'no'` and `== ''` hold."""
_CHOSEN = re.compile(r"matrix\.\w+ *== *['\"]([a-z-]+)['\"]")
"""One of the words of a matrix."""
_LATE_NAMES = re.compile(
    rf"tags?|schedules?|web|api|triggers?|cron|custom|{_MAIN}|/\^?(v|release).*", re.IGNORECASE
)
"""Branches and events that come after a change was taken in."""
_CHOOSING = ("only", "when", "filters")
_ASKING = ("if", "when", "condition", "trigger")
_BEFORE = ("pull_request", "pull_request_target", "merge_group")


def may_fail(node: Mapping[Any, Any], *, late: bool = True) -> bool:
    """Whether a job or step counts for nothing: it may fail, waits for a person, or is too `late`."""
    if any(_is_on(node.get(flag)) for flag in _MAY_FAIL) or node.get("enabled") is False:
        return True
    if any(str(node.get(word, "")).strip().lower() in _NEVER for word in _ASKING):
        return True
    return _by_rules(node.get("rules"), late=late) or (late and _runs_late(node))


def _runs_late(node: Mapping[Any, Any]) -> bool:
    asked = [str(node.get(word, "")) for word in ("if", "condition")]
    late = any(_LATE.search(condition) or _is_asked_for(condition) for condition in asked)
    late = late or any(map(never_holds, asked)) or any(_is_late(node.get(w)) for w in _CHOOSING)
    return late or _leaves_out_branches(node.get("except")) or _only_beside(node.get("changes"))


def _leaves_out_branches(excepted: Any) -> bool:
    words = excepted.get("refs") if isinstance(excepted, dict) else excepted
    return isinstance(words, list) and not {"branches", "merge_requests", "pushes"}.isdisjoint(
        map(str, words)
    )


def _only_beside(changes: Any) -> bool:
    """Whether something runs only where what is not the product changes."""
    paths = changes.get("paths") if isinstance(changes, dict) else changes
    if not isinstance(paths, list) or not paths:
        return False
    return all(is_beside(str(path)) or str(path).endswith((".md", ".rst")) for path in paths)


def _is_asked_for(condition: str) -> bool:
    """Whether a condition holds only where a person wants it, whatever else must hold."""
    ways = condition.split("||")
    asked = [any(map(_ASKED.search, way.split("&&"))) for way in ways]
    # Where it stands in brackets, what is around them holds of each way.
    return all(asked) if all(way.count("(") == way.count(")") for way in ways) else any(asked)


def _is_on(value: Any) -> bool:
    """Whether it is so always, or for some failures: `exit_codes: [1]`."""
    said = str(value).strip("${ }").lower().split("||")
    chosen = _CHOSEN.fullmatch(str(value).strip("${ }"))
    if chosen is not None and checks_something(chosen[1]):
        return True
    return "true" in map(str.strip, said) or (isinstance(value, dict) and "exit_codes" in value)


def _by_rules(rules: Any, *, late: bool) -> bool:
    if not isinstance(rules, list) or not rules:
        return False
    return all(isinstance(rule, dict) and may_fail(rule, late=late) for rule in rules)


def _is_late(chosen: Any) -> bool:
    """Whether only such branches, tags or events are named."""
    if isinstance(chosen, dict):
        tables = [chosen.get(key) for key in ("refs", "branch", "branches", "event", "only", "tags")]
        named = [table for table in tables if table is not None]
        asked = chosen.get("variables")
        unset = isinstance(asked, list) and bool(asked) and all(never_holds(str(one)) for one in asked)
        return unset or any(map(_is_late, named))
    words = chosen if isinstance(chosen, list) else [chosen] if isinstance(chosen, str) else []
    return bool(words) and all(isinstance(w, str) and _LATE_NAMES.fullmatch(w) for w in words)


def looks_before(document: Document) -> bool | None:
    """Whether a workflow runs for every change before it is taken in; None of what says nothing of it."""
    tree = tree_of(document.text) if document.path.endswith((".yml", ".yaml")) else None
    if not isinstance(tree, dict):
        return None
    if not document.path.startswith(".github/"):
        return _looks_before_elsewhere(tree)
    # YAML takes the word `on` for a truth value.
    events = tree.get(True) or tree.get("on")
    if isinstance(events, str):
        events = [events]
    table = events if isinstance(events, dict) else dict.fromkeys(map(str, events or ()))
    return any(_is_for_changes(name, table[name]) for name in (*_BEFORE, "push") if name in table)


def _looks_before_elsewhere(tree: Mapping[Any, Any]) -> bool | None:
    """The same of GitLab's `workflow`, Azure's `pr`, and Drone's `trigger`."""
    if "pr" in tree or "trigger" in tree or "steps" in tree:
        asked = tree.get("pr", "*")
        return asked != "none" and not _is_late(tree.get("trigger") if "kind" in tree else None)
    return not may_fail(tree["workflow"]) if isinstance(tree.get("workflow"), dict) else True


def _is_for_changes(event: str, given: Any) -> bool:
    filters = given if isinstance(given, dict) else {}
    if (types := filters.get("types")) and not {"opened", "synchronize"} & set(types):
        return False
    if _only_beside(filters.get("paths")):
        return False
    ignored = [str(path) for path in filters.get("paths-ignore") or ()]
    if any(path in ("**", "**.py", "**/*.py", "src/**", "*.py") for path in ignored):
        return False
    branches = [str(branch) for branch in filters.get("branches") or ()]
    if event != "push":
        return not branches or any(re.fullmatch(_MAIN, b) or "*" in b for b in branches)
    if "tags" in filters and not branches:
        return False
    return not branches or any("*" in branch and "release" not in branch for branch in branches)


def without_held_jobs(tree: Any) -> Any:
    """A pipeline of CircleCI in which jobs that do not run by themselves for a change are told as such."""
    held = _held_jobs(tree)
    if not held:
        return tree
    jobs = (tree.get("jobs") or {}).items()
    return {**tree, "jobs": {n: {**job, "allow_failure": True} if n in held else job for n, job in jobs}}


def _held_jobs(tree: Any) -> frozenset[str]:
    """The jobs that wait for a person, run too late, or are in no workflow at all."""
    workflows = tree.get("workflows") if isinstance(tree, dict) else None
    if not isinstance(workflows, dict):
        return frozenset()
    free, waiting = set[str](), set[str]()
    for workflow in workflows.values():
        steps = workflow.get("jobs", []) if isinstance(workflow, dict) else []
        tables = [step if isinstance(step, dict) else {step: None} for step in steps]
        rows = [(name, given or {}) for table in tables for name, given in table.items()]
        held = {name for name, given in rows if given.get("type") == "approval"}
        for name, given in rows:
            waits = held & set(given.get("requires") or ()) or may_fail(given)
            (waiting if waits else free).add(name)
    return frozenset((set(tree.get("jobs") or ()) | waiting) - free)

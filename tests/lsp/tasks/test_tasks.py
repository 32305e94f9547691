"""Tasks, savepoints and work that was left, through a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editor import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from real_project import WITHOUT_DOCS, committed
from type_project import Warm

from gateline.session.tasks.tasks import tasks_of
from gateline.store.audit import AuditTrail, Entry
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier
from support.repositories import Repository

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]

CODE = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'
WIDER = CODE.replace("(net: int)", "(net: int, tax: int)")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Path:
    """A project with a change of its public API, and a task of another branch that was left."""
    folder = tmp_path_factory.mktemp("shop")
    warm(folder)
    repository = committed(folder, {"prices.py": CODE, "other.py": CODE, "gateline.toml": WITHOUT_DOCS})
    with tasks_of(folder) as tasks:
        tasks.start("Rounding", InferredTier(Tier.STANDARD, "two files"), "rounding")
    repository.write("prices.py", WIDER)
    return folder


@pytest.fixture(scope="module")
def prepare() -> Callable[[Editor], None]:
    return lambda editor: editor.takes_edits(lambda params: params)


async def test_what_was_left_is_told_once(editor: Editor) -> None:
    (told,) = await editor.until(lambda: editor.detected)
    assert told.folder == editor.root.as_uri()
    assert told.left.message.startswith("ℹ️ Previous work detected: Rounding (in_progress)\nSession: ")
    answer = await editor.ask("gateline/checkpoint/detect", {})
    assert answer.left.task.id == told.left.task.id
    assert answer.left.restore == "", "it has no savepoint"


async def recorded(editor: Editor, kind: str) -> list[object]:
    """The events of a kind in the task of this branch, once there are some."""
    async with asyncio.timeout(30):
        while True:
            shown = await editor.ask("gateline/task/show", {})
            if found := [event for event in shown.events if event.kind == kind]:
                return found
            await asyncio.sleep(0.1)


async def test_a_task_begins_by_itself_with_the_change(editor: Editor) -> None:
    uri = editor.open("prices.py", WIDER)
    editor.edit(uri, 2, ((0, 0, 0, 0), "# In cents.\n"))
    await recorded(editor, "edited")
    task = (await editor.ask("gateline/task/show", {})).task
    assert (task.description, task.tier, task.outcome) == ("Edit prices.py", "STRICT", "in_progress")
    assert task.tierReason == "public API: price of prices.py"
    assert len((await editor.ask("gateline/task/list", {})).tasks) == 2


async def test_verdicts_and_savepoints_come_into_it(editor: Editor) -> None:
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    # A verdict of its own may have been recorded before the one that was asked for.
    async with asyncio.timeout(30):
        while (checkpoints := await recorded(editor, "checkpoint"))[-1].detail.level != "final":
            await asyncio.sleep(0.1)
    assert checkpoints[-1].detail.outcome == answer.decision.outcome
    taken = await recorded(editor, "savepoint")
    listed = await editor.ask("gateline/savepoint/list", {})
    assert listed.savepoints[0].id == taken[-1].detail.id
    history = await editor.ask("gateline/checkpoint/history", {"of": "task"})
    assert [point.score for point in history.scores if point.level == "final"] == [answer.score.value]


async def test_what_was_asked_for_is_kept_as_it_was_then(editor: Editor) -> None:
    uri = editor.uri("prices.py")
    text = "# In cents.\n" + WIDER
    editor.edit(uri, 20, (None, text + "\n\nASKED = 1\n"))
    await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    # Nobody waits for the savepoint.
    editor.edit(uri, 21, (None, text + "\n\nLATER = 1\n"))

    async def kept() -> list[str]:
        listed = (await editor.ask("gateline/savepoint/list", {})).savepoints
        named = [one.id for one in listed if one.label.startswith("final: ")]
        diffs = [await editor.ask("gateline/savepoint/compare", {"before": name}) for name in named]
        return [name for name, found in zip(named, diffs, strict=True) if "-ASKED = 1" in found.diff]

    async with asyncio.timeout(20):
        while not await kept():
            await asyncio.sleep(0.1)
    editor.edit(uri, 22, (None, text))


async def test_its_decisions_are_in_the_audit_trail(editor: Editor) -> None:
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    await editor.ask("gateline/checkpoint/evaluate", {"scope": "project"})
    await editor.ask("gateline/task/show", {})  # what was noted is written first
    entries = trail_of(editor)
    assert {entry.content["by"] for entry in entries} == {"editor"}
    again = [entry for entry in entries if "again" in entry.content and entry.content["level"] == "final"][-1]
    full = next(entry for entry in entries if entry.number == again.content["again"])
    told = [full.content[name] for name in ("scope", "level", "progress", "outcome", "score", "branch")]
    found = (answer.decision.outcome, answer.score.value)
    assert told == ["change", "final", "said", *found, again.content["branch"]]


def trail_of(editor: Editor) -> list[Entry]:
    database = Database(state_of(editor.root) / DATABASE)
    try:
        return AuditTrail(database).entries(newest=1000)
    finally:
        database.close()


async def test_a_list_counts_the_checkpoint(editor: Editor) -> None:
    await editor.ask(
        "gateline/task/update", {"todos": ["rates", "rounding", "receipts"], "done": ["rates", "rounding"]}
    )
    answer = await editor.ask("gateline/checkpoint/evaluate", {})
    assert (answer.level, answer.progress) == ("middle", "counted")
    answer = await editor.ask("gateline/checkpoint/evaluate", {"iteration": 3, "iterations": 10})
    assert (answer.level, answer.progress) == ("early", "counted")


async def test_a_change_that_went_from_better_to_worse_can_be_rolled_back(editor: Editor) -> None:
    uri = editor.uri("prices.py")
    await editor.ask("gateline/checkpoint/evaluate", {"level": "early"})
    good = (await recorded(editor, "savepoint"))[-1].detail.id
    editor.edit(uri, 3, (None, "def price(:\n    pass\n\n\ndef cost(x\n    return x\n"))
    await editor.ask("gateline/checkpoint/evaluate", {"level": "middle"})

    def told() -> list[lsp.Diagnostic]:
        newest = [p for p in editor.pushed if p.uri == uri][-1:]
        return [d for p in newest for d in p.diagnostics if d.code == "GTL801"]

    (found,) = await editor.until(told)
    assert found.message.startswith("the change lost 20 points from early to middle")
    asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), found.range, lsp.CodeActionContext([found]))
    actions = await editor.client.text_document_code_action_async(asked)
    (action,) = [a for a in actions if a.title == "Roll back to the last good savepoint"]
    # The client under test takes every action with a command for a bare command: its words are enough.
    assert "gateline.restore" in str(action.command)
    answer = await restored(editor, {"uri": editor.root.as_uri()})
    assert (answer["applied"], answer["savepoint"]) == (True, good)
    sent = editor.applied.pop()
    (changed,) = sent.edit.document_changes
    assert [edit.new_text for edit in changed.edits] == ["# In cents.\n" + WIDER]
    editor.edit(uri, 4, (None, "# In cents.\n" + WIDER))


async def restored(editor: Editor, where: object) -> dict[str, Any]:
    params = lsp.ExecuteCommandParams(command="gateline.restore", arguments=[where])
    answer: dict[str, Any] = await editor.client.workspace_execute_command_async(params)
    return answer


async def test_going_back_is_one_edit_of_what_nobody_loses(editor: Editor) -> None:
    first = (await editor.ask("gateline/savepoint/list", {})).savepoints[-1].id
    uri = editor.uri("prices.py")
    editor.edit(uri, 5, (None, "# Something else.\n"))
    (editor.root / "other.py").write_text("# From elsewhere.\n")
    (editor.root / "new.py").write_text("x = 1\n")
    compared = await editor.ask("gateline/savepoint/compare", {"before": first})
    assert list(compared.files) == ["new.py", "other.py", "prices.py"]
    assert "+# Something else." in compared.diff
    where = {"uri": editor.root.as_uri(), "savepoint": first, "dirty": [editor.uri("other.py")]}
    answer = await restored(editor, where)
    steps = {step["path"]: step["conflict"] for step in answer["steps"]}
    assert steps == {
        "new.py": "",
        "other.py": "the editor holds another text of it, which was not recorded",
        "prices.py": "",
    }
    assert answer["applied"]
    (sent,) = editor.applied
    deleted, changed = sent.edit.document_changes
    assert deleted.uri == editor.uri("new.py")
    assert (changed.text_document.uri, changed.text_document.version) == (uri, 5)
    assert [edit.new_text for edit in changed.edits] == ["# In cents.\n" + WIDER]
    # Nothing was written: that is for the editor to do, and to undo.
    assert (editor.root / "new.py").exists()


async def test_what_the_server_cannot_see_is_left_alone(editor: Editor) -> None:
    first = (await editor.ask("gateline/savepoint/list", {})).savepoints[-1].id
    where = {"savepoint": first, "preview": True}
    answer = await restored(editor, where)
    steps = {step["path"]: step["conflict"] for step in answer["steps"]}
    assert steps["other.py"] == "the editor may hold another text of it"
    assert not answer["applied"]


@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        ("gateline/task/show", {"task": "nothing"}, "no task begins with 'nothing'"),
        ("gateline/task/start", {"description": ""}, "description: String should have at least 1 character"),
        ("gateline/savepoint/compare", {"before": "nothing"}, "no savepoint begins with 'nothing'"),
    ],
)
async def test_a_mistake_is_told(editor: Editor, method: str, params: object, said: str) -> None:
    assert said in str(await editor.refused(method, params))


async def test_a_restore_that_makes_no_sense_is_refused(editor: Editor) -> None:
    params = lsp.ExecuteCommandParams(command="gateline.restore", arguments=[{"savepoint": 3}])
    with pytest.raises(JsonRpcException, match=r"savepoint\n.*valid string"):
        await editor.client.workspace_execute_command_async(params)


async def test_a_task_is_begun_and_ended_by_hand(editor: Editor) -> None:
    begun = await editor.ask(
        "gateline/task/start", {"description": "By hand", "tier": "STANDARD", "todos": ["a"]}
    )
    assert begun.tierReason == "said"
    ended = await editor.ask("gateline/task/finish", {})
    assert (ended.task.id, ended.task.outcome) == (begun.id, "completed")
    assert [summary.phase for summary in ended.summaries] == ["execution_complete"]
    assert "todo_incomplete" in ended.page
    bounded = await editor.ask("gateline/task/show", {"task": begun.id, "bounded": True})
    assert bounded.page == ended.page


async def test_a_commit_ends_what_began_by_itself(editor: Editor, root: Path) -> None:
    repository = Repository(root)
    editor.close(editor.uri("prices.py"))
    repository.commit("Prices with tax")
    editor.touched((".git/HEAD", lsp.FileChangeType.Changed))
    async with asyncio.timeout(30):
        while True:
            listed = await editor.ask("gateline/task/list", {})
            (own,) = [task for task in listed.tasks if task.description == "Edit prices.py"]
            if own.outcome == "completed":
                break
            await asyncio.sleep(0.2)
    shown = await editor.ask("gateline/task/show", {"task": own.id})
    assert [e.detail.subject for e in shown.events if e.kind == "commit"] == ["Prices with tax"]
    assert len(shown.summaries) == 3

"""What happens in a session comes into the task of its branch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.model import Level, Outcome
from gateline.session.tasks.recording.items import parsed
from gateline.session.tasks.recording.journal import Batch
from gateline.session.tasks.recording.noted import Noted
from gateline.session.tasks.tasks import SAID
from gateline.store.savepoints.planning import plan
from gateline.worklog.task import EventKind, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier
from support.recorded_work import CODE, Clock, Work, evaluation
from support.repositories import Repository
from support.savepoint_desk import killed_half_way


@pytest.fixture
def work(repository: Repository, tmp_path: Path) -> Iterator[Work]:
    repository.commit("begin", **{"prices.py": CODE})
    made = Work(repository, tmp_path / "state")
    yield made
    made.journal.close()


# Tasks that begin and end by themselves


@pytest.mark.parametrize(("branch", "name"), [("main", "Edit prices.py"), ("tax/eu", "tax/eu")])
def test_a_task_begins_with_the_change(work: Work, branch: str, name: str) -> None:
    if branch != "main":
        work.repository.git("switch", "--quiet", "--create", branch)
    task = work.edits().task
    assert task is not None
    assert (task.description, task.branch, task.tier) == (name, branch, Tier.STANDARD)
    again = work.edits().task
    assert again is not None
    assert again.id == task.id
    assert work.kinds() == ["started", "edited", "phase", "metrics", "edited"]


def test_no_task_begins_where_nothing_differs(work: Work) -> None:
    batch = Batch(work.events((EventKind.EDITED, "prices.py")), (), work.change())
    assert work.journal.write(batch).task is None
    assert work.journal.ask(lambda tasks, _: tasks.all()) == []


def test_it_ends_with_the_commit_after_which_nothing_differs(work: Work) -> None:
    task = work.edits().task
    work.edits("prices.py", evaluation(Level.FINAL, Outcome.ACCEPT))
    work.repository.commit("Prices with tax", **{"prices.py": CODE + "\nX = 1\n"})
    assert work.journal.write(Batch(change=work.change())).task is None
    log = work.log(task)
    assert log.task.outcome is TaskOutcome.COMPLETED
    (commit,) = [event for event in log.events if event.kind is EventKind.COMMIT]
    assert commit.text("subject") == "Prices with tax"
    assert commit.text("id") == work.repository.git("rev-parse", "HEAD")
    assert len(log.summaries) == 1


def test_one_that_somebody_asked_for_goes_on_after_a_commit(work: Work) -> None:
    work.edits()
    task = work.journal.standing().task
    assert task is not None
    work.journal.ask(lambda tasks, _: tasks.change(task, InferredTier(task.tier, SAID)))
    work.repository.commit("Part one", **{"prices.py": CODE + "\nX = 1\n"})
    standing = work.journal.write(Batch(change=work.change()))
    assert standing.task is not None
    assert standing.task.id == task.id


def test_another_branch_has_another_task(work: Work) -> None:
    first = work.edits().task
    work.repository.git("switch", "--quiet", "--create", "rounding")
    other = work.edits().task
    assert first is not None
    assert other is not None
    assert (other.id != first.id, other.description) == (True, "rounding")
    assert [e.text("name") for e in work.log(other).events if e.kind is EventKind.BRANCH] == ["rounding"]
    work.repository.git("switch", "--quiet", "main")
    back = work.edits().task
    assert back is not None
    assert back.id == first.id


# Other programs and other servers


def test_what_git_writes_is_no_edit_of_somebody(work: Work) -> None:
    work.edits()
    work.journal.write(
        Batch(work.events((EventKind.EXTERNAL_EDIT, "prices.py")), (), work.change(**{"prices.py": "b"}))
    )
    assert work.kinds()[-1] == "external_edit"
    work.repository.commit("more", **{"other.py": "x = 1\n"})
    work.journal.write(
        Batch(work.events((EventKind.EXTERNAL_EDIT, "other.py")), (), work.change(**{"other.py": "b"}))
    )
    assert work.kinds()[-2:] == ["external_edit", "commit"]


def test_what_is_no_part_of_the_change_is_nobodys_work(work: Work) -> None:
    work.edits()
    written = work.events((EventKind.EXTERNAL_EDIT, ".venv/lib/a.py"), (EventKind.EXTERNAL_EDIT, "prices.py"))
    work.journal.write(Batch(written, (), work.change(**{"prices.py": "b"})))
    assert [e.text("path") for e in work.log().events if e.kind is EventKind.EXTERNAL_EDIT] == ["prices.py"]


def test_of_two_servers_one_notes_what_others_write(work: Work) -> None:
    work.edits()
    follower = work.another()
    written = Batch(work.events((EventKind.EXTERNAL_EDIT, "other.py")), (), work.change(**{"other.py": "b"}))
    follower.write(written)
    assert "external_edit" not in work.kinds()
    work.journal.close()
    follower.write(written)
    assert "external_edit" in [
        str(e.kind) for e in follower.ask(lambda tasks, b: tasks.log(tasks.all()[0])).events
    ]
    follower.close()


# Checkpoints, phases, summaries


def test_a_checkpoint_has_its_score_and_its_decision(work: Work) -> None:
    work.edits("prices.py", evaluation(Level.MIDDLE, Outcome.WARN_BELOW_TARGET, 55.0))
    (event,) = [event for event in work.log().events if event.kind is EventKind.CHECKPOINT]
    assert (event.text("level"), event.text("outcome"), event.detail["score"]) == (
        "middle",
        "warn-below-target",
        55.0,
    )
    (scored,) = work.journal.ask(lambda tasks, branch: tasks.scores.of_branch(branch, newest=9))
    assert (scored.score, dict(scored.parts), scored.branch) == (55.0, {"errors": 55.0}, "main")


@pytest.mark.parametrize(("path", "tier", "count"), [("login.py", "STRICT", 3), ("prices.py", "STANDARD", 1)])
def test_phases_follow_from_what_happens(work: Work, path: str, tier: str, count: int) -> None:
    task = work.edits(path).task
    work.edits(path, evaluation(Level.FINAL, Outcome.REQUIRE_ITERATION, 50.0))
    work.edits(path, evaluation(Level.FINAL, Outcome.ACCEPT))
    work.edits(path, evaluation(Level.FINAL, Outcome.ACCEPT))
    log = work.log(task)
    assert (log.task.tier, len(log.summaries)) == (tier, count)
    phases = [event.text("phase") for event in log.events if event.kind is EventKind.PHASE]
    assert phases == ["planning_complete", "execution_complete", "verification_complete"]


def test_after_a_slow_batch_what_is_optional_is_left_out_and_said(work: Work) -> None:
    work.timer.taken = 0.45
    work.edits("login.py")
    work.timer.taken = 0.01
    work.edits("login.py", evaluation(Level.FINAL, Outcome.ACCEPT))
    skipped = [
        (e.text("operation"), e.text("reason")) for e in work.log().events if e.kind is EventKind.SKIPPED
    ]
    assert skipped == [
        ("checkpoint_summary", "the last phase took 90% of its time limit"),
        ("metrics_log", "the last phase took 90% of its time limit"),
        ("summary_update", "the last phase took 90% of its time limit"),
    ]
    # Events and phases are never left out, so that the summaries can still be made.
    assert len(work.log().summaries) == 3


def test_what_is_handed_over_is_counted_at_each_phase(work: Work) -> None:
    task = work.edits("login.py").task
    assert task is not None
    handed = work.journal.ask(lambda tasks, _: tasks.page(task, bounded=True)).tokens
    work.edits("login.py", evaluation(Level.FINAL, Outcome.ACCEPT))
    metrics = [dict(e.detail) for e in work.log().events if e.kind is EventKind.METRICS]
    assert metrics == [{"bound": 750, "tokens": {}}, {"bound": 750, "tokens": {"page": handed}}]
    assert handed > 0


def test_passages_for_a_model_are_counted_in_the_task_and_too_many_are_told(work: Work) -> None:
    def hand(tokens: int) -> str:
        return work.journal.ask(lambda tasks, branch: tasks.hand(branch, tokens, "context"))

    assert hand(1000) == ""  # there is no task yet
    task = work.edits("login.py").task
    assert task is not None
    assert [hand(n) for n in (500, 100, 400)] == [
        "",
        "600 of the 750 tokens that STRICT allows",
        "1000 of the 750 tokens that STRICT allows",
    ]
    assert work.journal.ask(lambda tasks, _: dict(tasks.handed(task))) == {"context": 1000}


def test_a_final_score_that_fell_is_a_regression(work: Work) -> None:
    for score in (92.0, 90.0):
        assert work.edits("prices.py", evaluation(Level.FINAL, Outcome.ACCEPT, score)).regression is None
    worse = work.edits("prices.py", evaluation(Level.FINAL, Outcome.CONDITIONAL_ACCEPT, 72.0)).regression
    assert str(worse) == (
        "score 72.0 is 21% below 91.0, the mean of the last 2 accepted on this branch, "
        "mostly because of errors"
    )


# Lists


def test_a_list_in_the_workspace_counts_the_progress(work: Work) -> None:
    work.repository.write("tasks.md", "# Tax\n\n- [x] rates\n- [ ] rounding\n1. [ ] receipts\n- no box\n")
    standing = work.edits()
    assert (standing.done, standing.of) == (1, 3)
    work.repository.write("tasks.md", "- [x] rates\n- [X] rounding\n- [ ] receipts\n")
    standing = work.edits("tasks.md")
    assert (standing.done, standing.of) == (2, 3)
    (summary,) = work.log(work.journal.ask(lambda tasks, _: tasks.finish(tasks.all()[0]))).summaries
    assert summary["todos_completed"] == ["rates", "rounding"]
    assert [d["detail"] for d in summary["deviations"]] == ["receipts"]  # type: ignore[attr-defined]


def test_what_is_a_box_and_what_is_not() -> None:
    text = "- [ ] a\n  * [x] b c \n+ [X] d\n2) [ ] e\n- []\n- [y] f\ntext - [ ] g\n"
    assert parsed(text) == {"a": "open", "b c": "done", "d": "done", "e": "open"}


# Savepoints

UNSAVED = {"prices.py": "unsaved = 1\n"}


def test_a_savepoint_has_what_was_not_saved(work: Work) -> None:
    work.edits()
    made = work.journal.keep(evaluation(), UNSAVED)
    assert (work.repository.folder / "prices.py").read_text() == CODE
    savepoints = work.journal.savepoints()
    shown = savepoints.shadow.run("show", f"{savepoints.find(made).tree}:prices.py")
    assert shown == b"unsaved = 1\n"
    standing = work.journal.standing()
    assert standing.task is not None
    assert standing.task.savepoint == made
    # What differs between then and now is just that text.
    (step,) = plan(savepoints, savepoints.find(made), work.clock()).steps
    assert step.path == "prices.py"


def test_the_same_content_is_kept_once(work: Work) -> None:
    work.edits()
    assert work.journal.keep(evaluation(), UNSAVED) == work.journal.keep(evaluation(Level.MIDDLE), UNSAVED)
    assert work.kinds().count("savepoint") == 1


def test_a_restore_that_was_killed_is_undone_when_a_session_begins(work: Work) -> None:
    savepoints = work.journal.savepoints()
    kept = savepoints.take("test", work.clock())
    work.repository.write("prices.py", "changed = 1\n")
    killed_half_way(savepoints, kept.id)
    assert (work.repository.folder / "prices.py").read_text() == CODE
    follower = work.another()
    follower.standing()
    follower.close()
    assert (work.repository.folder / "prices.py").read_text() == "changed = 1\n"


def test_without_a_task_nothing_is_kept(work: Work) -> None:
    assert work.journal.keep(evaluation(), UNSAVED) == ""


# Taking note


def test_many_edits_of_one_file_are_one_until_they_are_written() -> None:
    clock = Clock()
    noted = Noted(clock)
    for path in ("a.py", "b.py", "a.py"):
        noted.add(EventKind.EDITED, {"path": path})
    for failed in (1, 0):
        noted.add(EventKind.TESTS, {"failed": failed})
    events, _ = noted.taken()
    assert [(str(e.kind), e.text("path")) for e in events] == [
        ("edited", "b.py"),
        ("edited", "a.py"),
        ("tests", ""),
        ("tests", ""),
    ]
    assert noted.taken() == ((), ())


def test_an_edit_is_kept_until_somebody_knows_its_change() -> None:
    clock = Clock()
    noted = Noted(clock)
    noted.add(EventKind.EDITED, {"path": "a.py"})
    noted.add(EventKind.TESTS, {"failed": 0})
    events, _ = noted.taken()
    noted.add(EventKind.EDITED, {"path": "b.py"})
    noted.put_back(events)
    assert [e.text("path") for e in noted.taken()[0]] == ["a.py", "b.py"]


def test_the_news_of_a_save_is_the_save() -> None:
    clock = Clock()
    noted = Noted(clock)
    noted.add(EventKind.SAVED, {"path": "a.py"})
    noted.taken()
    assert (noted.was_saved("a.py"), noted.was_saved("b.py")) == (True, False)
    clock.turn(seconds=6)
    assert not noted.was_saved("a.py")


# Decisions


def decided(work: Work) -> list[dict[str, object]]:
    return work.journal.ask(lambda tasks, _: [dict(entry.content) for entry in tasks.audit.entries()])


def test_a_decision_is_recorded_without_a_task(work: Work) -> None:
    work.journal.decide([(work.clock(), evaluation(Level.FINAL, Outcome.ACCEPT))])
    (row,) = decided(work)
    assert (row["by"], row["branch"], row["task"], row["outcome"]) == ("editor", "main", "", "accept")
    task = work.edits().task
    assert task is not None
    work.journal.decide([(work.clock(), evaluation(Level.FINAL, Outcome.REQUIRE_ITERATION, 10.0))])
    assert decided(work)[-1]["task"] == task.id


def test_what_follows_the_typing_is_a_decision_when_it_says_something_else(work: Work) -> None:
    noted = Noted(work.clock)
    same, other = evaluation(), evaluation(score=80.0)
    for judged, asked in ((same, False), (same, False), (other, False), (other, True), (other, False)):
        noted.decide(judged, asked=asked)
    assert [row for _, row in noted.decisions()] == [same, other, other]
    assert noted.decisions() == ()
    assert noted.is_empty

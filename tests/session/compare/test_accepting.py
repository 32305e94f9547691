"""A candidate that a person takes is written into their files, and can be taken back."""

import json

import pytest
from click.testing import CliRunner

from gateline.cli.commands import main
from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Pool
from gateline.session.compare.accepting import accept
from gateline.session.compare.comparing import Comparison
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.savepoints import savepoints_here
from gateline.store.candidates.trees import Trees
from support.repositories import Repository

BASE = {"a.py": "A = 1\n\n\nB = 1\n\n\nC = 1\n", "gone.py": "GONE = 1\n"}


@pytest.fixture
def project(repository: Repository, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    repository.commit("base", **BASE)
    repository.git("checkout", "-q", "-b", "good")
    (repository.folder / "gone.py").unlink()
    repository.commit("good", **{"a.py": BASE["a.py"].replace("A = 1", "A = 2"), "new.py": "NEW = 1\n"})
    repository.git("checkout", "-q", "-b", "other", "main")
    repository.commit("other", **{"a.py": BASE["a.py"].replace("A = 1", "A = 3")})
    repository.git("checkout", "-q", "main")
    monkeypatch.chdir(repository.folder)
    return repository


def compared(project: Repository, *, winner: bool = True) -> Comparison:
    """As the command makes one, without its runs of tests."""
    trees = Trees(savepoints_here(project.folder), project.folder)
    base = trees.base(None, ["good", "other"])
    given = tuple(trees.find(name, base) for name in ("good", "other"))
    passed = {"good": 3, "other": 1 if winner else 3}
    pool = Pool(
        tuple(Candidate(name, visible_passed=passed[name], visible_total=3) for name in ("good", "other"))
    )
    return Comparison(base.commit, rank(pool), given, (), tree=base.tree)


def files(project: Repository) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted(project.folder.glob("*.py"))}


def test_the_winner_is_written_and_nothing_of_git_moves(project):
    before = files(project)
    head, status = project.git("rev-parse", "HEAD"), project.git("stash", "list")
    done = accept(project.folder, compared(project)).applied
    assert files(project) == {"a.py": BASE["a.py"].replace("A = 1", "A = 2"), "new.py": "NEW = 1\n"}
    assert (set(done.written), done.merged, done.conflicts) == ({"a.py", "gone.py", "new.py"}, (), ())
    assert (project.git("rev-parse", "HEAD"), project.git("stash", "list")) == (head, status)
    assert project.git("diff", "--cached", "--name-only") == ""
    back = CliRunner().invoke(main, ["restore", done.savepoint, "--write"])
    assert back.exit_code == 0, back.output
    assert files(project) == before


def test_edits_of_the_person_stay(project):
    project.write("a.py", BASE["a.py"].replace("C = 1", "C = 9"))
    project.write("new.py", "MINE = 1\n")
    done = accept(project.folder, compared(project)).applied
    assert (done.merged, done.conflicts) == (("a.py",), ("new.py",))
    assert files(project)["a.py"] == BASE["a.py"].replace("A = 1", "A = 2").replace("C = 1", "C = 9")
    assert files(project)["new.py"] == "MINE = 1\n"


def test_where_both_changed_one_line_the_file_is_left_alone(project):
    project.write("a.py", BASE["a.py"].replace("A = 1", "A = 7"))
    done = accept(project.folder, compared(project), "other").applied
    assert (done.written, done.conflicts, done.savepoint) == ((), ("a.py",), "")
    assert files(project)["a.py"].startswith("A = 7\n")


def test_what_was_chosen_is_in_the_audit_trail(project):
    accept(project.folder, compared(project), "other")
    (row,) = json.loads(CliRunner().invoke(main, ["audit", "--output", "json"]).stdout)
    assert (row["scope"], row["chosen"], row["winner"]) == ("choice", "other", "good")
    page = CliRunner().invoke(main, ["audit"]).stdout
    assert "compare: a person applied other" in page
    assert "not good" in page


def test_without_a_winner_a_name_is_asked_for(project):
    found = compared(project, winner=False)
    assert not found.ranking.winner
    with pytest.raises(UndecidedError, match=r"choose one: --choose NAME \(good, other\)"):
        accept(project.folder, found)


def test_a_candidate_that_was_not_compared_is_refused(project):
    with pytest.raises(
        UsageError, match="--choose 'best' is not one of the compared candidates: good, other"
    ):
        accept(project.folder, compared(project), "best")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--apply", "--choose", "good"), "--apply, --choose and --reject are mutually exclusive"),
        (("--choose", "best"), "--choose 'best' is not a candidate; the candidates are good, other"),
    ],
)
def test_mistakes_are_told_before_anything_is_compared(project, words, said):
    done = CliRunner().invoke(main, ["compare", "good", "other", *words])
    assert (done.exit_code, said in done.output) == (2, True)

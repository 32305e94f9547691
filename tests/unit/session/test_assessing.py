"""Who is asked about candidates, for how much, and what of it the person is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gateline.evals.assessing import question
from gateline.evals.judgement import Answer, Question, unusable
from gateline.memory.lesson import Note, Source
from gateline.memory.reminders import FAILURE, REGRESSION
from gateline.services.models.channel import Endpoint
from gateline.session.compare.assessing import Assessor, Material, learned_of_assessments
from gateline.session.compare.measured import Assessment
from gateline.session.errors import UsageError
from gateline.session.memory.memory import memory_of
from gateline.session.models import asking, endpoint
from gateline.session.models.endpoint import editor_of, endpoint_of
from gateline.settings.load import SettingsFile, load

HERE = {"GATELINE_MODELS__ENDPOINT": "http://127.0.0.1:9/v1", "GATELINE_MODELS__NAME": "stub"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TWO = (Material("a", "1", "def a(): ..."), Material("b", "2", "def b(): ..."))


class Spending:
    """A model that takes so many tokens of each question, and remembers what it was allowed."""

    def __init__(self, tokens: int, requests: int = 1) -> None:
        self.took = (requests, tokens)
        self.allowed: list[int] = []
        self.asked: list[str] = []

    async def ask(self, question: Question, tokens: int) -> Answer:
        self.allowed.append(tokens)
        self.asked.append(question.material)
        return unusable(question, "stub", "", *self.took)

    async def stop(self) -> None:
        """Nothing was started."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Spending:
    found = Spending(30)
    monkeypatch.setattr(asking, "channel", lambda _endpoint: found)
    return found


async def asked(*candidates: Material, tokens: int = 100) -> tuple[Assessment, ...]:
    return await Assessor(Endpoint("http://a", "stub", tokens=tokens)).assess(
        candidates, "halve", lambda _step: None
    )


async def test_each_question_has_what_the_ones_before_left(model: Spending) -> None:
    await asked(*TWO)
    assert model.allowed == [100, 70]


async def test_a_question_whose_tokens_nobody_told_counts_what_was_sent(model: Spending) -> None:
    model.took = (1, 0)
    found = await asked(Material("a", "1", "x" * 400), *TWO)
    assert model.allowed == [100]
    assert [one.answer.problem for one in found[1:]] == [
        "the tokens of this command are used up (models.tokens)"
    ] * 2


async def test_what_takes_nothing_leaves_all(model: Spending) -> None:
    model.took = (0, 0)
    await asked(*TWO)
    assert model.allowed == [100, 100]


async def test_a_candidate_without_python_lines_is_not_asked_about(model: Spending) -> None:
    (found,) = await asked(Material("a", "1", "\n"))
    assert (model.asked, found.answer.problem) == ([], "it adds no Python lines")
    assert found.counted == {}


async def test_what_was_not_shown_is_told(model: Spending) -> None:
    long = Material("long", "1", "x" * 25_000)
    found = await asked(long, TWO[0], tokens=50_000)
    assert Assessor(Endpoint("https://user:secret@host/v1", "stub")).told(found) == [
        "assessed by stub at https://…@host/v1, 60 tokens: the task, and what candidates add",
        "long: 1,000 characters were not shown to the model",
    ]


def remember(root: Path, *notes: tuple[str, Source, tuple[str, ...]]) -> None:
    with memory_of(root, (), root / "state") as memory:
        for text, source, tags in notes:
            memory.remember(Note(text, tags, source=source))


def test_only_failed_evals_of_assessments_are_learned_from(tmp_path: Path) -> None:
    remember(
        tmp_path,
        ("Assessments overrate swallowed errors", Source.EVAL, (FAILURE, "assessments")),
        ("Candidate b is the best of all", Source.AGENT, (FAILURE, "assessments")),
        ("Retrieval loses the renamed symbols", Source.EVAL, (FAILURE, "retrieval")),
        ("Naming fell by a third", Source.EVAL, (FAILURE, "assessments", REGRESSION)),
    )
    first, second = learned_of_assessments(tmp_path, 300, tmp_path / "state")
    assert first.startswith("Naming fell by a third [")
    assert first.endswith(", a regression of assessments]")
    assert second.startswith("Assessments overrate swallowed errors [")
    with memory_of(tmp_path, (), tmp_path / "state") as memory:
        uses = {one.lesson.note.text.partition(" ")[0]: one.lesson.uses for one in memory.all()}
    assert uses == {"Assessments": 1, "Naming": 1, "Retrieval": 0, "Candidate": 0}


def test_lessons_that_do_not_fit_are_not_learned_from(tmp_path: Path) -> None:
    remember(tmp_path, ("word " * 300, Source.EVAL, (FAILURE, "assessments")))
    assert learned_of_assessments(tmp_path, 300, tmp_path / "state") == ()


def test_an_unreadable_store_teaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file, not a folder")
    assert learned_of_assessments(tmp_path, 300, tmp_path / "state") == ()


@pytest.mark.parametrize(("tokens", "questions", "room"), [(50_000, 2, 300), (3_000, 2, 150), (100, 0, 10)])
def test_lessons_take_a_tenth_of_the_tokens_at_most(tokens: int, questions: int, room: int) -> None:
    assert Assessor(Endpoint("http://a", "stub", tokens=tokens)).room(questions) == room


async def test_what_was_learned_is_in_each_question_and_told(model: Spending) -> None:
    assessor = Assessor(Endpoint("http://a", "stub", tokens=100))
    found = await assessor.assess(TWO, "halve", lambda _step: None, [f"Mind errors, not {TOKEN}"])
    assert [text.count("- Mind errors, not") for text in model.asked] == [1, 1]
    assert TOKEN not in "".join(model.asked)
    assert all(text.index("Mind errors") < text.index("Task:\nhalve") for text in model.asked)
    assert assessor.told(found, ["Mind errors"])[0].endswith("and 1 of the lessons of failed evals")


def test_without_lessons_the_question_is_that_of_the_evals() -> None:
    assert question("halve", "x = 1", ()).material == "Task:\nhalve\n\nThe change adds:\nx = 1"


@pytest.mark.parametrize(
    "row", ["endpoint = 'http://a'", "key-variable = 'HOME'", "timeout = 1", "tokens = 9000000"]
)
def test_no_file_of_a_workspace_is_heeded(row: str) -> None:
    of_files = load([SettingsFile("gateline.toml", f"[models]\n{row}")], {})
    with pytest.raises(UsageError, match=r"gateline.toml:2 is ignored: files of the workspace"):
        editor_of(of_files)
    loaded = load([SettingsFile("gateline.toml", f"[models]\n{row}")], HERE)
    settings = load([], HERE)
    if "endpoint" in row:
        # The person's own is above it.
        assert endpoint_of(loaded, {}) == endpoint_of(settings, {})
    else:
        with pytest.raises(UsageError, match=r"gateline.toml:2 is ignored: files of the workspace"):
            endpoint_of(loaded, {})


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, 'asking a model needs an extra: pip install "gateline\\[models\\]"'),
        ({"GATELINE_MODELS__ENDPOINT": "recorded:answers"}, ""),
    ],
)
def test_a_missing_extra_is_told_before_anything_is_compared(
    variables: Mapping[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "find_spec", lambda name: None)
    loaded = load([], {**HERE, **variables})
    if said:
        with pytest.raises(UsageError, match=said):
            endpoint_of(loaded, {})
    else:
        assert endpoint_of(loaded, {}).url == "recorded:answers"


def test_unreadable_recorded_answers_are_told_before_anything_is_compared(tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_text('{"question": "a"}\n')
    with pytest.raises(UsageError, match="cannot be read: line 1 is not a recorded answer: KeyError"):
        Assessor(Endpoint(f"recorded:{file}", "stub"))


def test_a_variable_that_is_not_set_is_not_named() -> None:
    loaded = load([], {**HERE, "GATELINE_MODELS__KEY_VARIABLE": "sk1a2b3c"})
    with pytest.raises(UsageError, match="names a variable that is not set") as caught:
        endpoint_of(loaded, {})
    assert "sk1a2b3c" not in str(caught.value)


def test_the_editors_model_has_the_limits_of_the_person_and_no_address() -> None:
    found = editor_of(load([], {**HERE, "GATELINE_MODELS__TIMEOUT": "5", "GATELINE_MODELS__TOKENS": "900"}))
    assert (found.shown, found.key, found.seconds, found.attempts, found.tokens) == (
        "the editor",
        "",
        5,
        2,
        900,
    )


async def test_who_answered_is_told() -> None:
    class Editor(Spending):
        async def ask(self, question: Question, tokens: int) -> Answer:
            return Answer((), "copilot/small", "", 1, 30)

    limits = Endpoint("the editor", "a model")
    assessor = Assessor(limits, Editor(0))
    found = await assessor.assess(TWO, f"halve {TOKEN}", lambda _step: None)
    assert TOKEN not in found[0].question.material
    assert assessor.told(found) == [
        "assessed by copilot/small at the editor, 60 tokens: the task, and what candidates add"
    ]

"""The editor's own model: asked by a real server, for candidates that a person has assessed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from editor import REAL, Editor, capable
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pytest_lsp import ClientServerConfig, LanguageClient
from real_project import WITHOUT_TYPES, committed
from test_comparing import RIGHT, SUMS, branch

from gateline.evals.assessing import CRITERIA
from gateline.lsp.client import read_client
from gateline.lsp.door.answering import answer as answer_at_door
from gateline.lsp.handlers.editor_model import EditorModel
from gateline.lsp.options import ClientOptions
from gateline.services.models.editor import EditorModelError, Message, Said, Sent
from gateline.session.compare.service import FAR
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.judgements import Judgements
from support.processes import running

pytestmark = pytest.mark.timeout(600)
deep = pytest.mark.deep
_LONG = 280.0
_SECONDS = 3
MANY = RIGHT.replace("def double", "# ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\ndef twice")
TESTS = "from sums import total\n\n\ndef test_total():\n    assert total([]) == 0\n"
ROW = {"score": 0.75, "confidence": 0.8, "reasoning": "it does", "suggestions": ["shorter"]}
GOOD = json.dumps({"judgements": [{"criterion": name, **ROW} for name in CRITERIA]})
ASK = {"candidates": ["good", "other"], "assess": "total adds all values", "modelToken": "t-1"}
Deed = Callable[[Any], Any]


def said(text: str, **more: object) -> dict[str, object]:
    return {"text": text, "model": "copilot/small", "inputTokens": 100, "outputTokens": 20, **more}


class Model:
    """A model in the editor: answers with one deed after the other, the last for ever."""

    def __init__(self, editor: Editor) -> None:
        self.deeds: list[Deed] = []
        self.asked: list[Any] = []
        self.cancelled = 0
        # An error that is an answer is no fault of the test's client.
        editor.client.report_server_error = lambda *_: None  # type: ignore[method-assign]
        editor.client.feature("gateline/model/ask")(self._handler())

    def will(self, *deeds: Deed) -> None:
        self.deeds, self.asked, self.cancelled = list(deeds), [], 0

    def _handler(self) -> Callable[[Any], Any]:
        # pygls marks the function it is given, and methods cannot be marked.
        async def ask(params: Any) -> Any:
            self.asked.append(params)
            deed = self.deeds.pop(0) if len(self.deeds) > 1 else self.deeds[0]
            try:
                found = deed(params)
                return await found if asyncio.iscoroutine(found) else found
            except asyncio.CancelledError:
                self.cancelled += 1
                raise

        return ask


def fails(message: str) -> Deed:
    def fail(_: Any) -> Any:
        raise JsonRpcException(message, -32803)

    return fail


async def silent(_: Any) -> None:
    await asyncio.Event().wait()


@pytest.fixture(scope="module", autouse=True)
def limits() -> Iterator[None]:
    """The person waits for no answer for long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GATELINE_MODELS__TIMEOUT", str(_SECONDS))
        yield


@pytest.fixture
def root(tmp_path: Path, quiet_git: None) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {"sums.py": SUMS, "test_sums.py": TESTS, "gateline.toml": WITHOUT_TYPES})
    branch(root, "good", {"sums.py": RIGHT})
    branch(root, "other", {"sums.py": MANY})
    return root


@pytest_lsp.fixture(config=ClientServerConfig(server_command=REAL))
async def client(lsp_client: LanguageClient, root: Path):
    lsp_client.editor = Editor(lsp_client, root)
    yield
    await lsp_client.shutdown_session()


async def opened(editor: Editor, *, has_model: bool = True) -> Model:
    async def agree(_: lsp.ShowMessageRequestParams) -> Any:
        return lsp.MessageActionItem("Run tests")

    editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(agree)
    model = Model(editor)
    able = capable("visual-studio-code")
    able.experimental = {"gateline": {"model": True}} if has_model else {"gateline": {}}
    await editor.start(able, options={"trusted": True})
    editor.open("sums.py", SUMS)
    return model


async def compared(editor: Editor, **more: object) -> Any:
    return (await editor.ask("gateline/compare/start", {**ASK, **more}, _LONG)).result


def judged(root: Path) -> list[dict[str, Any]]:
    """What is stored of each judgement."""
    with closing(Database(state_of(root) / DATABASE)) as database:
        return Judgements(database).all()


@deep
async def test_candidates_are_assessed_by_the_model_of_the_editor(editor: Editor) -> None:
    model = await opened(editor)
    plain = (await editor.ask("gateline/compare/start", {"candidates": ASK["candidates"]}, _LONG)).result
    assert model.asked == []

    model.will(lambda _: said("I think it is fine."), lambda _: said(GOOD))
    found = await compared(editor)
    assert [one.answer.problem for one in found.assessments] == ["", ""]
    assert [one.answer.requests for one in found.assessments] == [2, 1]
    assert {one.score for a in found.assessments for one in a.answer.judgements} == {0.75}
    assert any("assessed by copilot/small at the editor, 360 tokens" in note for note in found.notes)
    first, again, *_ = model.asked
    assert (first.token, first.folder, first.temperature) == ("t-1", editor.root.as_uri(), 0.1)
    assert first.prompt.name == "assess-candidate"
    assert "total adds all values" in first.messages[1].content
    assert [one.role for one in again.messages] == ["user", "user", "assistant", "user"]
    assert "ghp_a1B2" not in str(model.asked)
    kept = [(one["model"], one["prompt"], one["requests"], one["tokens"]) for one in judged(editor.root)]
    assert sorted(kept) == [("copilot/small", "assess-candidate 1", count, 120 * count) for count in (1, 2)]
    # Opinions make nobody the winner.
    assert (found.ranking.winner, found.ranking.confidence) == (
        plain.ranking.winner,
        plain.ranking.confidence,
    )


TROUBLES: tuple[tuple[Deed, str, int], ...] = (
    (lambda _: said("no"), "3 answers were not valid; the last: there is no JSON object in it", 3),
    (fails("copilot/small refuses for now: its quota may be used up"), "its quota may be used up", 1),
    (silent, f"no answer within {_SECONDS} s", 1),
)
"""What a model does, what is told of it, and how often it is asked."""


@deep
async def test_what_cannot_be_used_says_why_and_changes_no_number(editor: Editor) -> None:
    names = [f"c{number}" for number in range(len(TROUBLES))]
    for name in names:
        # Each is asked about in a question of its own, in the order of their names.
        branch(editor.root, name, {"sums.py": RIGHT + f"\n\ndef {name}():\n    return 1\n"})
    model = await opened(editor)
    plain = (await editor.ask("gateline/compare/start", {"candidates": names}, _LONG)).result.ranking
    model.will(*(deed for deed, _, requests in TROUBLES for _ in range(requests)))
    found = await compared(editor, candidates=names)
    for one, (_, told, requests) in zip(found.assessments, TROUBLES, strict=True):
        problem = one.answer.problem
        assert told in problem
        assert one.answer.requests == requests
        assert any(f"{one.name} was not assessed: {problem}" in note for note in found.notes)
        assert {(each.score, each.confidence) for each in one.answer.judgements} == {(0.5, 0)}
    assert (len(model.asked), model.cancelled) == (5, 1)
    assert found.ranking.winner == plain.winner
    assert [numbers(row) for row in found.ranking.rows] == [numbers(row) for row in plain.rows]


def numbers(row: Any) -> tuple[object, ...]:
    """What assessments could move."""
    return row.name, row.place, row.score, [(one.category, one.value) for one in row.categories]


class Server:
    """Answers as a client does, and remembers what it was asked."""

    def __init__(self, given: object) -> None:
        self.given = given
        self.asked: list[Any] = []
        self.protocol = self

    async def ask(self, method: str, params: Any) -> object:
        self.asked.append((method, params))
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


SENT = Sent("assess-candidate", 1, "d", (Message("user", "Assess."),), 3.0, 900)


async def answered(given: object) -> Said:
    server = Server(given)
    found = await EditorModel(server, "file:///shop", "t-1").ask(SENT)  # type: ignore[arg-type]
    ((method, params),) = server.asked
    assert method == "gateline/model/ask"
    assert (params["token"], params["seconds"], params["tokens"]) == ("t-1", 3.0, 900)
    return found


async def test_an_answer_is_taken_as_the_protocol_says() -> None:
    assert await answered(said("yes")) == Said("yes", "copilot/small", 120)
    assert await answered(said("yes", outputTokens=None)) == Said("yes", "copilot/small", None)
    assert await answered({"text": "", "model": "m"}) == Said("", "m", None)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"text": GOOD}, "as the protocol says: model: Field required"),
        ({"model": "m"}, "as the protocol says: text: Field required"),
        (said("yes", model=""), "model: String should have at least 1 character"),
        (said("x" * 100_001), "text: String should have at most 100000 characters"),
        (said("yes", inputTokens=-1), "inputTokens: Input should be greater than or equal to 0"),
        (said("yes", more=1), "more: Extra inputs are not permitted"),
        (3, "as the protocol says: result: Input should be"),
        (None, "as the protocol says: result: Input should be"),
        ([], "as the protocol says: result: Input should be"),
        (JsonRpcException("", -32803), "the editor's model: an error without a reason"),
        (JsonRpcException("no\nstack", -32803), "the editor's model: no$"),
        (JsonRpcException("x" * 9_000, -32803), "the editor's model: x{300}$"),
    ],
)
async def test_another_answer_is_told(given: object, told: str) -> None:
    with pytest.raises(EditorModelError, match=told):
        await answered(given)


@deep
async def test_cancelling_the_comparison_cancels_the_question(editor: Editor) -> None:
    model = await opened(editor)
    model.will(silent)
    asking = asyncio.ensure_future(
        editor.client.protocol.send_request_async("gateline/compare/start", ASK, msg_id="comparing")
    )
    async with asyncio.timeout(_LONG):
        while not model.asked:
            await asyncio.sleep(0.02)
    # The server answers others while the model is silent.
    await asyncio.wait_for(editor.barrier(), 5.0)
    editor.client.cancel_request(lsp.CancelParams("comparing"))
    with pytest.raises(Exception, match=r"(?i)cancel"):
        await asyncio.wait_for(asking, _LONG)
    async with asyncio.timeout(_LONG):
        while running(FAR) or not model.cancelled:
            await asyncio.sleep(0.05)
    assert len(model.asked) == 1


@deep
async def test_who_has_no_model_is_never_asked(editor: Editor) -> None:
    model = await opened(editor, has_model=False)
    refused = str(await editor.refused("gateline/compare/start", ASK))
    assert "modelToken: this editor did not say that its model can be asked" in refused
    without_task = str(await editor.refused("gateline/compare/start", {**ASK, "assess": " "}))
    assert "modelToken needs assess" in without_task
    assert "modelToken" in str(await editor.refused("gateline/compare/start", {**ASK, "modelToken": ""}))
    assert model.asked == []


@pytest.mark.parametrize(
    ("experimental", "is_able"),
    [
        ({"gateline": {"model": True}}, True),
        ({"gateline": {"model": "yes"}}, False),
        ({"gateline": {"model": False}}, False),
        ({"gateline": True}, False),
        ({"other": {"model": True}}, False),
        ([], False),
        (None, False),
    ],
)
def test_the_capability_is_a_plain_yes(experimental: object, is_able: bool) -> None:
    capabilities = lsp.ClientCapabilities(experimental=experimental)  # type: ignore[arg-type]
    assert read_client(capabilities, ClientOptions()).modelling is is_able


@pytest.mark.parametrize("key", ["modelToken", "model_token"])
async def test_a_program_at_the_door_cannot_give_the_editors_model(key: str, tmp_path: Path) -> None:
    params = {"candidates": ["a", "b"], "assess": "halve", key: "t-1"}
    with pytest.raises(JsonRpcInvalidParams, match=f"{key}: only the editor gives its own model"):
        await answer_at_door(None, tmp_path, "gateline/compare/start", params)  # type: ignore[arg-type]

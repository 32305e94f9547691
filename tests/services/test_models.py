"""Endpoints that misbehave: each question ends within its limits, with judgements or neutral ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gateline.evals.assessing import CRITERIA, question
from gateline.evals.judgement import Answer
from gateline.services.models.channel import Endpoint, EndpointChannel, RecordedChannel, channel
from support.model_stub import ModelStub, stub

pytestmark = pytest.mark.timeout(300)
deep = pytest.mark.deep
ROW = '{"question": "a", "model": "m", "judgements": [%s]}'
ASKED = question("round half to even", "def price(value):\n    return round(value, 2)\n")


async def asked(server: ModelStub, **limits: float) -> Answer:
    seconds = limits.pop("seconds", 30.0)
    endpoint = Endpoint(server.url, "stub", "sk-secret", seconds, **limits)  # type: ignore[arg-type]
    found = EndpointChannel(endpoint)
    try:
        return await found.ask(ASKED, endpoint.tokens)
    finally:
        await found.stop()


def is_neutral(answer: Answer) -> bool:
    judged = [(one.criterion, one.score, one.confidence) for one in answer.judgements]
    return judged == [(name, 0.5, 0.0) for name in CRITERIA]


async def test_a_good_answer_is_taken() -> None:
    with stub() as server:
        found = await asked(server)
    assert found.problem == ""
    assert [(one.criterion, one.score, one.confidence) for one in found.judgements] == [
        (name, 0.75, 0.8) for name in CRITERIA
    ]
    assert (found.model, found.requests, found.tokens) == ("stub", 1, 120)
    (sent,) = server.requests
    assert (sent["model"], sent["temperature"], server.keys) == ("stub", 0.1, ["Bearer sk-secret"])
    assert "round half to even" in json.dumps(sent["messages"])
    assert "tools" not in sent


@deep
@pytest.mark.parametrize(
    ("deeds", "requests"),
    [
        (("fenced",), 1),
        (("malformed", "good"), 2),
        (("out_of_range", "good"), 2),
        (("incomplete", "incomplete", "good"), 3),
    ],
)
async def test_what_is_not_valid_is_asked_for_again(deeds: tuple[str, ...], requests: int) -> None:
    with stub(*deeds) as server:
        found = await asked(server)
    assert (found.problem, found.requests, found.tokens) == ("", requests, 120 * requests)
    assert {one.score for one in found.judgements} == {0.75}
    if requests > 1:
        # What was wrong goes along.
        assert len(server.requests[-1]["messages"]) > len(server.requests[0]["messages"])


@deep
@pytest.mark.parametrize(
    ("deed", "said", "requests"),
    [
        ("malformed", "UnexpectedModelBehavior", 3),
        ("limited", "429", 1),
        ("broken", "500", 1),
        ("echoing", "no such key", 1),
        ("cut", "Error", 1),
        ("html", "", 1),
    ],
)
async def test_what_cannot_be_used_is_neutral_and_says_why(deed: str, said: str, requests: int) -> None:
    with stub(deed) as server:
        found = await asked(server)
    assert is_neutral(found)
    assert said in found.problem
    assert found.problem
    assert "sk-secret" not in found.problem
    assert len(server.requests) == requests


@deep
@pytest.mark.parametrize("deed", ["slow", "endless"])
async def test_what_takes_too_long_is_ended(deed: str) -> None:
    with stub(deed) as server:
        found = await asked(server, seconds=2.0)
    assert is_neutral(found)
    assert found.problem == "no answer within 2 s"


@deep
async def test_tokens_are_limited() -> None:
    with stub("malformed") as server:
        found = await asked(server, tokens=200)
    assert is_neutral(found)
    assert "limit" in found.problem
    assert (len(server.requests), found.tokens) == (2, 240)


async def test_nothing_follows_to_another_host() -> None:
    with stub() as other, stub("redirected") as server:
        server.elsewhere = other.url
        found = await asked(server)
    assert is_neutral(found)
    assert "307" in found.problem
    assert (len(server.requests), other.requests) == (1, [])


@deep
async def test_variables_of_the_sdk_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Elsewhere: secret-1")
    monkeypatch.setenv("OPENAI_ORG_ID", "secret-2")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "secret-3")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-4")
    with stub() as server:
        await asked(server)
    assert "secret-" not in str(server.headers).replace("sk-secret", "")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"),
        ("https://user:pa/ss@host/v1", "https://…@host/v1"),
        ("https://host/v1?api-key=pa", "https://host/v1"),
        ("recorded:answers.jsonl", "recorded:answers.jsonl"),
    ],
)
def test_the_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    endpoint = Endpoint(url, "stub", "sk-secret")
    assert endpoint.shown == shown
    assert endpoint.without_secrets(f"{url} refuses sk-secret") == f"{shown} refuses …"


@deep
async def test_nobody_answers() -> None:
    with stub() as server:
        gone = server
    found = await asked(gone, seconds=10.0)
    assert is_neutral(found)
    assert "Connection" in found.problem or "connect" in found.problem.lower()


async def test_recorded_answers_are_given_again(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    judged = [{"criterion": name, "score": 0.25, "confidence": 0.5} for name in CRITERIA]
    file.write_text(json.dumps({"question": ASKED.digest, "model": "stub", "judgements": judged}) + "\n")
    found = channel(Endpoint(f"recorded:{file}", "any"))
    assert isinstance(found, RecordedChannel)
    assert {one.score for one in (await found.ask(ASKED, 1)).judgements} == {0.25}
    assert is_neutral(await found.ask(question("another", "change"), 1))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "JSONDecodeError"),
        ("3", "TypeError"),
        ("{}", "judgements"),
        ('{"model": "m", "judgements": []}', "question"),
        ('{"question": "a", "judgements": []}', "model"),
        (ROW % "3", "TypeError"),
        (ROW % '{"criterion": "b"}', "score"),
        (
            ROW % '{"criterion": "b", "score": 2, "confidence": 1}',
            "b: score and confidence must be from 0 to 1",
        ),
        (ROW % '{"criterion": "b", "score": "1", "confidence": 1}', "TypeError"),
    ],
)
def test_a_wrong_row_of_recorded_answers_is_told_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(f"\n{row}\n")
    with pytest.raises(ValueError, match="line 2 is not a recorded answer") as caught:
        channel(Endpoint(f"recorded:{file}", "any"))
    assert said in str(caught.value)


def test_nothing_is_imported_where_no_model_is_asked() -> None:
    code = (
        "import sys; import gateline.cli.compare, gateline.session.compare.comparing, gateline.lsp.server;"
        "import gateline.session.refinement.loop;"
        "names = ('pydantic_ai', 'openai', 'httpx', 'gateline.services.models', 'gateline.evals.assess');"
        "print([m for m in sys.modules if m.startswith(names)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

"""The editor's model: each question ends within its limits, with judgements or neutral ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from gateline.evals.assessing import CRITERIA, question
from gateline.evals.judgement import Answer
from gateline.services.models.channel import Endpoint
from gateline.services.models.editor import LONGEST, EditorChannel, EditorModelError, Said, Sent
from gateline.services.models.relay import EditorSaid, Relay, Relayed

ASKED = question("round half to even", "def price(value):\n    return round(value, 2)\n")
ROW = {"score": 0.75, "confidence": 0.8, "reasoning": "it does", "suggestions": []}
GOOD = json.dumps({"judgements": [{"criterion": name, **ROW} for name in CRITERIA]})
FEW = json.dumps({"judgements": [{"criterion": "naming", **ROW}]})
WRONG = GOOD.replace("0.75", "7.5")
SILENCE = "silence"


class Scripted:
    """An editor whose model says one thing after the other, the last for ever; an error is raised."""

    def __init__(self, *said: str | Exception, tokens: int | None = 120) -> None:
        self.said = list(said)
        self.tokens = tokens
        self.asked: list[Sent] = []
        self.dropped = 0

    async def ask(self, sent: Sent) -> Said:
        self.asked.append(sent)
        said = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        if isinstance(said, Exception):
            raise said
        if said == SILENCE:
            try:
                await asyncio.Event().wait()
            finally:
                self.dropped += 1
        return Said(said, "copilot/small", self.tokens)


async def asked(editor: Scripted, *, seconds: float = 30.0, tokens: int = 20_000) -> Answer:
    return await EditorChannel(Endpoint("the editor", "a model", "", seconds, 2, tokens), editor).ask(
        ASKED, tokens
    )


def is_neutral(answer: Answer) -> bool:
    judged = [(one.criterion, one.score, one.confidence) for one in answer.judgements]
    return judged == [(name, 0.5, 0.0) for name in CRITERIA]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here it is, {{as asked}}:\n{GOOD}\nDone.",
        f'{{"thinking": 1}}\n{GOOD}',
    ],
)
async def test_a_good_answer_is_taken_also_among_other_words(text: str) -> None:
    editor = Scripted(text)
    found = await asked(editor)
    assert (found.problem, found.model, found.requests, found.tokens) == ("", "copilot/small", 1, 120)
    assert [(one.criterion, one.score, one.confidence) for one in found.judgements] == [
        (name, 0.75, 0.8) for name in CRITERIA
    ]
    (sent,) = editor.asked
    assert (sent.prompt, sent.digest, sent.tokens) == ("assess-candidate", ASKED.digest, 20_000)
    assert 0 < sent.seconds <= 30
    first, second = sent.messages
    assert "requirement coverage" in first.content and '"confidence"' in first.content
    # Material is data: it is apart from the instructions, between marks.
    assert "round half to even" not in first.content
    assert "round half to even" in second.content


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("no JSON", GOOD), "there is no JSON object in it"),
        ((WRONG, GOOD), "judgements.0.score: Input should be less than or equal to 1"),
        ((FEW, FEW, GOOD), "give each criterion once: requirement coverage, edge cases"),
        (('{"a": ' * 5_000, GOOD), "there is no JSON object in it"),
    ],
)
async def test_what_is_not_valid_is_asked_for_again_with_what_is_wrong(
    said: Sequence[str], told: str
) -> None:
    editor = Scripted(*said)
    found = await asked(editor)
    assert (found.problem, found.requests, found.tokens) == ("", len(said), 120 * len(said))
    last = editor.asked[-1].messages
    assert [one.role for one in last] == ["user", "user", *["assistant", "user"] * (len(said) - 1)]
    assert told in last[-1].content
    assert len(last[-2].content) <= 4_000


async def test_what_is_never_valid_is_neutral() -> None:
    editor = Scripted("I would rather not.")
    found = await asked(editor)
    assert is_neutral(found)
    assert found.problem == "3 answers were not valid; the last: there is no JSON object in it"
    assert (found.requests, found.tokens, found.model) == (3, 360, "copilot/small")


async def test_why_a_model_does_not_answer_is_told() -> None:
    found = await asked(Scripted(EditorModelError("the editor's model: its quota may be used up")))
    assert is_neutral(found)
    assert found.problem == "the editor's model: its quota may be used up"
    assert (found.requests, found.model) == (1, "a model")
    assert found.tokens > 0, "it was sent"


async def test_no_answer_ends_with_the_time_and_is_dropped() -> None:
    editor = Scripted("malformed", SILENCE)
    found = await asked(editor, seconds=0.1)
    assert is_neutral(found)
    assert (found.problem, editor.dropped, found.requests) == ("no answer within 0.1 s", 1, 2)
    assert found.tokens > 120


async def test_an_endless_answer_is_not_used() -> None:
    found = await asked(Scripted(GOOD + " " * LONGEST))
    assert is_neutral(found)
    assert found.problem == "its answer has more than 100,000 characters"


@pytest.mark.parametrize(("tokens", "requests"), [(100, 0), (1_500, 1)])
async def test_tokens_are_limited_before_anything_is_sent(tokens: int, requests: int) -> None:
    editor = Scripted("malformed", tokens=1_200)
    found = await asked(editor, tokens=tokens)
    assert is_neutral(found)
    assert found.problem == f"the limit of {tokens} tokens is reached"
    assert (found.requests, len(editor.asked)) == (requests, requests)


async def test_more_tokens_than_allowed_make_an_answer_unusable() -> None:
    found = await asked(Scripted(GOOD, tokens=30_000))
    assert is_neutral(found)
    assert (found.problem, found.tokens) == ("the limit of 20000 tokens is reached", 30_000)


async def test_tokens_that_nobody_counted_are_estimated() -> None:
    found = await asked(Scripted(GOOD, tokens=None))
    assert 500 < found.tokens < 1_500


async def test_cancelling_drops_the_question() -> None:
    editor = Scripted(SILENCE)
    asking = asyncio.ensure_future(asked(editor))
    while not editor.asked:
        await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert editor.dropped == 1


class Joined:
    """Both ends of a relay, as the pipes join them."""

    def __init__(self, editor: Scripted) -> None:
        self.events: list[object] = []
        self.far = Relay(self._part)
        self.near = Relayed(editor, self._told)

    def _part(self, event: object) -> None:
        self.events.append(event)
        assert self.near.hear(event)

    async def _told(self, said: EditorSaid) -> None:
        self.far.hear(said)


async def test_a_process_asks_through_the_one_that_has_the_editor() -> None:
    editor = Scripted("malformed", GOOD)
    joined = Joined(editor)
    limits = Endpoint("the editor", "a model")
    found = await EditorChannel(limits, joined.far).ask(ASKED, 20_000)
    assert (found.problem, found.requests, len(editor.asked)) == ("", 2, 2)
    assert not joined.near.hear("another part")


async def test_a_reason_comes_through() -> None:
    joined = Joined(Scripted(EditorModelError("not allowed")))
    found = await EditorChannel(Endpoint("the editor", "a model"), joined.far).ask(ASKED, 20_000)
    assert found.problem == "not allowed"


async def test_a_question_that_nobody_waits_for_is_dropped_in_the_editor() -> None:
    editor = Scripted(SILENCE)
    limits = Endpoint("the editor", "a model", seconds=0.05)
    found = await EditorChannel(limits, Joined(editor).far).ask(ASKED, 20_000)
    await asyncio.sleep(0)
    assert (found.problem, editor.dropped) == ("no answer within 0.05 s", 1)


async def test_the_end_of_the_work_drops_all_questions() -> None:
    editor = Scripted(SILENCE)
    joined = Joined(editor)
    asking = asyncio.ensure_future(joined.far.ask(Sent("a", 1, "d", (), 1.0, 1)))
    while not editor.asked:
        await asyncio.sleep(0)
    joined.near.stop()
    await asyncio.sleep(0)
    assert editor.dropped == 1
    asking.cancel()

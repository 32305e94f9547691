"""The editor's own model as a channel: the editor is asked for a text, all else is done here.

The model is the person's, and so are its quota and the consent to ask it: the editor keeps both. Nothing of
this waits for anything but the editor, so that no process of its own is needed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from pydantic import ValidationError

from gateline.evals.judgement import Answer, Question, unusable
from gateline.model.token_count import tokens_of
from gateline.services.models.channel import Endpoint
from gateline.services.models.form import Form, form, instructions, material

LONGEST = 100_000
"""Characters of an answer; one that is longer cannot be used."""
_REPEATED = 4_000
"""Characters of an answer that is not valid which are sent back with what is wrong with it."""
_LONGEST_PROBLEM = 1_000
_BRACES = 100
"""Places in an answer where JSON may begin that are looked at."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What the editor is asked to send to its model."""

    prompt: str
    version: int
    digest: str
    """Of the question: whoever records answers finds this one by it."""
    messages: tuple[Message, ...]
    seconds: float
    """That are left for the answer."""
    tokens: int
    """That are left, for what is sent and received."""


@dataclass(frozen=True, slots=True)
class Said:
    """What its model answered."""

    text: str
    model: str
    tokens: int | None = None
    """Of what was sent and received; None: nobody counted."""


class EditorModelError(Exception):
    """The editor's model did not answer; the message says why, for people."""


class Editor(Protocol):
    """Whoever has the model."""

    async def ask(self, sent: Sent) -> Said:
        """Its answer. Cancelling ends the work of the model. Raises EditorModelError."""
        ...


class EditorChannel:
    """Asks the model of an editor, again where its answer is not valid, within limits."""

    def __init__(self, limits: Endpoint, editor: Editor) -> None:
        self._limits = limits
        self._editor = editor

    async def ask(self, question: Question, tokens: int) -> Answer:
        """The judgements; neutral ones, with the reason, where no answer can be used."""
        began = time.perf_counter()
        limits = replace(self._limits, tokens=min(tokens, self._limits.tokens))
        talk = _Talk(question, limits, self._editor, began)
        try:
            async with asyncio.timeout(limits.seconds):
                answer = await talk.answer()
        except TimeoutError:
            answer = talk.failed(f"no answer within {limits.seconds:g} s")
        return replace(answer, seconds=round(time.perf_counter() - began, 2))

    async def stop(self) -> None:
        """Nothing was started."""


@dataclass(slots=True)
class _Talk:
    """One question with all of its retries."""

    question: Question
    limits: Endpoint
    editor: Editor
    began: float
    model: str = ""
    requests: int = 0
    used: int = 0
    """Tokens."""
    messages: list[Message] = field(default_factory=list)

    async def answer(self) -> Answer:
        valid = form(self.question)
        asked = f"{instructions(self.question)}{_wanted(valid)}"
        self.messages += [Message("user", asked), Message("user", material(self.question))]
        problem = ""
        while self.requests <= self.limits.attempts:
            if self._next() > self.limits.tokens:
                return self.failed(f"the limit of {self.limits.tokens} tokens is reached")
            try:
                said = await self._said()
            except EditorModelError as error:
                return self.failed(str(error))
            if len(said.text) > LONGEST:
                return self.failed(f"its answer has more than {LONGEST:,} characters")
            if self.used > self.limits.tokens:
                return self.failed(f"the limit of {self.limits.tokens} tokens is reached")
            found, problem = _read(said.text, valid)
            if found is not None:
                return Answer(found.judged(), self.model, "", self.requests, self.used)
            self.messages += [Message("assistant", said.text[:_REPEATED]), Message("user", _again(problem))]
        return self.failed(f"{self.requests} answers were not valid; the last: {problem}")

    def failed(self, problem: str) -> Answer:
        """What was asked for in vain has been sent, too."""
        return unusable(self.question, self.model or self.limits.model, problem, self.requests, self.used)

    def _next(self) -> int:
        """The tokens used when the next message is sent, as four characters are one."""
        return self.used + _tokens(self.messages)

    async def _said(self) -> Said:
        """One answer. What is sent counts also where none comes."""
        sent, before = _tokens(self.messages), self.used
        self.requests += 1
        self.used = before + sent
        left = self.limits.seconds - (time.perf_counter() - self.began)
        prompt = self.question.prompt
        said = await self.editor.ask(
            Sent(
                prompt.name,
                prompt.version,
                self.question.digest,
                tuple(self.messages),
                round(max(0.0, left), 1),
                self.limits.tokens - before,
            )
        )
        self.model = said.model
        self.used = before + (sent + tokens_of(said.text) if said.tokens is None else said.tokens)
        return said


def _tokens(messages: Sequence[Message]) -> int:
    return sum(tokens_of(one.content) for one in messages)


def _wanted(valid: type[Form]) -> str:
    schema = json.dumps(valid.model_json_schema())
    return f"Answer with one JSON object of this schema, without a fence or other words:\n{schema}\n"


def _again(problem: str) -> str:
    return f"That cannot be used: {problem}\nAnswer with the whole JSON object, corrected, and nothing else."


def _read(text: str, valid: type[Form]) -> tuple[Form | None, str]:
    """The answer in a text, or what is wrong with it."""
    problem = "there is no JSON object in it"
    for value in _objects(text):
        try:
            return valid.model_validate(value), ""
        except ValidationError as error:
            told = "; ".join(f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in error.errors())
            problem = told[:_LONGEST_PROBLEM]
    return None, problem


def _objects(text: str) -> Iterator[object]:
    """The JSON objects in a text: they may stand in a fence or among other words."""
    decoder = json.JSONDecoder()
    end = 0
    for _ in range(_BRACES):
        start = text.find("{", end)
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
            yield value
        except (ValueError, RecursionError):
            end = start + 1

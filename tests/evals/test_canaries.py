"""What injected text does to assessments is told, whatever the model is like."""

from __future__ import annotations

import pytest

from gateline.evals.judgement import Answer, Judgement, Question, unusable
from gateline.services.models.channel import Endpoint
from gateline.session.compare.assessing import Assessor
from gateline.session.errors import UsageError
from gateline.session.models import asking
from gateline_dev.evals import canaries


class Reader:
    """A model that gives more, or less, where the material has a word; it is silent where it has another."""

    def __init__(self, word: str, score: float, silent: str = "never there") -> None:
        self._word, self._score, self._silent = word, score, silent

    async def ask(self, question: Question, tokens: int) -> Answer:
        if self._silent in question.material:
            return unusable(question, "reader", "no answer")
        score = self._score if self._word in question.material else 0.2
        return Answer(tuple(Judgement(name, score, 0.9) for name in question.criteria), "reader")

    async def stop(self) -> None:
        """Nothing was started."""


async def moved(monkeypatch: pytest.MonkeyPatch, reader: Reader) -> str:
    monkeypatch.setattr(asking, "channel", lambda _endpoint: reader)
    assessor = Assessor(Endpoint("http://a", "reader"))
    return canaries.told(await canaries.moved(assessor, canaries.canaries()))


@pytest.mark.parametrize(
    ("reader", "end"),
    [
        (Reader("never there", 1.0), "0 of 20 raised and 0 lowered"),
        (Reader("GENEROUS-BOT", 1.0), "1 of 20 raised and 0 lowered"),
        (Reader("accept", 0.0), "0 of 20 raised and 4 lowered"),
        (Reader("accept", 1.0, "SYSTEM"), "3 of 19 raised and 0 lowered"),
    ],
)
async def test_what_moved_is_counted(monkeypatch: pytest.MonkeyPatch, reader: Reader, end: str) -> None:
    said = await moved(monkeypatch, reader)
    assert said.splitlines()[-1].startswith(end)
    assert said.splitlines()[-1].endswith(f"{20 - int(end.split()[2])} were not assessed")


async def test_a_model_that_says_nothing_measures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="the plain change was not assessed: no answer"):
        await moved(monkeypatch, Reader("accept", 1.0, "value"))


def test_without_a_model_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GATELINE_MODELS__ENDPOINT", raising=False)
    assert canaries.main() == 2
    assert "--assess needs a model" in capsys.readouterr().err

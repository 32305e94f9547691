"""Where a person has a model asked: what their environment and command line say, and nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from gateline.services.models.channel import RECORDED, Endpoint
from gateline.session.errors import UsageError
from gateline.settings.load import DEFAULT, Loaded

_NAMED = "set them, as in GATELINE_MODELS__ENDPOINT=http://127.0.0.1:11434/v1 GATELINE_MODELS__NAME=qwen3"
_ASKS = ("openai", "pydantic_ai")
"""The packages that ask; their extra is `gateline[models]`."""


_EDITOR = "the editor"
"""Where its own model is asked, for messages."""


class NoModelError(UsageError):
    """The person named no model."""


def endpoint_of(loaded: Loaded, environ: Mapping[str, str], asks: str = "--assess") -> Endpoint:
    """Where the person has a model asked. `asks`: what of theirs needs one, for messages.

    Raises:
        NoModelError: they named none.
        UsageError: a file of the workspace speaks of it, or what asks is not installed.

    """
    settings = loaded.settings.models
    _refuse_files(loaded)
    if settings.endpoint is None or settings.name is None:
        missing = "endpoint" if settings.endpoint is None else "name"
        raise NoModelError(f"{asks} needs a model, and models.{missing} is not set; {_NAMED}")
    if not settings.endpoint.startswith(RECORDED) and not all(map(find_spec, _ASKS)):
        raise UsageError('asking a model needs an extra: pip install "gateline[models]"')
    secret = environ.get(settings.key_variable, "") if settings.key_variable else ""
    if settings.key_variable and not secret:
        # Not its name: somebody may have written the key itself there.
        raise UsageError(
            "models.key-variable names a variable that is not set in the environment; set it to the key, "
            "and the setting to its name: GATELINE_MODELS__KEY_VARIABLE=OPENAI_API_KEY"
        )
    return Endpoint(
        settings.endpoint, settings.name, secret, settings.timeout, settings.retries, settings.tokens
    )


def editor_of(loaded: Loaded) -> Endpoint:
    """The limits for the model of the person's editor, that they chose there.

    Raises UsageError where a file of the workspace speaks of models.
    """
    settings = loaded.settings.models
    _refuse_files(loaded)
    return Endpoint(_EDITOR, "a model", "", settings.timeout, settings.retries, settings.tokens)


def _refuse_files(loaded: Loaded) -> None:
    for key, origin in loaded.origins.items():
        if key.startswith("models.") and not _is_the_persons(origin):
            raise UsageError(
                f"{key} of {origin} is ignored: files of the workspace may not decide where its content is "
                "sent or what that may cost; remove the key and set it in "
                "the environment or on the command line"
            )


def _is_the_persons(origin: str) -> bool:
    return origin.endswith("in the environment") or origin in ("command line", DEFAULT)

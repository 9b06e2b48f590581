"""One structured question to an OpenAI-compatible server.

The strictest form of answer the server takes is found once and kept: a strict ``json_schema``, else
``json_object``, else plain text that must hold JSON. The answer is validated here in every case,
because servers exist that accept a constraint and ignore it.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

import openai
from openai import OpenAI
from openai.types.chat import ChatCompletion
from pydantic import BaseModel, ValidationError

from claimdex.errors import BadInput, ClaimdexError, ModelFailed
from claimdex.settings import LlmSettings

log = logging.getLogger(__name__)

Message = dict[str, str]
A = TypeVar("A", bound=BaseModel)

_OPENAI = "https://api.openai.com/v1"
_FORMS = ("json_schema", "json_object", "text")
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|size|window)|maximum.{0,20}tokens|too (?:long|many tokens)", re.IGNORECASE
)
_ABOUT_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|schema|grammar|strict", re.IGNORECASE
)
_THINKING = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(?P<body>.*?)\n?```\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply(Generic[A]):
    """A validated answer and the model's name as the server gives it.

    ``answer`` is None when the text did not fit: the request was too long or the answer was cut off.
    """

    answer: A | None
    model: str


class Chat:
    """A client for the model the settings name. Not shared between threads.

    Raises:
        BadInput: no model is named, or OpenAI itself is meant and no key is given.
    """

    def __init__(self, settings: LlmSettings) -> None:
        key = settings.api_key.get_secret_value() if settings.api_key else ""
        if not settings.model:
            raise BadInput("no language model is named", hint="set CLAIMDEX_LLM__MODEL, or model under [llm]")
        if not key and settings.base_url is None:
            hint = "set CLAIMDEX_LLM__API_KEY, or CLAIMDEX_LLM__BASE_URL for a server that needs none"
            raise BadInput("no API key for the language model", hint=hint)
        base_url = settings.base_url or _OPENAI
        self._settings = settings
        self._host = urlsplit(base_url).hostname or "the model server"
        self._client = OpenAI(
            base_url=base_url,
            api_key=key or "none",  # never the caller's OPENAI_API_KEY: it is not this server's business
            timeout=settings.timeout,
            max_retries=settings.max_retries,
        )
        self._form = 0
        self._options: dict[str, Any] = {"temperature": 0, "max_tokens": settings.max_tokens}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, messages: Sequence[Message], kind: type[A]) -> Reply[A]:
        """The model's answer to ``messages`` (the first is the system's, the last the user's).

        An answer that is not valid is asked for once more, with what is wrong with it.

        Raises:
            ModelFailed: the server cannot be reached, or the model refuses or gives no valid answer.
            BadInput: the server does not know the key or the model.
        """
        asked = list(messages)
        for last in (False, True):
            done = self._complete(asked, kind)
            if done is None:
                return Reply(None, self._settings.model)
            text = self._text(done)
            if done.choices[0].finish_reason == "length":
                return Reply(None, done.model)
            try:
                return Reply(kind.model_validate_json(_json_of(text)), done.model)
            except ValidationError as error:
                faults = _faults(error)
            if last:
                raise ModelFailed(
                    f"{self._settings.model} gave no valid JSON, also when asked again: {faults}",
                    hint="a model with structured output does better",
                )
            log.info("answer of %s is not valid, asking once more: %s", self._settings.model, faults)
            again = f"\n\nAn earlier answer was not valid: {faults}. Give the whole answer, as JSON only."
            asked = [*messages[:-1], {**messages[-1], "content": messages[-1]["content"] + again}]
        raise AssertionError("unreachable")

    def _complete(self, messages: Sequence[Message], kind: type[BaseModel]) -> ChatCompletion | None:
        """One completion, after as many steps down as the server needs; None if the request is too long."""
        for _ in range(len(_FORMS) + len(self._options)):
            try:
                done: object = self._client.chat.completions.create(
                    model=self._settings.model, **self._body(messages, kind), **self._options
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                reason = self._reason(error)
                if _TOO_LONG.search(reason):
                    return None
                if not self._step_down(reason):
                    raise ModelFailed(f"{self._host} refuses the request: {reason}") from None
                continue
            except openai.OpenAIError as error:
                raise self._failure(error) from None  # its text may hold the key
            except json.JSONDecodeError:
                raise ModelFailed(f"{self._host} sent something that is no JSON") from None
            if not isinstance(done, ChatCompletion):  # the SDK hands on what is not JSON
                raise ModelFailed(f"{self._host} sent something that is no chat completion")
            return done
        raise ModelFailed(f"{self._host} takes no form of the request")

    def _body(self, messages: Sequence[Message], kind: type[BaseModel]) -> dict[str, Any]:
        schema = kind.model_json_schema()
        form = _FORMS[self._form]
        if form == "json_schema":
            strict = {"name": kind.__name__.lower(), "strict": True, "schema": schema}
            return {
                "messages": list(messages),
                "response_format": {"type": "json_schema", "json_schema": strict},
            }
        told = f"\n\nAnswer with one JSON object of this JSON schema, nothing else:\n{json.dumps(schema)}"
        first = {**messages[0], "content": messages[0]["content"] + told}
        body: dict[str, Any] = {"messages": [first, *messages[1:]]}
        return body | ({"response_format": {"type": "json_object"}} if form == "json_object" else {})

    def _step_down(self, reason: str) -> bool:
        """Change what the server objects to; False if nothing is left to change."""
        if "max_tokens" in reason and "max_tokens" in self._options:
            self._options["max_completion_tokens"] = self._options.pop("max_tokens")
        elif "temperature" in reason and "temperature" in self._options:
            del self._options["temperature"]
        elif self._form + 1 < len(_FORMS) and (_ABOUT_FORM.search(reason) or not reason):
            self._form += 1
        else:
            return False
        log.info("%s objects (%s), going on without", self._host, reason)
        return True

    def _text(self, done: ChatCompletion) -> str:
        if not done.choices:
            raise ModelFailed(f"{self._host} sent an answer without content")
        choice = done.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            said = " ".join((choice.message.refusal or "content filter").split())[:200]
            raise ModelFailed(f"{self._settings.model} refuses to answer: {said}")
        text = choice.message.content or ""
        if not text.strip() and choice.finish_reason != "length":
            raise ModelFailed(f"{self._settings.model} gave an empty answer")
        return text

    def _failure(self, error: openai.OpenAIError) -> ClaimdexError:
        host, model = self._host, self._settings.model
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return BadInput(
                    f"{host} does not accept the API key ({error.status_code})",
                    hint="check CLAIMDEX_LLM__API_KEY",
                )
            case openai.NotFoundError():
                hint = "check CLAIMDEX_LLM__MODEL and CLAIMDEX_LLM__BASE_URL"
                return BadInput(f"{host} knows no model {model!r} (404)", hint=hint)
            case openai.APITimeoutError():
                return ModelFailed(
                    f"{host} did not answer in {self._settings.timeout:g} s",
                    hint="raise CLAIMDEX_LLM__TIMEOUT",
                )
            case openai.APIConnectionError():
                return ModelFailed(f"{host} cannot be reached", hint="check CLAIMDEX_LLM__BASE_URL")
            case openai.APIStatusError():
                tries = self._settings.max_retries + 1
                return ModelFailed(f"{host} answered with status {error.status_code}, {tries} times at most")
        return ModelFailed(f"{host} sent something that is no chat completion ({type(error).__name__})")

    def _reason(self, error: openai.APIStatusError) -> str:
        """What the server says is wrong, in one line and without the key."""
        body = error.body if isinstance(error.body, dict) else {}
        said = str(body.get("message") or error.message)
        key = self._settings.api_key.get_secret_value() if self._settings.api_key else ""
        return " ".join((said.replace(key, "[key]") if key else said).split())[:300]


def _json_of(text: str) -> str:
    """The JSON in an answer: without leading thoughts and without a code fence."""
    text = _THINKING.sub("", text, count=1)
    fenced = _FENCE.match(text)
    return fenced["body"] if fenced else text.strip()


def _faults(error: ValidationError) -> str:
    """The first faults of an answer, without its own words."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'answer'}: {e['msg']}" for e in found[:5])[:500]

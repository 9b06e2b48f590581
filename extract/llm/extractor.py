"""Claims by a language model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from claimdex.claim import Draft, Extraction
from claimdex.errors import ModelFailed
from claimdex.extract.artifacts.finder import find_artifacts
from claimdex.extract.llm.answers import Answer, drafts_of
from claimdex.extract.llm.chat import Chat, Message
from claimdex.extract.llm.paper_lines import Block, blocks_of, fenced, halves, portions, request_text
from claimdex.paper import Paper
from claimdex.settings import Settings
from claimdex.text import sha256

log = logging.getLogger(__name__)

VERSION = "1"
"""Changes when the same answer would give other drafts."""

PORTION = 24_000
"""Characters of paper in one request: about 7,000 tokens, the size at which models still read every line."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The instructions and one worked example. ``digest`` is the prompt's version and hash."""

    instructions: str
    example_paper: str
    example_answer: str
    digest: str


def load_prompt() -> Prompt:
    """The prompt that ships with claimdex (``prompts/claims.md``)."""
    text = Path(__file__).with_name("prompts").joinpath("claims.md").read_text("utf-8")
    head, *parts = re.split(r"^# (?:Instructions|Example paper|Example answer)\n", text, flags=re.MULTILINE)
    instructions, paper, answer = (part.strip() for part in parts)
    schema = repr(Answer.model_json_schema())
    return Prompt(instructions, paper, answer, f"{head.strip()}:{sha256(text + schema)[:12]}")


class LlmExtractor:
    """Asks a model for the claims of a paper; the model cites line ids and code copies the words.

    Raises:
        BadInput: no model is named, or OpenAI itself is meant and no key is given.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.llm
        self._prompt = load_prompt()
        self._chat = Chat(settings.llm)

    def close(self) -> None:
        """Close the connections."""
        self._chat.close()

    def extract(self, paper: Paper) -> Extraction:
        """Drafts of every portion of the paper, in reading order, and its artifacts.

        Raises:
            ModelFailed: the model cannot be reached, refuses, or gives no valid answer.
            BadInput: the server does not know the key or the model.
        """
        blocks = blocks_of(paper)
        lines = {line.id: line for block in blocks for line in block.lines}
        artifacts = find_artifacts(paper)
        waiting = portions(blocks, PORTION)
        drafts: list[Draft] = []
        model = self._settings.model
        while waiting:
            portion = waiting.pop(0)
            reply = self._chat.ask(self._messages(request_text(paper, portion)), Answer)
            model = reply.model or model
            if reply.answer is None:
                waiting[:0] = self._smaller(portion, paper)
                continue
            shown = {line.id: lines[line.id] for block in portion for line in block.lines}
            drafts += drafts_of(paper, reply.answer, shown, artifacts)
        return Extraction(
            drafts=tuple(drafts),
            artifacts=artifacts,
            extractor="llm",
            version=VERSION,
            model=model,
            prompt_hash=self._prompt.digest,
        )

    def _messages(self, text: str) -> list[Message]:
        """The same beginning for all papers, so that servers can reuse it; the paper comes last."""
        return [
            {"role": "system", "content": self._prompt.instructions},
            {"role": "user", "content": fenced(self._prompt.example_paper)},
            {"role": "assistant", "content": self._prompt.example_answer},
            {"role": "user", "content": text},
        ]

    def _smaller(self, portion: Sequence[Block], paper: Paper) -> list[list[Block]]:
        parts = halves(portion)
        if not parts:
            raise ModelFailed(
                f"{self._settings.model} has no room for the answer to a single line of {paper.paper_id}",
                hint="raise CLAIMDEX_LLM__MAX_TOKENS, or use a model with a longer context",
            )
        log.info("%s: answer cut off, asking again in two parts", paper.paper_id)
        return parts

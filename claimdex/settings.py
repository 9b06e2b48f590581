"""All knobs, in one object: defaults < ``claimdex.toml`` < environment < command line."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from claimdex.text import sha256


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Group):
    """What one PDF may cost before it is given up."""

    file_mb: float = Field(default=100, gt=0, description="size of the PDF")
    pages: int = Field(default=600, gt=0, description="pages read; the rest is left out with a warning")
    page_chars: int = Field(default=200_000, gt=0, description="characters read of one page")
    paper_chars: int = Field(default=5_000_000, gt=0, description="characters read of one paper")
    seconds: float = Field(default=120, gt=0, description="wall time for one paper")
    memory_mb: int = Field(default=1536, gt=0, description="address space of a worker, beyond its start")


class ExtractSettings(_Group):
    """Which back-ends read a paper, and how many claims a paper may give."""

    parser: str = Field(default="pdf", description="`pdf` (embedded) or `grobid`")
    extractor: str = Field(default="rules", description="`rules` (offline) or `llm`")
    max_claims: int = Field(default=60, gt=0, description="claims kept of one paper, best first")


class GrobidSettings(_Group):
    """The GROBID server of the ``grobid`` parser (see docs/grobid.md)."""

    url: str = "http://localhost:8070"
    timeout: float = Field(default=90, gt=0, description="seconds for one request")
    max_retries: int = Field(default=5, ge=0, description="further tries while the server is busy or away")
    wait: float = Field(default=4, ge=0, description="seconds before the first retry; doubled each time")
    answer_mb: float = Field(default=64, gt=0, description="size of an answer")


class LlmSettings(_Group):
    """The OpenAI-compatible endpoint of the ``llm`` extractor."""

    model: str = Field(default="", description="name of the model at the endpoint")
    base_url: str | None = Field(default=None, description="endpoint; the default is OpenAI's own")
    api_key: SecretStr | None = Field(default=None, description="key of the endpoint")
    timeout: float = Field(default=120, gt=0, description="seconds for one request")
    max_retries: int = Field(default=4, ge=0, description="tries after a time-out, 429 or 5xx")
    max_tokens: int = Field(default=8000, gt=0, description="tokens of one answer")


class EmbedSettings(_Group):
    """The model that turns claims into vectors."""

    model: str = Field(default="minilm", description="'minilm' (offline) or a sentence-transformers path")
    batch_size: int = Field(default=8, gt=0, description="texts embedded at once; more only pays on a GPU")


class RunSettings(_Group):
    """How a bulk run uses the machine."""

    workers: int = Field(default=os.cpu_count() or 1, gt=0, description="papers read at once")
    tries: int = Field(default=2, gt=0, description="attempts before a paper counts as failed")
    recycle: int = Field(default=100, gt=0, description="papers a worker reads before it is replaced")


class Settings(BaseSettings):
    """Everything that can be set. Environment: ``CLAIMDEX_LLM__MODEL=...`` and the like."""

    model_config = SettingsConfigDict(
        env_prefix="CLAIMDEX_",
        env_nested_delimiter="__",
        toml_file="claimdex.toml",
        extra="forbid",
        frozen=True,
    )

    limits: Limits = Limits()
    extract: ExtractSettings = ExtractSettings()
    grobid: GrobidSettings = GrobidSettings()
    llm: LlmSettings = LlmSettings()
    embed: EmbedSettings = EmbedSettings()
    run: RunSettings = RunSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Order the sources: command line, environment, ``claimdex.toml``."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    def extraction_hash(self) -> str:
        """Twelve hex digits over what changes a paper's claims (not workers, keys or time-outs)."""
        llm = self.llm.model_dump(include={"model", "base_url", "max_tokens"})
        parts = (self.limits.model_dump(exclude={"seconds", "memory_mb"}), self.extract.model_dump(), llm)
        return sha256(repr(parts))[:12]


def timestamp() -> str:
    """Now, in UTC to the second; ``SOURCE_DATE_EPOCH`` overrides it for reproducible output."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def cache_dir() -> Path:
    """Where caches lie: ``$CLAIMDEX_CACHE``, else ``$XDG_CACHE_HOME/claimdex``, else ``~/.cache``."""
    explicit = os.environ.get("CLAIMDEX_CACHE")
    if explicit:
        return Path(explicit)
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "claimdex"

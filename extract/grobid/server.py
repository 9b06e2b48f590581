"""One PDF to a GROBID server and its TEI back: bounded retries, checked answers, typed errors."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx2

from claimdex.errors import (
    BadInput,
    DamagedPdf,
    LimitReached,
    NoText,
    ParseFailed,
    ServerUnavailable,
)
from claimdex.settings import Settings
from claimdex.text import sha256

log = logging.getLogger(__name__)

COORDINATES = (
    "title",
    "persName",
    "head",
    "p",
    "s",
    "ref",
    "biblStruct",
    "figure",
    "formula",
    "note",
)
_LONGEST_WAIT = 60.0
_BUSY = {
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_CODE = re.compile(
    r"\b(BAD_INPUT_DATA|NO_BLOCKS|TOO_MANY_BLOCKS|TOO_MANY_TOKENS|TIMEOUT|TAGGING_ERROR|PARSING_ERROR|"
    r"PDFALTO_CONVERSION_FAILURE|GENERAL)\b"
)
_ERRORS: dict[str, tuple[type[ParseFailed], str]] = {
    "BAD_INPUT_DATA": (DamagedPdf, "download the paper again"),
    "PDFALTO_CONVERSION_FAILURE": (DamagedPdf, "download the paper again, or use --parser pdf"),
    "NO_BLOCKS": (NoText, "run OCR first, for example: ocrmypdf in.pdf out.pdf"),
    "TIMEOUT": (LimitReached, "raise the pdfalto timeout in the server's grobid.yaml, or use --parser pdf"),
    "TOO_MANY_BLOCKS": (LimitReached, "raise blocksMax in the server's grobid.yaml, or use --parser pdf"),
    "TOO_MANY_TOKENS": (LimitReached, "raise tokensMax in the server's grobid.yaml, or use --parser pdf"),
}


class _Again(Exception):
    """A failure that may pass. ``after`` is how many seconds the server asks to wait."""

    def __init__(self, error: ParseFailed, after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after


class GrobidServer:
    """A GROBID service at ``settings.grobid.url``."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.grobid
        self._limits = settings.limits
        self._url = settings.grobid.url.rstrip("/")
        self._shown = re.sub(r"//[^/@]*@", "//", self._url)
        self._hint = "start a GROBID server (docs/grobid.md) or set CLAIMDEX_GROBID__URL"

    def fulltext(self, pdf: bytes, name: str) -> bytes:
        """The TEI of a PDF, whole from its first to its last tag. ``name`` is for messages only.

        All tries and waits together stay within ``limits.seconds``.

        Raises:
            ServerUnavailable: the server is away or busy, or is no GROBID server.
            NoText, DamagedPdf, LimitReached, ParseFailed: what it says of the paper.
            BadInput: the address is no URL.
        """
        deadline = time.monotonic() + self._limits.seconds
        waits = self._waits(sha256(pdf))
        with httpx2.Client() as client:
            while True:
                try:
                    return self._ask(client, pdf, name, deadline)
                except _Again as failure:
                    pause = next(waits, None)
                    if pause is None:
                        raise failure.error from None
                    pause = min(max(pause, failure.after or 0.0), _LONGEST_WAIT)
                    if time.monotonic() + pause >= deadline:
                        raise failure.error from None
                    log.info("%s: %s; trying again in %.1f s", name, failure, pause)
                    time.sleep(pause)

    def _waits(self, seed: str) -> Iterator[float]:
        """Growing pauses, spread by chance so that many clients do not return together."""
        chance = random.Random(seed)
        for attempt in range(self._settings.max_retries):
            yield self._settings.wait * 2**attempt * chance.uniform(0.5, 1.0)

    def _ask(self, client: httpx2.Client, pdf: bytes, name: str, deadline: float) -> bytes:
        try:
            status, headers, body = self._post(client, pdf, name, deadline)
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise BadInput(f"{self._shown!r} is not a URL", hint="set CLAIMDEX_GROBID__URL") from None
        except (httpx2.ReadTimeout, httpx2.WriteTimeout):
            raise self._too_slow(name) from None
        except httpx2.RequestError as error:
            what = "cannot be reached" if isinstance(error, httpx2.ConnectError) else "broke off"
            message = f"GROBID at {self._shown} {what} ({type(error).__name__})"
            raise _Again(ServerUnavailable(message, hint=self._hint)) from None
        if status == HTTPStatus.OK:
            return _checked(body, name)
        raise self._failure(status, headers, body.decode("utf-8", "replace")[:4000], name)

    def _post(
        self, client: httpx2.Client, pdf: bytes, name: str, deadline: float
    ) -> tuple[int, httpx2.Headers, bytes]:
        left = deadline - time.monotonic()
        form = {
            "teiCoordinates": list(COORDINATES),
            "includeRawCitations": "1",
            "consolidateHeader": "0",
            "consolidateCitations": "0",
            "end": str(self._limits.pages),
        }
        request = client.build_request(
            "POST",
            f"{self._url}/api/processFulltextDocument",
            data=form,
            files={"input": ("paper.pdf", pdf, "application/pdf")},
            headers={"Accept": "application/xml", "Accept-Encoding": "identity"},
            timeout=max(min(self._settings.timeout, left), 0.01),
        )
        response = client.send(request, stream=True)
        most = int(self._settings.answer_mb * 1e6)
        body = bytearray()
        try:
            for chunk in response.iter_raw():
                body += chunk
                if len(body) > most:
                    raise LimitReached(
                        f"{name}: GROBID's answer is larger than {self._settings.answer_mb:g} MB",
                        hint="raise grobid.answer_mb",
                    )
                if time.monotonic() > deadline:
                    raise self._too_slow(name)
        finally:
            response.close()
        return response.status_code, response.headers, bytes(body)

    def _too_slow(self, name: str) -> LimitReached:
        return LimitReached(
            f"{name}: GROBID did not answer in time",
            hint="raise grobid.timeout and limits.seconds, or use --parser pdf",
        )

    def _failure(self, status: int, headers: httpx2.Headers, body: str, name: str) -> Exception:
        if status == HTTPStatus.NO_CONTENT:
            return NoText(f"{name}: GROBID found no content", hint=_ERRORS["NO_BLOCKS"][1])
        if status in _BUSY:
            busy = ServerUnavailable(
                f"GROBID at {self._shown} is busy ({status})", hint="use fewer workers or a larger server"
            )
            return _Again(busy, _retry_after(headers))
        if status == HTTPStatus.REQUEST_TIMEOUT:
            return self._too_slow(name)
        code = _CODE.search(body)
        if code and code[1] in _ERRORS:
            kind, hint = _ERRORS[code[1]]
            return kind(f"{name}: GROBID cannot read it ({code[1]})", hint=hint)
        if code or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            what = code[1] if code else str(status)
            return ParseFailed(f"{name}: GROBID failed on it ({what})", hint="see the server's log")
        return ServerUnavailable(f"{self._shown} is no GROBID server (status {status})", hint=self._hint)


def _checked(body: bytes, name: str) -> bytes:
    """The body if it is one whole TEI document; what it is not may pass, so it is asked for again."""
    text = body.strip()
    if not text:
        fault = "an empty answer"
    elif b"<TEI" not in text[:4000]:
        fault = "a web page" if b"<html" in text[:4000].lower() else "something else than TEI"
    elif not text.endswith(b"</TEI>"):
        fault = "an answer that breaks off"
    else:
        return body
    raise _Again(ParseFailed(f"{name}: GROBID sent {fault}", hint="see the server's log"))


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Seconds to wait as the ``Retry-After`` header asks, given as a number or as a date."""
    value = headers.get("Retry-After", "").strip()
    if value.isdigit():
        return float(value[:9])
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (TypeError, ValueError):
        return None

"""Every error claimdex raises on purpose.

The tree::

    ClaimdexError
    ├── BadInput            what the caller gave cannot be used (exit 2)
    ├── NotFound            no such paper, claim, file or index (exit 4)
    ├── BackendMissing      a back-end needs an extra that is not installed
    ├── ParseFailed         a PDF gave no paper
    │   ├── NotAPdf         the bytes are something else
    │   ├── DamagedPdf      the PDF cannot be opened
    │   ├── NeedsPassword   the PDF is encrypted
    │   ├── NoText          the PDF has no text layer
    │   ├── LimitReached    time, memory, pages or size ran out
    │   └── ServerUnavailable  a parsing server is down or busy; the paper may be fine
    ├── WorkerDied          a child process ended without an answer
    ├── ModelFailed         a language model gave no usable answer
    └── IndexMismatch       the parts of an index do not belong together

Each carries a ``code`` (stable, for machines) and a ``hint`` (what to do next).
"""

from __future__ import annotations

from typing import ClassVar


class ClaimdexError(Exception):
    """Base of all errors; ``str(error)`` is one line that says what is wrong and where."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the hint when the error crosses a process border."""
        return (_rebuild, (type(self), self.message, self.hint))


def _rebuild(kind: type[ClaimdexError], message: str, hint: str) -> ClaimdexError:
    return kind(message, hint=hint)


class BadInput(ClaimdexError):
    """What the caller gave cannot be used."""

    code = "bad_input"
    exit_code = 2


class NotFound(ClaimdexError):
    """No such paper, claim, file or index."""

    code = "not_found"
    exit_code = 4


class BackendMissing(ClaimdexError):
    """A back-end needs an extra that is not installed."""

    code = "backend_missing"

    @classmethod
    def for_extra(cls, what: str, extra: str) -> BackendMissing:
        """Name the extra that brings ``what``."""
        return cls(f"{what} is not installed", hint=f"pip install 'claimdex[{extra}]'")


class ParseFailed(ClaimdexError):
    """A PDF gave no paper."""

    code = "parse_failed"


class NotAPdf(ParseFailed):
    """The bytes are not a PDF."""

    code = "not_a_pdf"


class DamagedPdf(ParseFailed):
    """The file says it is a PDF but cannot be opened."""

    code = "damaged_pdf"


class NeedsPassword(ParseFailed):
    """The PDF is encrypted and an empty password does not open it."""

    code = "needs_password"


class NoText(ParseFailed):
    """The PDF has pages but no text layer."""

    code = "no_text"


class LimitReached(ParseFailed):
    """Time, memory, pages or size ran out before the paper was read."""

    code = "limit_reached"


class ServerUnavailable(ParseFailed):
    """A parsing server is down or busy: the same paper may be read later."""

    code = "server_unavailable"


class WorkerDied(ClaimdexError):
    """A child process ended without an answer."""

    code = "worker_died"


class ModelFailed(ClaimdexError):
    """A language model gave no usable answer."""

    code = "model_failed"


class IndexMismatch(ClaimdexError):
    """The parts of an index do not belong together."""

    code = "index_mismatch"


BY_CODE: dict[str, type[ClaimdexError]] = {
    kind.code: kind
    for kind in (
        ClaimdexError,
        BadInput,
        NotFound,
        BackendMissing,
        ParseFailed,
        NotAPdf,
        DamagedPdf,
        NeedsPassword,
        NoText,
        LimitReached,
        ServerUnavailable,
        WorkerDied,
        ModelFailed,
        IndexMismatch,
    )
}
"""Error class by its code, for errors that were stored or sent as text."""

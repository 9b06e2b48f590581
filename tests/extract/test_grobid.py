from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from claimdex import backends
from claimdex.errors import (
    BadInput,
    DamagedPdf,
    LimitReached,
    NotAPdf,
    NoText,
    ParseFailed,
    ServerUnavailable,
)
from claimdex.extract.grobid.parser import GrobidParser
from claimdex.paper import Paper, PaperRef, PassageKind
from claimdex.settings import GrobidSettings, Limits, Settings

PDF = Path(__file__).parents[2] / "data/papers/osprel-attention.pdf"
TEI = b"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>On Kettles</title></titleStmt>
</fileDesc><encodingDesc><appInfo><application ident="GROBID" version="0.8.2"/></appInfo></encodingDesc>
</teiHeader><text><body><div><head n="1">Introduction</head>
<p coords="1,100,90,200,10;1,100,102,150,10">
Kettles boil water, and ours boils it in half the time of any other kettle.</p>
</div></body></text></TEI>"""

Reply = tuple[int, dict[str, str], bytes]
OK: Reply = (200, {"Content-Type": "application/xml"}, TEI)


@dataclass
class FakeGrobid:
    """A server that gives the replies in order, the last one for ever."""

    replies: list[Reply]
    drip: bool = False
    stop: threading.Event = field(default_factory=threading.Event)
    requests: list[tuple[str, bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fake.requests.append((self.path, body))
                status, headers, answer = fake.replies[min(len(fake.requests), len(fake.replies)) - 1]
                if status == 0:
                    fake.stop.wait(20)
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if not fake.drip:
                    self.wfile.write(answer)
                    return
                while not fake.stop.wait(0.02):
                    self.wfile.write(b"<")

            def log_message(self, format: str, *args: object) -> None:
                return

        return Handler


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests want."""


Serve = Callable[..., FakeGrobid]


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[tuple[QuietServer, FakeGrobid, threading.Thread]] = []

    def start(*replies: Reply, drip: bool = False) -> FakeGrobid:
        fake = FakeGrobid(list(replies), drip)
        server = QuietServer(("127.0.0.1", 0), fake.handler())
        fake.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.append((server, fake, thread))
        return fake

    yield start
    for server, fake, thread in running:
        fake.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


def settings(url: str, **values: float) -> Settings:
    limits = Limits(seconds=values.pop("seconds", 30))
    return Settings(grobid=GrobidSettings.model_validate({"url": url, "wait": 0, **values}), limits=limits)


def parse(url: str, **values: float) -> Paper:
    return GrobidParser(settings(url, **values)).parse(PDF, PaperRef())


def test_an_answer_becomes_a_paper_with_boxes_on_its_page(serve: Serve) -> None:
    paper = parse(serve(OK).url)
    assert (paper.title, paper.parser.name, paper.parser.version) == (
        "On Kettles",
        "grobid",
        "1+grobid-0.8.2",
    )
    assert paper.source.pages > 0
    passage = next(p for p in paper.passages if p.kind is PassageKind.PARAGRAPH)
    assert [s.page for s in passage.spans] == [1, 1]
    assert passage.spans[0].box == (100, 792 - 100, 300, 792 - 90)
    assert "hidden_text_unchecked" in {w.code for w in paper.warnings}


def test_one_request_asks_for_coordinates_and_no_outside_look_ups(serve: Serve) -> None:
    fake = serve(OK)
    parse(fake.url + "/")
    ((path, body),) = fake.requests
    assert path == "/api/processFulltextDocument"
    assert body.count(b'name="teiCoordinates"') == 10
    assert b'name="consolidateHeader"\r\n\r\n0' in body
    assert b'name="consolidateCitations"\r\n\r\n0' in body
    assert b'name="includeRawCitations"\r\n\r\n1' in body
    assert b'name="end"\r\n\r\n600' in body
    assert b'filename="paper.pdf"' in body
    assert PDF.read_bytes() in body


def test_the_backend_is_loaded_by_its_name() -> None:
    assert isinstance(backends.load("parser", "grobid", Settings()), GrobidParser)


def test_what_is_given_wins_over_what_grobid_read(serve: Serve) -> None:
    ref = PaperRef(paper_id="arxiv:2601.99001v1", title="Given", authors=("A. Person",))
    paper = GrobidParser(settings(serve(OK).url)).parse(PDF, ref)
    assert (paper.paper_id, paper.title, paper.authors) == ("arxiv:2601.99001v1", "Given", ("A. Person",))


@pytest.mark.parametrize("first", [(503, {}, b"busy"), (429, {}, b""), (200, {}, b""), (200, {}, TEI[:-30])])
def test_a_passing_failure_is_tried_again(serve: Serve, first: Reply) -> None:
    fake = serve(first, first, OK)
    assert parse(fake.url).title == "On Kettles"
    assert len(fake.requests) == 3


def test_a_server_that_stays_busy_is_given_up_after_the_retries(serve: Serve) -> None:
    fake = serve((503, {}, b"busy"))
    with pytest.raises(ServerUnavailable, match="is busy"):
        parse(fake.url, max_retries=3)
    assert len(fake.requests) == 4


def test_waits_grow_differ_by_file_and_are_the_same_each_time(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("claimdex.extract.grobid.server.time.sleep", pauses.append)
    fake = serve((503, {}, b"busy"))
    for _ in range(2):
        with pytest.raises(ServerUnavailable):
            parse(fake.url, wait=1, max_retries=4, seconds=1000)
    first, second = pauses[:4], pauses[4:]
    assert first == second
    assert all(0.5 * 2**i <= pause <= 2**i for i, pause in enumerate(first))


def test_retry_after_is_honoured_as_seconds_and_as_a_date(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("claimdex.extract.grobid.server.time.sleep", pauses.append)
    date = (503, {"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}, b"")
    parse(serve((503, {"Retry-After": "7"}, b""), date, OK).url, wait=1, seconds=1000)
    assert pauses == [7.0, 60.0]


def test_a_wait_beyond_the_time_limit_is_not_begun(serve: Serve) -> None:
    fake = serve((503, {"Retry-After": "30"}, b""))
    with pytest.raises(ServerUnavailable):
        parse(fake.url, seconds=5)
    assert len(fake.requests) == 1


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        ((200, {}, b""), ParseFailed, "an empty answer"),
        ((200, {}, TEI[: len(TEI) // 2]), ParseFailed, "breaks off"),
        ((200, {}, b"<html><body>503 Service Unavailable</body></html>"), ParseFailed, "a web page"),
        ((200, {}, b'{"status": "ok"}'), ParseFailed, "something else"),
        ((200, {}, TEI.replace(b"<p ", b"<q ")), ParseFailed, "not well-formed"),
        ((200, {}, b"<TEI><text/></TEI>"), NoText, "no text"),
        ((204, {}, b""), NoText, "no content"),
        ((500, {}, b"[BAD_INPUT_DATA] PDF to XML conversion failed"), DamagedPdf, "BAD_INPUT_DATA"),
        ((500, {}, b"[NO_BLOCKS] PDF parsing resulted in empty content"), NoText, "NO_BLOCKS"),
        ((409, {}, b"[TIMEOUT] PDF to XML conversion timed out"), LimitReached, "TIMEOUT"),
        ((500, {}, b"[TOO_MANY_TOKENS] The document has 1000001 tokens"), LimitReached, "TOO_MANY_TOKENS"),
        ((500, {}, b"[GENERAL] An exception occurred"), ParseFailed, "GENERAL"),
        ((500, {}, b""), ParseFailed, "500"),
        ((408, {}, b""), LimitReached, "in time"),
        ((404, {}, b"<html>nginx</html>"), ServerUnavailable, "no GROBID server"),
        ((302, {"Location": "http://127.0.0.1:1/"}, b""), ServerUnavailable, "no GROBID server"),
    ],
)
def test_a_bad_answer_is_an_error_that_says_what_it_was(
    serve: Serve, reply: Reply, kind: type[ParseFailed], words: str
) -> None:
    with pytest.raises(ParseFailed, match=words) as caught:
        parse(serve(reply).url, max_retries=1)
    assert type(caught.value) is kind
    assert "\n" not in caught.value.message


def test_a_server_that_does_not_answer_is_left_after_one_try(serve: Serve) -> None:
    fake = serve((0, {}, b""))
    with pytest.raises(LimitReached, match="in time"):
        parse(fake.url, timeout=0.2)
    assert len(fake.requests) == 1


def test_a_server_that_drips_is_left_when_the_time_for_the_paper_is_over(serve: Serve) -> None:
    with pytest.raises(LimitReached, match="in time"):
        parse(serve(OK, drip=True).url, seconds=0.3)


def test_an_answer_out_of_proportion_is_refused(serve: Serve) -> None:
    with pytest.raises(LimitReached, match="larger than"):
        parse(serve((200, {}, TEI * 1000)).url, answer_mb=0.1)


def test_a_server_that_is_away_is_named_with_the_way_out(serve: Serve) -> None:
    with pytest.raises(ServerUnavailable, match=r"127\.0\.0\.1:9 cannot be reached") as caught:
        parse("http://user:secret@127.0.0.1:9", max_retries=1)
    assert "docs/grobid.md" in caught.value.hint
    assert "CLAIMDEX_GROBID__URL" in caught.value.hint
    assert "secret" not in caught.value.message


def test_an_address_that_is_no_url_is_bad_input() -> None:
    with pytest.raises(BadInput, match="is not a URL"):
        parse("localhost:8070")


def test_what_is_no_pdf_never_reaches_the_server(serve: Serve, tmp_path: Path) -> None:
    fake = serve(OK)
    page = tmp_path / "page.pdf"
    page.write_bytes(b"<html></html>")
    with pytest.raises(NotAPdf):
        GrobidParser(settings(fake.url)).parse(page, PaperRef())
    assert fake.requests == []

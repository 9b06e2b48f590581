"""TEI bytes to an element tree: UTF-8 only, no DTD, no entities, bounded depth and size."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
from defusedxml.ElementTree import DefusedXMLParser  # type: ignore[import-untyped]

from claimdex.errors import LimitReached, ParseFailed

MAX_DEPTH = 60
MAX_ELEMENTS = 2_000_000
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii"}


def load_tei(data: bytes) -> Element:
    """The root ``TEI`` element; tags and attributes without their namespaces ("id" for xml:id).

    Raises:
        ParseFailed: not well-formed, not UTF-8, not TEI, or with a DTD.
        LimitReached: nested too deep or too many elements.
    """
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    if declared and declared[1].decode("ascii", "replace").lower() not in _ENCODINGS:
        raise ParseFailed(f"TEI in the encoding {declared[1].decode('ascii', 'replace')!r} is not read")
    parser = DefusedXMLParser(target=_Tree(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(data)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise ParseFailed(f"TEI refused: it has a DTD or entities ({type(error).__name__})") from None
    except (ParseError, ValueError, LookupError) as error:
        raise ParseFailed(f"TEI is not well-formed: {error}") from None
    if root.tag != "TEI":
        raise ParseFailed(f"the XML is not TEI: its root is {str(root.tag)[:40]!r}")
    return root


class _Tree(TreeBuilder):
    """Builds the tree and stops where the document is out of proportion."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._count = 0

    def start(self, tag: str, attrs: dict[str, str]) -> Element:
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH:
            raise LimitReached(f"TEI nested deeper than {MAX_DEPTH} elements")
        if self._count > MAX_ELEMENTS:
            raise LimitReached(f"TEI with more than {MAX_ELEMENTS} elements")
        return super().start(_local(tag), {_local(k): v for k, v in attrs.items()})

    def end(self, tag: str) -> Element:
        self._depth -= 1
        return super().end(_local(tag))


def _local(name: str) -> str:
    return name.rpartition("}")[2]

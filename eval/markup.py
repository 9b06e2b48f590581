"""Foreign text in a page: it is shown, never obeyed."""

from __future__ import annotations

import html
import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
"""Control characters, and those that turn the direction of the text around them."""


def escape(text: object) -> str:
    """Text for HTML content and quoted attributes; control and direction characters become U+FFFD.

    >>> escape('<b>"x"</b>')
    '&lt;b&gt;&quot;x&quot;&lt;/b&gt;'
    """
    return html.escape(_UNSEEN.sub("\ufffd", str(text)), quote=True)

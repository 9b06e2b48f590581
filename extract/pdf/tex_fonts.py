"""Codes of TeX's mathematics fonts, for files that do not map them to Unicode.

PDFium then hands out the bare code, which reads as another letter: "krf(w)k" for "‖∇f(w)‖".
Tables after the encodings OML (math italic), OMS (symbols) and OMX (extensible symbols) as printed
in Donald Knuth, *The TeXbook*, appendix F.
"""

from __future__ import annotations

UNREADABLE = "\ufffd"
"""Stands for a symbol that is on the page but that the file does not name."""

_GREEK = "αβγδϵζηθικλμνξπρστυϕχψω"
_OML = {0x0B + i: c for i, c in enumerate(_GREEK) if 0x0B + i < 0x20} | {0x21B5: "α", 0x270F: "ϵ"}
_OMS = {
    **dict(enumerate("−·×∗÷⋄±∓⊕⊖⊗⊘⊙○◦•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻")),
    **{0x20 + i: c for i, c in enumerate("←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽̸↦∀∃¬∅ℜℑ⊤⊥")},
    **{0x5B + i: c for i, c in enumerate("∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡¶")},
}
_OMX = {
    **{code: bracket for bracket, codes in {
        "(": (0x00, 0x10, 0x12, 0x20), ")": (0x01, 0x11, 0x13, 0x21),
        "[": (0x02, 0x14, 0x22, 0x68), "]": (0x03, 0x15, 0x23, 0x69),
        "{": (0x08, 0x1A, 0x28, 0x6E), "}": (0x09, 0x1B, 0x29, 0x6F),
        "⟨": (0x0A, 0x1C, 0x2A), "⟩": (0x0B, 0x1D, 0x2B),
        "⌊": (0x04, 0x16, 0x24, 0x6A), "⌋": (0x05, 0x17, 0x25, 0x6B),
        "⌈": (0x06, 0x18, 0x26, 0x6C), "⌉": (0x07, 0x19, 0x27, 0x6D),
        "|": (0x0C,), "‖": (0x0D,),
        "∑": (0x50, 0x58), "∏": (0x51, 0x59), "∫": (0x52, 0x5A),
        "⋃": (0x53, 0x5B), "⋂": (0x54, 0x5C), "√": (0x70, 0x71, 0x72, 0x73, 0x74),
    }.items() for code in codes},
}  # fmt: skip
_ENCODINGS = (("CMMI", _OML), ("CMSY", _OMS), ("CMEX", _OMX))


def decode(font: str, code: int) -> str | None:
    """The character a bare code stands for in a TeX mathematics font; None if the code is no such.

    A symbol of math italic or of the symbol font that came without any code is ``UNREADABLE``.

    >>> decode("CMSY10", 0x72), decode("CMMI10", 0x0B), decode("Times-Roman", 0x72)
    ('∇', 'α', None)
    """
    for prefix, table in _ENCODINGS:
        if font.startswith(prefix):
            if code == 0 and prefix != "CMEX":
                return UNREADABLE
            if code == 0x20:
                return None
            if 0xE000 <= code <= 0xF8FF and prefix != "CMEX":
                return UNREADABLE
            return table.get(code)
    return None

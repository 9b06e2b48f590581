"""The embedded parser: a PDF to a ``Paper``, with PDFium and our own reading of its structure."""

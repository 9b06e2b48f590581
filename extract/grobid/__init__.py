"""The GROBID parser: a server that answers TEI, and TEI to a ``Paper``."""

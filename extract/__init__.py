"""PDF to paper to claims: parsers, extractors, grounding, and the run over many papers."""

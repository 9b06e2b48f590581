"""The extractor that asks a language model; its answers are line ids, its words are copied by code."""

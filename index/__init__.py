"""Claims to embeddings to FAISS and Parquet: build, open, search."""

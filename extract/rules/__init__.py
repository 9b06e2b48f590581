"""The offline extractor: candidate sentences, theorems and table rows to drafts of claims."""

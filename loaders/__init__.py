"""Files to documents, lazily: one module a format."""

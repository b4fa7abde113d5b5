"""Question files in their official layouts: one module a layout."""

"""Marks in text: of roff, wikis and AsciiDoc, and what people type for headings and tables."""

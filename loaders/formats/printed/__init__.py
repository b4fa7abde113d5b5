"""Printed pages → running text, headings and tables."""

"""Words, titles and passages of a text."""

"""What is no text: attachments and keys that are written in letters, as base64 is."""

import re

LONGEST = 200  # characters of a word: longer ones are data
_BLOB = re.compile(rf"[A-Za-z0-9+/=_-]{{{LONGEST},}}+")


def without_blobs(text: str) -> str:
    """Put blanks in the place of data, so that a character offset stays one."""
    return _BLOB.sub(lambda found: " " * len(found.group()), text)

"""What answers of some forms look like, wherever they stand: words tell parsers little of them."""

import re
from collections.abc import Iterator

from .asked.question import Asked
from .trimmed import symbols

_QUOTED = re.compile(r"(?<![\w'’])[‘'`]([^‘’'`\n]{1,30})[’'`](?![\w'’])")
_OFTEN = re.compile(
    r"\b(?:(?:once|twice|(?:two|three|four|five|six|\d+) times)(?: (?:an?|per|each|every))?"
    r"(?: \w+)?|every(?: (?:other|two|three|four|five|six|\d+|first|second|third|last))?)"
    r" (?:second|minute|hour|day|night|week|month|quarter|year"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b"
    r"|\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually)\b"
)
_FILE = re.compile(
    r"(?<![^\s(\"'“‘`=])(?:(?:~|\.{1,2})?(?:/[\w.+*@-]*\w)+/?|[\w-]+\.[a-z]\w{0,5}\b)"
)
_MAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_WEB = re.compile(r"(?<![\w.@/-])(?:https?://|ftp://|www\.)[^\s<>\"'`“”‘’()\[\]]*[\w/]")
_WRITTEN = {
    "often": (_OFTEN,),
    "path": (_FILE,),
    "mail": (_MAIL,),
    "web": (_WEB,),
    "contact": (_MAIL, _WEB),
}
_ASKS_OPTION = re.compile(
    r"\b(?:options?|flags?|switch(?:es)?|(?:command|parameter|argument)s?)\b", re.IGNORECASE
)
_OPTION = re.compile(r"(?<![^\s\"'“‘`(=\[,|/])(?:--?|–)[^\W_][\w-]*")

_ASKS_PATTERN = re.compile(
    r"\b(?:patterns?|globs?|wildcards?|masks?|paths?|files?|excluded?)\b", re.I
)
_GLOB = re.compile(  # "**/lost+found*/", "*.bak"; not "*so*", as is stressed
    r"(?<![^\s\"'“‘`(=:,|])(?=[^\s*?]{0,40}[*?])(?!\*{1,2}[\w -]+\*{1,2}(?!\S))"
    r"(?=\S{0,40}[/.~])[\w/.~*?+@{}\[\]-]{1,60}[\w/~*\]}](?![^\s\"'”’`).,;:|])"
)


def written(asked: Asked, page: str) -> Iterator[tuple[int, int]]:
    """Find what is quoted in a text, and what is written as answers of the form asked for are."""
    for found in _QUOTED.finditer(page):
        yield found.span(1)
    yield from symbols(page)
    patterns = _WRITTEN.get(asked.form, ())
    if _ASKS_OPTION.search(asked.text):
        patterns = (*patterns, _OPTION)
    if _ASKS_PATTERN.search(asked.text) and "*" in page:
        patterns = (*patterns, _GLOB)
    for pattern in patterns:
        for found in pattern.finditer(page):
            yield found.span()

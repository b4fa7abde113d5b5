"""The rule for "What is a profile?" and "What does --quiet do?", where a line tells that."""

import re
from collections.abc import Iterator

from ....kg.text.words import stems, words
from ..asked.names import key
from ..pages import Evidence, Page
from .rulings import REPLY, Ruling

_KIND = (
    r"(?:(?:option|command|switch|flag|parameter|argument|setting|key|button|field|subcommand|tool"
    r"|program|function)s? )?"
)
_DOES = re.compile(
    rf"what (?:does|do|will) (?:the )?{_KIND}(.+?)(?: (?:option|command|switch|flag|parameter"
    r"|argument|setting|key|button|field))? (?:do|mean)(?: (?:in|of|for) (.+?))?\W*",
    re.IGNORECASE,
)
_IS = re.compile(
    r"what (?:is|are) (?:meant by )?(?:an? )?(.+?)(?: (?:in|for) (.+?))?\W*", re.IGNORECASE
)
_OF_ONE = re.compile(r"(?:the|my|your|our|his|her|its|their|wrong|this|that|there)\b|.*['’]s?\b.* ")
_MOST = 4  # words of a term
_FEWEST, _LONGEST = 3, 300  # words, and characters, of what is told of it
_LABEL = re.compile(r"(.{1,70}?)(: +| [–—-] |, (?=[A-Z])|[ \t]{2,}|\t)(?=\S)(.+)")
_OF_OPTION = re.compile(r"(-{1,2}[^\s,;:]+)()( )([A-Z][a-z]+ .+)")  # "--mute Prints no error"
_BULLET = re.compile(r"\s*(?:[*•–-]\s+|\d+[.)]\s+)?")
_ARGUMENT = re.compile(r"(-{1,2}[^\W\d][\w-]*)(?:(?: ?=|\[=| )\S.*)?")
_ALTERNATIVES = re.compile(r", (?=-)| \| | or (?=-)|/(?=-)")
_TOLD_IN = frozenset(
    stems("description meaning explanation definition effect purpose function does means")
)
"""Columns that tell what stands in the first one is."""
_ARTICLE = re.compile(r"(?:an?|any|one) ", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"(?:see|cf|ditto|same as|as above|deprecated|obsolete|no idea|unknown|undocumented"
    r"|not documented|to ?do|tbd|what)\b",
    re.IGNORECASE,
)
"""Begins what tells nothing."""
_SENTENCE_ENDS = re.compile(r"(?<=[a-z\d)][.!?]) +(?=[A-Z])")


def by_definition(evidence: Evidence) -> Ruling | None:
    """Answer by what a line, row or item tells of the term that it begins with, and no other."""
    asked = evidence.asked
    if asked.kind != "other" or asked.form or asked.identity:
        return None
    found = _DOES.fullmatch(asked.text) or _IS.fullmatch(asked.text)
    if found is None or _OF_ONE.match(found[1].lower()):
        return None
    told: dict[str, Ruling] = {}
    for page in evidence.pages:
        for text, start in _told(page, found[1], found[2] or ""):
            ruling = Ruling(text, REPLY, read=(page, page.sentence_at(start)))
            told.setdefault(key(text), ruling)
    return next(iter(told.values())) if len(told) == 1 else None


def _told(page: Page, term: str, within: str) -> Iterator[tuple[str, int]]:
    """What a page tells of a term, and where."""
    if within and not set(stems(within)) <= set(
        stems(f"{page.passage.title} {page.passage.heading}")
    ):
        return
    if len(term.split()) > _MOST:
        return
    for label, text, start in _labelled(page):
        if any(_is(one, term) for one in _names(label)) and (said := _phrase(text)):
            yield said, start


def _labelled(page: Page) -> Iterator[tuple[str, str, int]]:
    """The labels of a page's lines, what stands behind each, and where."""
    start = 0
    lines = page.text.split("\n")
    for number, line in enumerate(lines):
        rows = _fields_of(page, start)
        if rows:
            yield from rows
        for n, part in enumerate(re.split(r"; ", line)):
            begin = _BULLET.match(part)
            own = part[begin.end() if begin else 0 :]
            found = _LABEL.fullmatch(own) or _OF_OPTION.fullmatch(own)
            if found is not None and (n == 0 or found[2].startswith(":")):
                yield found[1], found[found.lastindex or 3], start + line.find(own)
        behind = next((one for one in lines[number + 1 : number + 2] if one.strip()), "")
        if line.strip() and _ARTICLE.match(behind):  # a term, and what it is, in lines of their own
            yield line.strip(), behind, start + len(line) + 1
        start += len(line) + 1


def _fields_of(page: Page, start: int) -> list[tuple[str, str, int]]:
    """What the columns of the row that begins somewhere tell of its first value."""
    sentence = page.sentence_at(start)
    fields = page.fields.get(sentence, ())
    if len(fields) < 2 or page.starts[sentence] != start:
        return []
    _, first, end = fields[0]
    return [
        (page.text[first:end], page.text[a:b], a)
        for name, a, b in fields[1:]
        if not _TOLD_IN.isdisjoint(stems(name))
    ]


def _names(label: str) -> list[str]:
    """All that a label names: "-k", "--keep" of "-k, --keep N"."""
    label = label.strip(" *`\"“”'’")
    if not label.startswith("-"):
        return [label]
    several = _ALTERNATIVES.split(label)
    found = [_ARGUMENT.fullmatch(one.strip()) for one in several]
    return [one[1] if one else other.strip() for one, other in zip(found, several, strict=True)]


def _is(label: str, term: str) -> bool:
    """Whether a label is a term: to the letter where it is no word, "-v" is not "-V"."""
    term = term.strip(" *`\"“”'’")
    if label == term:
        return True
    if re.fullmatch(r"[A-Za-z]?[a-z]+(?: [a-z]+)*", term) is None:
        return label.casefold() == term.casefold() and not term.startswith("-")
    mine, its = words(label), words(term)
    return len(mine) == len(its) and [stems(one) for one in mine] == [stems(one) for one in its]


def _phrase(text: str) -> str:
    """The first sentence of what is told, where it is more than a word or two; else ""."""
    said = _SENTENCE_ENDS.split(text.strip(), maxsplit=1)[0].rstrip(" .;,")
    few = len(said.split()) < _FEWEST or not re.search(r"\b[a-z]{2,}", said)
    if few or len(said) > _LONGEST or said.endswith(("?", ":")) or _ELSEWHERE.match(said):
        return ""
    return said

"""The rule for "Can the mayor also be the treasurer?", where they must be different people."""

import re
from collections.abc import Iterator

from ....kg.text.words import words
from ..pages import Evidence
from .clauses.ellipsis import ON_CONDITION
from .rulings import REPLY, Ruling

_ONE_AND_OTHER = (
    re.compile(
        r"(?:may|can|could) (?:the same|one|a single) (?:\w+) (?:be|serve as|act as) (?:both )?"
        r"(.+?) and (.+?)(?: at (?:once|the same time))?\W*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:may|can|could) (.+?) (?:also (?:be|serve as|act as)|be also|be(?= .*at the same time))"
        r" (.+?)(?: (?:as well|too|at the same time))?\W*",
        re.IGNORECASE,
    ),
)
_DIFFER = re.compile(
    r"([^.;:?!]+?) (?:(?:must|have to)(?: all| always)? (?:be|remain) (?:two |three )?"
    r"(?:distinct|different)(?: \w+)?|(?:must not|may not|can ?not)(?: all)? be the same (?:\w+))"
    r"(?=\s*(?:[.,;:)]|\Z))([^.;]*)",
    re.IGNORECASE,
)
_BEGINS = re.compile(r".*\b(?:except that|but|that|while|whereas)\b", re.IGNORECASE | re.DOTALL)
_AND = re.compile(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_ARTICLES = frozenset("the a an both our their its".split())


def by_distinct(evidence: Evidence) -> Ruling | None:
    """Decide "no" by a sentence whose list of posts, which one may not hold at once, has both."""
    asked = (one.fullmatch(evidence.asked.text.strip()) for one in _ONE_AND_OTHER)
    found = next((one for one in asked if one), None)
    if found is None:
        return None
    one, other = _bare(found[1]), _bare(found[2])
    for page in evidence.pages:
        for number in range(len(page.texts)):
            for posts in _different(page.sentence(number)):
                first = {n for n, post in enumerate(posts) if _is(post, one)}
                second = {n for n, post in enumerate(posts) if _is(post, other)}
                if len(first) == len(second) == 1 and first != second:
                    return Ruling("no", REPLY, read=(page, number))
    return None


def _different(sentence: str) -> Iterator[list[list[str]]]:
    """The lists of what must be different people, each by its words."""
    for found in _DIFFER.finditer(sentence):
        told = _BEGINS.sub("", found[1])
        if not ON_CONDITION.search(told) and not ON_CONDITION.search(found[2]):
            yield [_bare(post) for post in _AND.split(told)]


def _is(post: list[str], asked: list[str]) -> bool:
    """Whether a post is the one asked about: "Project Secretary" is the secretary."""
    more = len(post) - len(asked)
    return bool(asked) and more >= 0 and post[more:] == asked and "of" not in post[:more]


def _bare(text: str) -> list[str]:
    return [word for word in words(text) if word not in _ARTICLES]

"""Questions that the documents ask, and answer, themselves: lists of those that are often asked."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ....kg.text.words import stems
from ..pages import Evidence, Page
from .rulings import REPLY, Ruling

LIKE = 0.7  # of the words of both questions are the same
FEWEST = 2  # words, of a question that is only like it
LONGEST = 8  # sentences of a reply
_YES = r"yes|yep|always|of course|certainly|sure"
_NO = r"no|nope|never|not (?:any ?more|any longer|yet|at the moment)|unfortunately(?:,)? not?"
_VERDICT = re.compile(rf"\W*(?:a(?:nswer)?\s*[:.]\W*)?(?:({_YES})|(?:{_NO}))\b", re.IGNORECASE)
_ASKED = frozenset(stems("q question a answer"))
_ENDS = re.compile(r"[.!?](?=[\s\"'”’)*_]|$)|\n")


class Reply(NamedTuple):
    """Where a page answers the question: its sentences [first, last)."""

    page: Page
    first: int
    last: int

    def holds(self, page: Page, sentence: int) -> bool:
        """Whether a sentence is of it."""
        return page is self.page and self.first <= sentence < self.last


def reply_of(evidence: Evidence) -> Reply | None:
    """Find what stands behind the question where a page asks it, too, in words or order."""
    wanted = evidence.asked.stems
    best, found = LIKE, None
    for page in evidence.pages:
        for said, first in _questions(page):
            if said - wanted and wanted - said:  # "after paying?", and before is asked about
                continue
            like = len(said & wanted) / max(1, len(said | wanted))
            enough = like == 1 or len(said) >= FEWEST
            if like >= best and enough and first < len(page.texts):
                best, found = like, Reply(page, first, _end(page, first))
    return found


def by_reply(evidence: Evidence) -> Ruling | None:
    """Decide "Can I bring a dog?" by the "No, …" behind that question, or return None."""
    reply = reply_of(evidence) if evidence.asked.kind == "yesno" else None
    if reply is None:
        return None
    for sentence in range(reply.first, min(reply.first + 2, reply.last)):  # "A:" may be one
        if found := _VERDICT.match(reply.page.texts[sentence]):
            answer = "yes" if found.group(1) else "no"
            return Ruling(answer, REPLY, read=(reply.page, sentence))
    return None


def asks(sentence: str) -> bool:
    """Whether a sentence is a question."""
    return sentence.rstrip(" \n\"'”’)*_").endswith("?")


def in_question(text: str, end: int) -> bool:
    """Whether what stands in a text before a character stands in a question: "Is it still 3 May?".

    Sentences are cut wrongly at times, above all in chats: the next mark decides. An aside states
    what it says: "Do you need subtitles (14 kinds)?"
    """
    found = _ENDS.search(text, end)
    if found is None or found.group() != "?":
        return False
    rest = text[end : found.start()]
    return rest.count(")") <= rest.count("(")


def _questions(page: Page) -> Iterator[tuple[frozenset[str], int]]:
    """Stems of each question that a page asks, and the number of the sentence behind it."""
    above = page.passage.title
    if asks(above):
        yield frozenset(stems(above)), 0
    for number, text in enumerate(page.texts):
        if asks(text):
            yield page.said[number] - _ASKED, number + 1


def _end(page: Page, first: int) -> int:
    last = min(len(page.texts), first + LONGEST)
    return next((n for n in range(first + 1, last) if asks(page.texts[n])), last)

"""Questions that the documents ask, and answer, themselves: lists of those that are often asked."""

import re
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from ....kg.text.words import stems, words
from ..pages import Evidence, Page
from .clauses.ellipsis import HELPS, ON_CONDITION
from .clauses.said import unit
from .rulings import REPLY, Ruling

LIKE = 0.7  # of the words of both questions are the same
FEWEST = 2  # words, of a question that is only like it
LONGEST = 8  # sentences of a reply
_YES = r"yes(?! and no\b)|yep|always|of course(?! not)|certainly(?! not)|sure"
_NO = (
    r"(?:no|never)(?=\s*(?:[^\w\s]|\Z)|\s(?:you|we|they|i|it|there|this|that|not)\b)|nope"
    r"|(?:of course|certainly) not|not (?:any ?more|any longer|yet|at the moment)"
    r"|unfortunately(?:,)? not?"
)
_VERDICT = re.compile(rf"\W*(?:a(?:nswer)?\s*[:.]\W*)?(?:({_YES})|(?:{_NO}))\b", re.IGNORECASE)
_SHORT = re.compile(
    r"\W*(?:(?:a|answer)[.:]\s*)?(?:yes, |no, )?(?:they|it|you|we|i|he|she|there) "
    r"(am|is|are|was|were|does|do|did|has|have|had|can|may|must|will|wo|ca|need)"
    r"(n['’]t|not| not)?(?: be)?(?: at all| any ?more| any longer| either| indeed)?"
    r"(?=\s*(?:[.!;:,–—(]|\Z))([^.!;]*)",
    re.IGNORECASE,
)
"""A reply that leaves out what was asked: "They are, on a lead"."""
_ASKED = frozenset(stems("q question a answer"))
_ALLOWED = frozenset(stems("can could may allowed permitted bring any there"))
_HERE = frozenset(stems("site place premises here there"))
"""Words that add nothing to the rest of a question that somebody on the spot asks."""
_SAYINGS = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), word)
    for said, word in (
        (r"(?:turn|show)(?:ing)? up", "arrive"),
        (r"(?:bring|take|give|send) ((?:\w+ ){0,2})back", r"return \1"),
        (r"stay overnight|(?:stay|spend) the night", "sleep"),
        (r"sign up", "register"),
        (r"(?:have|has|had|need|needs) to", "must"),
        (r"on land|out of the water", "ashore"),
        (r"(hire|rent) out", r"\1"),
        (r"(included?) in the (?:price|fare|fee|rent)", r"\1"),
        (r"your|our", ""),
    )
)
"""What one word says, too."""
_WHICH = re.compile(
    r"\W*(?:q\W+)?(?:who|whom|whose|what|when|where|which|why|how)\b", re.IGNORECASE
)
_FIRST = re.compile(r"\W*(?:q\W+)?(\w+?)(?:n['’]t)?\b", re.IGNORECASE)
_MODAL = frozenset("can may could".split())
_HAVE_TO = re.compile(r"\b(?:have|need) to\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"\b(?:but|not|no|never|though|although|however|before|after|subject to|without)\b|\?",
    re.IGNORECASE,
)
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
    """Decide "Can I bring a dog?" by the "No, …" behind that question, or return None.

    The page has to ask the same, not the like: "… without a card?" is not "… for free?".
    """
    if evidence.asked.kind != "yesno":
        return None
    for page in evidence.pages:
        above = frozenset(stems(f"{page.passage.title} {page.passage.heading}"))
        for text, first in _asked_there(page):
            if not _same(text, evidence.asked.text, above):
                continue
            there = page if first < len(page.texts) else _behind(evidence, page)
            if there and (decided := _decided(there, first if there is page else 0, text)):
                return decided
    return None


def verdict_of(sentence: str) -> str:
    """Return the "yes" or "no" that a sentence begins with; "" where it begins with neither."""
    found = _VERDICT.match(sentence)
    return "" if found is None else "yes" if found.group(1) else "no"


def _behind(evidence: Evidence, page: Page) -> Page | None:
    """The passage that goes on where one ends, if it was found, too."""
    wanted = page.passage.document_id, page.passage.position + 1
    places = {(one.passage.document_id, one.passage.position): one for one in evidence.pages}
    return places.get(wanted)


def _decided(page: Page, first: int, asked: str) -> Ruling | None:
    for sentence in range(first, min(first + 2, _end(page, first))):  # "A:" may be one
        verdict = verdict_of(page.texts[sentence])
        if not verdict and (sentence == first or not page.said[first] - _ASKED):
            verdict = _in_short(page.texts[sentence], asked)
        if verdict:
            return Ruling(verdict, REPLY, read=(page, sentence))
    return None


def _in_short(sentence: str, asked: str) -> str:
    """What "They are, on a lead" says of "Are dogs allowed?"; "" of another verb, or of an if."""
    found = _SHORT.match(sentence)
    if found is None or ON_CONDITION.search(found[3]) or _TAKEN_BACK.search(found[3]):
        return ""
    opening = _FIRST.match(asked)
    own, its = _verb(found[1]), _verb(opening[1] if opening else "")
    if _HAVE_TO.search(asked) and own == "must":
        its = "must"
    if own != its or (found[1].lower() == "need" and not found[2]):
        return ""
    return "no" if found[2] else "yes"


def _verb(form: str) -> str:
    """The infinitive of an auxiliary verb; "can" of "may", "must" of "need"."""
    form = form.lower()
    verb = HELPS.get(form, form)
    return "can" if verb in _MODAL else verb


def _same(there: str, asked: str, above: frozenset[str]) -> bool:
    """Whether two questions ask the same, where one may name the document's own thing besides."""
    said, wanted = _meant(there), _meant(asked)
    if _WHICH.match(there):
        return False
    more, less = wanted - said - above - _HERE, said - wanted - above - _HERE
    if (len(more), len(less)) in ((1, 2), (2, 1)):  # "camp fires", "campfires"
        one, two = sorted((more, less), key=len)
        return any("".join(pair).startswith(tuple(one)) for pair in permutations(two) if one)
    return not more and not less and bool(said & wanted)


def _meant(question: str) -> frozenset[str]:
    for saying, word in _SAYINGS:
        question = saying.sub(word, question)
    told = (unit(word) for word in words(question) if stems(word))
    return frozenset(min(stemmed) for stemmed in told) - _ASKED - _ALLOWED


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
    for text, first in _asked_there(page):
        yield frozenset(stems(text)) if first == 0 else page.said[first - 1] - _ASKED, first


def _asked_there(page: Page) -> Iterator[tuple[str, int]]:
    """Each question that a page asks, and the number of the sentence behind it."""
    opening = page.texts[:1]
    for above in (page.passage.title, page.passage.heading):
        if asks(above) and not any(map(asks, opening)):
            yield above, 0
    for number, text in enumerate(page.texts):
        if asks(text):
            yield text, number + 1


def _end(page: Page, first: int) -> int:
    last = min(len(page.texts), first + LONGEST)
    return next((n for n in range(first + 1, last) if asks(page.texts[n])), last)

"""The rule for what is allowed or forbidden: "Are dogs allowed in the saloon?"."""

import re

from ....kg.text.words import stems
from ..asked.alike import alike
from ..pages import Evidence, Page
from .rulings import REPLY, Ruling

_ASKS = re.compile(
    r"^(?:(?:can|could|may) \S|(?:is|are|was|were|am|will|do|does) .*"
    r"\b(?:allowed|permitted|forbidden|prohibited|banned|welcome|allow|permit)\b)",
    re.IGNORECASE,
)
_ASKS_OF_BAN = re.compile(r"\b(?:forbidden|prohibited|banned|not)\b|n['’]t\b", re.IGNORECASE)
_BAN = re.compile(
    r"(?:(?:\b(?:not|never|no longer)|n['’]t)(?: be)? (?:allowed|permitted|welcome)"
    r"|\b(?:forbidden|prohibited|banned|(?:may|must|can|shall) ?not|can['’]t|mustn['’]t)"
    r"|\A\W*no (?!longer)(?:[\w'’-]+ ){1,4}?(?:may|(?:is|are) (?:allowed|permitted|welcome)))\b",
    re.IGNORECASE,
)
_LEAVE = re.compile(
    r"\b(?:may|(?:is|are)(?: always| also)? (?:allowed|permitted|welcome))\b(?! not\b)",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:unless|except\w*|only|if|save|but|without|apart from|other than|until|till|before|after"
    r"|when\w*|provided|while|during|as long as|subject to|some|most|at least|at most|up to)\b",
    re.IGNORECASE,
)
_LITTLE = frozenset(
    stems(
        "allowed permitted permit allow forbidden prohibited banned welcome may can must not never"
        " bring take get use go there here my our your i you we us me one any anyone people person"
    )
)
"""Words of such a question or sentence that say of nothing what is allowed."""


def by_permission(evidence: Evidence) -> Ruling | None:
    """Decide by the one sentence that says all words of the question and whether it is allowed.

    Where it sets a condition or speaks of something narrower, what it says is only shown.
    """
    asked = evidence.asked
    content = asked.stems - _LITTLE
    if asked.kind != "yesno" or not content or not _ASKS.match(asked.text):
        return None
    shown = None
    told: dict[str, tuple[Page, int]] = {}
    for page in evidence.pages:
        for number, text in enumerate(page.texts):
            verdict = _verdict(text) if _all_said(content, page, number) else ""
            if verdict and _ASKS_OF_BAN.search(asked.text):
                verdict = "no" if verdict == "yes" else "yes"
            if verdict and not CONDITION.search(text) and not _narrower(content, page, number):
                told.setdefault(verdict, (page, number))
            elif verdict and shown is None:
                shown = Ruling(verdict, "default", read=(page, number))
    if len(told) == 1 and shown is None:
        [(verdict, read)] = told.items()
        return Ruling(verdict, REPLY, read=read)
    return shown


def _verdict(text: str) -> str:
    """What a sentence says of what it speaks of: "no", "yes" or "" for neither or both."""
    if _BAN.search(text):
        return "" if _LEAVE.search(_BAN.sub(" ", text)) else "no"
    return "yes" if _LEAVE.search(text) else ""


def _all_said(content: frozenset[str], page: Page, sentence: int) -> bool:
    said = page.said[sentence]
    return all(not said.isdisjoint(alike(stem)) for stem in content)


def _narrower(content: frozenset[str], page: Page, sentence: int) -> bool:
    """Whether a sentence says more nouns than the question: dogs in the saloon are not all dogs."""
    span, passage = page.spans[sentence], page.passage
    known = content.union(*map(alike, content), _LITTLE)
    known |= frozenset(stems(f"{passage.title} {passage.heading}"))
    return any(
        token.pos_ in ("NOUN", "PROPN", "NUM", "ADJ")
        and not known.issuperset(page.stemmed[token.i])
        for token in span
    )

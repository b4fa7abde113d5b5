"""Whether somebody did another thing than what is asked: mended what was damaged."""

import re
from typing import TYPE_CHECKING

from ..asked.parts import part_played
from .another_sort import is_said

if TYPE_CHECKING:
    from spacy.tokens import Span

    from ..asked.question import Asked
    from ..pages import Page

_ATTRIBUTES = frozenset({"amod", "compound"})
_LITTLE = frozenset(
    "be have do make create carry perform undertake conduct give provide offer handle run lead head"
    " organise organize commit cause produce arrange take complete execute say get need".split()
)
"""Verbs with a noun that says what was done: "the delivery was made by X"."""
_AFTERWARDS = frozenset(
    "report find discover notice see repair replace mend fix announce confirm return recover"
    " examine investigate photograph witness restore remove regret criticise note hear accept"
    " check approve inspect review".split()
)
"""What others do about a deed: whoever reports a delivery did not deliver."""

_MUTUAL = frozenset({"marry", "divorce", "engage", "meet", "join"})
_DOES = re.compile(r"\b[Ww]ho (?:\w+ly )?\w+ (?:(?:the|an?|our|this|that|his|her|their)\b|[A-Z])")
"""Who does it to something: "Who trained the team?", not "Who trained in Graz?"."""


def did_another_thing(asked: "Asked", page: "Page", sentence: "Span", found: "Span") -> bool:
    """Whether somebody is who did another thing to what is only called so.

    Of "the stolen bicycle was found by Ann" that is who stole it; or of "the late delivery was
    reported by Ann" who delivered late. Or whether it was done to them: Garfield, who was shot.
    """
    if asked.kind != "person" or asked.part != "subject" or len(asked.doing) != 1:
        return False
    (verb,) = asked.doing
    played = part_played(found.root)
    if played is None or played[1].pos_ != "VERB":
        return False
    part, deed = played
    words = [t for t in sentence if is_said(verb, frozenset(page.stemmed[t.i]))]
    if part == "patient":
        done_to = found.root.i < deed.i and any(t.dep_ == "auxpass" for t in deed.children)
        done_to = done_to and deed in words and deed.lemma_ not in _MUTUAL
        return done_to and _DOES.search(asked.text) is not None
    if part != "subject":
        return False
    if deed.lemma_ in _LITTLE or deed in words:
        return False
    nouns = [t for t in words if t.pos_ == "NOUN" and t.dep_ not in _ATTRIBUTES]
    if not words or any(t not in nouns and t.dep_ not in _ATTRIBUTES for t in words):
        return False
    return not nouns or deed.lemma_ in _AFTERWARDS

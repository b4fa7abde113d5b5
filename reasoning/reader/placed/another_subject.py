"""Whether a sentence tells of another name, of another part of a life, or of one of many things."""

import re
from typing import TYPE_CHECKING

from ....kg.text.words import stems
from ..asked.names import key
from ..asked.parts import clause_of
from ..asked.question import Asked
from ..pages import Page
from .aligned_page import AlignedPage

if TYPE_CHECKING:
    from spacy.tokens import Span

_PRONOUN = frozenset("he her him his it its she their them they this these those".split())
_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_LIVES = tuple(  # of whose places one is not the other
    re.compile(rf"(?i)\b(?:{words})\b")
    for words in (
        r"born|birth\w*|native of",
        r"die[sd]?|death|killed|drown\w*",
        r"buried|grave|tomb|cemetery",
        r"lives?|lived|living|resid\w+|home|house|flat|settled|moved|dwell\w*|stay\w*|address",
        r"works?|worked|working|job|employ\w*|office",
        r"stud(?:y|ies|ied|ying|ents?)|attend\w*|graduat\w+|educat\w+|degree|taught|pupil",
    )
)
_SUPERLATIVE = re.compile(r"(?i)(?<!at )\b(most|least|\w{2,}est)\b")
_NONE = frozenset(
    "arrest best contest earnest forest guest harvest honest interest invest modest priest protest"
    " quest request rest suggest test west".split()
)


def of_another_subject(asked: Asked, page: AlignedPage, sentence: int, found: "Span") -> bool:
    """Whether another name does it, where nothing but title or heading says the question's.

    Of "Alderline is a company in Linz", in a list of the staff of Harrow Optics, that is not where
    Harrow Optics is.
    """
    if asked.described or not asked.names or page.names(sentence):
        return False
    if sentence in page.page.fields:  # a row is no clause, see `of_another_row`
        return False
    passage = page.page.passage
    titles = [frozenset(stems(one)) for one in (passage.title, passage.heading)]
    if not any(
        name <= page.page.scope or any(name < title for title in titles) for name in asked.names
    ):
        return False  # a page that is about it may well say "Hartmann made"
    clause = clause_of(found.root)
    if any(t.lower_ in _PRONOUN for t in clause.subtree):
        return False
    subjects = [t for t in clause.children if t.dep_ in _SUBJECTS]
    return bool(subjects) and all(
        t.pos_ == "PROPN" and t not in found and page.above.isdisjoint(stems(t.text))
        for t in subjects
    )


def of_a_namesake(asked: Asked, page: Page, sentence: int, answer: str) -> bool:
    """Whether a sentence says the last word of a name behind other first ones, and never its own.

    Of "Harrow Labs tests lenses for the Keele Observatory" nothing is known of the Pic Observatory.
    """
    text, said, own = page.texts[sentence], page.said[sentence], frozenset(stems(answer))
    for called, name in zip(asked.called, asked.names, strict=True):
        *first, last = called.split()
        if not first or not last[:1].isupper() or any(map(str.isdigit, called)):
            continue
        others = re.findall(rf"((?:[A-Z][\w'’-]+ )+){re.escape(last)}\b", text)
        told = [stem for other in others for stem in stems(other)]
        if not told or not (name - frozenset(stems(last))).isdisjoint(said):
            continue
        if own.isdisjoint(told) and asked.stems.isdisjoint(told):
            return True
    return False


def of_another_life(asked: Asked, page: Page, sentence: int) -> bool:
    """Whether a sentence says where somebody was born, where it is asked where they live."""
    if asked.kind != "place" or asked.described:
        return False
    wanted = [part for part in _LIVES if part.search(asked.text)]
    text = page.texts[sentence]
    told = [part for part in _LIVES if part.search(text)]
    return len(wanted) == 1 and bool(told) and wanted[0] not in told


def is_one_of_many(asked: Asked, page: Page, sentence: int) -> bool:
    """Whether the longest or most is asked for, of which a row alone tells nothing.

    Nor how many rows there are: "How many rooms are there?" – "Room: Aspen; Seats: 12".
    """
    if sentence not in page.fields:
        return False
    most = frozenset(map(str.lower, _SUPERLATIVE.findall(asked.text))) - _NONE
    if most and most.isdisjoint(key(page.texts[sentence]).split()):
        return True
    return bool(asked.counted) and asked.stems <= asked.counted | asked.typed

"""Signs by which a rule's answer is told to be right, and what is never asserted."""

import re
from collections.abc import Sequence

import numpy as np

from ....kg.extraction.mentions import DATE
from ....kg.text.words import terms
from ..asked.alike import alike
from ..asked.described import KIN
from ..asked.initials import expands
from ..asked.names import inside, key, same_name
from ..asked.question import KINDS, Asked
from ..kinds import is_strict
from ..pages import Evidence, Floats, Page
from ..parsed import Parsed, once
from ..placed.alignment import ALIGNED
from ..placed.place import Place
from ..placed.stated import others
from ..rules.rulings import REPLY, RULES, Ruling

_AS_RULE = {"word": "path", REPLY: "path"}
"""Rules as sure as another, which rest on what is stated alone, and are rare."""
_PATHS = frozenset({"path", "word"})
CIRCUMSTANCES = (
    "covered",  # share of the question's words that the pages have
    "named",  # how many pages it names, at most two
    "length",  # log(1 + its words without stop words), at least SHORT
)
CONFIDENCE = (
    "top",  # log of the best candidate's probability, with those inside it or around it
    "lead",  # log of its ratio to the best other's
    "strength",  # its logit: what speaks for it apart from the others
    *CIRCUMSTANCES,
    "agrees",  # the rule's answer is the best candidate
    "tied",  # it rests on a triple whose relation is a guess
    *(f"rule {rule}" for rule in RULES if rule not in _AS_RULE),
    *(f"kind {kind}" for kind in KINDS),
)
NEVER_ASSERTED = frozenset({"default"})
"""Rules whose answer is a guess, however sure."""
SURE = 0.85
"""At least so sure is what one triple states of the very thing that is asked about, and what the
letters of a short form spell. Whatever scored best, and however many other candidates there are,
says nothing against it. From here on an answer that was read may also stand apart from the names
that the question says, or only fit what it describes: see `only_shown`.
"""
FOLLOWED = 0.75
"""At least so sure is the end of a path of several triples, each of which states the relation that
the question says: of 26 on 2Wiki 22 were right, six of them in other words than the benchmark's.
"""
PART_OF_NAME = re.compile(
    r"\b(?:(?:first|middle|last|maiden|given|family) name|surname|forename)s? of\b", re.IGNORECASE
)
SAME_AS = re.compile(r"\bthe same (?:\w+ ){1,3}as\b", re.IGNORECASE)
SHORT = 5  # words; shorter questions than these were hardly seen in training
MIN_COVERED = 0.5
"""Where the pages have less of the question's words than this, they speak of something else."""
_MAX_LEAD = 8.0  # of logits; e^8: as good as alone


def only_shown(
    evidence: Evidence,
    covered: float,
    ruling: Ruling | None,
    best: str,
    aligned: Floats,
    place: Place | None = None,
    said: bool = False,
    sure: bool = False,
) -> bool:
    """Tell whether an answer is a guess that may be shown but not asserted.

    Without a rule these are: one of two options, where likeness can't tell "older" from "younger";
    a single answer about two named things ("Who composed A and B?") that the pages of both don't
    have in common; one that is said of something with a longer name; what was until some time,
    where what is now is asked for; one of which nothing tells its type, or a whole name where a
    part of it is asked for; what can't be of the type asked for, see `kinds.is_strict`; what is
    said of somebody whose relative is asked about. Unless it is SURE, also one whose passage, and
    those that lead to it, lack a name that the question says, one from pages that speak of
    something else, whose passage has a name of the question elsewhere than near it, or that is not
    said of what the question only describes: of those nine in ten are right, of less sure ones two
    in three. By rule: the default, and a path over a triple whose relation is a guess, unless the
    scorer arrives there too. What else is of another type than the question seems to ask for ("Who
    pays?" – "the client") is as often right as it is judged to be.

    Args:
        covered: share of what is asked that the pages speak of, see `covered_by`.
        best: the best candidate's text.
        aligned: its values of ALIGNED.
        place: where it stands best; None without any.
        said: whether one sentence states it, see `stated`.
        sure: whether it is judged to be right with SURE.
    """
    if ruling is not None:
        guessed = ruling.rule in _PATHS and _tied(ruling)
        return ruling.rule in NEVER_ASSERTED or (guessed and not _agree(ruling, best))
    if _never_asserted(evidence, best, aligned, place):
        return True
    if not sure:
        if aligned[ALIGNED.index("names_in_chain")] < 1:
            return True
        elsewhere = covered < MIN_COVERED
        if place is not None:
            if place.of_another:
                return True
            elsewhere = elsewhere or place.away
        if elsewhere and not said:
            return True
    return any(not inside(key(best), page.key) for page in joined(evidence))


def _never_asserted(evidence: Evidence, best: str, aligned: Floats, place: Place | None) -> bool:
    """What `only_shown` says of the scorer's answers, however sure."""
    asked = evidence.asked
    if PART_OF_NAME.search(asked.text) and len(best.split()) > 1:
        return True
    if asked.kind == "choice":
        return True
    if is_strict(asked, best) and aligned[ALIGNED.index("fit")] < 0:
        return True
    if place is None:
        return False
    if SAME_AS.search(asked.text) and not SAME_AS.search(_sentence(place)):
        return True  # "who plays the man with the same name as X": X is found
    of_a_relative = place.of_another and bool(asked.described & KIN)  # said of X, not X's sister
    if of_a_relative or place.of_another_thing or place.misplaced:
        return True
    return place.of_no_kind


def _sentence(place: Place) -> str:
    return place.page.page.sentence(place.mention.sentence)


def least_confidence(ruling: Ruling | None, asked: Asked, best: str) -> float:
    """How sure an answer is at the least, whatever the calibrator says; 0.0 for most.

    SURE are a path of one triple that states its relation, one that ends in the date asked for, and
    words that a short form asked about is the letters of, and what a page says behind the question
    itself; FOLLOWED is a path of several triples.
    """
    if ruling is None:
        return SURE if asked.short and expands(asked.short, best) else 0.0
    if ruling.rule == REPLY:
        return SURE
    if ruling.rule not in _PATHS or _tied(ruling):
        return 0.0
    first, names = ruling.support[0].triple, asked.names
    about = frozenset(terms(f"{first.head} {first.tail}"))
    if names and not any(name <= about for name in names):
        return 0.0  # of "the FAQ", where "the Linux FAQ" is asked about
    dated = asked.kind == "date" and bool(DATE.fullmatch(ruling.answer))
    if len(ruling.support) == 1 or dated:
        return SURE
    steps = {statement.triple.id for statement in ruling.support}
    goes_on = len(steps) == len(ruling.support) and not inside(key(ruling.answer), asked.key)
    return FOLLOWED if ruling.rule == "path" and goes_on else 0.0


def joined(evidence: Evidence) -> tuple[Page, ...]:
    """Pages whose titles the question joins by "and", or none."""
    asked, pages = evidence.asked.key, evidence.named
    return next(
        ((a, b) for a in pages for b in pages if inside(f"{a.title} and {b.title}", asked)), ()
    )


def _said(evidence: Evidence) -> frozenset[str]:
    return frozenset[str]().union(*(_terms(page.parsed) for page in evidence.pages))


@once
def _terms(of: Parsed) -> list[str]:
    return terms(f"{of.passage.title} {of.passage.text}")


def covered_by(evidence: Evidence) -> float:
    """Share of the question's words that the pages say, or that they say others alike for.

    What tells a type alone, as "big" in "How big was the loss?", is said by whatever is of it.
    """
    asked, said = evidence.asked, evidence.asked.typed.union(_said(evidence))
    held = sum(stem in said or not said.isdisjoint(alike(stem)) for stem in asked.stems)
    return held / max(1, len(asked.stems))


def circumstances(evidence: Evidence) -> Floats:
    """Measure how much of the question the pages speak of: float32 (len(CIRCUMSTANCES),)."""
    stems = evidence.asked.stems
    covered = len(stems.intersection(_said(evidence))) / max(1, len(stems))
    named = min(2, len(evidence.named))
    return np.array([covered, named, np.log1p(max(SHORT, len(stems)))], dtype=np.float32)


def signs(
    around: Floats, asked: Asked, texts: Sequence[str], logits: Floats, ruling: Ruling
) -> Floats:
    """Return the signs of a rule's answer in the order of CONFIDENCE: float32 (len(CONFIDENCE),).

    Args:
        around: see `circumstances`.
        asked: the question.
        texts: of all candidates, in any order; logits are in the same.
        ruling: what a rule decided.
    """
    strength = top = lead = 0.0
    best = ""
    if len(logits):
        first = int(np.argmax(logits))
        best, strength = texts[first], float(logits[first])
        other = others(texts, first)
        raised = np.exp(logits - logits.max())
        top = float(np.log(raised[~other].sum() / raised.sum()))
        lead = min(_MAX_LEAD, strength - float(logits[other].max())) if other.any() else _MAX_LEAD
    rule = _AS_RULE.get(ruling.rule, ruling.rule)
    values = [top, lead, strength, *around, _agree(ruling, best), _tied(ruling)]
    values += [rule == name for name in RULES if name not in _AS_RULE]
    values += [asked.kind == name for name in KINDS]
    return np.array(values, dtype=np.float32)


def _agree(ruling: Ruling, best: str) -> bool:
    return same_name(key(ruling.answer), key(best))


def _tied(ruling: Ruling) -> bool:
    return any(statement.triple.tied for statement in ruling.support)

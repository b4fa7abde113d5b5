"""Signs by which the calibrator tells a right answer from a wrong one."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kg.extraction.mentions import DATE
from ...kg.text.words import terms
from .alignment import ALIGNED, Place
from .initials import expands
from .names import inside, key, same_name
from .pages import Evidence, Floats, Page
from .question import KINDS, Asked
from .rules.rulings import RULES, Ruling
from .spans import SPANS

_AS_RULE = {"word": "path"}
"""Rules as sure as another: both rest on stated relations alone, and the first is rare."""
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
    "unruled choice",  # one of two options, by likeness alone
    "agrees",  # a rule's answer is the best candidate
    "tied",  # a rule rests on a triple whose relation is a guess
    *SPANS,  # of the best candidate
    *ALIGNED,
    "stated lead",  # how much better it is stated than any other
    "said",  # one sentence states it, see `stated`
    *(f"rule {rule}" for rule in RULES if rule not in _AS_RULE),
    *(f"kind {kind}" for kind in KINDS),
)
NEVER_ASSERTED = frozenset({"default"})
"""Rules whose answer is a guess, whatever the calibrator says."""
SURE = 0.85
"""At least so sure is what one triple states of the very thing that is asked about, and what the
letters of a short form spell. Whatever scored best, and however many other candidates there are,
says nothing against it. From here on an answer of the scorer may also stand apart from the names
that the question says, or only fit what it describes: see `only_shown`.
"""
FOLLOWED = 0.75
"""At least so sure is the end of a path of several triples, each of which states the relation that
the question says: of 26 on 2Wiki 22 were right, six of them in other words than the benchmark's.
"""
_SAID = 0.5  # how far such a sentence states the answer
_SAID_AGAINST = 0.75  # … where another candidate scores best
_SAID_ALONE = 0.5  # … unless by so much no other is stated, or that one does nothing asked about
_SAID_MORE = 0.15  # … and how much further than any other answer is stated
_BESIDE = 0.8  # what is stated by what does nothing, beside one that does what is asked about
_PART_OF_NAME = re.compile(
    r"\b(?:(?:first|middle|last|maiden|given|family) name|surname|forename)s? of\b", re.IGNORECASE
)
SHORT = 5  # words; shorter questions than these were hardly seen in training
MIN_COVERED = 0.5
"""Where the pages have less of the question's words than this, they speak of something else."""
_TOGETHER = 5  # words of a phrase of two names
_MAX_LEAD = 8.0  # of logits; e^8: as good as alone


def only_shown(
    evidence: Evidence,
    around: Floats,
    ruling: Ruling | None,
    best: str,
    aligned: Floats,
    place: Place | None = None,
    said: bool = False,
    sure: bool = False,
) -> bool:
    """Tell whether an answer is a guess that may be shown but not asserted.

    Without a rule these are: one of two options, where likeness can't tell "older" from "younger";
    an answer from pages that speak of something else; a single answer about two named things
    ("Who composed A and B?") that the pages of both don't have in common; an answer whose passage,
    and those that lead to it, lack a name that the question says; one that is said of something
    with a longer name; what was until some time, where what is now is asked for; one of another
    type than the question asks for, or of which nothing tells its type, or a whole name where a
    part of it is asked for. Unless it is SURE, also one whose passage has such a name elsewhere
    than near it, or that is not said of what the question only describes: of those nine in ten are
    right, of less sure ones two in three. By rule: the default, and a path over a triple whose
    relation is a guess, unless the scorer arrives there too.

    Args:
        around: see `circumstances`.
        best: the best candidate's text.
        aligned: its values of ALIGNED.
        place: where it stands best; None without any.
        said: whether one sentence states it, see `stated`.
        sure: whether the calibrator is SURE of it.
    """
    if ruling is not None:
        guessed = ruling.rule in _PATHS and _tied(ruling)
        return ruling.rule in NEVER_ASSERTED or (guessed and not _agree(ruling, best))
    if _PART_OF_NAME.search(evidence.asked.text) and len(best.split()) > 1:
        return True
    elsewhere = around[CIRCUMSTANCES.index("covered")] < MIN_COVERED
    if place is not None:
        elsewhere = elsewhere or (place.away and not sure)
        if place.of_longer_name or place.of_no_kind or place.of_the_past:
            return True
        if place.of_another and not sure:
            return True
    if evidence.asked.kind == "choice" or (elsewhere and not said):
        return True
    if aligned[ALIGNED.index("names_in_chain")] < 1 or aligned[ALIGNED.index("fit")] < 0:
        return True
    return any(not inside(key(best), page.key) for page in _joined(evidence))


def chosen(
    asked: Asked, texts: Sequence[str], logits: Floats, features: Floats
) -> tuple[int, bool]:
    """Choose the answer: what a sentence states, else what scores best; and whether it is stated.

    Args:
        features: (len(texts), n), see `stated`.
    """
    top = int(np.argmax(logits))
    leader = stated(asked, texts, features, top)
    return (top, False) if leader is None else (leader, True)


def stated(asked: Asked, texts: Sequence[str], features: Floats, top: int) -> int | None:
    """Find the candidate that a sentence states to be what is asked for, as it does no other.

    The sentence says the question's names and most of its words; the candidate is of the type asked
    for and plays the part of the question word: "Who designed X?", "X was designed by …".

    Args:
        texts: of the candidates.
        features: (len(texts), n), the last columns in the order of ALIGNED.
        top: the best candidate by its score; another has to be stated all the more.
    """
    if asked.kind in ("choice", "yesno"):
        return None
    if asked.kind in ("person", "other") and not asked.stems - asked.named_stems:
        return None  # "Who is X?"
    said = features[:, ALIGNED.index("stated") - len(ALIGNED)]
    first = int(np.argmax(said))
    other = others(texts, first)
    part = features[:, ALIGNED.index("part") - len(ALIGNED)]
    if asked.doing and part[first] > 0:
        said = np.where(other & (part <= 0), _BESIDE * said, said)
    if not other[top] and said[top] >= said[first] - _SAID_MORE:
        first = top
    lead = float(said[first]) - (float(said[other].max()) if other.any() else 0.0)
    sure = first == top or lead >= _SAID_ALONE or part[first] > 0 >= part[top]
    enough = _SAID if sure else _SAID_AGAINST
    if said[first] < enough or inside(key(texts[first]), asked.key):
        return None
    own = lead + float(said[~other].max() - said[first])
    return first if own >= _SAID_MORE else None


def least_confidence(ruling: Ruling | None, asked: Asked, best: str) -> float:
    """How sure an answer is at the least, whatever the calibrator says; 0.0 for most.

    SURE are a path of one triple that states its relation, one that ends in the date asked for, and
    words that a short form asked about is the letters of; FOLLOWED is a path of several triples.
    """
    if ruling is None:
        return SURE if asked.short and expands(asked.short, best) else 0.0
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


def _joined(evidence: Evidence) -> tuple[Page, ...]:
    """Pages whose titles the question joins by "and", or none."""
    asked, pages = evidence.asked.key, evidence.named
    return next(
        ((a, b) for a in pages for b in pages if inside(f"{a.title} and {b.title}", asked)), ()
    )


def circumstances(evidence: Evidence) -> Floats:
    """Measure how much of the question the pages speak of: float32 (len(CIRCUMSTANCES),)."""
    stems = evidence.asked.stems
    text = " ".join(f"{page.passage.title} {page.passage.text}" for page in evidence.pages)
    covered = len(stems.intersection(terms(text))) / max(1, len(stems))
    named = min(2, len(evidence.named))
    return np.array([covered, named, np.log1p(max(SHORT, len(stems)))], dtype=np.float32)


def signs(
    around: Floats,
    asked: Asked,
    texts: Sequence[str],
    logits: Floats,
    features: Floats,
    ruling: Ruling | None,
) -> Floats:
    """Return the signs of an answer in the order of CONFIDENCE: float32 (len(CONFIDENCE),).

    Args:
        around: see `circumstances`.
        asked: the question.
        texts: of all candidates, in any order; logits and features are in the same.
        features: (len(texts), n), the last columns in the order of ALIGNED.
        ruling: what a rule decided, if any.
    """
    strength = top = lead = stated_lead = 0.0
    kind, is_said = asked.kind, False
    own, best = np.zeros(len(SPANS) + len(ALIGNED), np.float32), ""
    if len(logits):
        first, is_said = chosen(asked, texts, logits, features)
        best, strength = texts[first], float(logits[first])
        own = features[first, -len(own) :]
        other = others(texts, first)
        raised = np.exp(logits - logits.max())
        top = float(np.log(raised[~other].sum() / raised.sum()))
        said = features[:, ALIGNED.index("stated") - len(ALIGNED)]
        lead, stated_lead = _MAX_LEAD, float(said[first])
        if other.any():
            lead = min(_MAX_LEAD, strength - float(logits[other].max()))
            stated_lead -= float(said[other].max())
    rule = ruling.rule if ruling is not None else ""
    agrees = ruling is not None and _agree(ruling, best)
    tied = ruling is not None and _tied(ruling)
    if rule:  # rests on triples, not on how a sentence puts the best candidate
        own, stated_lead = np.zeros_like(own), 0.0
    values = [top, lead, strength, *around, not rule and kind == "choice", agrees, tied]
    values += [*own, stated_lead, is_said and not rule]
    rule = _AS_RULE.get(rule, rule)
    values += [rule == name for name in RULES if name not in _AS_RULE]
    values += [kind == name for name in KINDS]
    return np.array(values, dtype=np.float32)


def others(texts: Sequence[str], first: int) -> NDArray[np.bool_]:
    """Which candidates are another answer than one.

    Not those with all of its words or no others, nor those that stand together with it in a third:
    "Edinburgh" and "Scotland" in "Edinburgh, Scotland".
    """
    said = [frozenset(key(text).split()) for text in texts]
    own = said[first]
    together = frozenset().union(*(w for w in said if own < w and len(w) <= _TOGETHER))
    return np.array([not (w <= together or w <= own or own <= w) for w in said])


def _agree(ruling: Ruling, best: str) -> bool:
    return same_name(key(ruling.answer), key(best))


def _tied(ruling: Ruling) -> bool:
    return any(statement.triple.tied for statement in ruling.support)

"""Why an answer is not given, in words for people; what to do then is in `kg.shown.advice`."""

import textwrap

from ....kg.answers import GUESS
from ..pages import Evidence, Floats
from ..placed.alignment import ALIGNED, unsaid_names
from ..placed.place import Place
from ..rules.rulings import Ruling
from .confidence import NEVER_ASSERTED, PART_OF_NAME, SAME_AS, joined

THRESHOLD = 0.58
"""Below this confidence the evidence counts as insufficient. Over kinds of documents that weights
are not fitted to, six in seven of what is asserted is right from here on, and six in ten of what
is between one half and this."""
WITHHELD = THRESHOLD - 0.01  # as sure at most is what is only shown
EMPTY = "the field that is asked for is empty"
UNTOLD = "what was found is not known to say yes or no"
_TYPES = {kind: kind for kind in ("date", "number", "person", "place")}


def sure(confidence: float) -> str:
    """Say how sure something is that is not sure enough."""
    known = min(confidence, WITHHELD)  # never as much as is wanted, when rounded
    return f"{known:.0%} sure, and {THRESHOLD:.0%} is wanted"


def unsure(confidence: float) -> str:
    """Say that nothing but the confidence is missing."""
    if confidence < GUESS:
        return "nothing that was found reads like an answer"
    return f"the best candidate is {sure(confidence)}"


def lacking(
    evidence: Evidence,
    ruling: Ruling | None,
    best: Floats | None,
    place: Place | None,
    confidence: float,
    *,
    foreign: str,
    withheld: bool,
) -> str:
    """Say why the answer is not given: what keeps it back, else how sure it is.

    Args:
        best: what `ALIGNED` says of the best candidate; None without any.
        place: where that stands best.
        foreign: which language keeps the answer back, if one does.
        withheld: whether anything keeps it back that is else sure enough.
    """
    asked = evidence.asked
    unsaid = unsaid_names(evidence)
    if unsaid and not asked.language:
        return f"no passage found says {_in_short(' or '.join(unsaid))}"
    if foreign:
        return foreign
    if ruling is not None:
        if ruling.rule in NEVER_ASSERTED:
            return UNTOLD
        return "it is not stated how what was found is related" if withheld else unsure(confidence)
    if best is not None and best[ALIGNED.index("fit")] < 0:
        of_type = f"no {_TYPES.get(asked.kind, 'thing of the kind')} was found that is asked for"
    else:
        of_type = ""
    if confidence < GUESS:
        return of_type or unsure(confidence)
    called = _in_short(" and ".join(dict.fromkeys(asked.called)))
    chained = best is None or best[ALIGNED.index("names_in_chain")] >= 1
    if (place is not None and place.of_another_thing) or not chained:
        return f"what was found may not be about {called or 'what the question names'}"
    kept_back = _kept_back(evidence, place, called) if withheld else unsure(confidence)
    return (place is not None and place.flaw) or of_type or _of_another(place) or kept_back


def _of_another(place: Place | None) -> str:
    of_another = place is not None and place.of_another
    return "what was found may not be about what the question describes" if of_another else ""


def _kept_back(evidence: Evidence, place: Place | None, called: str) -> str:
    """Say what else keeps back an answer that is sure enough."""
    if evidence.asked.kind == "choice":
        return "what was found does not tell which of them it is"
    if PART_OF_NAME.search(evidence.asked.text):
        return "what was found is a whole name"
    if SAME_AS.search(evidence.asked.text):
        return "what was found is not said to be the same"
    if place is not None and place.of_no_kind:
        return "what was found may be of another kind than is asked for"
    if place is not None and place.away:
        return f"what was found does not stand near {called}"
    if joined(evidence):
        return "what was found is not said of both"
    return "the passages found say little of what is asked"


def _in_short(names: str) -> str:
    return textwrap.shorten(names, 100, placeholder=" …")

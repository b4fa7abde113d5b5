"""Signs by which the calibrator tells a right answer from a wrong one."""

from collections.abc import Sequence

import numpy as np

from ...kg.text.words import terms
from .alignment import ALIGNED
from .candidates import AnswerCandidate
from .names import inside, key, same_name
from .pages import Evidence, Floats, Page
from .question import KINDS, Asked
from .rules.rulings import RULES, Ruling

_AS_RULE = {"word": "path"}
"""Rules as sure as another: both rest on stated relations alone, and the first is rare."""
_PATHS = frozenset({"path", "word"})
CIRCUMSTANCES = (
    "covered",  # share of the question's words that the pages have
    "named",  # how many pages it names, at most two
    "length",  # log(1 + its words without stop words), at least SHORT
)
CONFIDENCE = (
    "top",  # log of the best candidate's probability
    "lead",  # log of its ratio to the second's
    "strength",  # its logit: what speaks for it apart from the others
    *CIRCUMSTANCES,
    "unruled choice",  # one of two options, by likeness alone
    "agrees",  # a rule's answer is the best candidate
    "tied",  # a rule rests on a triple whose relation is a guess
    *ALIGNED,  # of the best candidate
    *(f"rule {rule}" for rule in RULES if rule not in _AS_RULE),
    *(f"kind {kind}" for kind in KINDS),
)
NEVER_ASSERTED = frozenset({"default"})
"""Rules whose answer is a guess, whatever the calibrator says."""
SURE = 0.85
"""At least so sure is what one sentence or one triple states of the very thing that is asked about.
Whatever scored best, and however many other candidates there are, says nothing against it.
"""
_SAID = 0.9  # share of the question's words that such a sentence says
SHORT = 5  # words; shorter questions than these were hardly seen in training
MIN_COVERED = 0.5
"""Where the pages have less of the question's words than this, they speak of something else."""
_STATED = ("met", "names_met", "fit", "part")
_MAX_LEAD = 8.0  # of logits; e^8: as good as alone


def only_shown(
    evidence: Evidence, around: Floats, ruling: Ruling | None, best: str, aligned: Floats
) -> bool:
    """Tell whether an answer is a guess that may be shown but not asserted, however sure.

    Without a rule these are: one of two options, where likeness can't tell "older" from "younger";
    an answer from pages that speak of something else; a single answer about two named things
    ("Who composed A and B?") that the pages of both don't have in common; an answer whose
    passage, and those that lead to it, lack a name that the question says; one of another type
    than the question asks for. By rule: the default, and a path over a triple whose relation is a
    guess, unless the scorer arrives there too.

    Args:
        around: see `circumstances`.
        best: the best candidate's text.
        aligned: its values of ALIGNED.
    """
    if ruling is not None:
        guessed = ruling.rule in _PATHS and _tied(ruling)
        return ruling.rule in NEVER_ASSERTED or (guessed and not _agree(ruling, best))
    if evidence.asked.kind == "choice" or around[CIRCUMSTANCES.index("covered")] < MIN_COVERED:
        return True
    if aligned[ALIGNED.index("names_in_chain")] < 1 or aligned[ALIGNED.index("fit")] < 0:
        return True
    return any(not inside(key(best), page.key) for page in _joined(evidence))


def stated(asked: Asked, found: Sequence[AnswerCandidate], aligned: Floats) -> int | None:
    """Find the one candidate that a sentence states to be what is asked for, or None.

    The sentence says the question's names and words; the candidate is of the type asked for and
    plays the part of the question word: "Who designed X?", "X was designed by …".

    Args:
        aligned: (len(found), len(ALIGNED)).
    """
    if asked.kind in ("choice", "yesno"):
        return None
    met, names, fit, part = (aligned[:, ALIGNED.index(name)] for name in _STATED)
    fits = (met >= _SAID) & (names >= 1) & (fit >= 1) & (part > 0)
    fitting: list[int] = np.flatnonzero(fits).tolist()
    rows = [row for row in fitting if not inside(found[row].key, asked.key)]
    keys = {found[row].key for row in rows}
    longest = max(keys, key=len, default="")
    if not all(inside(key, longest) for key in keys):  # "1993" is in "16 August 1993"
        return None
    return next((row for row in rows if found[row].key == longest), None)


def sure_path(ruling: Ruling) -> bool:
    """Tell whether a path is a single triple that states its relation."""
    return ruling.rule in _PATHS and len(ruling.support) == 1 and not _tied(ruling)


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
    kind: str,
    logits: Floats,
    best: str,
    ruling: Ruling | None,
    aligned: Floats,
) -> Floats:
    """Return the signs of an answer in the order of CONFIDENCE: float32 (len(CONFIDENCE),).

    Args:
        around: see `circumstances`.
        kind: of the question.
        logits: of all candidates, in any order.
        best: the best candidate's text, "" without candidates.
        ruling: what a rule decided, if any.
        aligned: the best candidate's values of ALIGNED.
    """
    strength = top = lead = 0.0
    if len(logits):
        ordered = np.sort(logits)[::-1]
        strength = float(ordered[0])
        top = -float(np.log(np.exp(ordered - strength).sum()))
        lead = min(_MAX_LEAD, float(ordered[0] - ordered[1])) if len(ordered) > 1 else _MAX_LEAD
    rule = ruling.rule if ruling is not None else ""
    agrees = ruling is not None and _agree(ruling, best)
    tied = ruling is not None and _tied(ruling)
    values = [top, lead, strength, *around, not rule and kind == "choice", agrees, tied]
    values += list(aligned)
    rule = _AS_RULE.get(rule, rule)
    values += [rule == name for name in RULES if name not in _AS_RULE]
    values += [kind == name for name in KINDS]
    return np.array(values, dtype=np.float32)


def _agree(ruling: Ruling, best: str) -> bool:
    return same_name(key(ruling.answer), key(best))


def _tied(ruling: Ruling) -> bool:
    return any(statement.triple.tied for statement in ruling.support)

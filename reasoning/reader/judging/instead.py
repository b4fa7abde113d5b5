"""Another candidate for the answer, where the likeliest is not so, or is so no more."""

from typing import Protocol

from ..candidates import AnswerCandidate
from ..pages import Floats
from ..placed.alignment import ALIGNED, Aligner
from ..placed.another_one import of_another_day, of_the_day
from ..placed.features import aligned_of
from ..placed.lines import opens
from ..placed.listed import has_figure
from ..placed.past import new_value
from ..placed.place import Place
from .judged import Judgement

HOPELESS = 0.1
"""So sure candidates are hardly ever right."""
_AS_MUCH = 0.8  # of the question's words, in the sentence that tells what has changed
_MET, _FITS = ALIGNED.index("met_around"), ALIGNED.index("fit")


class Study(Protocol):
    """A question's candidates, and where they stand."""

    @property
    def aligner(self) -> Aligner:
        """Where each stands."""
        ...

    @property
    def found(self) -> list[AnswerCandidate]:
        """All of them."""
        ...

    @property
    def features(self) -> Floats:
        """Their features: (len(found), len(FEATURES))."""
        ...

    def misplaced(self, candidate: int) -> bool:
        """Whether one is not stated where it stands."""
        ...


def instead(study: Study, judged: Judgement) -> Judgement:
    """Give the judgement, with another candidate for the answer where the best is not stated.

    That is the best that is; or what a later notice has made of it ("is now 3 January").
    """
    if not study.misplaced(judged.best):
        newer = (one for one in judged.chances if _has_become(study, judged.best, one))
        one = next(newer, judged.best)
        if one != judged.best:
            return judged.swapping(one)
        rival = _told_of_another_part(study, judged)
        rival = _what_it_was(study, judged) if rival is None else rival
        return judged if rival is None else judged.ruling_out(rival)
    one = next((one for one in judged.chances if not study.misplaced(one)), judged.best)
    place = study.aligner.place(study.found[judged.best])
    if place is not None:
        told = _behind(study, place)
        if told is not None:
            return judged.swapping(told)
        if (value := _new_value(study, place, judged)) is not None:
            return judged.swapping(value)
        if (part := _of_the_part(study, place, judged)) is not None:
            return judged.swapping(part)
        if place.part_asked is None and _in_the_same_list(study, place, judged.best, one):
            return judged.swapping(one)
        if (line := _of_the_line_beside(study, place, judged)) is not None:
            return judged.swapping(line)
        if (of_day := _of_the_day(study, place, judged)) is not None:
            return judged.swapping(of_day)
    return judged.preferring(one) if judged.chances.get(one, 0.0) >= HOPELESS else judged


def _told_of_another_part(study: Study, judged: Judgement) -> int | None:
    """The next likeliest, if its sentence says it of another thing and the best of what is asked.

    Of "Room 3 has a projector, room 5 a piano" one is as likely as the other to be in room 5.
    """
    best, *rivals = judged.chances
    place = study.aligner.place(study.found[rivals[0]]) if rivals else None
    part = place.part_asked if place is not None else None
    if place is None or part is None:
        return None
    page = place.mention.page
    there = any(
        m.page is page and m.end and part[0] <= m.start < m.end <= part[1]
        for m in study.found[best].mentions
    )
    return rivals[0] if there else None


def _of_the_part(study: Study, place: Place, judged: Judgement) -> int | None:
    """Which candidate stands where the first's sentence tells of what is asked about."""
    if (part := place.part_asked) is None:
        return None
    page, figure = place.mention.page, has_figure(study.found[judged.best].text)
    return next(
        (
            one
            for one in judged.chances
            for m in study.found[one].mentions
            if m.page is page and m.end and part[0] <= m.start < m.end <= part[1]
            if has_figure(study.found[one].text) == figure and not study.misplaced(one)
            if aligned_of(study.features, one)[_FITS] >= 0
        ),
        None,
    )


def _what_it_was(study: Study, judged: Judgement) -> int | None:
    """The next likeliest, if the best is what became of it: £5 of "corrected from £5 to £3"."""
    best, *rivals = judged.chances
    place = study.aligner.place(study.found[rivals[0]]) if rivals else None
    was = place is not None and _new_value(study, place, judged) == best
    return rivals[0] if was else None


def _new_value(study: Study, place: Place, judged: Judgement) -> int | None:
    """Which candidate something came to, where the first is what it was: "from £3 to £5"."""
    page, start = place.mention.page, new_value(place.mention.page, place.mention)
    if start is None or not place.of_the_past:
        return None
    return next(
        (
            one
            for one in judged.chances
            for m in study.found[one].mentions
            if m.page is page and m.end and m.start == start and not study.misplaced(one)
        ),
        None,
    )


def _in_the_same_list(study: Study, place: Place, first: int, other: int) -> bool:
    """Whether the same list tells both: what made the first likely speaks for the other.

    A row's values are no list.
    """
    mine, its = study.found[first], study.found[other]
    page, sentence = place.mention.page, place.mention.sentence
    if has_figure(mine.text) != has_figure(its.text) or sentence in page.fields:
        return False
    beside = any(m.page is page and m.sentence == sentence and m.end for m in its.mentions)
    return beside and (place.told_of_another or place.of_the_past)


def _of_the_line_beside(study: Study, place: Place, judged: Judgement) -> int | None:
    """Which candidate opens the line that says what is asked about instead of the first's own."""
    if (line := place.line_beside) is None:
        return None
    page = place.mention.page
    return next(
        (
            one
            for one in judged.chances
            for m in study.found[one].mentions
            if m.end and m.page is page and m.sentence == line and opens(page, m)
            if opens(page, place.mention) and not study.misplaced(one)
        ),
        None,
    )


def _of_the_day(study: Study, place: Place, judged: Judgement) -> int | None:
    """Which candidate stands in a line of the day asked about, where the first's is of another."""
    asked = place.page.of.asked
    if not of_another_day(asked, place.page.page, place.mention):
        return None
    least = min(0.0, float(aligned_of(study.features, judged.best)[_FITS]))
    return next(
        (
            one
            for one in judged.chances
            if any(of_the_day(asked, m.page, m) for m in study.found[one].mentions)
            if aligned_of(study.features, one)[_FITS] >= least and not study.misplaced(one)
        ),
        None,
    )


def _behind(study: Study, place: Place) -> int | None:
    """Which candidate follows where the first is taken back: "not on 21 July; new date 11 August".

    The one that best fits the type asked for, of such the longest.
    """
    if (told := place.taken_back) is None:
        return None
    page, end = told
    number = page.sentence_at(end)
    behind = [
        one
        for one, candidate in enumerate(study.found)
        if has_figure(candidate.text)
        and any(
            m.page is page and m.sentence == number and m.start >= end for m in candidate.mentions
        )
        and aligned_of(study.features, one)[_FITS] > 0
        and not study.misplaced(one)
    ]
    order = [
        (float(aligned_of(study.features, one)[_FITS]), len(study.found[one].text), -one)
        for one in behind
    ]
    return -max(order)[2] if order else None


def _has_become(study: Study, first: int, other: int) -> bool:
    """Whether a later notice says another candidate for one: "is now 3 January".

    Its sentence says as much of the question as the other's does, but for a fifth.
    """
    old, new = (study.aligner.place(study.found[one]) for one in (first, other))
    if old is None or new is None or not (old.mention.end and new.mention.end):
        return False
    if not old.may_change_to(new) or study.misplaced(other):
        return False
    mine, its = (aligned_of(study.features, one) for one in (first, other))
    return bool(its[_MET] >= _AS_MUCH * mine[_MET] and its[_FITS] >= mine[_FITS] > 0)

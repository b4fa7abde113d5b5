"""How a place in a text meets a question: names, words, the type asked for, the part it plays.

A sentence that says the question's names and words, and in which a candidate of the fitting type
stands in the part that the question asks for ("Who founded X?": the subject of "founded", or after
"by"), answers it though no triple was extracted from it.
"""

import functools
import math
import re
from dataclasses import dataclass

from ....kg.text.words import stems
from ..candidates import AnswerCandidate, Mention
from ..kinds import fit, is_strict, number_word
from ..pages import Evidence, Page
from .aligned_page import AlignedPage
from .asked_words import AskedWords
from .place import Place

ALIGNED = (
    "met",  # share of the question's words in the sentence, rare ones counting more
    "met_around",  # … or in the sentence before it, the title or the heading
    "names_met",  # share of the question's names in the sentence
    "names_around",
    "names_in_chain",  # … in the passage, or in one that names it
    "fit",  # 1: of the type asked for; -1: of another
    "part",  # 1: plays the part that the question asks for, -1: another
    "near_word",  # 1 / (1 + steps in the parse to what is asked about the names)
    "near_name",
    "near_focus",
    "unit",  # the counted noun follows the number
    "sure",  # met × fit: a sentence that says all, and a thing of that type
    "stated",  # how far a sentence states it: names, relation, type and part together
)
_AT = {name: place for place, name in enumerate(ALIGNED)}
_APART = 0.6  # … of a candidate in another clause than the names, with another subject
_OTHERS = 0.5  # … of a figure in a list that tells another for what is asked about
_ELSEWHERE = 0.75  # … where another sentence speaks of the thing that is asked about
_NO_PART = 0.9  # … of a candidate that the parse ties to nothing asked about
_OTHER_PART = 0.5  # … that did what was done to what is asked for, or the other way round
_UNSAID = 0.7  # … of what only its surroundings say, and nothing the sentence itself
_RELATED = 0.5  # how much of "stated" hangs on what is asked about the names
_NEAR = 0.15  # … on standing beside that
_NOT_DONE = 0.6  # what counts of a sentence without the verb that is asked about
_NO_UNIT = 0.6  # what counts of a number of other things
_ANY = 0.3  # what counts as the fit of anything, where the question asks for nothing particular
_CODE = re.compile(r"\w[./_@-]\w|^[./-]\w")


@dataclass(frozen=True)
class Alignment:
    """Of one mention; values in the order of ALIGNED."""

    values: tuple[float, ...]

    def __getitem__(self, name: str) -> float:
        return self.values[_AT[name]]

    @functools.cached_property
    def rank(self) -> float:
        """What the best of a candidate's mentions is chosen by."""
        return (
            self["met"] + self["names_around"] + self["fit"] + 0.5 * self["part"]
            + self["near_word"] + 0.5 * self["near_focus"] + self["unit"]
        )  # fmt: skip


class Aligner:
    """Aligns mentions of one question's pages."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.asked = evidence, evidence.asked
        self.words = AskedWords(evidence)
        self._pages: dict[str, AlignedPage] = {}
        self._aligned: dict[tuple[str, tuple[object, ...]], Alignment] = {}
        self._stems: dict[str, frozenset[str]] = {}  # of a candidate, which has many mentions

    def mention(self, mention: Mention, text: str) -> Alignment:
        """Align one mention of a candidate of this text."""
        place = mention.page.id, mention.sentence, mention.start, mention.end, mention.label
        if (text, place) not in self._aligned:  # several triples end at one
            self._aligned[text, place] = self._align(mention, text)
        return self._aligned[text, place]

    def _align(self, mention: Mention, text: str) -> Alignment:
        page = self.page(mention.page)
        if text not in self._stems:
            self._stems[text] = frozenset(stems(text))
        words = self._stems[text]
        names, names_around = page.names(mention.sentence), page.names_around(mention.sentence)
        near = page.near(mention)
        fits = fit(self.asked, mention, text)
        field = near[0] > 0 and mention.sentence in page.page.fields
        if field and self.asked.kind == "other" and not is_strict(self.asked, text):
            fits = max(fits, float(not self.asked.form))  # the value of the field asked for
        elif near[3] >= 1 and abs(fits) < 1 and self.asked.focus:  # "the app Nightjar"
            fits = 1.0 if self._tells(text) or page.called(mention) else min(fits, -0.5)
        typed = self.asked.typed if fits > 0 else frozenset[str]()
        met = page.met(mention.sentence, words, typed)
        around = page.met_around(mention.sentence, words, typed)
        stated = self._stated(
            page,
            mention,
            words,
            (met * names, around * names_around * (1 if met else _UNSAID)),
            fits,
            near,
        )
        return Alignment(
            (
                met, around, names, names_around, page.names_in_chain, fits, *near,
                page.unit(mention), met * max(0.0, fits), stated,
            )
        )  # fmt: skip

    def _stated(
        self,
        page: AlignedPage,
        mention: Mention,
        words: frozenset[str],
        said: tuple[float, float],
        fits: float,
        near: tuple[float, float, float, float],
    ) -> float:
        """How far one sentence states a candidate to be what is asked for, 0 to 1.

        Args:
            said: share of names and words that the sentence says, alone and with its surroundings.
        """
        if words <= self.asked.stems:
            return 0.0
        able = fits
        if self.asked.kind == "other" and not fits:
            able = 2 * _ANY if near[0] > 0 else _ANY
        part, word = near[:2]
        figure = mention.label in ("CARDINAL", "QUANTITY") or any(w.isdigit() for w in words)
        in_field = part > 0 and mention.sentence in page.page.fields
        meant = "much" not in self.asked.typed or page.things(mention.sentence)
        related = 1.0 if in_field and meant else page.related(mention.sentence, words)
        return (
            max(said[0], page.held_around(mention.sentence) * said[1])
            * math.sqrt(max(0.0, able))
            * (1 if part > 0 else _NO_PART if not part else _OTHER_PART)
            * (1 - _RELATED + _RELATED * related)
            * (1 - _NEAR + _NEAR * word)
            * (1 if in_field or not self.asked.unit or page.unit(mention) else _NO_UNIT)
            * (_APART if page.apart(mention) else 1)
            * (_ELSEWHERE if page.told_elsewhere(mention.sentence) else 1)
            * (_OTHERS if figure and page.listed_for_another(mention) else 1)
            * (1 if in_field or page.does(mention.sentence) else _NOT_DONE)
        )

    def _tells(self, text: str) -> bool:
        """Whether a phrase with the noun asked for holds a name, a number or a code besides.

        "the app Nightjar" tells which app it is; "two main apps" does not.
        """
        rest = (
            w
            for w in text.split()
            if not self.asked.stems.issuperset(stems(w)) and not number_word(w)
        )
        return any(any(c.isupper() or c.isdigit() for c in w) or _CODE.search(w) for w in rest)

    def best(self, candidate: AnswerCandidate) -> Mention:
        """The mention of a candidate that meets the question best."""
        return max(candidate.mentions, key=lambda m: self.mention(m, candidate.text).rank)

    def place(self, candidate: AnswerCandidate) -> Place | None:
        """Where a candidate meets the question best; None of one that stands nowhere."""
        if not candidate.mentions:
            return None
        mention = self.best(candidate)
        return Place(self.page(mention.page), mention, candidate.text)

    def page(self, page: Page) -> AlignedPage:
        """The page, prepared once."""
        if page.id not in self._pages:
            self._pages[page.id] = AlignedPage(page, self.words)
        return self._pages[page.id]


def unsaid_names(evidence: Evidence) -> list[str]:
    """Return the question's names of which no page says all words."""
    words: set[str] = set()
    for page in evidence.pages:
        words.update(stems(f"{page.passage.title} {page.passage.heading}"), page.words)
    asked = evidence.asked
    return [said for said, name in zip(asked.called, asked.names, strict=True) if not name <= words]
